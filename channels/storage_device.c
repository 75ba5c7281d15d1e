#include "channels/storage.h"

#include <string.h>

static void release_memory(struct dal_storage *storage)
{
    clReleaseMemObject(storage->memory);
}

static void release_shared(struct dal_storage *storage)
{
    if (storage->memory)
        clReleaseMemObject(storage->memory);
    clSVMFree(storage->context, storage->host);
}

static void release_pinned(struct dal_storage *storage)
{
    if (storage->host) {
        clEnqueueUnmapMemObject(storage->queue, storage->memory, storage->host, 0, NULL, NULL);
        clFinish(storage->queue);
    }
    clReleaseMemObject(storage->memory);
}

int dal_storage_shared(struct dal_storage *storage, const struct dal_subject *channel,
                       const struct dal_ocl_device *device, size_t bytes)
{
    int status;
    *storage = (struct dal_storage){.bytes = bytes, .context = device->context};
    if (!dal_ocl_fault("clSVMAlloc"))
        storage->host =
            clSVMAlloc(device->context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, bytes, 0);
    if (!storage->host) {
        dal_log(channel->failures, "channel %s: no shared virtual memory of %zu bytes on %s",
                channel->name, bytes, device->info.name);
        return DAL_ERR_OPENCL;
    }
    storage->release = release_shared;
    memset(storage->host, 0, bytes);
    status = DAL_CL_NEW(
        channel, storage->memory, clCreateBuffer,
        (device->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, storage->host, &error));
    if (status < 0)
        dal_storage_finish(storage);
    return status;
}

int dal_storage_pinned(struct dal_storage *storage, const struct dal_subject *channel,
                       const struct dal_ocl_device *device, cl_command_queue queue, size_t bytes)
{
    int status;
    *storage = (struct dal_storage){.bytes = bytes, .queue = queue};
    status = DAL_CL_NEW(
        channel, storage->memory, clCreateBuffer,
        (device->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &error));
    if (status < 0)
        return status;
    storage->release = release_pinned;
    status = DAL_CL_NEW(channel, storage->host, clEnqueueMapBuffer,
                        (queue, storage->memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0,
                         NULL, NULL, &error));
    if (status < 0)
        dal_storage_finish(storage);
    else
        memset(storage->host, 0, bytes);
    return status;
}

int dal_storage_device(struct dal_storage *storage, const struct dal_subject *channel,
                       const struct dal_ocl_device *device, size_t bytes, int transfers)
{
    cl_mem_flags host = transfers ? 0 : CL_MEM_HOST_WRITE_ONLY;
    int status;
    *storage = (struct dal_storage){.bytes = bytes};
    if (bytes > device->info.max_alloc_bytes) {
        dal_log(channel->failures, "channel %s: a ring of %zu bytes, but %s allocates %llu at most",
                channel->name, bytes, device->info.name,
                (unsigned long long)device->info.max_alloc_bytes);
        return DAL_ERR_LIMIT;
    }
    status = DAL_CL_NEW(channel, storage->memory, clCreateBuffer,
                        (device->context, CL_MEM_READ_WRITE | host, bytes, NULL, &error));
    if (status == DAL_OK)
        storage->release = release_memory;
    return status;
}
