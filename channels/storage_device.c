/* Memory that comes from a device's backend. */
#include "channels/storage.h"

#include <string.h>

static void release_memory(struct dal_storage *storage)
{
    storage->device->backend->memory_free(storage->device, storage->memory);
}

static void release_shared(struct dal_storage *storage)
{
    storage->device->backend->shared_memory_free(storage->device, storage->host, storage->memory);
}

static void release_pinned(struct dal_storage *storage)
{
    storage->device->backend->pinned_free(storage->device, storage->commands, storage->host,
                                          storage->handle);
}

int dal_storage_shared(struct dal_storage *storage, const struct dal_subject *channel,
                       struct dal_device *device, size_t bytes)
{
    void *host;
    dal_memory memory;
    int status = device->backend->shared_memory(device, channel, bytes, &host, &memory);
    *storage = (struct dal_storage){.bytes = bytes, .device = device};
    if (status < 0)
        return status;
    storage->host = memset(host, 0, bytes);
    storage->memory = memory;
    storage->release = release_shared;
    return DAL_OK;
}

int dal_storage_pinned(struct dal_storage *storage, const struct dal_subject *channel,
                       struct dal_device *device, dal_commands commands, size_t bytes)
{
    void *host, *handle;
    int status = device->backend->pinned(device, channel, commands, bytes, &host, &handle);
    *storage = (struct dal_storage){.bytes = bytes, .device = device, .commands = commands};
    if (status < 0)
        return status;
    storage->host = memset(host, 0, bytes);
    storage->handle = handle;
    storage->release = release_pinned;
    return DAL_OK;
}

int dal_storage_device(struct dal_storage *storage, const struct dal_subject *channel,
                       struct dal_device *device, size_t bytes, int transfers)
{
    enum dal_memory_use use = transfers ? DAL_MEMORY_PLAIN : DAL_MEMORY_KERNELS;
    int status;
    *storage = (struct dal_storage){.bytes = bytes, .device = device};
    if (bytes > device->info.max_alloc_bytes) {
        dal_log(channel->failures, "channel %s: a ring of %zu bytes, but %s allocates %llu at most",
                channel->name, bytes, device->info.name,
                (unsigned long long)device->info.max_alloc_bytes);
        return DAL_ERR_LIMIT;
    }
    status = device->backend->memory(device, channel, use, bytes, NULL, &storage->memory);
    if (status == DAL_OK)
        storage->release = release_memory;
    return status;
}
