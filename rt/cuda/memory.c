/* Memory of devices, and of the host for their transfers. */
#include "rt/base/alloc.h"
#include "rt/cuda/device.h"

/* Refuses a use of memory that the device's info excludes, since it has memory of its own. */
static int refuse_use(const struct dal_subject *subject, const char *what)
{
    dal_log(subject->failures, "%s: devices of CUDA have memory of their own: %s is not for them",
            subject->name, what);
    return DAL_ERR_UNSUPPORTED;
}

int dal__cuda_memory(struct dal_device *device, const struct dal_subject *subject,
                     enum dal_memory_use use, size_t bytes, void *host, dal_memory *memory)
{
    struct dal__memory *made;
    int status;
    (void)host;
    *memory = NULL;
    if (use == DAL_MEMORY_OVER_HOST)
        return refuse_use(subject, "memory over the host's");
    made = dal_calloc(1, sizeof(*made));
    if (!made)
        return DAL_ERR_NOMEM;
    status = dal__cuda_enter_anew(dal__cuda_device(device), subject);
    if (status == DAL_OK)
        status = DAL_CU(subject, cuMemAlloc_v2, (&made->pointer, bytes));
    if (status < 0)
        dal_free(made);
    else
        *memory = made;
    return status;
}

void dal__cuda_memory_free(struct dal_device *device, dal_memory memory)
{
    if (!memory)
        return;
    dal__cuda_wait_for_all(dal__cuda_device(device)->opened);
    dal__cuda_enter_quietly(dal__cuda_device(device));
    DAL_CU_FREE(cuMemFree_v2, (memory->pointer));
    dal_free(memory);
}

int dal__cuda_shared_memory(struct dal_device *device, const struct dal_subject *subject,
                            size_t bytes, void **host, dal_memory *memory)
{
    (void)device;
    (void)bytes;
    *host = NULL;
    *memory = NULL;
    return refuse_use(subject, "memory that is shared with the host");
}

void dal__cuda_shared_memory_free(struct dal_device *device, void *host, dal_memory memory)
{
    (void)device;
    (void)host;
    (void)memory;
}

int dal__cuda_pinned(struct dal_device *device, const struct dal_subject *subject,
                     dal_commands commands, size_t bytes, void **host, void **handle)
{
    int status = dal__cuda_enter_anew(dal__cuda_device(device), subject);
    (void)commands;
    *host = *handle = NULL;
    if (status == DAL_OK)
        status = DAL_CU(subject, cuMemHostAlloc, (host, bytes, CU_MEMHOSTALLOC_PORTABLE));
    if (status < 0)
        *host = NULL;
    return status;
}

void dal__cuda_pinned_free(struct dal_device *device, dal_commands commands, void *host,
                           void *handle)
{
    (void)commands;
    (void)handle;
    if (!host)
        return;
    dal__cuda_wait_for_all(dal__cuda_device(device)->opened);
    dal__cuda_enter_quietly(dal__cuda_device(device));
    DAL_CU_FREE(cuMemFreeHost, (host));
}

int dal__cuda_map(dal_commands commands, const struct dal_subject *subject, dal_memory memory,
                  size_t bytes, enum dal_map_access access, int wait, void **mapped)
{
    (void)commands;
    (void)memory;
    (void)bytes;
    (void)access;
    (void)wait;
    *mapped = NULL;
    return refuse_use(subject, "a buffer that is mapped");
}

int dal__cuda_unmap(dal_commands commands, const struct dal_subject *subject, dal_memory memory,
                    void *mapped)
{
    (void)commands;
    (void)memory;
    (void)mapped;
    return subject ? refuse_use(subject, "a buffer that is mapped") : DAL_OK;
}
