/* Installs a network: processes, channels, and what the other files make. */
#include "rt/network/install.h"

#include "rt/base/alloc.h"
#include "rt/device/launcher.h"
#include "rt/kpn/kpn.h"
#include "rt/network/regions.h"
#include "rt/nodes/nodes.h"
#include "rt/observe/observers.h"

static const struct dal_process_ops *const kinds[] = {
    [DAL_PROCESS_C] = &dal_process_c,
    [DAL_PROCESS_DEVICE] = &dal_process_device,
    [DAL_PROCESS_KPN] = &dal_process_kpn,
    [DAL_PROCESS_PROXY] = &dal_process_proxy,
};

static int make_processes(struct dal_network *network)
{
    const struct dal_net *net = network->net;
    struct dal_handler *handler = &network->handler;
    network->processes = dal_calloc((size_t)net->process_count + 1, sizeof(*network->processes));
    handler->launchers = dal_calloc((size_t)net->process_count + 1, sizeof(*handler->launchers));
    if (!network->processes || !handler->launchers)
        return dal_no_memory();
    for (int i = 0; i < net->process_count; i++) {
        if (dal_process_init(&network->processes[i], &net->processes[i],
                             kinds[net->processes[i].kind], &network->control) < 0)
            return dal_no_memory();
        network->processes[i].time.is_kept = dal_observers_need(network, DAL_NEEDS_TIMES);
    }
    return DAL_OK;
}

static struct dal_end_config end_config(struct dal_network *network, int process)
{
    const struct dal_process_desc *desc = network->processes[process].desc;
    const struct dal_process_ops *ops = network->processes[process].ops;
    int by_worker = !ops->on_device && !ops->has_thread;
    struct dal_end_config config = {
        .listener = &network->processes[process].listener,
        .core = by_worker && desc->processor_count == 1 ? desc->processors[0] : -1,
        .moved = desc != &network->net->processes[process],
        .fires_whole = desc->kind == DAL_PROCESS_C && !desc->by_phase};
    if (ops->on_device) {
        const struct dal_launcher *launcher = network->processes[process].launcher;
        config.queue = launcher->queues[0];
        config.queues = launcher->queues;
        config.queue_count = launcher->replica_count;
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
    int i = first, count = 0, status;
    producer.region = dal__region_of(network, first);
    producer.failures = failures;
    do {
        port->descs[count] = &table[i];
        port->consumers[count++] = end_config(network, table[i].consumer);
        i = table[i].next_of_port;
    } while (i);
    status = dal_port_create(port->channels, port->descs, count, &producer, port->consumers);
    for (int k = 0; k < count; k++)
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
        status = make_port(network, port, i, *movable ? DAL_LOG_WARNING : DAL_LOG_ERROR);
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
        status = dal_no_memory();
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
    int status;
    network->channels = dal_calloc((size_t)net->channel_count + 1, sizeof(*network->channels));
    if (!network->channels)
        return dal_no_memory();
    status = make_or_move(network, strict);
    for (int i = 0; status == DAL_OK && i < net->process_count; i++) {
        struct dal_process *process = &network->processes[i];
        for (int k = 0; k < process->desc->port_count; k++) {
            const struct dal_port_desc *port = &process->desc->ports[k];
            struct dal_channel *channel = network->channels[port->channel];
            process->ends[k] = port->output ? channel->producer : &channel->consumer;
        }
        dal_process_link(process);
    }
    for (int i = 0; status == DAL_OK && i < network->handler.launcher_count; i++)
        status = dal_launcher_link(&network->handler.launchers[i]);
    if (status == DAL_OK && dal_dealings_make(&network->handler, network->processes) < 0)
        return dal_no_memory();
    return status;
}

/* Lists all threads that may sleep, for stop and break. */
static int list_sleepers(struct dal_network *network)
{
    struct dal_control *control = &network->control;
    int i;
    control->sleepers = dal_calloc((size_t)network->worker_count + 3, sizeof(*control->sleepers));
    if (!control->sleepers)
        return dal_no_memory();
    for (i = 0; i < network->worker_count; i++)
        control->sleepers[i] = &network->workers[i].wake;
    control->sleepers[i++] = network->handler.wake;
    control->sleepers[i++] = &control->end;
    if (network->nodes)
        control->sleepers[i++] = &network->nodes->stepper.wake;
    control->sleeper_count = (size_t)i;
    return DAL_OK;
}

/* Makes processes keep times. Call it once it is settled what runs where. */
static int keep_times(struct dal_network *network)
{
    int status = DAL_OK;
    if (!dal_observers_need(network, DAL_NEEDS_SPREADS))
        return DAL_OK;
    for (int i = 0; status == DAL_OK && i < network->net->process_count; i++)
        status = dal_process_keep_times(&network->processes[i]);
    for (int i = 0; status == DAL_OK && i < network->handler.launcher_count; i++)
        status = dal_launcher_keep_times(&network->handler.launchers[i]);
    return status < 0 ? dal_no_memory() : DAL_OK;
}

/* Says what is outside of the open ports: streams, or callers. */
static void open_ports(struct dal_network *network, const struct dal_network_options *options)
{
    for (int i = 0; i < network->net->process_count; i++) {
        struct dal_process *process = &network->processes[i];
        if (!process->desc->open)
            continue;
        process->host.kpn->stream = options->streams ? options->streams[i] : NULL;
        process->is_called =
            options->hosted && !process->host.kpn->stream && dal_process_is_port(process->desc);
    }
}

int dal__network_install(struct dal_network *network, const struct dal_network_options *options)
{
    int i, status = make_processes(network);
    for (i = 0; status == DAL_OK && i < options->override_count; i++)
        status = dal__set_parameters(network, options->overrides[i]);
    if (status == DAL_OK)
        open_ports(network, options);
    if (status == DAL_OK)
        status = dal__open_devices(network, options->strict);
    if (status == DAL_OK)
        status = dal__make_launchers(network, options->strict);
    if (status == DAL_OK)
        status = make_channels(network, options->strict);
    if (status == DAL_OK)
        status = dal__make_workers(network);
    if (status == DAL_OK)
        status = keep_times(network);
    if (status == DAL_OK)
        status = dal_observers_install(network);
    if (status == DAL_OK && network->nodes) {
        network->nodes->reports.wanted = dal_observers_need(network, DAL_NEEDS_REPORT);
        dal_nodes_install(network->nodes, network->processes, &network->control);
    }
    return status == DAL_OK ? list_sleepers(network) : status;
}
