#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "rt/ocl/device.h"

#include <string.h>

/* The loader calls into the platform's own table: a 1.x platform has no entry for the newer call,
 * and on Oclgrind it never returns. */
static int platform_major(cl_platform_id platform)
{
    char version[256] = "";
    if (clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof(version) - 1, version, NULL) !=
        CL_SUCCESS)
        return 1;
    return dal__ocl_major(version);
}

int dal_ocl_queue(struct dal_ocl_device *device, int profiling, cl_command_queue *queue)
{
    const cl_command_queue_properties flags = profiling ? CL_QUEUE_PROFILING_ENABLE : 0;
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, flags, 0};
    const struct dal_subject object = {device->info.identifier, device->info.failures};

    *queue = NULL;
    if (platform_major(device->info.platform_id) < 2 || dal__ocl_major(device->info.version) < 2)
        return DAL_CL_NEW(&object, *queue, clCreateCommandQueue,
                          (device->context, device->id, flags, &error));
    return DAL_CL_NEW(&object, *queue, clCreateCommandQueueWithProperties,
                      (device->context, device->id, properties, &error));
}
