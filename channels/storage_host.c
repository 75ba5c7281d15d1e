#define _GNU_SOURCE
#include "channels/storage.h"

#include "rt/base/alloc.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CACHE_LINE = 64 };

static void release_plain(struct dal_storage *storage)
{
    dal_free(storage->host);
}

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
    *storage = (struct dal_storage){.host = region->base + region->used, .bytes = bytes};
    region->used += dal_region_share(bytes);
    return 1;
}

static void release_twice(struct dal_storage *storage)
{
    munmap(storage->host, 2 * storage->bytes);
}

static int make_plain(struct dal_storage *storage, const char *name, size_t alignment, size_t bytes)
{
    *storage = (struct dal_storage){.bytes = bytes};
    storage->host = dal_alloc_aligned(alignment, bytes);
    if (!storage->host) {
        dal_log(DAL_LOG_ERROR, "channel %s: no memory for a ring of %zu bytes", name, bytes);
        return DAL_ERR_NOMEM;
    }
    memset(storage->host, 0, bytes);
    storage->release = release_plain;
    return DAL_OK;
}

int dal_storage_host(struct dal_storage *storage, const char *name, size_t bytes)
{
    return make_plain(storage, name, CACHE_LINE, bytes);
}

int dal_storage_pages(struct dal_storage *storage, const char *name, size_t bytes)
{
    return make_plain(storage, name, (size_t)sysconf(_SC_PAGESIZE), bytes);
}

/* Maps a memory file twice, side by side. Returns NULL with errno set on failure. */
static unsigned char *map_twice(int file, size_t bytes)
{
    unsigned char *base = mmap(NULL, 2 * bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int half;
    if (base == MAP_FAILED)
        return NULL;
    for (half = 0; half < 2; half++) {
        void *view = mmap(base + (size_t)half * bytes, bytes, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_FIXED, file, 0);
        if (view == MAP_FAILED) {
            munmap(base, 2 * bytes);
            return NULL;
        }
    }
    return base;
}

int dal_storage_twice(struct dal_storage *storage, const char *name, size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    int file = memfd_create("dal-ring", MFD_CLOEXEC);
    *storage = (struct dal_storage){.bytes = (bytes + page - 1) / page * page};
    if (file >= 0 && ftruncate(file, (off_t)storage->bytes) == 0)
        storage->host = map_twice(file, storage->bytes);
    if (!storage->host)
        dal_log(DAL_LOG_ERROR, "channel %s: no doubly mapped ring of %zu bytes: %s", name,
                storage->bytes, strerror(errno));
    else
        storage->release = release_twice;
    if (file >= 0)
        close(file);
    return storage->host ? DAL_OK : DAL_ERR_SYSTEM;
}

void dal_storage_finish(struct dal_storage *storage)
{
    if (storage->release)
        storage->release(storage);
    *storage = (struct dal_storage){0};
}
