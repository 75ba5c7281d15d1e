/*
 * Devices, and what is launched on them: processes and groups. A process leaves a device that is
 * missing or lacks what it needs, and runs as C, if it has a source for that: it falls back.
 */
#include "include/kinds.h"
#include "rt/base/alloc.h"
#include "rt/base/setting.h"
#include "rt/device/launcher.h"
#include "rt/devices/devices.h"
#include "rt/network/install.h"
#include "rt/observe/observers.h"

#include <string.h>

/* ---- falling back ---------------------------------------------------------------------------- */

/* Returns whether a process has another source that may be used; with `strict` it may not. */
static int may_fall_back(const struct dal_process *process, int strict)
{
    return !strict && process->desc->fallback != NULL;
}

/* Finishes a launcher; the last one moves to its place. */
static void remove_launcher(struct dal_handler *handler, struct dal_launcher *launcher)
{
    struct dal_launcher *last = &handler->launchers[--handler->launcher_count];
    dal_launcher_finish(launcher);
    if (launcher == last)
        return;
    *launcher = *last;
    dal_launcher_moved(launcher);
    *last = (struct dal_launcher){0};
}

/* Makes a process use its other source. `reason`, a negative code, is logged; its launcher goes.
 * Returns DAL_OK or DAL_ERR_NOMEM. */
static int fall_back(struct dal_network *network, struct dal_process *process, int reason)
{
    const struct dal_processor_desc *processors = network->net->processors;
    const struct dal_process_desc *fallback = process->desc->fallback;
    const struct dal_processor_desc *device = &processors[process->desc->processors[0]];
    if (process->launcher)
        remove_launcher(&network->handler, process->launcher);
    dal_log(DAL_LOG_WARNING, "process %s cannot run on %s (%s): %s; it runs as C on %s instead",
            process->desc->name, device->name, device->identifier, dal_strerror(reason),
            processors[fallback->processors[0]].name);
    return dal_process_fall_back(process, &dal_process_c) < 0 ? dal_no_memory() : DAL_OK;
}

/* ---- devices --------------------------------------------------------------------------------- */

static int is_used(const struct dal_network *network, int processor)
{
    for (int i = 0; i < network->net->process_count; i++) {
        const struct dal_process_desc *desc = network->processes[i].desc;
        for (int k = 0; k < desc->processor_count; k++)
            if (desc->processors[k] == processor)
                return 1;
    }
    return 0;
}

static int add_queue(struct dal_network *network, struct dal_device *device)
{
    struct dal_handler *handler = &network->handler;
    struct dal_device_rows *rows = &handler->rows[handler->queue_count];
    const struct dal_queue_config config = {
        .depth = network->net->queue.depth,
        .profiling = dal_observers_need(network, DAL_NEEDS_TIMES),
        .transfers =
            !device->info.traits.unified || dal_setting_wanted("DAL_TRANSFER_QUEUES") != NULL,
        .log = dal_trace_kept() ? &rows->log : NULL};
    int status = dal_device_rows_init(rows, device->processor);
    if (status < 0)
        return status;
    return dal_queue_init(&handler->queues[handler->queue_count++], device, &config, handler->wake);
}

/* Returns the level of a message of failure: a warning if the network can do without. */
static enum dal_log_level level(int lenient)
{
    return lenient ? DAL_LOG_WARNING : DAL_LOG_ERROR;
}

/* Describes a device in use as one to be opened. */
static int wish_for(const struct dal_processor_desc *processor, struct dal_device_wish *wish,
                    enum dal_log_level failures)
{
    const char *capability = dal_processor_traits(processor->kind)->capability;
    *wish = (struct dal_device_wish){.backend = dal_backend_of(capability),
                                     .identifier = processor->identifier,
                                     .processor = processor->name};
    if (wish->backend)
        return DAL_OK;
    dal_log(failures, "processor '%s': this build of the runtime knows no devices of capability %s",
            processor->name, capability);
    return DAL_ERR_NODEVICE;
}

/* Opens the devices in use and makes one queue for each distinct one. */
static int open_devices(struct dal_network *network, int strict, enum dal_log_level failures)
{
    const struct dal_net *net = network->net;
    struct dal_handler *handler = &network->handler;
    size_t room = (size_t)net->processor_count + 1;
    struct dal_device_wish *wishes = dal_calloc(room, sizeof(*wishes));
    int k, count = 0, status = DAL_ERR_NOMEM;
    network->devices.queue_of = dal_calloc(room, sizeof(int));
    handler->queues = dal_calloc(room, sizeof(*handler->queues));
    handler->rows = dal_calloc(room, sizeof(*handler->rows));
    if (wishes && network->devices.queue_of && handler->queues && handler->rows)
        status = DAL_OK;
    for (int i = 0; status == DAL_OK && i < net->processor_count; i++) {
        network->devices.queue_of[i] = -1;
        if (net->processors[i].kind == DAL_PROCESSOR_CORE || !is_used(network, i))
            continue;
        status = wish_for(&net->processors[i], &wishes[count], failures);
        network->devices.queue_of[i] = count++;
    }
    if (status == DAL_OK && count && !*network->devices.kept)
        status = dal_devices_open(network->devices.kept, wishes, count, strict, failures);
    for (int i = 0; status == DAL_OK && i < net->processor_count; i++) {
        struct dal_device *device;
        if (network->devices.queue_of[i] < 0)
            continue;
        device = dal_devices_get(*network->devices.kept, network->devices.queue_of[i]);
        for (k = 0; k < handler->queue_count && handler->queues[k].device != device; k++)
            ;
        if (k == handler->queue_count)
            status = add_queue(network, device);
        handler->on_cores |= device->info.type == DAL_DEVICE_CPU;
        network->devices.queue_of[i] = k;
    }
    dal_free(wishes);
    return status == DAL_ERR_NOMEM ? dal_no_memory() : status;
}

static void close_devices(struct dal_network *network)
{
    struct dal_handler *handler = &network->handler;
    for (int i = 0; i < handler->queue_count; i++)
        dal_queue_finish(&handler->queues[i]);
    handler->queue_count = 0;
    dal_devices_close(*network->devices.kept);
    *network->devices.kept = NULL;
}

/* Opens the devices. If that fails, all processes on them fall back, if each has a fallback. A
 * wrong setting is no fault of a device. */
int dal__open_devices(struct dal_network *network, int strict)
{
    int lenient = 1, status, reason;
    for (int i = 0; i < network->net->process_count; i++)
        if (network->processes[i].ops->on_device)
            lenient = lenient && may_fall_back(&network->processes[i], strict);
    reason = open_devices(network, strict, level(lenient));
    if (reason == DAL_OK || reason == DAL_ERR_NOMEM || reason == DAL_ERR_INVALID || !lenient)
        return reason;
    close_devices(network);
    status = DAL_OK;
    for (int i = 0; status == DAL_OK && i < network->net->process_count; i++)
        if (network->processes[i].ops->on_device)
            status = fall_back(network, &network->processes[i], reason);
    return status;
}

/* ---- launchers ------------------------------------------------------------------------------- */

static int is_part_of(const struct dal_device *a, const struct dal_device *b)
{
    return a->id == b->id || a->whole == b->id;
}

/* Returns whether device `k` or a part of it is earlier in the list. A device that this machine
 * lacks may be replaced by one that is in use. */
static int is_repeated(const struct dal_network *network, const struct dal_process_desc *desc,
                       int k)
{
    const struct dal_queue *queues = network->handler.queues;
    const struct dal_device *device = queues[network->devices.queue_of[desc->processors[k]]].device;
    for (int i = 0; i < k; i++) {
        const struct dal_device *other =
            queues[network->devices.queue_of[desc->processors[i]]].device;
        if (is_part_of(other, device) || is_part_of(device, other))
            return 1;
    }
    return 0;
}

/* A process or a group that is to be launched: the launcher, and what it is made of. */
struct launched {
    struct dal_network *network;
    struct dal_launcher *launcher;
    struct dal_process *process;        /* or, of a group, its first */
    const struct dal_group_desc *group; /* NULL: a process by itself */
    int strict;
    int refusing; /* the processor that failed last */
};

static int add_device(const struct launched *launched, int processor, enum dal_log_level failures)
{
    struct dal_network *network = launched->network;
    struct dal_handler *handler = &network->handler;
    int device = network->devices.queue_of[processor], status;
    struct dal_queue *queue = &handler->queues[device];
    struct dal_device_rows *rows = &handler->rows[device];
    if (launched->launcher->replica_count > 0)
        return dal_launcher_add_replica(launched->launcher, queue, rows);
    status = launched->group ? dal_launcher_init_group(launched->launcher, launched->group,
                                                       network->net->channels, network->processes,
                                                       handler, queue, rows)
                             : dal_launcher_init(launched->launcher, launched->process, handler,
                                                 queue, rows, failures);
    if (status < 0)
        dal_launcher_finish(launched->launcher);
    return status;
}

/* Warns that a process, or a group, runs without one of its devices. */
static void leave_out(const struct launched *launched, int processor, const char *why)
{
    const struct dal_processor_desc *device = &launched->network->net->processors[processor];
    dal_log(DAL_LOG_WARNING, "%s %s runs without %s (%s): %s",
            launched->group ? "group" : "process",
            launched->group ? launched->group->name : launched->process->desc->name, device->name,
            device->identifier, why);
}

/* Returns whether the other devices may do without the one that failed so. A device may have
 * enough for each process of a group, but not for all: then there is no group. */
static int may_leave_out(const struct launched *launched, int status)
{
    return !launched->strict && launched->process->desc->processor_count > 1 &&
           status != DAL_ERR_NOMEM && status != DAL_ERR_BUILD &&
           !(launched->group && status == DAL_ERR_LIMIT);
}

/* Adds all devices that can run it. Of several, those that cannot are left out. */
static int add_devices(struct launched *launched)
{
    const struct dal_process_desc *desc = launched->process->desc;
    int status, reason = DAL_OK, several = desc->processor_count > 1;
    enum dal_log_level failures = level(!launched->strict && (several || desc->fallback));
    for (int k = 0; k < desc->processor_count; k++) {
        if (is_repeated(launched->network, desc, k)) {
            leave_out(launched, desc->processors[k],
                      "it stands for a device that is in use already");
            continue;
        }
        status = add_device(launched, desc->processors[k], failures);
        if (status == DAL_OK)
            continue;
        launched->refusing = desc->processors[k];
        reason = status;
        if (!may_leave_out(launched, status))
            return status;
        leave_out(launched, desc->processors[k], dal_strerror(status));
    }
    if (launched->launcher->replica_count > 0)
        return DAL_OK;
    if (several && !launched->group && !desc->fallback)
        dal_log(DAL_LOG_ERROR, "process %s: none of its devices can run it", desc->name);
    return reason;
}

/* Makes the launcher of a process by itself. If that fails, the process falls back if it may. */
static int make_launcher(struct dal_network *network, struct dal_process *process, int strict)
{
    struct dal_handler *handler = &network->handler;
    struct launched launched = {.network = network,
                                .launcher = &handler->launchers[handler->launcher_count++],
                                .process = process,
                                .strict = strict};
    int status = add_devices(&launched);
    if (status < 0)
        remove_launcher(handler, launched.launcher);
    if (status == DAL_ERR_NOMEM)
        return dal_no_memory();
    if (status == DAL_OK || status == DAL_ERR_BUILD || !may_fall_back(process, strict))
        return status;
    return fall_back(network, process, status);
}

static int is_on_same(const struct dal_network *network, const struct dal_process *a,
                      const struct dal_process *b)
{
    int count = a->desc->processor_count;
    if (!a->ops->on_device || !b->ops->on_device || b->desc->processor_count != count)
        return 0;
    for (int k = 0; k < count; k++)
        if (network->devices.queue_of[a->desc->processors[k]] !=
            network->devices.queue_of[b->desc->processors[k]])
            return 0;
    return 1;
}

/* Returns whether all processes of a group are still on the same devices. */
static int is_whole(const struct dal_network *network, const struct dal_group_desc *group)
{
    const struct dal_process *first = &network->processes[group->members[0].process];
    for (int i = 0; i < group->member_count; i++)
        if (!is_on_same(network, first, &network->processes[group->members[i].process]))
            return 0;
    return 1;
}

/* Makes a group. If that fails, its processes are launched by themselves, which is no error. */
static int make_group(struct dal_network *network, const struct dal_group_desc *group, int strict)
{
    struct dal_handler *handler = &network->handler;
    struct launched launched = {.network = network,
                                .launcher = &handler->launchers[handler->launcher_count],
                                .process = &network->processes[group->members[0].process],
                                .group = group,
                                .strict = strict};
    int status;
    if (!is_whole(network, group))
        return DAL_OK;
    handler->launcher_count++;
    status = add_devices(&launched);
    if (status == DAL_OK)
        return DAL_OK;
    remove_launcher(handler, launched.launcher);
    if (status == DAL_ERR_NOMEM)
        return dal_no_memory();
    dal_log(DAL_LOG_NOTE, "group %s on %s: %s; its processes are launched by themselves",
            group->name, network->net->processors[launched.refusing].name, dal_strerror(status));
    return DAL_OK;
}

int dal__make_launchers(struct dal_network *network, int strict)
{
    const struct dal_net *net = network->net;
    const char *groups = dal_setting("DAL_GROUPS");
    int i, status = DAL_OK, wanted = !groups || strcmp(groups, "0") != 0;
    for (i = 0; status == DAL_OK && wanted && i < net->group_count; i++)
        status = make_group(network, &net->groups[i], strict);
    for (i = 0; status == DAL_OK && i < net->process_count; i++)
        if (network->processes[i].ops->on_device && !network->processes[i].launcher)
            status = make_launcher(network, &network->processes[i], strict);
    return status;
}

/* ---- leaving a device later ------------------------------------------------------------------ */

/* Removes a process's launcher; the other processes of its group are then launched by
 * themselves. */
static int leave_group(struct dal_network *network, struct dal_launcher *launcher,
                       const struct dal_process *who)
{
    const struct dal_group_desc *group = launcher->group;
    int status = DAL_OK;
    dal_log(DAL_LOG_NOTE, "group %s: its processes are launched by themselves", group->name);
    remove_launcher(&network->handler, launcher);
    for (int i = 0; status == DAL_OK && i < group->member_count; i++) {
        struct dal_process *process = &network->processes[group->members[i].process];
        if (process != who)
            status = make_launcher(network, process, 0);
    }
    return status;
}

struct dal_process *dal__find_movable(const struct dal_network *network, int first, int strict)
{
    const struct dal_channel_desc *table = network->net->channels;
    struct dal_process *process = &network->processes[table[first].producer];
    int i = first;
    if (may_fall_back(process, strict))
        return process;
    do {
        process = &network->processes[table[i].consumer];
        if (may_fall_back(process, strict))
            return process;
        i = table[i].next_of_port;
    } while (i);
    return NULL;
}

int dal__leave_device(struct dal_network *network, struct dal_process *process, int reason)
{
    int status = DAL_OK;
    for (int i = 0; i < network->net->channel_count; i++) {
        dal_channel_destroy(network->channels[i]);
        network->channels[i] = NULL;
    }
    if (process->launcher && process->launcher->group)
        status = leave_group(network, process->launcher, process);
    return status < 0 ? status : fall_back(network, process, reason);
}
