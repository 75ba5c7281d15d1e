#include "rt/device/launcher.h"

#include "include/kinds.h"
#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/number.h"
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

static int set_windows(struct dal_launcher *launcher, const struct dal_argument *arguments)
{
    int i, status = DAL_OK;
    for (i = 0; status == DAL_OK && i < launcher->end_count; i++) {
        struct dal_argument *bound = &launcher->lane->bound[i];
        cl_ulong offset = arguments[i].offset;
        if (bound->memory != arguments[i].memory)
            status = DAL_CL(
                launcher->subject.name, clSetKernelArg,
                (launcher->lane->kernel, (cl_uint)(2 * i), sizeof(cl_mem), &arguments[i].memory));
        if (status == DAL_OK && (bound->offset != offset || !bound->memory))
            status =
                DAL_CL(launcher->subject.name, clSetKernelArg,
                       (launcher->lane->kernel, (cl_uint)(2 * i + 1), sizeof(offset), &offset));
        *bound = arguments[i];
    }
    return status;
}

/* A kernel of several processes asks how many rounds to do. */
static int set_arguments(struct dal_launcher *launcher, uint64_t rounds)
{
    cl_kernel kernel = launcher->lane->kernel;
    cl_uint number = (cl_uint)(2 * launcher->end_count);
    cl_ulong count = rounds, first = launcher->rounds;
    int status = set_windows(launcher, launcher->arguments);
    if (status < 0 || !launcher->group)
        return status;
    status =
        DAL_CL(launcher->subject.name, clSetKernelArg, (kernel, number, sizeof(count), &count));
    if (status == DAL_OK)
        status = DAL_CL(launcher->subject.name, clSetKernelArg,
                        (kernel, number + 1, sizeof(cl_mem), &launcher->scratch.memory));
    if (status == DAL_OK && launcher->group->kept_count)
        status = DAL_CL(launcher->subject.name, clSetKernelArg,
                        (kernel, number + 2, sizeof(first), &first));
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

/* Adds what a launch of so many rounds took on the device; its event is given back. What each of
 * several processes has of it is not known: it counts as the same for all. */
static void measure_launch(struct dal_launcher *launcher, struct dal_launcher_lane *lane,
                           cl_event event, uint64_t rounds)
{
    struct dal_trace_row *row = lane->row;
    int64_t begin = device_time(event, CL_PROFILING_COMMAND_START);
    int64_t end = device_time(event, CL_PROFILING_COMMAND_END);
    int i;
    set_clock(row, event);
    for (i = 0; i < launcher->member_count; i++)
        launcher->members[i].process->busy_ns += (end - begin) / launcher->member_count;
    lane->busy_ns += end - begin;
    dal_trace_add(row, (struct dal_trace_event){.name = launcher->subject.name,
                                                .begin_ns = begin + row->clock_offset_ns,
                                                .end_ns = end + row->clock_offset_ns,
                                                .firings = rounds});
    clReleaseEvent(event);
}

/* A launch of so many rounds has taken so long: how many may the next one have? */
static void adapt(struct dal_launcher *launcher, uint64_t rounds, int64_t time_ns)
{
    uint64_t copies = launcher->copies, most = launcher->most;
    launcher->slow = time_ns > SLOW_NS;
    if (time_ns > 2 * (int64_t)AIM_NS)
        most = rounds * AIM_NS / (uint64_t)time_ns;
    else if (rounds >= most && time_ns < AIM_NS / 2)
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

static int enqueue_kernel(struct dal_launcher *launcher, uint64_t rounds, cl_event *timer)
{
    const struct dal_launcher_lane *lane = launcher->lane;
    const size_t *local = launcher->work_size;
    size_t global[3] = {dal_least(rounds, launcher->work_groups) * local[0], local[1], local[2]};
    cl_event *fences = launcher->fences;
    cl_uint count = 0;
    int i, k, status;
    for (i = 0; i < launcher->end_count; i++) {
        cl_event ends[2];
        dal_device_end_fences(launcher->ends[i], ends);
        for (k = 0; k < 2; k++)
            if (ends[k])
                fences[count++] = ends[k];
    }
    status = set_arguments(launcher, rounds);
    if (status == DAL_OK)
        status = DAL_CL(launcher->subject.name, clEnqueueNDRangeKernel,
                        (lane->queue->commands, lane->kernel, launcher->dimensions, NULL, global,
                         local, count, count ? fences : NULL, timer));
    if (status < 0)
        dal_log(DAL_LOG_ERROR, "process %s: no launch on %s (%s)", launcher->subject.name,
                lane->queue->device->info.name, lane->queue->device->processor);
    return status;
}

static void count_firings(struct dal_launcher *launcher, uint64_t rounds)
{
    int i;
    for (i = 0; i < launcher->passed_count; i++)
        dal_end_pass(launcher->passed[i], rounds * launcher->passed_tokens[i]);
    for (i = 0; i < launcher->member_count; i++) {
        struct dal_process *process = launcher->members[i].process;
        process->launches++;
        process->firings += rounds * launcher->members[i].firings;
    }
    launcher->lane->launches++;
    launcher->lane->firings += rounds;
    launcher->rounds += rounds;
}

static int launch_rounds(struct dal_launcher *launcher, uint64_t rounds)
{
    struct dal_launcher_lane *lane = launcher->lane;
    struct dal_update done = {.apply = launch_completed,
                              .object = launcher,
                              .amount = (uint64_t)(lane - launcher->lanes),
                              .at = rounds};
    int timed = launcher->members[0].process->timed;
    int i, status = DAL_OK, ends = launcher->end_count;
    if (timed && lane->row->first_launch_ns == 0)
        lane->row->first_launch_ns = dal_now_ns();
    for (i = 0; status == DAL_OK && i < ends; i++)
        status = dal_device_end_acquire(launcher->ends[i], rounds, &launcher->arguments[i]);
    if (status == DAL_OK)
        status = enqueue_kernel(launcher, rounds, timed ? &done.timer : NULL);
    for (i = 0; status == DAL_OK && i < ends; i++)
        status = dal_device_end_release(launcher->ends[i], rounds);
    if (status == DAL_OK)
        status = dal_queue_defer(lane->queue, DAL_AT_COMPLETION, done);
    add_in_flight(launcher, 1);
    lane->in_flight++;
    lane->queue->due |= launcher->slow;
    count_firings(launcher, rounds);
    return status < 0 ? status : dal_queue_launched(lane->queue);
}

/* Goes to the lane of the next round. */
static void enter_lane(struct dal_launcher *launcher)
{
    uint64_t block = launcher->rounds / launcher->copies;
    launcher->lane = &launcher->lanes[block % (uint64_t)launcher->lane_count];
}

/* Rounds that the next launch may have. Rings take whole numbers of S rounds, and a launch is cut
 * short at a ring's end: so after others, one makes up for them. */
static uint64_t rounds_allowed(struct dal_launcher *launcher)
{
    uint64_t copies = launcher->copies, beyond = launcher->rounds % copies;
    if (launcher->lane_count > 1)
        return dal_least(launcher->most, copies - beyond);
    if (launcher->most < copies || !launcher->stray)
        return launcher->most;
    launcher->stray = beyond > 0;
    return copies - beyond;
}

/* Are there enough launches in flight for another one of so many rounds? The time that it would
 * take may not be known yet. */
static int must_wait(const struct dal_launcher *launcher, uint64_t rounds)
{
    int count = launcher->lane->in_flight;
    if (launcher->slow)
        return count >= SLOW_IN_FLIGHT;
    return count > 0 && rounds == launcher->most && launcher->most < launcher->copies;
}

/* Rounds for the next launch, 0 for none now. */
static uint64_t rounds_ready(struct dal_launcher *launcher)
{
    uint64_t rounds;
    int i, may_grow = 0;
    enter_lane(launcher);
    if (!dal_queue_has_room(launcher->lane->queue))
        return 0;
    rounds = rounds_allowed(launcher);
    for (i = 0; rounds > 0 && i < launcher->end_count; i++) {
        struct dal_end *end = launcher->ends[i];
        uint64_t ready = dal_end_ready(end, rounds);
        may_grow |= ready < rounds && !dal_end_on_peers_queue(end);
        rounds = ready;
    }
    if (may_grow && launcher->lane->in_flight >= ENOUGH_IN_FLIGHT)
        return 0;
    return must_wait(launcher, rounds) ? 0 : rounds;
}

/* Has everything that was released reached the peers? Downloads may lag behind their launch. */
static int all_visible(const struct dal_launcher *launcher)
{
    int i;
    for (i = 0; i < launcher->end_count; i++)
        if (!dal_end_settled(launcher->ends[i]))
            return 0;
    return 1;
}

/* Does nobody read what leaves it? What one process of it writes for nobody is wanted, though,
 * while another has readers. */
static int is_unread(const struct dal_launcher *launcher)
{
    int i;
    for (i = 0; i < launcher->member_count; i++)
        if (!launcher->members[i].process->wanted)
            return 0;
    for (i = 0; i < launcher->end_count; i++) {
        struct dal_end *end = launcher->ends[i];
        if (end->output && !dal_end_is_loop(end) && !dal_end_finished(end))
            return 0;
    }
    return 1;
}

/* Does nobody want another round? The first process is the one that may be a source. */
static int is_unwanted(const struct dal_launcher *launcher)
{
    struct dal_process *first = launcher->members[0].process;
    if (launcher->member_count == 1)
        return dal_process_unwanted(first);
    return (first->source && dal_control_stopping(first->control)) || is_unread(launcher);
}

/* Its processes end as they would by themselves: where the first is starved, it is the first to
 * end; where nobody reads from the last, that is. */
static void close_processes(struct dal_launcher *launcher, int unwanted)
{
    int i, count = launcher->member_count;
    for (i = 0; i < count; i++)
        dal_process_close(launcher->members[unwanted ? count - 1 - i : i].process);
}

static int run_task(struct dal_task *task)
{
    struct dal_launcher *launcher = (struct dal_launcher *)task;
    uint64_t rounds;
    int status, unwanted;
    if (dal_launcher_has_ended(launcher))
        return 0;
    unwanted = is_unwanted(launcher);
    rounds = unwanted ? 0 : rounds_ready(launcher);
    if (rounds > 0) {
        status = launch_rounds(launcher, rounds);
        return status < 0 ? status : 1;
    }
    if (in_flight(launcher) > 0 || !all_visible(launcher) ||
        (!unwanted && !dal_process_starved(launcher->members[0].process)))
        return 0;
    close_processes(launcher, unwanted);
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
    struct dal_ocl_device *device = launcher->lane->queue->device;
    unsigned long long limit = device->info.local_bytes;
    int fits = dal_ocl_fits(device, &launcher->subject, launcher->source->text,
                            launcher->source->options, "DAL_LOCAL_BYTES", limit);
    if (fits)
        return fits < 0 ? fits : DAL_OK;
    dal_log(launcher->subject.failures,
            "process %s: more than the %llu bytes of local memory that %s has",
            launcher->subject.name, limit, device->info.name);
    return DAL_ERR_LIMIT;
}

static int check_local_memory(const struct dal_launcher *launcher)
{
    const struct dal_ocl_device *device = launcher->lane->queue->device;
    cl_ulong bytes = 0;
    int status = DAL_CL_FOR(&launcher->subject, clGetKernelWorkGroupInfo,
                            (launcher->lane->kernel, device->id, CL_KERNEL_LOCAL_MEM_SIZE,
                             sizeof(bytes), &bytes, NULL));
    if (status == DAL_OK && bytes == 0 && launcher->source->counts_local)
        return count_local_memory(launcher);
    if (status < 0 || bytes <= device->info.local_bytes)
        return status;
    dal_log(launcher->subject.failures, "process %s: %llu bytes of local memory, but %s has %llu",
            launcher->subject.name, (unsigned long long)bytes, device->info.name,
            (unsigned long long)device->info.local_bytes);
    return DAL_ERR_LIMIT;
}

static int check_limits(const struct dal_launcher *launcher)
{
    const struct dal_ocl_device *device = launcher->lane->queue->device;
    size_t most = 0;
    int status = DAL_CL_FOR(
        &launcher->subject, clGetKernelWorkGroupInfo,
        (launcher->lane->kernel, device->id, CL_KERNEL_WORK_GROUP_SIZE, sizeof(most), &most, NULL));
    if (status < 0)
        return status;
    if (launcher->work_items <= most)
        return check_local_memory(launcher);
    dal_log(launcher->subject.failures,
            "process %s: %u work-items, but %s takes at most %zu for this kernel",
            launcher->subject.name, launcher->work_items, device->info.name, most);
    return DAL_ERR_LIMIT;
}

/* Before its kernel is built: what no kernel can have, some compilers take for an error of the
 * source. */
static int check_work_group(const struct dal_launcher *launcher)
{
    static const char *const dimensions[] = {"", " in dimension 1", " in dimension 2"};
    const struct dal_ocl_info *info = &launcher->lane->queue->device->info;
    for (int i = 0; i < 3; i++) {
        size_t items = launcher->work_size[i];
        if (items <= info->max_work_items[i])
            continue;
        dal_log(launcher->subject.failures,
                "process %s: %zu work-items%s, but %s takes at most %zu", launcher->subject.name,
                items, dimensions[i], info->name, info->max_work_items[i]);
        return DAL_ERR_LIMIT;
    }
    if (launcher->work_items <= info->max_work_group)
        return DAL_OK;
    dal_log(launcher->subject.failures, "process %s: %u work-items, but %s takes at most %zu",
            launcher->subject.name, launcher->work_items, info->name, info->max_work_group);
    return DAL_ERR_LIMIT;
}

/* ---- making ---------------------------------------------------------------------------------- */

/* Work-groups that keep a compute unit busy: threads of the machine, or as many work-items as may
 * have to wait for memory. And bytes that all of them may have. */
enum {
    GROUPS_ON_CORES = 4,
    ITEMS_ON_DEVICE = 2048,
    MOST_ON_DEVICE = 32,
    SCRATCH_BYTES = 64 << 20,
    SCRATCH_PART = 8,
};

static uint64_t most_work_groups(const struct dal_launcher *launcher)
{
    const struct dal_ocl_info *info = &launcher->lane->queue->device->info;
    uint64_t each = GROUPS_ON_CORES;
    if (launcher->group->one_round)
        return launcher->copies;
    if (launcher->group->kept_count)
        return 1;
    if (info->type != CL_DEVICE_TYPE_CPU) {
        each = ITEMS_ON_DEVICE / launcher->work_items;
        each = each < GROUPS_ON_CORES ? GROUPS_ON_CORES : each;
        each = each > MOST_ON_DEVICE ? MOST_ON_DEVICE : each;
    }
    each *= info->compute_units;
    return each < launcher->copies ? each : launcher->copies;
}

/* With less than a work-group for each compute unit, processes by themselves are faster. Where a
 * work-group does one round, there must be one for each. */
static int make_scratch(struct dal_launcher *launcher)
{
    const struct dal_ocl_info *info = &launcher->lane->queue->device->info;
    uint64_t bytes = launcher->group->scratch_bytes ? launcher->group->scratch_bytes : 1;
    uint64_t limit = info->max_alloc_bytes / SCRATCH_PART;
    uint64_t most = most_work_groups(launcher), fit;
    limit = limit < SCRATCH_BYTES ? limit : SCRATCH_BYTES;
    fit = limit / bytes;
    launcher->work_groups = most < fit ? most : fit;
    if (launcher->work_groups < most &&
        (launcher->group->one_round || launcher->work_groups < info->compute_units)) {
        dal_log(launcher->subject.failures,
                "group %s: %llu bytes for each work-group are too many for %s",
                launcher->subject.name, (unsigned long long)bytes, info->name);
        return DAL_ERR_LIMIT;
    }
    return dal_storage_device(&launcher->scratch, &launcher->subject, launcher->lane->queue->device,
                              launcher->work_groups * bytes, 0);
}

static int put_initial_tokens(const struct dal_launcher *launcher,
                              const struct dal_group_kept *kept,
                              const struct dal_channel_desc *channel)
{
    size_t bytes = channel->initial_tokens * channel->token_bytes;
    void *zeros = channel->initial_data ? NULL : dal_calloc(1, bytes);
    const void *data = channel->initial_data ? channel->initial_data : zeros;
    int status = DAL_ERR_NOMEM;
    if (data)
        status = DAL_CL_FOR(&launcher->subject, clEnqueueWriteBuffer,
                            (launcher->lane->queue->commands, launcher->scratch.memory, CL_TRUE,
                             kept->offset, bytes, data, 0, NULL, NULL));
    dal_free(zeros);
    return status;
}

/* Into the memory of the work-group that keeps them. */
static int put_kept(const struct dal_launcher *launcher, const struct dal_channel_desc *channels)
{
    const struct dal_group_desc *group = launcher->group;
    int i, status = DAL_OK;
    for (i = 0; i < group->kept_count && status == DAL_OK; i++)
        status = put_initial_tokens(launcher, &group->kept[i], &channels[group->kept[i].channel]);
    return status;
}

static int count_ports(const struct dal_launcher *launcher)
{
    int i, count = 0;
    for (i = 0; i < launcher->member_count; i++)
        count += launcher->members[i].process->desc->port_count;
    return count;
}

/* What the kernel of a process takes of its parameters, from this argument on. */
static int set_values_of(const struct dal_launcher *launcher, const struct dal_process *process,
                         cl_uint first)
{
    const struct dal_process_desc *desc = process->desc;
    int i, status = DAL_OK;
    for (i = 0; status == DAL_OK && i < desc->kernel->value_count; i++) {
        const struct dal_kernel_value *value = &desc->kernel->values[i];
        const struct dal_value_traits *type = dal_value_traits(value->type);
        const char *text = process->parameters[dal_process_parameter(desc, value->parameter)];
        char number[8];
        status = dal_value_parse(text, type->is_real, type->is_signed, type->bytes, number);
        if (status == DAL_OK)
            status = DAL_CL_FOR(&launcher->subject, clSetKernelArg,
                                (launcher->lane->kernel, first + (cl_uint)i, type->bytes, number));
        else
            dal_log(launcher->subject.failures,
                    "process %s: parameter %s is \"%s\", no %s that a kernel takes", desc->name,
                    value->parameter, text, type->name);
    }
    return status;
}

/* The arguments behind all others, once. */
static int set_values(const struct dal_launcher *launcher)
{
    const struct dal_group_desc *group = launcher->group;
    int i, status = DAL_OK;
    int ports = group ? group->port_count : launcher->members[0].process->desc->port_count;
    cl_uint number = (cl_uint)(2 * ports + (group ? 2 + (group->kept_count > 0) : 0));
    for (i = 0; status == DAL_OK && i < launcher->member_count; i++) {
        const struct dal_process *process = launcher->members[i].process;
        status = set_values_of(launcher, process, number);
        number += (cl_uint)process->desc->kernel->value_count;
    }
    return status;
}

/* Room for a lane on each of the devices. */
static int make_room(struct dal_launcher *launcher)
{
    size_t ports = (size_t)count_ports(launcher) + 1;
    size_t lanes = (size_t)launcher->members[0].process->desc->processor_count;
    launcher->lanes = dal_calloc(lanes, sizeof(*launcher->lanes));
    launcher->queues = dal_calloc(lanes, sizeof(*launcher->queues));
    launcher->arguments = dal_calloc(ports, sizeof(*launcher->arguments));
    launcher->fences = dal_calloc(2 * ports, sizeof(cl_event));
    launcher->ends = dal_calloc(ports, sizeof(*launcher->ends));
    launcher->passed = dal_calloc(ports, sizeof(*launcher->passed));
    launcher->passed_tokens = dal_calloc(ports, sizeof(*launcher->passed_tokens));
    return launcher->lanes && launcher->queues && launcher->arguments && launcher->fences &&
                   launcher->ends && launcher->passed && launcher->passed_tokens
               ? DAL_OK
               : DAL_ERR_NOMEM;
}

/* What is the same for one process and for several; the others are set. */
static int init_launcher(struct dal_launcher *launcher, struct dal_handler *handler,
                         struct dal_queue *queue, struct dal_trace_row *row)
{
    int i, status;
    launcher->task.run = run_task;
    launcher->task.priority = launcher->members[0].process->desc->priority;
    launcher->handler = handler;
    launcher->work_groups = launcher->copies;
    status = make_room(launcher);
    for (i = 0; i < launcher->member_count; i++) {
        launcher->members[i].process->launcher = launcher;
        launcher->members[i].process->listener.notify = notify;
    }
    return status < 0 ? status : dal_launcher_add_lane(launcher, queue, row);
}

static int make_kernel(struct dal_launcher *launcher)
{
    const struct dal_kernel *source = launcher->source;
    struct dal_launcher_lane *lane = launcher->lane;
    int status = check_work_group(launcher);
    if (status == DAL_OK)
        status = dal_ocl_kernel(lane->queue->device, &launcher->subject, source->file, source->text,
                                source->options, source->name, &lane->kernel);
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
    struct dal_launcher_lane *lane = &launcher->lanes[launcher->lane_count];
    uint64_t units = dal_least(queue->device->info.compute_units, launcher->copies);
    int status = DAL_ERR_NOMEM;
    *lane = (struct dal_launcher_lane){.queue = queue, .row = row};
    launcher->lane = lane;
    lane->bound = dal_calloc((size_t)count_ports(launcher) + 1, sizeof(*lane->bound));
    if (lane->bound)
        status = make_kernel(launcher);
    launcher->lane = launcher->lanes;
    if (status < 0) {
        finish_lane(lane);
        return status;
    }
    launcher->queues[launcher->lane_count++] = queue;
    if (units > launcher->least)
        launcher->least = units;
    launcher->most = launcher->least;
    launcher->stray = launcher->most < launcher->copies;
    return DAL_OK;
}

int dal_launcher_is_on(const struct dal_launcher *launcher, const struct dal_queue *queue)
{
    int i;
    for (i = 0; i < launcher->lane_count && launcher->queues[i] != queue; i++)
        ;
    return i < launcher->lane_count;
}

int dal_launcher_init(struct dal_launcher *launcher, struct dal_process *process,
                      struct dal_handler *handler, struct dal_queue *queue,
                      struct dal_trace_row *row, enum dal_log_level failures)
{
    const struct dal_process_desc *desc = process->desc;
    const uint32_t items = desc->work_items, *shape = desc->work_shape;
    *launcher = (struct dal_launcher){.subject = {desc->name, failures},
                                      .source = desc->kernel,
                                      .work_items = items,
                                      .work_size = {dal_work_size(items, shape, 0),
                                                    dal_work_size(items, shape, 1),
                                                    dal_work_size(items, shape, 2)},
                                      .dimensions = dal_work_dimensions(shape),
                                      .copies = desc->shadow_copies,
                                      .members = dal_calloc(1, sizeof(*launcher->members))};
    if (!launcher->members)
        return DAL_ERR_NOMEM;
    launcher->members[launcher->member_count++] = (struct dal_launcher_member){process, 1};
    return init_launcher(launcher, handler, queue, row);
}

int dal_launcher_init_group(struct dal_launcher *launcher, const struct dal_group_desc *group,
                            const struct dal_channel_desc *channels, struct dal_process *processes,
                            struct dal_handler *handler, struct dal_queue *queue,
                            struct dal_trace_row *row)
{
    const uint32_t items = group->work_items, *shape = group->work_shape;
    int i, status;
    *launcher = (struct dal_launcher){
        .subject = {group->name, DAL_LOG_NOTHING},
        .group = group,
        .source = group->kernel,
        .work_items = items,
        .work_size = {dal_work_size(items, shape, 0), dal_work_size(items, shape, 1),
                      dal_work_size(items, shape, 2)},
        .dimensions = dal_work_dimensions(shape),
        .copies = group->rounds,
        .members = dal_calloc((size_t)group->member_count, sizeof(*launcher->members))};
    if (!launcher->members)
        return DAL_ERR_NOMEM;
    for (i = 0; i < group->member_count; i++)
        launcher->members[launcher->member_count++] = (struct dal_launcher_member){
            &processes[group->members[i].process], group->members[i].firings};
    status = init_launcher(launcher, handler, queue, row);
    if (status == DAL_OK)
        status = make_scratch(launcher);
    return status < 0 ? status : put_kept(launcher, channels);
}

static int is_outside(const struct dal_launcher *launcher, int member, int port)
{
    const struct dal_group_desc *group = launcher->group;
    int i;
    for (i = 0; group && i < group->port_count; i++)
        if (group->ports[i].member == member && group->ports[i].port == port)
            return 1;
    return !group;
}

void dal_launcher_link(struct dal_launcher *launcher)
{
    int i, k;
    for (i = 0; i < launcher->member_count; i++) {
        const struct dal_launcher_member *member = &launcher->members[i];
        const struct dal_process_desc *desc = member->process->desc;
        for (k = 0; k < desc->port_count; k++) {
            if (is_outside(launcher, i, k)) {
                launcher->ends[launcher->end_count++] = member->process->ends[k];
                continue;
            }
            launcher->passed[launcher->passed_count] = member->process->ends[k];
            launcher->passed_tokens[launcher->passed_count++] =
                member->firings * desc->ports[k].rate;
        }
    }
}

void dal_launcher_moved(struct dal_launcher *launcher)
{
    int i;
    for (i = 0; i < launcher->member_count; i++)
        launcher->members[i].process->launcher = launcher;
}

int dal_launcher_has_ended(const struct dal_launcher *launcher)
{
    return atomic_load_explicit(&launcher->members[0].process->ended, memory_order_relaxed) &&
           atomic_load_explicit(&launcher->members[launcher->member_count - 1].process->ended,
                                memory_order_relaxed);
}

uint64_t dal_launcher_round(const struct dal_process *process)
{
    const struct dal_launcher *launcher = process->launcher;
    int i = 0;
    while (launcher->members[i].process != process)
        i++;
    return launcher->members[i].firings;
}

void dal_launcher_finish(struct dal_launcher *launcher)
{
    int i;
    for (i = 0; i < launcher->lane_count; i++)
        finish_lane(&launcher->lanes[i]);
    for (i = 0; i < launcher->member_count; i++)
        launcher->members[i].process->launcher = NULL;
    dal_storage_finish(&launcher->scratch);
    dal_free(launcher->lanes);
    dal_free(launcher->queues);
    dal_free(launcher->members);
    dal_free(launcher->ends);
    dal_free(launcher->passed);
    dal_free(launcher->passed_tokens);
    dal_free(launcher->arguments);
    dal_free(launcher->fences);
    *launcher = (struct dal_launcher){0};
}
