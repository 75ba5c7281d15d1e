/* The operations on open devices, and the table of all. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "rt/ocl/backend.h"

#include "rt/backend/device.h"
#include "rt/base/alloc.h"
#include "rt/base/sync.h"
#include "rt/ocl/device.h"

static int share_memory(const struct dal_device *a, const struct dal_device *b)
{
    return a->context == b->context &&
           (a->whole == b->whole || (a->info.traits.unified && b->info.traits.unified));
}

/* ---- memory ---------------------------------------------------------------------------------- */

static int make_memory(struct dal_device *device, const struct dal_subject *subject,
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
    if (bytes > device->info.limits.alloc_bytes) {
        dal_log(subject->failures, "%s: %zu bytes in one piece, but %s has %llu at most",
                subject->name, bytes, device->info.name,
                (unsigned long long)device->info.limits.alloc_bytes);
        return DAL_ERR_LIMIT;
    }
    status = DAL_CL_NEW(
        subject, made, clCreateBuffer,
        (dal_ocl_device(device)->context, CL_MEM_READ_WRITE | flags[use], bytes, host, &error));
    *memory = (dal_memory)made;
    return status;
}

static void free_memory(struct dal_device *device, dal_memory memory)
{
    (void)device;
    clReleaseMemObject(dal_ocl_memory(memory));
}

/* OpenCL 3.0, section 3.3.3. */
static int make_shared_memory(struct dal_device *device, const struct dal_subject *subject,
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
    status = make_memory(device, subject, DAL_MEMORY_OVER_HOST, bytes, made, memory);
    if (status < 0)
        clSVMFree(context, made);
    else
        *host = made;
    return status;
}

static void free_shared_memory(struct dal_device *device, void *host, dal_memory memory)
{
    clReleaseMemObject(dal_ocl_memory(memory));
    clSVMFree(dal_ocl_device(device)->context, host);
}

/* The handle is the buffer, which is mapped for good. */
static int make_pinned(struct dal_device *device, const struct dal_subject *subject,
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

static void free_pinned(struct dal_device *device, dal_commands commands, void *host, void *handle)
{
    cl_command_queue queue = dal_ocl_queue(commands);
    (void)device;
    clEnqueueUnmapMemObject(queue, handle, host, 0, NULL, NULL);
    clFinish(queue);
    clReleaseMemObject(handle);
}

static int map_memory(dal_commands commands, const struct dal_subject *subject, dal_memory memory,
                      size_t bytes, enum dal_map_access access, int wait, void **mapped)
{
    cl_map_flags flags =
        access == DAL_MAP_OVERWRITE ? CL_MAP_WRITE_INVALIDATE_REGION : CL_MAP_READ | CL_MAP_WRITE;
    return DAL_CL_NEW(subject, *mapped, clEnqueueMapBuffer,
                      (dal_ocl_queue(commands), dal_ocl_memory(memory), wait ? CL_TRUE : CL_FALSE,
                       flags, 0, bytes, 0, NULL, NULL, &error));
}

static int unmap_memory(dal_commands commands, const struct dal_subject *subject, dal_memory memory,
                        void *mapped)
{
    cl_command_queue queue = dal_ocl_queue(commands);
    if (subject)
        return DAL_CL_FOR(subject, clEnqueueUnmapMemObject,
                          (queue, dal_ocl_memory(memory), mapped, 0, NULL, NULL));
    clEnqueueUnmapMemObject(queue, dal_ocl_memory(memory), mapped, 0, NULL, NULL);
    return DAL_OK;
}

/* ---- queues ---------------------------------------------------------------------------------- */

static int make_queue(struct dal_device *device, int timed, dal_commands *commands)
{
    const struct dal_ocl_device *of = dal_ocl_device(device);
    const cl_command_queue_properties flags = timed ? CL_QUEUE_PROFILING_ENABLE : 0;
    const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, flags, 0};
    const struct dal_subject object = {device->info.identifier, device->info.failures};
    cl_command_queue queue;
    int status;
    /* The loader calls into the platform's own table: a 1.x platform has no entry for the newer
     * call, and on Oclgrind that never returns. */
    if (dal__ocl_major(device->info.platform_version) < 2 ||
        dal__ocl_major(device->info.version) < 2)
        status =
            DAL_CL_NEW(&object, queue, clCreateCommandQueue, (of->context, of->id, flags, &error));
    else
        status = DAL_CL_NEW(&object, queue, clCreateCommandQueueWithProperties,
                            (of->context, of->id, properties, &error));
    *commands = (dal_commands)queue;
    return status;
}

static void free_queue(struct dal_device *device, dal_commands commands)
{
    (void)device;
    clReleaseCommandQueue(dal_ocl_queue(commands));
}

static int flush_queue(dal_commands commands, const struct dal_subject *subject)
{
    return DAL_CL_FOR(subject, clFlush, (dal_ocl_queue(commands)));
}

static int finish_queue(dal_commands commands, const struct dal_subject *subject)
{
    if (subject)
        return DAL_CL_FOR(subject, clFinish, (dal_ocl_queue(commands)));
    clFinish(dal_ocl_queue(commands));
    return DAL_OK;
}

static int add_marker(dal_commands commands, const struct dal_subject *subject, dal_event *done)
{
    return DAL_CL_FOR(subject, clEnqueueMarkerWithWaitList,
                      (dal_ocl_queue(commands), 0, NULL, (cl_event *)done));
}

static int add_barrier(dal_commands commands, const struct dal_subject *subject,
                       const dal_event *events, unsigned count)
{
    return DAL_CL_FOR(subject, clEnqueueBarrierWithWaitList,
                      (dal_ocl_queue(commands), count, (const cl_event *)events, NULL));
}

/* ---- transfers ------------------------------------------------------------------------------- */

static int write_memory(dal_commands commands, const struct dal_subject *subject, dal_memory to,
                        size_t at, const void *host, size_t bytes, int wait, dal_event *done)
{
    return DAL_CL_FOR(subject, clEnqueueWriteBuffer,
                      (dal_ocl_queue(commands), dal_ocl_memory(to), wait ? CL_TRUE : CL_FALSE, at,
                       bytes, host, 0, NULL, (cl_event *)done));
}

static int read_memory(dal_commands commands, const struct dal_subject *subject, dal_memory from,
                       size_t at, void *host, size_t bytes, const dal_event *events, unsigned count,
                       dal_event *done)
{
    return DAL_CL_FOR(subject, clEnqueueReadBuffer,
                      (dal_ocl_queue(commands), dal_ocl_memory(from), CL_FALSE, at, bytes, host,
                       count, count ? (const cl_event *)events : NULL, (cl_event *)done));
}

static int copy_memory(dal_commands commands, const struct dal_subject *subject, dal_memory from,
                       size_t from_at, dal_memory to, size_t to_at, size_t bytes, dal_event *done)
{
    return DAL_CL_FOR(subject, clEnqueueCopyBuffer,
                      (dal_ocl_queue(commands), dal_ocl_memory(from), dal_ocl_memory(to), from_at,
                       to_at, bytes, 0, NULL, (cl_event *)done));
}

/* ---- events ---------------------------------------------------------------------------------- */

static int event_state(dal_event event, const struct dal_subject *subject,
                       enum dal_event_state *state)
{
    cl_int found = CL_COMPLETE, failed;
    int status = DAL_CL_FOR(
        subject, clGetEventInfo,
        (dal_ocl_event(event), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(found), &found, NULL));
    if (status < 0)
        return status;
    failed = found < 0 ? found : CL_SUCCESS;
    if (found == CL_COMPLETE)
        failed = dal_backend_fault("a command");
    *state = found == CL_COMPLETE ? DAL_EVENT_COMPLETE : DAL_EVENT_PENDING;
    return dal_ocl_check(subject, "a command of this device", failed);
}

static int64_t device_time(cl_event event, cl_profiling_info what)
{
    cl_ulong time = 0;
    clGetEventProfilingInfo(event, what, sizeof(time), &time, NULL);
    return (int64_t)time;
}

static int event_times(dal_event event, struct dal_event_times *times)
{
    cl_event of = dal_ocl_event(event);
    *times = (struct dal_event_times){.queued = device_time(of, CL_PROFILING_COMMAND_QUEUED),
                                      .begin = device_time(of, CL_PROFILING_COMMAND_START),
                                      .end = device_time(of, CL_PROFILING_COMMAND_END)};
    return DAL_OK;
}

static void retain_event(dal_event event)
{
    clRetainEvent(dal_ocl_event(event));
}

static void release_event(dal_event event)
{
    clReleaseEvent(dal_ocl_event(event));
}

/* ---- call-backs ------------------------------------------------------------------------------ */

/* The data of OpenCL's callback, one for each different pair. It is kept until the program ends: an
 * event may come late, and the next wait need not allocate. There are as many as a program has had
 * objects to wake. */
struct call {
    void (*call)(void *data);
    void *data;
    struct call *next;
};
static _Atomic(struct call *) calls;

static struct call *find_call(void (*call)(void *data), const void *data)
{
    struct call *found = atomic_load_explicit(&calls, memory_order_acquire);
    while (found && (found->call != call || found->data != data))
        found = found->next;
    return found;
}

/* Adds a pair. Two threads that add the same pair at once each get their own. Pairs with
 * find_call(). */
static struct call *add_call(void (*call)(void *data), void *data)
{
    struct call *made = dal_calloc(1, sizeof(*made));
    if (!made)
        return NULL;
    *made = (struct call){.call = call, .data = data};
    made->next = atomic_load_explicit(&calls, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&calls, &made->next, made, memory_order_release,
                                                  memory_order_relaxed))
        ;
    return made;
}

/* Runs on a thread of the OpenCL implementation, or inline. */
static void CL_CALLBACK event_completed(cl_event event, cl_int state, void *data)
{
    const struct call *call = data;
    (void)event;
    (void)state;
    call->call(call->data);
}

static int call_back(dal_event event, const struct dal_subject *subject, void (*call)(void *data),
                     void *data)
{
    struct call *kept = find_call(call, data);
    if (!kept)
        kept = add_call(call, data);
    if (!kept)
        return DAL_ERR_NOMEM;
    return DAL_CL_FOR(subject, clSetEventCallback,
                      (dal_ocl_event(event), CL_COMPLETE, event_completed, kept));
}

/* ---- kernels and launches -------------------------------------------------------------------- */

static int make_kernel(struct dal_device *device, const struct dal_subject *process,
                       const struct dal_function_source *source, dal_function *function)
{
    void *program;
    cl_kernel kernel = NULL;
    cl_int code;
    int status = dal_programs_get(&dal_ocl_device(device)->programs, device, process, source->file,
                                  source->text, source->options, &program);
    *function = NULL;
    if (status < 0)
        return status;
    code = dal_backend_fault("clCreateKernel");
    if (!code)
        kernel = clCreateKernel(program, source->name, &code);
    if (code == CL_INVALID_KERNEL_NAME)
        return dal_program_refuse_name(process, source->file, source->name);
    *function = (dal_function)kernel;
    return dal_ocl_check(process, "clCreateKernel", code);
}

static void free_kernel(dal_function function)
{
    clReleaseKernel(dal_ocl_kernel(function));
}

static int kernel_limits(struct dal_device *device, const struct dal_subject *process,
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

static int fits(struct dal_device *device, const struct dal_subject *process, const char *text,
                const char *options, const char *macro, uint64_t limit)
{
    return dal_programs_fit(&dal_ocl_device(device)->programs, device, process, text, options,
                            macro, limit);
}

static int set_memory(dal_function function, const struct dal_subject *subject, unsigned number,
                      dal_memory memory)
{
    cl_mem value = dal_ocl_memory(memory);
    return DAL_CL_FOR(subject, clSetKernelArg,
                      (dal_ocl_kernel(function), number, sizeof(value), &value));
}

static int set_value(dal_function function, const struct dal_subject *subject, unsigned number,
                     size_t bytes, const void *value)
{
    return DAL_CL_FOR(subject, clSetKernelArg, (dal_ocl_kernel(function), number, bytes, value));
}

static int launch_kernel(dal_commands commands, const struct dal_subject *subject,
                         dal_function function, const struct dal_launch *launch,
                         const dal_event *events, unsigned count, dal_event *done)
{
    return DAL_CL_FOR(subject, clEnqueueNDRangeKernel,
                      (dal_ocl_queue(commands), dal_ocl_kernel(function), launch->dimensions, NULL,
                       launch->global, launch->local, count,
                       count ? (const cl_event *)events : NULL, (cl_event *)done));
}

/* ---- the table ------------------------------------------------------------------------------- */

const struct dal_backend dal_backend_opencl = {
    .name = "OpenCL",
    .capability = "OPENCL",
    .list = dal__ocl_list,
    .list_finish = dal_device_list_finish,
    .open = dal__ocl_open,
    .close = dal__ocl_close,
    .share_memory = share_memory,
    .memory = make_memory,
    .memory_free = free_memory,
    .shared_memory = make_shared_memory,
    .shared_memory_free = free_shared_memory,
    .pinned = make_pinned,
    .pinned_free = free_pinned,
    .map = map_memory,
    .unmap = unmap_memory,
    .commands = make_queue,
    .commands_free = free_queue,
    .flush = flush_queue,
    .finish = finish_queue,
    .marker = add_marker,
    .barrier = add_barrier,
    .write = write_memory,
    .read = read_memory,
    .copy = copy_memory,
    .state = event_state,
    .times = event_times,
    .retain = retain_event,
    .release = release_event,
    .call_back = call_back,
    .function = make_kernel,
    .function_free = free_kernel,
    .function_limits = kernel_limits,
    .fits = fits,
    .set_memory = set_memory,
    .set_value = set_value,
    .launch = launch_kernel,
};
