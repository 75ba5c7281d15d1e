/* Makes launchers, checks them against the limits of their devices, and frees them. */
#include "rt/device/launcher.h"

#include "include/kinds.h"
#include "rt/base/alloc.h"
#include "rt/base/number.h"
#include "rt/base/setting.h"
#include "rt/base/value.h"
#include "rt/device/placed.h"
#include "rt/device/watch.h"

#include <string.h>

/* ---- limits ---------------------------------------------------------------------------------- */

/* Counts local memory. If the driver says that a kernel with local variables has none, trial builds
 * of the kernel's text tell. */
static int count_local_memory(const struct dal_launcher *launcher)
{
    struct dal_device *device = launcher->replica->queue->device;
    unsigned long long limit = device->info.limits.local_bytes;
    int fits = device->backend->fits(device, &launcher->subject, launcher->source->text,
                                     launcher->source->options, "DAL_LOCAL_BYTES", limit);
    if (fits)
        return fits < 0 ? fits : DAL_OK;
    dal_log(launcher->subject.failures,
            "process %s: more than the %llu bytes of local memory that %s has",
            launcher->subject.name, limit, device->info.name);
    return DAL_ERR_LIMIT;
}

static int check_local_memory(const struct dal_launcher *launcher, uint64_t bytes)
{
    const struct dal_device *device = launcher->replica->queue->device;
    if (bytes == 0 && launcher->source->counts_local)
        return count_local_memory(launcher);
    if (bytes <= device->info.limits.local_bytes)
        return DAL_OK;
    dal_log(launcher->subject.failures, "process %s: %llu bytes of local memory, but %s has %llu",
            launcher->subject.name, (unsigned long long)bytes, device->info.name,
            (unsigned long long)device->info.limits.local_bytes);
    return DAL_ERR_LIMIT;
}

static int check_limits(const struct dal_launcher *launcher)
{
    struct dal_device *device = launcher->replica->queue->device;
    uint64_t local_bytes = 0;
    size_t most = 0;
    int status = device->backend->function_limits(device, &launcher->subject,
                                                  launcher->replica->kernel, &most, &local_bytes);
    if (status < 0)
        return status;
    if (launcher->work.items <= most)
        return check_local_memory(launcher, local_bytes);
    dal_log(launcher->subject.failures,
            "process %s: %u work-items, but %s takes at most %zu for this kernel",
            launcher->subject.name, launcher->work.items, device->info.name, most);
    return DAL_ERR_LIMIT;
}

/* Checks the work-group before its kernel is built. Some compilers would take one that is too large
 * for an error of the source. */
static int check_work_group(const struct dal_launcher *launcher)
{
    static const char *const dimensions[] = {"", " in dimension 1", " in dimension 2"};
    const struct dal_device_info *info = &launcher->replica->queue->device->info;
    for (int i = 0; i < 3; i++) {
        size_t items = launcher->work.size[i];
        if (items <= info->limits.work_items[i])
            continue;
        dal_log(launcher->subject.failures,
                "process %s: %zu work-items%s, but %s takes at most %zu", launcher->subject.name,
                items, dimensions[i], info->name, info->limits.work_items[i]);
        return DAL_ERR_LIMIT;
    }
    if (launcher->work.items <= info->limits.work_group)
        return DAL_OK;
    dal_log(launcher->subject.failures, "process %s: %u work-items, but %s takes at most %zu",
            launcher->subject.name, launcher->work.items, info->name, info->limits.work_group);
    return DAL_ERR_LIMIT;
}

/* ---- making ---------------------------------------------------------------------------------- */

/* Work-groups that keep a compute unit busy: as threads of the machine, or by work-items that wait
 * for memory. And bytes that all of them may have. */
enum {
    GROUPS_ON_CORES = 4,
    ITEMS_ON_DEVICE = 2048,
    MOST_ON_DEVICE = 32,
    SCRATCH_BYTES = 64 << 20,
    SCRATCH_PART = 8,
};

static uint64_t most_work_groups(const struct dal_launcher *launcher)
{
    const struct dal_device_info *info = &launcher->replica->queue->device->info;
    uint64_t each = GROUPS_ON_CORES;
    if (launcher->group->one_round)
        return launcher->copies;
    if (launcher->group->kept_count)
        return 1;
    if (info->type != DAL_DEVICE_CPU) {
        each = ITEMS_ON_DEVICE / launcher->work.items;
        each = each < GROUPS_ON_CORES ? GROUPS_ON_CORES : each;
        each = each > MOST_ON_DEVICE ? MOST_ON_DEVICE : each;
    }
    each *= info->compute_units;
    return each < launcher->copies ? each : launcher->copies;
}

/* Makes the work-groups' memory. With less than a work-group for each compute unit, single
 * processes are faster. Where a work-group does one round, there must be one for each round. */
static int make_scratch(const struct dal_launcher *launcher, struct dal_launcher_replica *replica)
{
    const struct dal_device_info *info = &replica->queue->device->info;
    uint64_t bytes = launcher->group->scratch_bytes ? launcher->group->scratch_bytes : 1;
    uint64_t limit = info->limits.alloc_bytes / SCRATCH_PART;
    uint64_t most = most_work_groups(launcher), fit;
    limit = limit < SCRATCH_BYTES ? limit : SCRATCH_BYTES;
    fit = limit / bytes;
    replica->work_groups = most < fit ? most : fit;
    if (replica->work_groups < most &&
        (launcher->group->one_round || replica->work_groups < info->compute_units)) {
        dal_log(launcher->subject.failures,
                "group %s: %llu bytes for each work-group are too many for %s",
                launcher->subject.name, (unsigned long long)bytes, info->name);
        return DAL_ERR_LIMIT;
    }
    return dal_storage_device(&replica->scratch, &launcher->subject, replica->queue->device,
                              replica->work_groups * bytes, 0);
}

static int put_initial_tokens(const struct dal_launcher *launcher,
                              const struct dal_group_kept *kept,
                              const struct dal_channel_desc *channel)
{
    size_t bytes = channel->initial_tokens * channel->token_bytes;
    void *zeros = channel->initial_data ? NULL : dal_calloc(1, bytes);
    const void *data = channel->initial_data ? channel->initial_data : zeros;
    const struct dal_queue *queue = launcher->replica->queue;
    int status = DAL_ERR_NOMEM;
    if (data)
        status = queue->backend->write(queue->commands, &launcher->subject,
                                       launcher->replica->scratch.memory, kept->offset, data, bytes,
                                       1, NULL);
    dal_free(zeros);
    return status;
}

/* Writes the kept initial tokens into the work-group's memory. */
static int put_kept(const struct dal_launcher *launcher, const struct dal_channel_desc *channels)
{
    const struct dal_group_desc *group = launcher->group;
    int status = DAL_OK;
    for (int i = 0; i < group->kept_count && status == DAL_OK; i++)
        status = put_initial_tokens(launcher, &group->kept[i], &channels[group->kept[i].channel]);
    return status;
}

static int count_ports(const struct dal_launcher *launcher)
{
    int count = 0;
    for (int i = 0; i < launcher->actor.count; i++)
        count += launcher->actor.members[i].process->desc->port_count;
    return count;
}

static int set_constant(const struct dal_launcher *launcher, const struct dal_process_desc *desc,
                        const char *name, unsigned number)
{
    const struct dal_launcher_replica *replica = launcher->replica;
    dal_memory memory;
    int i = 0, status;
    while (strcmp(desc->constants[i].name, name) != 0)
        i++;
    status = dal_placed_find(&launcher->handler->placed, &launcher->subject, replica->queue,
                             &desc->constants[i], &memory);
    return status < 0 ? status
                      : replica->queue->backend->set_memory(replica->kernel, &launcher->subject,
                                                            number, memory);
}

static int set_value(const struct dal_launcher *launcher, const struct dal_process *process,
                     const struct dal_kernel_value *value, unsigned number)
{
    const struct dal_launcher_replica *replica = launcher->replica;
    const struct dal_process_desc *desc = process->desc;
    const struct dal_value_traits *type = dal_value_traits(value->type);
    const char *text =
        dal_parameter_text(&process->parameters[dal_process_parameter(desc, value->parameter)]);
    char bytes[8];
    int status = dal_value_parse(text, type->is_real, type->is_signed, type->bytes, bytes);
    if (status == DAL_OK)
        return replica->queue->backend->set_value(replica->kernel, &launcher->subject, number,
                                                  type->bytes, bytes);
    dal_log(launcher->subject.failures,
            "process %s: parameter %s is \"%s\", no %s that a kernel takes", desc->name,
            value->parameter, text, type->name);
    return status;
}

/* Sets the arguments of a process's kernel that are parameters or constants, from this argument
 * on. */
static int set_values_of(const struct dal_launcher *launcher, const struct dal_process *process,
                         unsigned first)
{
    const struct dal_process_desc *desc = process->desc;
    int status = DAL_OK;
    for (int i = 0; status == DAL_OK && i < desc->kernel->value_count; i++) {
        const struct dal_kernel_value *value = &desc->kernel->values[i];
        status = value->is_constant
                     ? set_constant(launcher, desc, value->parameter, first + (unsigned)i)
                     : set_value(launcher, process, value, first + (unsigned)i);
    }
    return status;
}

/* Sets the arguments behind all others, once. */
static int set_values(const struct dal_launcher *launcher)
{
    const struct dal_group_desc *group = launcher->group;
    int status = DAL_OK;
    int ports = group ? group->port_count : launcher->actor.members[0].process->desc->port_count;
    unsigned number = (unsigned)(2 * ports + (group ? 2 + (group->kept_count > 0) : 0));
    for (int i = 0; status == DAL_OK && i < launcher->actor.count; i++) {
        const struct dal_process *process = launcher->actor.members[i].process;
        status = set_values_of(launcher, process, number);
        number += (unsigned)process->desc->kernel->value_count;
    }
    return status;
}

/* Makes room for a replica on each of the devices. */
static int make_room(struct dal_launcher *launcher)
{
    size_t ports = (size_t)count_ports(launcher) + 1;
    size_t replicas = (size_t)launcher->actor.members[0].process->desc->processor_count;
    launcher->replicas = dal_calloc(replicas, sizeof(*launcher->replicas));
    launcher->queues = dal_calloc(replicas, sizeof(*launcher->queues));
    launcher->call.arguments = dal_calloc(ports, sizeof(*launcher->call.arguments));
    launcher->call.fences = dal_calloc(2 * ports, sizeof(dal_event));
    launcher->actor.ends = dal_calloc(ports, sizeof(*launcher->actor.ends));
    launcher->passed.ends = dal_calloc(ports, sizeof(*launcher->passed.ends));
    launcher->passed.tokens = dal_calloc(ports, sizeof(*launcher->passed.tokens));
    return launcher->replicas && launcher->queues && launcher->call.arguments &&
                   launcher->call.fences && launcher->actor.ends && launcher->passed.ends &&
                   launcher->passed.tokens
               ? DAL_OK
               : DAL_ERR_NOMEM;
}

/* Sets all that is the same for one process and for several. `list` says which, and how often they
 * fire in a round. */
static int init_launcher(struct dal_launcher *launcher, const struct dal_group_member *list,
                         int count, struct dal_process *processes, struct dal_handler *handler,
                         struct dal_queue *queue, struct dal_device_rows *rows)
{
    struct dal_actor *actor = &launcher->actor;
    int status;
    actor->members = dal_calloc((size_t)count, sizeof(*actor->members));
    if (!actor->members)
        return DAL_ERR_NOMEM;
    for (int i = 0; i < count; i++) {
        struct dal_process *process = &processes[list[i].process];
        actor->members[actor->count++] = (struct dal_member){process, list[i].firings};
        process->launcher = launcher;
        process->listener.notify = dal__launcher_notify;
    }
    launcher->task.run = dal__launcher_run;
    launcher->task.priority = actor->members->process->desc->priority;
    launcher->handler = handler;
    status = make_room(launcher);
    return status < 0 ? status : dal_launcher_add_replica(launcher, queue, rows);
}

static int make_kernel(struct dal_launcher *launcher)
{
    const struct dal_kernel *source = launcher->source;
    const struct dal_function_source function = {.file = source->file,
                                                 .text = source->text,
                                                 .options = source->options,
                                                 .name = source->name};
    struct dal_launcher_replica *replica = launcher->replica;
    struct dal_device *device = replica->queue->device;
    int status = check_work_group(launcher);
    if (status == DAL_OK)
        status = device->backend->function(device, &launcher->subject, &function, &replica->kernel);
    if (status == DAL_OK)
        status = check_limits(launcher);
    return status < 0 ? status : set_values(launcher);
}

static void finish_replica(struct dal_launcher_replica *replica)
{
    if (replica->kernel)
        replica->queue->backend->function_free(replica->kernel);
    dal_storage_finish(&replica->scratch);
    dal_free(replica->bound);
    dal_free(replica->times);
    dal_free(replica->curve);
    *replica = (struct dal_launcher_replica){0};
}

int dal_launcher_add_replica(struct dal_launcher *launcher, struct dal_queue *queue,
                             struct dal_device_rows *rows)
{
    struct dal_launcher_replica *replica = &launcher->replicas[launcher->replica_count];
    uint64_t units = dal_least(queue->device->info.compute_units, launcher->copies);
    int status = DAL_ERR_NOMEM;
    *replica = (struct dal_launcher_replica){
        .queue = queue, .rows = rows, .work_groups = launcher->copies, .cold = -1};
    launcher->replica = replica;
    replica->bound = dal_calloc((size_t)count_ports(launcher) + 1, sizeof(*replica->bound));
    if (replica->bound)
        status = make_kernel(launcher);
    if (status == DAL_OK && launcher->group)
        status = make_scratch(launcher, replica);
    launcher->replica = launcher->replicas;
    if (status < 0) {
        finish_replica(replica);
        return status;
    }
    launcher->queues[launcher->replica_count++] = queue;
    if (units > launcher->pace.least)
        launcher->pace.least = units;
    launcher->pace.most = launcher->pace.least;
    launcher->pace.stray = launcher->pace.most < launcher->copies;
    return DAL_OK;
}

int dal_launcher_is_on(const struct dal_launcher *launcher, const struct dal_queue *queue)
{
    int i;
    for (i = 0; i < launcher->replica_count && launcher->queues[i] != queue; i++)
        ;
    return i < launcher->replica_count;
}

static struct dal_work_shape work_shape(uint32_t items, const uint32_t *shape)
{
    struct dal_work_shape work = {.items = items, .dimensions = dal_work_dimensions(shape)};
    for (int i = 0; i < 3; i++)
        work.size[i] = dal_work_size(items, shape, i);
    return work;
}

int dal_launcher_init(struct dal_launcher *launcher, struct dal_process *process,
                      struct dal_handler *handler, struct dal_queue *queue,
                      struct dal_device_rows *rows, enum dal_log_level failures)
{
    const struct dal_process_desc *desc = process->desc;
    const struct dal_group_member only = {0, 1};
    *launcher = (struct dal_launcher){.subject = {desc->name, failures},
                                      .source = desc->kernel,
                                      .copies = desc->shadow_copies,
                                      .work = work_shape(desc->work_items, desc->work_shape)};
    return init_launcher(launcher, &only, 1, process, handler, queue, rows);
}

int dal_launcher_init_group(struct dal_launcher *launcher, const struct dal_group_desc *group,
                            const struct dal_channel_desc *channels, struct dal_process *processes,
                            struct dal_handler *handler, struct dal_queue *queue,
                            struct dal_device_rows *rows)
{
    int status;
    *launcher = (struct dal_launcher){.subject = {group->name, DAL_LOG_NOTHING},
                                      .group = group,
                                      .source = group->kernel,
                                      .copies = group->rounds,
                                      .work = work_shape(group->work_items, group->work_shape)};
    status = init_launcher(launcher, group->members, group->member_count, processes, handler, queue,
                           rows);
    return status < 0 ? status : put_kept(launcher, channels);
}

static int is_outside(const struct dal_launcher *launcher, int member, int port)
{
    const struct dal_group_desc *group = launcher->group;
    for (int i = 0; group && i < group->port_count; i++)
        if (group->ports[i].member == member && group->ports[i].port == port)
            return 1;
    return !group;
}

int dal_launcher_link(struct dal_launcher *launcher)
{
    for (int i = 0; i < launcher->actor.count; i++) {
        const struct dal_member *member = &launcher->actor.members[i];
        const struct dal_process_desc *desc = member->process->desc;
        for (int k = 0; k < desc->port_count; k++) {
            if (is_outside(launcher, i, k)) {
                launcher->actor.ends[launcher->actor.end_count++] = member->process->ends[k];
                continue;
            }
            launcher->passed.ends[launcher->passed.count] = member->process->ends[k];
            launcher->passed.tokens[launcher->passed.count++] =
                member->firings * desc->ports[k].rate;
        }
    }
    return dal_watch_make(launcher);
}

void dal_launcher_moved(struct dal_launcher *launcher)
{
    for (int i = 0; i < launcher->actor.count; i++)
        launcher->actor.members[i].process->launcher = launcher;
}

uint64_t dal_launcher_round(const struct dal_process *process)
{
    const struct dal_launcher *launcher = process->launcher;
    int i = 0;
    while (launcher->actor.members[i].process != process)
        i++;
    return launcher->actor.members[i].firings;
}

int dal_launcher_keep_times(struct dal_launcher *launcher)
{
    int tries = dal_setting_wanted("DAL_LAUNCH_SIZES") != NULL;
    for (int i = 0; i < launcher->replica_count; i++) {
        struct dal_launcher_replica *replica = &launcher->replicas[i];
        replica->times = dal_calloc(1, sizeof(*replica->times));
        replica->curve = dal_calloc(1, sizeof(*replica->curve));
        if (!replica->times || !replica->curve)
            return DAL_ERR_NOMEM;
        replica->curve->tries = tries;
    }
    return DAL_OK;
}

void dal_launcher_finish(struct dal_launcher *launcher)
{
    dal_dealing_leave(launcher);
    dal_watch_finish(launcher);
    for (int i = 0; i < launcher->replica_count; i++)
        finish_replica(&launcher->replicas[i]);
    for (int i = 0; i < launcher->actor.count; i++)
        launcher->actor.members[i].process->launcher = NULL;
    dal_free(launcher->replicas);
    dal_free(launcher->queues);
    dal_free(launcher->actor.members);
    dal_free(launcher->actor.ends);
    dal_free(launcher->passed.ends);
    dal_free(launcher->passed.tokens);
    dal_free(launcher->call.arguments);
    dal_free(launcher->call.fences);
    *launcher = (struct dal_launcher){0};
}
