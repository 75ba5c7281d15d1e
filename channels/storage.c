#define _GNU_SOURCE
#include "channels/storage.h"

#include "rt/base/alloc.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CACHE_LINE = 64 };

int dal_region_init(struct dal_region *region, size_t bytes, int huge)
{
    *region = (struct dal_region){.base = dal_alloc_pages(bytes), .bytes = bytes};
    if (region->base && huge)
        dal_ask_huge_pages(region->base, bytes);
    return region->base || bytes == 0 ? DAL_OK : DAL_ERR_NOMEM;
}

void dal_region_finish(struct dal_region *region)
{
    dal_free_pages(region->base, region->bytes);
    *region = (struct dal_region){0};
}

size_t dal_region_share(size_t bytes)
{
    return (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}

int dal_storage_region(struct dal_storage *storage, struct dal_region *region, size_t bytes)
{
    *storage = (struct dal_storage){0};
    if (!region || region->bytes - region->used < dal_region_share(bytes))
        return 0;
    *storage = (struct dal_storage){
        .sort = DAL_STORAGE_REGION, .host = region->base + region->used, .bytes = bytes};
    region->used += dal_region_share(bytes);
    return 1;
}

static int make_plain(struct dal_storage *storage, const char *name, size_t alignment, size_t bytes)
{
    storage->host = dal_alloc_aligned(alignment, bytes);
    if (!storage->host) {
        dal_log(DAL_LOG_ERROR, "channel %s: no memory for a ring of %zu bytes", name, bytes);
        return DAL_ERR_NOMEM;
    }
    memset(storage->host, 0, bytes);
    return DAL_OK;
}

/* Maps a memory file twice, side by side. Returns NULL with errno set on failure. */
static unsigned char *map_twice(int file, size_t bytes)
{
    unsigned char *base = mmap(NULL, 2 * bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
        return NULL;
    for (int half = 0; half < 2; half++) {
        void *view = mmap(base + (size_t)half * bytes, bytes, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_FIXED, file, 0);
        if (view == MAP_FAILED) {
            munmap(base, 2 * bytes);
            return NULL;
        }
    }
    return base;
}

static int make_twice(struct dal_storage *storage, const char *name, size_t page)
{
    int file = memfd_create("dal-ring", MFD_CLOEXEC);
    storage->bytes = (storage->bytes + page - 1) / page * page;
    if (file >= 0 && ftruncate(file, (off_t)storage->bytes) == 0)
        storage->host = map_twice(file, storage->bytes);
    if (!storage->host)
        dal_log(DAL_LOG_ERROR, "channel %s: no doubly mapped ring of %zu bytes: %s", name,
                storage->bytes, strerror(errno));
    if (file >= 0)
        close(file);
    return storage->host ? DAL_OK : DAL_ERR_SYSTEM;
}

int dal_storage_host(struct dal_storage *storage, enum dal_storage_sort sort, const char *name,
                     size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    *storage = (struct dal_storage){.sort = sort, .bytes = bytes};
    if (sort == DAL_STORAGE_TWICE)
        return make_twice(storage, name, page);
    return make_plain(storage, name, sort == DAL_STORAGE_PAGES ? page : CACHE_LINE, bytes);
}

/* ---- memory of a device's backend ------------------------------------------------------------ */

int dal_storage_shared(struct dal_storage *storage, const struct dal_subject *channel,
                       struct dal_device *device, size_t bytes)
{
    void *host;
    dal_memory memory;
    int status = device->backend->shared_memory(device, channel, bytes, &host, &memory);
    *storage = (struct dal_storage){.sort = DAL_STORAGE_SHARED, .bytes = bytes, .device = device};
    if (status < 0)
        return status;
    storage->host = memset(host, 0, bytes);
    storage->memory = memory;
    return DAL_OK;
}

int dal_storage_pinned(struct dal_storage *storage, const struct dal_subject *channel,
                       struct dal_device *device, dal_commands commands, size_t bytes)
{
    void *host, *handle;
    int status = device->backend->pinned(device, channel, commands, bytes, &host, &handle);
    *storage = (struct dal_storage){
        .sort = DAL_STORAGE_PINNED, .bytes = bytes, .device = device, .commands = commands};
    if (status < 0)
        return status;
    storage->host = memset(host, 0, bytes);
    storage->handle = handle;
    return DAL_OK;
}

int dal_storage_device(struct dal_storage *storage, const struct dal_subject *channel,
                       struct dal_device *device, size_t bytes, int transfers)
{
    enum dal_memory_use use = transfers ? DAL_MEMORY_PLAIN : DAL_MEMORY_KERNELS;
    *storage = (struct dal_storage){.sort = DAL_STORAGE_DEVICE, .bytes = bytes, .device = device};
    if (bytes > device->info.limits.alloc_bytes) {
        dal_log(channel->failures, "channel %s: a ring of %zu bytes, but %s allocates %llu at most",
                channel->name, bytes, device->info.name,
                (unsigned long long)device->info.limits.alloc_bytes);
        return DAL_ERR_LIMIT;
    }
    return device->backend->memory(device, channel, use, bytes, NULL, &storage->memory);
}

/* ---- all sorts ------------------------------------------------------------------------------- */

struct dal_ring_view dal_storage_view(const struct dal_storage *storage, size_t bytes,
                                      size_t tail_bytes)
{
    if (storage->sort == DAL_STORAGE_TWICE)
        return (struct dal_ring_view){storage->host, storage->bytes, SIZE_MAX};
    return (struct dal_ring_view){storage->host, bytes, bytes + tail_bytes};
}

void dal_storage_finish(struct dal_storage *storage)
{
    struct dal_device *device = storage->device;
    switch (storage->host || storage->memory ? storage->sort : DAL_STORAGE_NONE) {
    case DAL_STORAGE_NONE:
    case DAL_STORAGE_REGION:
        break;
    case DAL_STORAGE_PLAIN:
    case DAL_STORAGE_PAGES:
        dal_free(storage->host);
        break;
    case DAL_STORAGE_TWICE:
        munmap(storage->host, 2 * storage->bytes);
        break;
    case DAL_STORAGE_SHARED:
        device->backend->shared_memory_free(device, storage->host, storage->memory);
        break;
    case DAL_STORAGE_PINNED:
        device->backend->pinned_free(device, storage->commands, storage->host, storage->handle);
        break;
    case DAL_STORAGE_DEVICE:
        device->backend->memory_free(device, storage->memory);
        break;
    }
    *storage = (struct dal_storage){0};
}
