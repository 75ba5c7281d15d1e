#include "rt/device/launcher.h"

#include "include/kinds.h"
#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/value.h"

const struct dal_process_ops dal_process_opencl = {.on_device = 1};

/* A launch smaller than S waits for more tokens while this many launches are in flight: the device
 * has work, and a larger launch costs the same. Whole ones do not wait. */
enum { ENOUGH_IN_FLIGHT = 1 };

/* What a launch is to take at most; one that takes an eighth of that may be larger. When one is
 * slow two in flight keep the device busy. */
enum { AIM_NS = 200 * 1000 * 1000, SLOW_NS = AIM_NS / 4, SLOW_IN_FLIGHT = 2 };

static int in_flight(const struct dal_launcher *launcher)
{
    return atomic_load_explicit(&launcher->in_flight, memory_order_relaxed);
}

static void add_in_flight(struct dal_launcher *launcher, int change)
{
    atomic_store_explicit(&launcher->in_flight, in_flight(launcher) + change, memory_order_relaxed);
}

static int set_arguments(struct dal_launcher *launcher, const struct dal_argument *arguments)
{
    const struct dal_process_desc *desc = launcher->process->desc;
    int i, status = DAL_OK;
    for (i = 0; status == DAL_OK && i < desc->port_count; i++) {
        struct dal_argument *bound = &launcher->lane->bound[i];
        cl_ulong offset = arguments[i].offset;
        if (bound->memory != arguments[i].memory)
            status = DAL_CL(
                desc->name, clSetKernelArg,
                (launcher->lane->kernel, (cl_uint)(2 * i), sizeof(cl_mem), &arguments[i].memory));
        if (status == DAL_OK && (bound->offset != offset || !bound->memory))
            status =
                DAL_CL(desc->name, clSetKernelArg,
                       (launcher->lane->kernel, (cl_uint)(2 * i + 1), sizeof(offset), &offset));
        *bound = arguments[i];
    }
    return status;
}

static int64_t device_time(cl_event event, cl_profiling_info what)
{
    cl_ulong time = 0;
    clGetEventProfilingInfo(event, what, sizeof(time), &time, NULL);
    return (int64_t)time;
}

/* The two clocks meet where the device's first launch was enqueued. */
static void set_clock(struct dal_trace_row *row, cl_event event)
{
    if (row->clock_known)
        return;
    row->clock_offset_ns = row->first_launch_ns - device_time(event, CL_PROFILING_COMMAND_QUEUED);
    row->clock_known = 1;
}

/* Adds what a launch of so many firings took on the device; its event is given back. */
static void measure_launch(struct dal_launcher *launcher, struct dal_launcher_lane *lane,
                           cl_event event, uint64_t firings)
{
    struct dal_process *process = launcher->process;
    struct dal_trace_row *row = lane->row;
    int64_t begin = device_time(event, CL_PROFILING_COMMAND_START);
    int64_t end = device_time(event, CL_PROFILING_COMMAND_END);
    set_clock(row, event);
    process->busy_ns += end - begin;
    lane->busy_ns += end - begin;
    dal_trace_add(row, (struct dal_trace_event){.name = process->desc->name,
                                                .begin_ns = begin + row->clock_offset_ns,
                                                .end_ns = end + row->clock_offset_ns,
                                                .firings = firings});
    clReleaseEvent(event);
}

/* A launch of so many firings has taken so long: how many may the next one have? */
static void adapt(struct dal_launcher *launcher, uint64_t firings, int64_t time_ns)
{
    uint64_t copies = launcher->process->desc->shadow_copies, most = launcher->most;
    launcher->slow = time_ns > SLOW_NS;
    if (time_ns > 2 * (int64_t)AIM_NS)
        most = firings * AIM_NS / (uint64_t)time_ns;
    else if (firings >= most && time_ns < AIM_NS / 2)
        most *= time_ns < AIM_NS / 8 ? 8 : 2;
    if (most < launcher->least)
        most = launcher->least;
    launcher->most = most < copies ? most : copies;
    launcher->stray |= launcher->most < copies;
}

static int launch_completed(const struct dal_update *update, cl_event event)
{
    struct dal_launcher *launcher = update->object;
    struct dal_launcher_lane *lane = &launcher->lanes[update->amount];
    (void)event;
    if (update->timer)
        measure_launch(launcher, lane, update->timer, update->at);
    adapt(launcher, update->at, lane->queue->launch_ns);
    add_in_flight(launcher, -1);
    lane->in_flight--;
    lane->queue->launches--;
    dal_handler_post(launcher->handler, launcher);
    return DAL_OK;
}

static int enqueue_kernel(struct dal_launcher *launcher, uint64_t firings,
                          const struct dal_argument *arguments, cl_event *timer)
{
    const struct dal_process_desc *desc = launcher->process->desc;
    const struct dal_launcher_lane *lane = launcher->lane;
    size_t local[3] = {dal_work_size(desc, 0), dal_work_size(desc, 1), dal_work_size(desc, 2)};
    size_t global[3] = {firings * local[0], local[1], local[2]};
    cl_event *fences = launcher->fences;
    cl_uint count = 0;
    int i, k, status;
    for (i = 0; i < desc->port_count; i++) {
        cl_event ends[2];
        dal_device_end_fences(launcher->process->ends[i], ends);
        for (k = 0; k < 2; k++)
            if (ends[k])
                fences[count++] = ends[k];
    }
    status = set_arguments(launcher, arguments);
    if (status == DAL_OK)
        status = DAL_CL(desc->name, clEnqueueNDRangeKernel,
                        (lane->queue->commands, lane->kernel, dal_work_dimensions(desc), NULL,
                         global, local, count, count ? fences : NULL, timer));
    if (status < 0)
        dal_log(DAL_LOG_ERROR, "process %s: no launch on %s (%s)", desc->name,
                lane->queue->device->info.name, lane->queue->device->processor);
    return status;
}

static int launch_firings(struct dal_launcher *launcher, uint64_t firings)
{
    struct dal_process *process = launcher->process;
    struct dal_launcher_lane *lane = launcher->lane;
    struct dal_update done = {.apply = launch_completed,
                              .object = launcher,
                              .amount = (uint64_t)(lane - launcher->lanes),
                              .at = firings};
    int i, status = DAL_OK, ports = process->desc->port_count;
    if (process->timed && lane->row->first_launch_ns == 0)
        lane->row->first_launch_ns = dal_now_ns();
    for (i = 0; status == DAL_OK && i < ports; i++)
        status = dal_device_end_acquire(process->ends[i], firings, &launcher->arguments[i]);
    if (status == DAL_OK)
        status = enqueue_kernel(launcher, firings, launcher->arguments,
                                process->timed ? &done.timer : NULL);
    for (i = 0; status == DAL_OK && i < ports; i++)
        status = dal_device_end_release(process->ends[i], firings);
    if (status == DAL_OK)
        status = dal_queue_defer(lane->queue, DAL_AT_COMPLETION, done);
    add_in_flight(launcher, 1);
    lane->in_flight++;
    lane->queue->due |= launcher->slow;
    lane->launches++;
    lane->firings += firings;
    process->launches++;
    process->firings += firings;
    return status < 0 ? status : dal_queue_launched(lane->queue);
}

/* Goes to the lane of the next firing. */
static void enter_lane(struct dal_launcher *launcher)
{
    const struct dal_process *process = launcher->process;
    uint64_t block = process->firings / process->desc->shadow_copies;
    launcher->lane = &launcher->lanes[block % (uint64_t)launcher->lane_count];
}

/* Firings that the next launch may have. Rings take whole numbers of S firings, and a launch is cut
 * short at a ring's end: so after others, one makes up for them. */
static uint64_t firings_allowed(struct dal_launcher *launcher)
{
    uint64_t copies = launcher->process->desc->shadow_copies;
    uint64_t beyond = launcher->process->firings % copies;
    if (launcher->lane_count > 1)
        return launcher->most < copies - beyond ? launcher->most : copies - beyond;
    if (launcher->most < copies || !launcher->stray)
        return launcher->most;
    launcher->stray = beyond > 0;
    return copies - beyond;
}

/* Are there enough launches in flight for another one of so many firings? The time that it would
 * take may not be known yet. */
static int must_wait(const struct dal_launcher *launcher, uint64_t firings)
{
    int count = launcher->lane->in_flight;
    if (launcher->slow)
        return count >= SLOW_IN_FLIGHT;
    return count > 0 && firings == launcher->most &&
           launcher->most < launcher->process->desc->shadow_copies;
}

/* Firings for the next launch, 0 for none now. */
static uint64_t firings_ready(struct dal_launcher *launcher)
{
    struct dal_process *process = launcher->process;
    uint64_t firings;
    int i, may_grow = 0;
    enter_lane(launcher);
    if (!dal_queue_has_room(launcher->lane->queue))
        return 0;
    firings = firings_allowed(launcher);
    for (i = 0; firings > 0 && i < process->desc->port_count; i++) {
        struct dal_end *end = process->ends[i];
        uint64_t ready = dal_end_ready(end, firings);
        may_grow |= ready < firings && !dal_end_on_peers_queue(end);
        firings = ready;
    }
    if (may_grow && launcher->lane->in_flight >= ENOUGH_IN_FLIGHT)
        return 0;
    return must_wait(launcher, firings) ? 0 : firings;
}

/* Has everything that was released reached the peers? Downloads may lag behind their launch. */
static int all_visible(const struct dal_process *process)
{
    int i;
    for (i = 0; i < process->desc->port_count; i++)
        if (!dal_end_settled(process->ends[i]))
            return 0;
    return 1;
}

static int run_task(struct dal_task *task)
{
    struct dal_launcher *launcher = (struct dal_launcher *)task;
    struct dal_process *process = launcher->process;
    uint64_t firings;
    int status;
    if (atomic_load_explicit(&process->ended, memory_order_relaxed))
        return 0;
    firings = dal_process_unwanted(process) ? 0 : firings_ready(launcher);
    if (firings > 0) {
        status = launch_firings(launcher, firings);
        return status < 0 ? status : 1;
    }
    if (in_flight(launcher) > 0 || !all_visible(process) ||
        (!dal_process_unwanted(process) && !dal_process_starved(process)))
        return 0;
    dal_process_close(process);
    return 1;
}

static void notify(struct dal_listener *listener)
{
    struct dal_process *process = (struct dal_process *)listener;
    dal_handler_post(process->launcher->handler, process->launcher);
}

/* Where the driver says that a kernel with local variables has none, the kernel's text is asked. */
static int count_local_memory(const struct dal_launcher *launcher)
{
    const struct dal_process_desc *desc = launcher->process->desc;
    const struct dal_ocl_device *device = launcher->lane->queue->device;
    unsigned long long limit = device->info.local_bytes;
    int fits = dal_ocl_fits(launcher->lane->queue->device, desc->name, desc->kernel->text,
                            desc->kernel->options, "DAL_LOCAL_BYTES", limit);
    if (fits)
        return fits < 0 ? fits : DAL_OK;
    dal_log(DAL_LOG_ERROR, "process %s: more than the %llu bytes of local memory that %s has",
            desc->name, limit, device->info.name);
    return DAL_ERR_LIMIT;
}

static int check_local_memory(const struct dal_launcher *launcher)
{
    const struct dal_process_desc *desc = launcher->process->desc;
    const struct dal_ocl_device *device = launcher->lane->queue->device;
    cl_ulong bytes = 0;
    int status = DAL_CL(desc->name, clGetKernelWorkGroupInfo,
                        (launcher->lane->kernel, device->id, CL_KERNEL_LOCAL_MEM_SIZE,
                         sizeof(bytes), &bytes, NULL));
    if (status == DAL_OK && bytes == 0 && desc->kernel->counts_local)
        return count_local_memory(launcher);
    if (status < 0 || bytes <= device->info.local_bytes)
        return status;
    dal_log(DAL_LOG_ERROR, "process %s: %llu bytes of local memory, but %s has %llu", desc->name,
            (unsigned long long)bytes, device->info.name,
            (unsigned long long)device->info.local_bytes);
    return DAL_ERR_LIMIT;
}

static int check_limits(const struct dal_launcher *launcher)
{
    const struct dal_process_desc *desc = launcher->process->desc;
    const struct dal_ocl_device *device = launcher->lane->queue->device;
    size_t most = 0;
    int status = DAL_CL(
        desc->name, clGetKernelWorkGroupInfo,
        (launcher->lane->kernel, device->id, CL_KERNEL_WORK_GROUP_SIZE, sizeof(most), &most, NULL));
    if (status < 0)
        return status;
    if (desc->work_items <= most)
        return check_local_memory(launcher);
    dal_log(DAL_LOG_ERROR, "process %s: %u work-items, but %s takes at most %zu for this kernel",
            desc->name, desc->work_items, device->info.name, most);
    return DAL_ERR_LIMIT;
}

/* Before its kernel is built: what no kernel can have, some compilers take for an error of the
 * source. */
static int check_work_group(const struct dal_launcher *launcher)
{
    static const char *const dimensions[] = {"", " in dimension 1", " in dimension 2"};
    const struct dal_process_desc *desc = launcher->process->desc;
    const struct dal_ocl_info *info = &launcher->lane->queue->device->info;
    for (int i = 0; i < 3; i++) {
        size_t items = dal_work_size(desc, i);
        if (items <= info->max_work_items[i])
            continue;
        dal_log(DAL_LOG_ERROR, "process %s: %zu work-items%s, but %s takes at most %zu", desc->name,
                items, dimensions[i], info->name, info->max_work_items[i]);
        return DAL_ERR_LIMIT;
    }
    if (desc->work_items <= info->max_work_group)
        return DAL_OK;
    dal_log(DAL_LOG_ERROR, "process %s: %u work-items, but %s takes at most %zu", desc->name,
            desc->work_items, info->name, info->max_work_group);
    return DAL_ERR_LIMIT;
}

/* The arguments behind those of the ports, once. */
static int set_values(const struct dal_launcher *launcher)
{
    const struct dal_process *process = launcher->process;
    const struct dal_process_desc *desc = process->desc;
    int i, status = DAL_OK;
    for (i = 0; status == DAL_OK && i < desc->kernel->value_count; i++) {
        const struct dal_kernel_value *value = &desc->kernel->values[i];
        const struct dal_value_traits *type = dal_value_traits(value->type);
        const char *text = process->parameters[dal_process_parameter(desc, value->parameter)];
        char number[8];
        status = dal_value_parse(text, type->is_real, type->is_signed, type->bytes, number);
        if (status == DAL_OK)
            status = DAL_CL(
                desc->name, clSetKernelArg,
                (launcher->lane->kernel, (cl_uint)(2 * desc->port_count + i), type->bytes, number));
        else
            dal_log(DAL_LOG_ERROR, "process %s: parameter %s is \"%s\", no %s that a kernel takes",
                    desc->name, value->parameter, text, type->name);
    }
    return status;
}

/* Room for a lane on each of the process's devices. */
static int make_room(struct dal_launcher *launcher)
{
    const struct dal_process_desc *desc = launcher->process->desc;
    size_t ports = (size_t)desc->port_count + 1, lanes = (size_t)desc->processor_count;
    launcher->lanes = dal_calloc(lanes, sizeof(*launcher->lanes));
    launcher->queues = dal_calloc(lanes, sizeof(*launcher->queues));
    launcher->arguments = dal_calloc(ports, sizeof(*launcher->arguments));
    launcher->fences = dal_calloc(2 * ports, sizeof(cl_event));
    return launcher->lanes && launcher->queues && launcher->arguments && launcher->fences
               ? DAL_OK
               : DAL_ERR_NOMEM;
}

int dal_launcher_init(struct dal_launcher *launcher, struct dal_process *process,
                      struct dal_handler *handler, struct dal_queue *queue,
                      struct dal_trace_row *row)
{
    const struct dal_process_desc *desc = process->desc;
    int status;
    launcher->task = (struct dal_task){.run = run_task, .priority = desc->priority};
    launcher->process = process;
    launcher->handler = handler;
    process->launcher = launcher;
    process->listener.notify = notify;
    status = make_room(launcher);
    return status < 0 ? status : dal_launcher_add_lane(launcher, queue, row);
}

static int make_kernel(struct dal_launcher *launcher)
{
    const struct dal_process_desc *desc = launcher->process->desc;
    const struct dal_kernel *kernel = desc->kernel;
    struct dal_launcher_lane *lane = launcher->lane;
    int status = check_work_group(launcher);
    if (status == DAL_OK)
        status = dal_ocl_kernel(lane->queue->device, desc->name, kernel->file, kernel->text,
                                kernel->options, kernel->name, &lane->kernel);
    if (status == DAL_OK)
        status = check_limits(launcher);
    return status < 0 ? status : set_values(launcher);
}

static void finish_lane(struct dal_launcher_lane *lane)
{
    if (lane->kernel)
        clReleaseKernel(lane->kernel);
    dal_free(lane->bound);
    *lane = (struct dal_launcher_lane){0};
}

int dal_launcher_add_lane(struct dal_launcher *launcher, struct dal_queue *queue,
                          struct dal_trace_row *row)
{
    const struct dal_process_desc *desc = launcher->process->desc;
    struct dal_launcher_lane *lane = &launcher->lanes[launcher->lane_count];
    uint64_t units = queue->device->info.compute_units;
    int status = DAL_ERR_NOMEM;
    *lane = (struct dal_launcher_lane){.queue = queue, .row = row};
    launcher->lane = lane;
    lane->bound = dal_calloc((size_t)desc->port_count + 1, sizeof(*lane->bound));
    if (lane->bound)
        status = make_kernel(launcher);
    launcher->lane = launcher->lanes;
    if (status < 0) {
        finish_lane(lane);
        return status;
    }
    launcher->queues[launcher->lane_count++] = queue;
    if (units > desc->shadow_copies)
        units = desc->shadow_copies;
    if (units > launcher->least)
        launcher->least = units;
    launcher->most = launcher->least;
    launcher->stray = launcher->most < desc->shadow_copies;
    return DAL_OK;
}

int dal_launcher_is_on(const struct dal_launcher *launcher, const struct dal_queue *queue)
{
    int i;
    for (i = 0; i < launcher->lane_count && launcher->queues[i] != queue; i++)
        ;
    return i < launcher->lane_count;
}

void dal_launcher_finish(struct dal_launcher *launcher)
{
    int i;
    for (i = 0; i < launcher->lane_count; i++)
        finish_lane(&launcher->lanes[i]);
    dal_free(launcher->lanes);
    dal_free(launcher->queues);
    dal_free(launcher->arguments);
    dal_free(launcher->fences);
    *launcher = (struct dal_launcher){0};
}
