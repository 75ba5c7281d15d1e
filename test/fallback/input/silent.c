#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 200
#include <CL/cl.h>
#include <dlfcn.h>
#include <string.h>
cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                cl_kernel_work_group_info what, size_t room, void *value,
                                size_t *bytes)
{
    cl_int (*ask)(cl_kernel, cl_device_id, cl_kernel_work_group_info, size_t, void *, size_t *) =
        dlsym(RTLD_NEXT, "clGetKernelWorkGroupInfo");
    cl_int code = ask(kernel, device, what, room, value, bytes);
    if (what == CL_KERNEL_LOCAL_MEM_SIZE && value)
        memset(value, 0, sizeof(cl_ulong));
    return code;
}
