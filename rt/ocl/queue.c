/* Queues and transfers. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "rt/ocl/device.h"

#include <string.h>

/* Returns the platform's major version. The loader calls into the platform's own table: a 1.x
 * platform has no entry for the newer call, and on Oclgrind that never returns. */
static int platform_major(cl_platform_id platform)
{
    char version[256] = "";
    if (clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof(version) - 1, version, NULL) !=
        CL_SUCCESS)
        return 1;
    return dal__ocl_major(version);
}

int dal__ocl_commands(struct dal_device *device, int timed, dal_commands *commands)
{
    const struct dal_ocl_device *of = dal_ocl_device(device);
    const cl_command_queue_properties flags = timed ? CL_QUEUE_PROFILING_ENABLE : 0;
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, flags, 0};
    const struct dal_subject object = {device->info.identifier, device->info.failures};
    cl_command_queue queue;
    int status;

    if (platform_major(dal__ocl_platform(&device->info)) < 2 ||
        dal__ocl_major(device->info.version) < 2)
        status =
            DAL_CL_NEW(&object, queue, clCreateCommandQueue, (of->context, of->id, flags, &error));
    else
        status = DAL_CL_NEW(&object, queue, clCreateCommandQueueWithProperties,
                            (of->context, of->id, properties, &error));
    *commands = (dal_commands)queue;
    return status;
}

void dal__ocl_commands_free(struct dal_device *device, dal_commands commands)
{
    (void)device;
    clReleaseCommandQueue(dal_ocl_queue(commands));
}

int dal__ocl_flush(dal_commands commands, const struct dal_subject *subject)
{
    return DAL_CL_FOR(subject, clFlush, (dal_ocl_queue(commands)));
}

int dal__ocl_finish(dal_commands commands, const struct dal_subject *subject)
{
    if (subject)
        return DAL_CL_FOR(subject, clFinish, (dal_ocl_queue(commands)));
    clFinish(dal_ocl_queue(commands));
    return DAL_OK;
}

int dal__ocl_marker(dal_commands commands, const struct dal_subject *subject, dal_event *done)
{
    return DAL_CL_FOR(subject, clEnqueueMarkerWithWaitList,
                      (dal_ocl_queue(commands), 0, NULL, (cl_event *)done));
}

int dal__ocl_barrier(dal_commands commands, const struct dal_subject *subject,
                     const dal_event *events, unsigned count)
{
    return DAL_CL_FOR(subject, clEnqueueBarrierWithWaitList,
                      (dal_ocl_queue(commands), count, (const cl_event *)events, NULL));
}

/* ---- transfers ------------------------------------------------------------------------------- */

int dal__ocl_write(dal_commands commands, const struct dal_subject *subject, dal_memory to,
                   size_t at, const void *host, size_t bytes, int wait, dal_event *done)
{
    return DAL_CL_FOR(subject, clEnqueueWriteBuffer,
                      (dal_ocl_queue(commands), dal_ocl_memory(to), wait ? CL_TRUE : CL_FALSE, at,
                       bytes, host, 0, NULL, (cl_event *)done));
}

int dal__ocl_read(dal_commands commands, const struct dal_subject *subject, dal_memory from,
                  size_t at, void *host, size_t bytes, const dal_event *events, unsigned count,
                  dal_event *done)
{
    return DAL_CL_FOR(subject, clEnqueueReadBuffer,
                      (dal_ocl_queue(commands), dal_ocl_memory(from), CL_FALSE, at, bytes, host,
                       count, count ? (const cl_event *)events : NULL, (cl_event *)done));
}

int dal__ocl_copy(dal_commands commands, const struct dal_subject *subject, dal_memory from,
                  size_t from_at, dal_memory to, size_t to_at, size_t bytes, dal_event *done)
{
    return DAL_CL_FOR(subject, clEnqueueCopyBuffer,
                      (dal_ocl_queue(commands), dal_ocl_memory(from), dal_ocl_memory(to), from_at,
                       to_at, bytes, 0, NULL, (cl_event *)done));
}
