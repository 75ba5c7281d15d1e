/* Memory of devices. */
#include "rt/ocl/device.h"

int dal__ocl_memory(struct dal_device *device, const struct dal_subject *subject,
                    enum dal_memory_use use, size_t bytes, void *host, dal_memory *memory)
{
    static const cl_mem_flags flags[] = {
        [DAL_MEMORY_PLAIN] = 0,
        [DAL_MEMORY_KERNELS] = CL_MEM_HOST_WRITE_ONLY,
        [DAL_MEMORY_OVER_HOST] = CL_MEM_USE_HOST_PTR,
    };
    cl_mem made;
    int status;
    *memory = NULL;
    /* NVIDIA's driver makes a larger buffer, and fails at the first command. */
    if (bytes > device->info.max_alloc_bytes) {
        dal_log(subject->failures, "%s: %zu bytes in one piece, but %s has %llu at most",
                subject->name, bytes, device->info.name,
                (unsigned long long)device->info.max_alloc_bytes);
        return DAL_ERR_LIMIT;
    }
    status = DAL_CL_NEW(
        subject, made, clCreateBuffer,
        (dal_ocl_device(device)->context, CL_MEM_READ_WRITE | flags[use], bytes, host, &error));
    *memory = (dal_memory)made;
    return status;
}

void dal__ocl_memory_free(struct dal_device *device, dal_memory memory)
{
    (void)device;
    clReleaseMemObject(dal_ocl_memory(memory));
}

/* OpenCL 3.0, section 3.3.3. */
int dal__ocl_shared_memory(struct dal_device *device, const struct dal_subject *subject,
                           size_t bytes, void **host, dal_memory *memory)
{
    cl_context context = dal_ocl_device(device)->context;
    void *made = NULL;
    int status;
    *host = NULL;
    *memory = NULL;
    if (!dal_backend_fault("clSVMAlloc"))
        made = clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, bytes, 0);
    if (!made) {
        dal_log(subject->failures, "%s: clSVMAlloc: no shared virtual memory of %zu bytes on %s",
                subject->name, bytes, device->info.name);
        return DAL_ERR_DEVICE;
    }
    status = dal__ocl_memory(device, subject, DAL_MEMORY_OVER_HOST, bytes, made, memory);
    if (status < 0)
        clSVMFree(context, made);
    else
        *host = made;
    return status;
}

void dal__ocl_shared_memory_free(struct dal_device *device, void *host, dal_memory memory)
{
    clReleaseMemObject(dal_ocl_memory(memory));
    clSVMFree(dal_ocl_device(device)->context, host);
}

/* The handle is the buffer, which is mapped for good. */
int dal__ocl_pinned(struct dal_device *device, const struct dal_subject *subject,
                    dal_commands commands, size_t bytes, void **host, void **handle)
{
    cl_mem memory;
    int status = DAL_CL_NEW(subject, memory, clCreateBuffer,
                            (dal_ocl_device(device)->context,
                             CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &error));
    *host = *handle = NULL;
    if (status < 0)
        return status;
    status = DAL_CL_NEW(subject, *host, clEnqueueMapBuffer,
                        (dal_ocl_queue(commands), memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                         bytes, 0, NULL, NULL, &error));
    if (status < 0)
        clReleaseMemObject(memory);
    else
        *handle = memory;
    return status;
}

void dal__ocl_pinned_free(struct dal_device *device, dal_commands commands, void *host,
                          void *handle)
{
    cl_command_queue queue = dal_ocl_queue(commands);
    (void)device;
    clEnqueueUnmapMemObject(queue, handle, host, 0, NULL, NULL);
    clFinish(queue);
    clReleaseMemObject(handle);
}

int dal__ocl_map(dal_commands commands, const struct dal_subject *subject, dal_memory memory,
                 size_t bytes, enum dal_map_access access, int wait, void **mapped)
{
    cl_map_flags flags =
        access == DAL_MAP_OVERWRITE ? CL_MAP_WRITE_INVALIDATE_REGION : CL_MAP_READ | CL_MAP_WRITE;
    return DAL_CL_NEW(subject, *mapped, clEnqueueMapBuffer,
                      (dal_ocl_queue(commands), dal_ocl_memory(memory), wait ? CL_TRUE : CL_FALSE,
                       flags, 0, bytes, 0, NULL, NULL, &error));
}

int dal__ocl_unmap(dal_commands commands, const struct dal_subject *subject, dal_memory memory,
                   void *mapped)
{
    cl_command_queue queue = dal_ocl_queue(commands);
    if (subject)
        return DAL_CL_FOR(subject, clEnqueueUnmapMemObject,
                          (queue, dal_ocl_memory(memory), mapped, 0, NULL, NULL));
    clEnqueueUnmapMemObject(queue, dal_ocl_memory(memory), mapped, 0, NULL, NULL);
    return DAL_OK;
}
