#include "spec/sdf/static.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/read/raw.h"
#include "spec/sdf/sdf.h"

#include <string.h>

static int is_static(const struct dal_spec_channel *channel)
{
    return !channel->producer->kpn && !channel->consumer->kpn;
}

static int allocate(struct dal_sdf_static *part, const struct dal_spec_network *whole)
{
    size_t ports = 0;
    for (size_t i = 0; i < whole->process_count; i++)
        ports += whole->processes[i].port_count;
    part->copy.processes = dal_calloc(whole->process_count + 1, sizeof(*part->copy.processes));
    part->copy.channels = dal_calloc(whole->channel_count + 1, sizeof(*part->copy.channels));
    part->processes = dal_calloc(whole->process_count + 1, sizeof(*part->processes));
    part->channels = dal_calloc(whole->channel_count + 1, sizeof(*part->channels));
    part->ports = dal_calloc(ports + 1, sizeof(*part->ports));
    return part->copy.processes && part->copy.channels && part->processes && part->channels &&
                   part->ports
               ? DAL_OK
               : DAL_ERR_NOMEM;
}

static int leads_to_static(const struct dal_spec_port *port)
{
    const struct dal_spec_channel *channel = port->channel;
    while (channel && !is_static(channel))
        channel = dal_port_next(port, channel);
    return channel != NULL;
}

/* Processes with the ports that lead to static channels, not connected yet; `moved` is filled in
 * with where each process went. */
static void copy_processes(struct dal_sdf_static *part, const struct dal_spec_network *whole,
                           struct dal_spec_process **moved)
{
    struct dal_spec_port *ports = part->ports;
    for (size_t i = 0; i < whole->process_count; i++) {
        struct dal_spec_process *process = &part->copy.processes[part->copy.process_count];
        if (whole->processes[i].kpn)
            continue;
        *process = whole->processes[i];
        process->number = part->copy.process_count;
        process->ports = ports;
        process->port_count = 0;
        for (size_t k = 0; k < whole->processes[i].port_count; k++)
            if (leads_to_static(&whole->processes[i].ports[k])) {
                process->ports[process->port_count] = whole->processes[i].ports[k];
                process->ports[process->port_count++].channel = NULL;
            }
        ports += process->port_count;
        part->processes[part->copy.process_count++] = i;
        moved[i] = process;
    }
}

/* The copy of a port; it is there. */
static struct dal_spec_port *find_port(struct dal_spec_process *process,
                                       const struct dal_spec_port *port)
{
    size_t k = 0;
    while (strcmp(process->ports[k].name, port->name) != 0)
        k++;
    return &process->ports[k];
}

static void copy_channels(struct dal_sdf_static *part, const struct dal_spec_network *whole,
                          struct dal_spec_process *const *moved)
{
    for (size_t i = 0; i < whole->channel_count; i++) {
        const struct dal_spec_channel *from = &whole->channels[i];
        struct dal_spec_channel *channel = &part->copy.channels[part->copy.channel_count];
        if (!is_static(from))
            continue;
        *channel = *from;
        channel->number = part->copy.channel_count;
        channel->producer = moved[from->producer->number];
        channel->consumer = moved[from->consumer->number];
        channel->producer_port = find_port(channel->producer, from->producer_port);
        channel->consumer_port = find_port(channel->consumer, from->consumer_port);
        dal__feed(channel->producer_port, channel);
        channel->consumer_port->channel = channel;
        part->channels[part->copy.channel_count++] = i;
    }
}

int dal_sdf_static_init(struct dal_sdf_static *part, struct dal_spec_network *network)
{
    struct dal_spec_process **moved;
    int status;
    *part = (struct dal_sdf_static){.network = network, .copy = *network};
    for (size_t i = 0; i < network->process_count; i++)
        part->left_out += network->processes[i].kpn != 0;
    if (!part->left_out)
        return DAL_OK;
    part->network = &part->copy;
    part->copy.process_count = part->copy.channel_count = 0;
    status = allocate(part, network);
    moved = dal_calloc(network->process_count + 1, sizeof(struct dal_spec_process *));
    if (!status && moved) {
        copy_processes(part, network, moved);
        copy_channels(part, network, moved);
    }
    dal_free(moved);
    return moved ? status : DAL_ERR_NOMEM;
}

void dal_sdf_static_finish(struct dal_sdf_static *part)
{
    if (part->left_out) {
        dal_free(part->copy.processes);
        dal_free(part->copy.channels);
    }
    dal_free(part->processes);
    dal_free(part->channels);
    dal_free(part->ports);
    *part = (struct dal_sdf_static){0};
}

size_t dal_sdf_static_process(const struct dal_sdf_static *part, size_t number)
{
    return part->processes ? part->processes[number] : number;
}

size_t dal_sdf_static_channel(const struct dal_sdf_static *part, size_t number)
{
    return part->channels ? part->channels[number] : number;
}

uint64_t *dal_sdf_static_pick(const struct dal_sdf_static *part, const uint64_t *by_channel)
{
    uint64_t *picked = dal_calloc(part->network->channel_count + 1, sizeof(*picked));
    for (size_t i = 0; picked && i < part->network->channel_count; i++)
        picked[i] = by_channel[dal_sdf_static_channel(part, i)];
    return picked;
}

int dal_sdf_static_repetitions(struct dal_diags *diags, struct dal_spec_network *network)
{
    struct dal_sdf_static part;
    int status = dal_sdf_static_init(&part, network);
    if (status)
        diags->lost = 1;
    else
        status = dal_sdf_repetitions(diags, part.network);
    for (size_t i = 0; !status && i < part.network->process_count; i++)
        network->processes[dal_sdf_static_process(&part, i)].repetitions =
            part.network->processes[i].repetitions;
    dal_sdf_static_finish(&part);
    return status;
}

int dal_sdf_static_live(struct dal_diags *diags, const struct dal_spec_network *network,
                        const uint64_t *capacity)
{
    struct dal_spec_network whole = *network;
    struct dal_sdf_static part;
    uint64_t *picked = NULL;
    int status = dal_sdf_static_init(&part, &whole);
    if (!status)
        picked = dal_sdf_static_pick(&part, capacity);
    if (picked)
        status = dal_sdf_live(diags, part.network, picked);
    else
        status = DAL_ERR_NOMEM;
    dal_free(picked);
    dal_sdf_static_finish(&part);
    return status;
}
