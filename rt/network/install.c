/* Installs a network: parameters, devices, processes, channels, workers. */
#include "rt/network/install.h"

#include "include/kinds.h"
#include "rt/base/alloc.h"
#include "rt/base/setting.h"
#include "rt/base/value.h"
#include "rt/device/launcher.h"
#include "rt/devices/devices.h"
#include "rt/kpn/kpn.h"
#include "rt/network/regions.h"
#include "rt/nodes/nodes.h"
#include "rt/observe/live.h"
#include "rt/observe/stats.h"
#include "rt/observe/timing.h"

#include <stdlib.h>
#include <string.h>

/* ---- parameters ------------------------------------------------------------------------------ */

static int addresses(const struct dal_process_desc *desc, const char *name, size_t length)
{
    return (strlen(desc->name) == length && memcmp(desc->name, name, length) == 0) ||
           (strlen(desc->base) == length && memcmp(desc->base, name, length) == 0);
}

/* The parts of "PROCESS.NAME=VALUE". */
struct override {
    const char *process, *name, *value;
    size_t process_length, name_length;
};

static int split(const char *text, struct override *override)
{
    const char *dot = strchr(text, '.'), *equals = dot ? strchr(dot, '=') : NULL;
    if (!equals) {
        dal_log(DAL_LOG_ERROR, "-p %s: expected PROCESS.PARAMETER=VALUE", text);
        return DAL_ERR_INVALID;
    }
    *override = (struct override){.process = text,
                                  .process_length = (size_t)(dot - text),
                                  .name = dot + 1,
                                  .name_length = (size_t)(equals - dot - 1),
                                  .value = equals + 1};
    return DAL_OK;
}

static int find_parameter(const struct dal_process_desc *desc, const struct override *override)
{
    int i;
    for (i = 0; i < desc->parameter_count; i++)
        if (strlen(desc->parameters[i].name) == override->name_length &&
            memcmp(desc->parameters[i].name, override->name, override->name_length) == 0)
            return i;
    return -1;
}

/* A kernel takes numbers: any other value is an error before anything is built. */
static int check_value(const struct dal_process_desc *desc, const struct override *override,
                       const char *text)
{
    const struct dal_kernel *kernel = desc->kernel;
    int i;
    for (i = 0; kernel && i < kernel->value_count; i++) {
        const struct dal_kernel_value *value = &kernel->values[i];
        const struct dal_value_traits *type = dal_value_traits(value->type);
        char number[8];
        int status;
        if (strlen(value->parameter) != override->name_length ||
            memcmp(value->parameter, override->name, override->name_length) != 0)
            continue;
        status =
            dal_value_parse(override->value, type->is_real, type->is_signed, type->bytes, number);
        if (status < 0)
            dal_log(DAL_LOG_ERROR, "-p %s: \"%s\" is %s %s, which the kernel of process %s takes",
                    text, override->value, status == DAL_ERR_LIMIT ? "out of the range of" : "no",
                    type->name, desc->name);
        return status < 0 ? DAL_ERR_INVALID : DAL_OK;
    }
    return DAL_OK;
}

int dal_network_check_override(const struct dal_net *net, const char *text)
{
    struct override override;
    int i, processes = 0, parameters = 0;
    if (split(text, &override) < 0)
        return DAL_ERR_INVALID;
    for (i = 0; i < net->process_count; i++) {
        if (!addresses(&net->processes[i], override.process, override.process_length))
            continue;
        processes++;
        if (find_parameter(&net->processes[i], &override) < 0)
            continue;
        parameters++;
        if (check_value(&net->processes[i], &override, text) < 0)
            return DAL_ERR_INVALID;
    }
    if (parameters)
        return DAL_OK;
    if (processes)
        dal_log(DAL_LOG_ERROR, "-p %s: process %.*s has no parameter %.*s (see --help)", text,
                (int) override.process_length, override.process, (int) override.name_length,
                override.name);
    else
        dal_log(DAL_LOG_ERROR, "-p %s: no process %.*s (see --help)", text,
                (int) override.process_length, override.process);
    return DAL_ERR_INVALID;
}

static int set_parameters(struct dal_network *network, const char *text)
{
    struct override override;
    int i, status = dal_network_check_override(network->whole, text);
    if (status < 0 || split(text, &override) < 0)
        return DAL_ERR_INVALID;
    for (i = 0; i < network->net->process_count; i++) {
        struct dal_process *process = &network->processes[i];
        int parameter = find_parameter(process->desc, &override);
        if (parameter >= 0 && addresses(process->desc, text, override.process_length))
            process->parameters[parameter] = override.value;
    }
    return DAL_OK;
}

/* ---- processors ------------------------------------------------------------------------------ */

static int is_used(const struct dal_network *network, int processor)
{
    int i, k;
    for (i = 0; i < network->net->process_count; i++) {
        const struct dal_process_desc *desc = network->processes[i].desc;
        for (k = 0; k < desc->processor_count; k++)
            if (desc->processors[k] == processor)
                return 1;
    }
    return 0;
}

static int add_queue(struct dal_handler *handler, struct dal_device *device, int depth)
{
    struct dal_device_rows *rows = &handler->rows[handler->queue_count];
    const struct dal_queue_config config = {.depth = depth,
                                            .profiling = dal_live_timed(),
                                            .transfers = !device->info.unified ||
                                                         dal_setting("DAL_TRANSFER_QUEUES"),
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

/* Capabilities of processors that are devices, by kind; NULL for others. */
static const char *const capabilities[] = {
    [DAL_PROCESSOR_CORE] = NULL,
    [DAL_PROCESSOR_OPENCL] = "OPENCL",
    [DAL_PROCESSOR_CUDA] = "CUDA",
};

/* Describes a device in use as one to be opened. */
static int wish_for(const struct dal_processor_desc *processor, struct dal_device_wish *wish,
                    enum dal_log_level failures)
{
    const char *capability = capabilities[processor->kind];
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
    int i, k, count = 0, status = DAL_ERR_NOMEM;
    network->device_of = dal_calloc(room, sizeof(int));
    handler->queues = dal_calloc(room, sizeof(*handler->queues));
    handler->rows = dal_calloc(room, sizeof(*handler->rows));
    if (wishes && network->device_of && handler->queues && handler->rows)
        status = DAL_OK;
    for (i = 0; status == DAL_OK && i < net->processor_count; i++) {
        network->device_of[i] = -1;
        if (!capabilities[net->processors[i].kind] || !is_used(network, i))
            continue;
        status = wish_for(&net->processors[i], &wishes[count], failures);
        network->device_of[i] = count++;
    }
    if (status == DAL_OK && count && !*network->devices)
        status = dal_devices_open(network->devices, wishes, count, strict, failures);
    for (i = 0; status == DAL_OK && i < net->processor_count; i++) {
        struct dal_device *device;
        if (network->device_of[i] < 0)
            continue;
        device = dal_devices_get(*network->devices, network->device_of[i]);
        for (k = 0; k < handler->queue_count && handler->queues[k].device != device; k++)
            ;
        if (k == handler->queue_count)
            status = add_queue(handler, device, net->queue_depth);
        handler->on_cores |= device->info.type == DAL_DEVICE_CPU;
        network->device_of[i] = k;
    }
    dal_free(wishes);
    return status == DAL_ERR_NOMEM ? dal__no_memory() : status;
}

static void close_devices(struct dal_network *network)
{
    struct dal_handler *handler = &network->handler;
    int i;
    for (i = 0; i < handler->queue_count; i++)
        dal_queue_finish(&handler->queues[i]);
    handler->queue_count = 0;
    dal_devices_close(*network->devices);
    *network->devices = NULL;
}

/* Opens the devices. If that fails, all processes on them fall back, if each has a fallback. */
static int open_or_fall_back(struct dal_network *network, int strict)
{
    int i, lenient = 1, status, reason;
    for (i = 0; i < network->net->process_count; i++)
        if (network->processes[i].ops->on_device)
            lenient = lenient && dal__may_fall_back(&network->processes[i], strict);
    reason = open_devices(network, strict, level(lenient));
    if (reason == DAL_OK || reason == DAL_ERR_NOMEM || !lenient)
        return reason;
    close_devices(network);
    status = DAL_OK;
    for (i = 0; status == DAL_OK && i < network->net->process_count; i++)
        if (network->processes[i].ops->on_device)
            status = dal__fall_back(network, &network->processes[i], reason);
    return status;
}

/* Returns whether a core's worker may fire a process. One with its own thread belongs to no
 * worker. */
static int fires(const struct dal_process *process, int processor)
{
    const struct dal_process_desc *desc = process->desc;
    int k;
    for (k = 0; k < desc->processor_count; k++)
        if (desc->processors[k] == processor)
            return !process->ops->on_device && !process->ops->has_thread;
    return 0;
}

/* Enlarges a worker's team for the processes of a group that have threads. */
static int give_team(const struct dal_network *network, struct dal_worker *worker,
                     const struct dal_group *group)
{
    int i, status = DAL_OK;
    for (i = 0; status == DAL_OK && i < group->actor.count; i++)
        if (dal__member(group, i)->desc->threads)
            status = dal_team_take(&worker->team, network->net->openmp, worker->core,
                                   dal__member(group, i));
    return status == DAL_ERR_NOMEM ? dal__no_memory() : status;
}

static int init_worker(struct dal_network *network, const char *name, int core, int room,
                       struct dal_worker **result)
{
    struct dal_worker *worker = *result = &network->workers[network->worker_count++];
    int status;
    worker->control = &network->control;
    worker->impatient = network->handler.on_cores;
    worker->help = network->nodes ? dal_nodes_help : NULL;
    worker->helped = network->nodes;
    worker->core = core;
    worker->name = name;
    worker->groups = dal_calloc((size_t)room, sizeof(struct dal_group *));
    worker->numbers = dal_calloc((size_t)room, sizeof(*worker->numbers));
    if (!worker->groups || !worker->numbers)
        return dal__no_memory();
    status = dal_trace_row_init(&worker->row, name, DAL_TRACE_FIRINGS);
    return status == DAL_ERR_NOMEM ? dal__no_memory() : status;
}

static void give_group(struct dal_worker *worker, struct dal_group *group)
{
    int i;
    worker->numbers[worker->group_count] = dal__member(group, 0)->wakes.count;
    worker->groups[worker->group_count++] = group;
    for (i = 0; i < group->actor.count; i++) {
        struct dal_process *process = dal__member(group, i);
        process->wakes.list[process->wakes.count++] = &worker->wake;
    }
}

/* Makes the worker of a core, with all processes that it may fire. */
static int make_worker(struct dal_network *network, int processor)
{
    const struct dal_processor_desc *desc = &network->net->processors[processor];
    struct dal_worker *worker;
    int i, status = init_worker(network, desc->name, desc->core, network->groups.count, &worker);
    for (i = 0; status == DAL_OK && i < network->groups.count; i++)
        if (fires(dal__member(network->groups.list[i], 0), processor)) {
            give_group(worker, network->groups.list[i]);
            status = give_team(network, worker, network->groups.list[i]);
        }
    return status;
}

/* Makes the thread of a KPN process. */
static int make_thread(struct dal_network *network, struct dal_process *process)
{
    const struct dal_process_desc *desc = process->desc;
    int core = desc->processor_count == 1 ? network->net->processors[desc->processors[0]].core : -1;
    struct dal_worker *worker;
    int status = init_worker(network, desc->name, core, 1, &worker);
    if (status != DAL_OK)
        return status;
    give_group(worker, process->host.group);
    return give_team(network, worker, process->host.group);
}

/* Returns whether a core has anything to fire. */
static int has_work(const struct dal_network *network, int processor)
{
    int i;
    for (i = 0; i < network->net->process_count; i++)
        if (fires(&network->processes[i], processor))
            return 1;
    return 0;
}

static int make_workers(struct dal_network *network)
{
    const struct dal_net *net = network->net;
    const struct dal_process_list all = {network->processes, net->process_count};
    int i, status = DAL_OK;
    network->workers = dal_calloc((size_t)net->processor_count + (size_t)net->process_count + 1,
                                  sizeof(*network->workers));
    if (!network->workers)
        return dal__no_memory();
    for (i = 0; i < net->process_count; i++) {
        struct dal_process *process = &network->processes[i];
        process->wakes.list =
            dal_calloc((size_t)process->desc->processor_count + 1, sizeof(*process->wakes.list));
        if (!process->wakes.list)
            return dal__no_memory();
    }
    if (dal_groups_find(&network->groups, &all) < 0)
        return dal__no_memory();
    for (i = 0; status == DAL_OK && i < net->processor_count; i++)
        if (net->processors[i].kind == DAL_PROCESSOR_CORE && has_work(network, i))
            status = make_worker(network, i);
    for (i = 0; status == DAL_OK && i < net->process_count; i++)
        if (network->processes[i].ops->has_thread)
            status = make_thread(network, &network->processes[i]);
    dal_kpn_line_up(network->processes, net->process_count);
    return status;
}

/* ---- processes and channels ------------------------------------------------------------------ */

static const struct dal_process_ops *const kinds[] = {
    [DAL_PROCESS_C] = &dal_process_c,
    [DAL_PROCESS_DEVICE] = &dal_process_device,
    [DAL_PROCESS_KPN] = &dal_process_kpn,
    [DAL_PROCESS_COURIER] = &dal_process_courier,
};

static int make_processes(struct dal_network *network)
{
    const struct dal_net *net = network->net;
    struct dal_handler *handler = &network->handler;
    int i;
    network->processes = dal_calloc((size_t)net->process_count + 1, sizeof(*network->processes));
    handler->launchers = dal_calloc((size_t)net->process_count + 1, sizeof(*handler->launchers));
    if (!network->processes || !handler->launchers)
        return dal__no_memory();
    for (i = 0; i < net->process_count; i++) {
        if (dal_process_init(&network->processes[i], &net->processes[i],
                             kinds[net->processes[i].kind], &network->control) < 0)
            return dal__no_memory();
        network->processes[i].timed = dal_live_timed();
    }
    return DAL_OK;
}

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
    const struct dal_device *device = queues[network->device_of[desc->processors[k]]].device;
    int i;
    for (i = 0; i < k; i++) {
        const struct dal_device *other = queues[network->device_of[desc->processors[i]]].device;
        if (is_part_of(other, device) || is_part_of(device, other))
            return 1;
    }
    return 0;
}

static int add_device(struct dal_network *network, struct dal_launcher *launcher,
                      struct dal_process *process, int processor, enum dal_log_level failures)
{
    struct dal_handler *handler = &network->handler;
    int device = network->device_of[processor], status;
    if (launcher->lane_count > 0)
        return dal_launcher_add_lane(launcher, &handler->queues[device], &handler->rows[device]);
    status = dal_launcher_init(launcher, process, handler, &handler->queues[device],
                               &handler->rows[device], failures);
    if (status < 0)
        dal_launcher_finish(launcher);
    return status;
}

/* Warns that a process, or a group, runs without one of its devices. */
static void leave_out(const struct dal_network *network, const char *what, const char *name,
                      int processor, const char *why)
{
    const struct dal_processor_desc *device = &network->net->processors[processor];
    dal_log(DAL_LOG_WARNING, "%s %s runs without %s (%s): %s", what, name, device->name,
            device->identifier, why);
}

static int is_device_gone(int status)
{
    return status < 0 && status != DAL_ERR_NOMEM && status != DAL_ERR_BUILD;
}

static const char in_use[] = "it stands for a device that is in use already";

/* Adds all devices of a process that can run it. Of several, those that cannot are left out. */
static int add_devices(struct dal_network *network, struct dal_launcher *launcher,
                       struct dal_process *process, int strict)
{
    const struct dal_process_desc *desc = process->desc;
    int k, status, reason = DAL_OK, several = desc->processor_count > 1;
    enum dal_log_level failures = level(!strict && (several || desc->fallback));
    for (k = 0; k < desc->processor_count; k++) {
        if (is_repeated(network, desc, k)) {
            leave_out(network, "process", desc->name, desc->processors[k], in_use);
            continue;
        }
        status = add_device(network, launcher, process, desc->processors[k], failures);
        if (status == DAL_OK)
            continue;
        reason = status;
        if (strict || !is_device_gone(status))
            return status;
        if (several)
            leave_out(network, "process", desc->name, desc->processors[k], dal_strerror(status));
    }
    if (launcher->lane_count > 0)
        return DAL_OK;
    if (several && !desc->fallback)
        dal_log(DAL_LOG_ERROR, "process %s: none of its devices can run it", desc->name);
    return reason;
}

static int is_on_same(const struct dal_network *network, const struct dal_process *a,
                      const struct dal_process *b)
{
    int k, count = a->desc->processor_count;
    if (!a->ops->on_device || !b->ops->on_device || b->desc->processor_count != count)
        return 0;
    for (k = 0; k < count; k++)
        if (network->device_of[a->desc->processors[k]] !=
            network->device_of[b->desc->processors[k]])
            return 0;
    return 1;
}

/* Returns whether all processes of a group are still on the same devices. */
static int is_whole(const struct dal_network *network, const struct dal_group_desc *group)
{
    const struct dal_process *first = &network->processes[group->members[0].process];
    int i;
    for (i = 0; i < group->member_count; i++)
        if (!is_on_same(network, first, &network->processes[group->members[i].process]))
            return 0;
    return 1;
}

static int add_group_device(struct dal_network *network, struct dal_launcher *launcher,
                            const struct dal_group_desc *group, int processor)
{
    struct dal_handler *handler = &network->handler;
    int device = network->device_of[processor], status;
    if (launcher->lane_count > 0)
        return dal_launcher_add_lane(launcher, &handler->queues[device], &handler->rows[device]);
    status = dal_launcher_init_group(launcher, group, network->net->channels, network->processes,
                                     handler, &handler->queues[device], &handler->rows[device]);
    if (status < 0)
        dal_launcher_finish(launcher);
    return status;
}

/* Adds all devices of a group; of several, those that fail are left out. DAL_ERR_LIMIT means that
 * there is no group: a device may have enough for each process, but not for all. `refusing` becomes
 * the failing device. */
static int add_group_devices(struct dal_network *network, struct dal_launcher *launcher,
                             const struct dal_group_desc *group, int strict, int *refusing)
{
    const struct dal_process_desc *desc = network->processes[group->members[0].process].desc;
    int k, status, reason = DAL_OK;
    for (k = 0; k < desc->processor_count; k++) {
        int processor = desc->processors[k];
        if (is_repeated(network, desc, k)) {
            leave_out(network, "group", group->name, processor, in_use);
            continue;
        }
        status = add_group_device(network, launcher, group, processor);
        if (status == DAL_OK)
            continue;
        *refusing = processor;
        reason = status;
        if (strict || desc->processor_count == 1 || !is_device_gone(status) ||
            status == DAL_ERR_LIMIT)
            return status;
        leave_out(network, "group", group->name, processor, dal_strerror(status));
    }
    return launcher->lane_count > 0 ? DAL_OK : reason;
}

/* Makes a group. If that fails, its processes are launched by themselves, which is no error. */
static int make_group(struct dal_network *network, const struct dal_group_desc *group, int strict)
{
    struct dal_handler *handler = &network->handler;
    struct dal_launcher *launcher = &handler->launchers[handler->launcher_count];
    int status, refusing = 0;
    if (!is_whole(network, group))
        return DAL_OK;
    handler->launcher_count++;
    status = add_group_devices(network, launcher, group, strict, &refusing);
    if (status == DAL_OK)
        return DAL_OK;
    dal__remove_launcher(handler, launcher);
    if (status == DAL_ERR_NOMEM)
        return dal__no_memory();
    dal_log(DAL_LOG_NOTE, "group %s on %s: %s; its processes are launched by themselves",
            group->name, network->net->processors[refusing].name, dal_strerror(status));
    return DAL_OK;
}

int dal__make_launcher(struct dal_network *network, struct dal_process *process, int strict)
{
    struct dal_handler *handler = &network->handler;
    struct dal_launcher *launcher = &handler->launchers[handler->launcher_count++];
    int status = add_devices(network, launcher, process, strict);
    if (status < 0)
        dal__remove_launcher(handler, launcher);
    if (status == DAL_OK || status == DAL_ERR_NOMEM || status == DAL_ERR_BUILD ||
        !dal__may_fall_back(process, strict))
        return status;
    return dal__fall_back(network, process, status);
}

static int make_launchers(struct dal_network *network, int strict)
{
    const struct dal_net *net = network->net;
    const char *groups = dal_setting("DAL_GROUPS");
    int i, status = DAL_OK, wanted = !groups || strcmp(groups, "0") != 0;
    for (i = 0; status == DAL_OK && wanted && i < net->group_count; i++)
        status = make_group(network, &net->groups[i], strict);
    for (i = 0; status == DAL_OK && i < net->process_count; i++)
        if (network->processes[i].ops->on_device && !network->processes[i].launcher)
            status = dal__make_launcher(network, &network->processes[i], strict);
    return status;
}

static struct dal_end_config end_config(struct dal_network *network, int process)
{
    const struct dal_process_desc *desc = network->processes[process].desc;
    int by_worker = fires(&network->processes[process], desc->processors[0]);
    struct dal_end_config config = {
        .listener = &network->processes[process].listener,
        .core = by_worker && desc->processor_count == 1 ? desc->processors[0] : -1,
        .moved = desc != &network->net->processes[process]};
    if (network->processes[process].ops->on_device) {
        const struct dal_launcher *launcher = network->processes[process].launcher;
        config.queue = launcher->queues[0];
        config.queues = launcher->queues;
        config.queue_count = launcher->lane_count;
        config.firings = launcher->copies;
        config.round = dal_launcher_round(&network->processes[process]);
        config.launcher = launcher;
    }
    return config;
}

/* The channels of one port while they are made. It has room for all of the network's. */
struct port_channels {
    struct dal_channel **channels;
    const struct dal_channel_desc **descs;
    struct dal_end_config *consumers;
};

static int make_port(struct dal_network *network, struct port_channels *port, int first,
                     enum dal_log_level failures)
{
    const struct dal_channel_desc *table = network->net->channels;
    struct dal_end_config producer = end_config(network, table[first].producer);
    int i = first, k, count = 0, status;
    producer.region = dal__region_of(network, first);
    producer.failures = failures;
    do {
        port->descs[count] = &table[i];
        port->consumers[count++] = end_config(network, table[i].consumer);
        i = table[i].next_of_port;
    } while (i);
    status = dal_port_create(port->channels, port->descs, count, &producer, port->consumers);
    for (k = 0; k < count; k++)
        network->channels[port->descs[k] - table] = port->channels[k];
    return status;
}

/* Makes all channels. On failure *movable is a process that may help by moving to a core, or
 * NULL. */
static int make_ports(struct dal_network *network, struct port_channels *port, int strict,
                      struct dal_process **movable)
{
    int i, status = dal__regions_make(network);
    *movable = NULL;
    for (i = 0; status == DAL_OK && i < network->net->channel_count; i++) {
        if (network->channels[i])
            continue;
        *movable = dal__find_movable(network, i, strict);
        status = make_port(network, port, i, level(*movable != NULL));
    }
    return status;
}

static int make_or_move(struct dal_network *network, int strict)
{
    struct dal_process *movable = NULL;
    size_t room = (size_t)network->net->channel_count + 1;
    struct port_channels port = {.channels = dal_calloc(room, sizeof(*port.channels)),
                                 .descs = dal_calloc(room, sizeof(*port.descs)),
                                 .consumers = dal_calloc(room, sizeof(*port.consumers))};
    int status = DAL_OK, done = 0;
    if (!port.channels || !port.descs || !port.consumers)
        status = dal__no_memory();
    while (status == DAL_OK && !done) {
        status = make_ports(network, &port, strict, &movable);
        done = status == DAL_OK || status == DAL_ERR_NOMEM || !movable;
        if (!done)
            status = dal__leave_device(network, movable, status);
    }
    dal_free(port.channels);
    dal_free(port.descs);
    dal_free(port.consumers);
    return status;
}

static int make_channels(struct dal_network *network, int strict)
{
    const struct dal_net *net = network->net;
    int i, k, status;
    network->channels = dal_calloc((size_t)net->channel_count + 1, sizeof(*network->channels));
    if (!network->channels)
        return dal__no_memory();
    status = make_or_move(network, strict);
    for (i = 0; status == DAL_OK && i < net->process_count; i++) {
        struct dal_process *process = &network->processes[i];
        for (k = 0; k < process->desc->port_count; k++) {
            const struct dal_port_desc *port = &process->desc->ports[k];
            struct dal_channel *channel = network->channels[port->channel];
            process->ends[k] = port->output ? channel->producer : &channel->consumer;
        }
        dal_process_link(process);
    }
    for (i = 0; status == DAL_OK && i < network->handler.launcher_count; i++)
        dal_launcher_link(&network->handler.launchers[i]);
    return status;
}

/* Lists all threads that may sleep, for stop and break. */
static int list_sleepers(struct dal_network *network)
{
    struct dal_control *control = &network->control;
    int i;
    control->sleepers = dal_calloc((size_t)network->worker_count + 2, sizeof(*control->sleepers));
    if (!control->sleepers)
        return dal__no_memory();
    for (i = 0; i < network->worker_count; i++)
        control->sleepers[i] = &network->workers[i].wake;
    control->sleepers[i++] = network->handler.wake;
    if (network->nodes)
        control->sleepers[i++] = &network->nodes->wake;
    control->sleeper_count = (size_t)i;
    return DAL_OK;
}

/* Makes processes keep times. Call it once it is settled what runs where. */
static int keep_times(struct dal_network *network)
{
    int i, status = DAL_OK;
    if (!dal_spreads_wanted())
        return DAL_OK;
    for (i = 0; status == DAL_OK && i < network->net->process_count; i++)
        status = dal_process_keep_times(&network->processes[i]);
    for (i = 0; status == DAL_OK && i < network->handler.launcher_count; i++)
        status = dal_launcher_keep_times(&network->handler.launchers[i]);
    return status < 0 ? dal__no_memory() : DAL_OK;
}

int dal__network_install(struct dal_network *network, const struct dal_network_options *options)
{
    int i, status = make_processes(network);
    for (i = 0; status == DAL_OK && i < options->override_count; i++)
        status = set_parameters(network, options->overrides[i]);
    if (status == DAL_OK)
        status = open_or_fall_back(network, options->strict);
    if (status == DAL_OK)
        status = make_launchers(network, options->strict);
    if (status == DAL_OK)
        status = make_channels(network, options->strict);
    if (status == DAL_OK)
        status = make_workers(network);
    if (status == DAL_OK)
        status = keep_times(network);
    if (status == DAL_OK)
        status = dal__timing_make(network);
    if (status == DAL_OK && network->nodes)
        dal_nodes_install(network->nodes, network->processes, &network->control);
    return status == DAL_OK ? list_sleepers(network) : status;
}
