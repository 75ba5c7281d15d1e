/* Kernels and launches. */
#include "rt/ocl/device.h"

int dal__ocl_function(struct dal_device *device, const struct dal_subject *process,
                      const struct dal_function_source *source, dal_function *function)
{
    void *program;
    cl_kernel kernel = NULL;
    cl_int code;
    int status = dal__programs_get(&dal_ocl_device(device)->programs, device, process, source->file,
                                   source->text, source->options, &program);
    *function = NULL;
    if (status < 0)
        return status;
    code = dal_backend_fault("clCreateKernel");
    if (!code)
        kernel = clCreateKernel(program, source->name, &code);
    if (code == CL_INVALID_KERNEL_NAME)
        return dal__refuse_name(process, source->file, source->name);
    *function = (dal_function)kernel;
    return dal_ocl_check(process, "clCreateKernel", code);
}

void dal__ocl_function_free(dal_function function)
{
    clReleaseKernel(dal_ocl_kernel(function));
}

int dal__ocl_function_limits(struct dal_device *device, const struct dal_subject *process,
                             dal_function function, size_t *work_items, uint64_t *local_bytes)
{
    cl_device_id id = dal_ocl_device(device)->id;
    cl_kernel kernel = dal_ocl_kernel(function);
    cl_ulong bytes = 0;
    int status =
        DAL_CL_FOR(process, clGetKernelWorkGroupInfo,
                   (kernel, id, CL_KERNEL_WORK_GROUP_SIZE, sizeof(*work_items), work_items, NULL));
    if (status == DAL_OK)
        status = DAL_CL_FOR(process, clGetKernelWorkGroupInfo,
                            (kernel, id, CL_KERNEL_LOCAL_MEM_SIZE, sizeof(bytes), &bytes, NULL));
    *local_bytes = bytes;
    return status;
}

int dal__ocl_fits(struct dal_device *device, const struct dal_subject *process, const char *text,
                  const char *options, const char *macro, uint64_t limit)
{
    return dal__programs_fit(&dal_ocl_device(device)->programs, device, process, text, options,
                             macro, limit);
}

int dal__ocl_set_memory(dal_function function, const struct dal_subject *subject, unsigned number,
                        dal_memory memory)
{
    cl_mem value = dal_ocl_memory(memory);
    return DAL_CL_FOR(subject, clSetKernelArg,
                      (dal_ocl_kernel(function), number, sizeof(value), &value));
}

int dal__ocl_set_value(dal_function function, const struct dal_subject *subject, unsigned number,
                       size_t bytes, const void *value)
{
    return DAL_CL_FOR(subject, clSetKernelArg, (dal_ocl_kernel(function), number, bytes, value));
}

int dal__ocl_launch(dal_commands commands, const struct dal_subject *subject, dal_function function,
                    const struct dal_launch *launch, const dal_event *events, unsigned count,
                    dal_event *done)
{
    return DAL_CL_FOR(subject, clEnqueueNDRangeKernel,
                      (dal_ocl_queue(commands), dal_ocl_kernel(function), launch->dimensions, NULL,
                       launch->global, launch->local, count,
                       count ? (const cl_event *)events : NULL, (cl_event *)done));
}
