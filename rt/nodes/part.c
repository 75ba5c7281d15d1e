#include "rt/nodes/part.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

/* The state while a part is made. The maps are by index in the whole network. */
struct maker {
    struct dal_part *part;
    const struct dal_net *whole;
    int node;
    int *process_at; /* index in the part, or -1 */
    int *channel_at; /* index of a channel whose reader is on the node */
    int *first_at;   /* of a port's first channel: index of the port's first channel in the part */
    unsigned char *seen; /* channels that have been looked at */
    /* `above` is a tree of processes elsewhere that are connected outside this node; its root
     * points to itself. `last_of` a root is its last proxy so far, plus one. */
    int *above, *last_of;
    int flow_count;
    /* The next free ones of the part; its first group. */
    struct dal_process_desc *fallbacks;
    struct dal_port_desc *ports;
    struct dal_group_desc *groups;
    struct dal_group_member *members;
    struct dal_group_kept *kept;
    int lost; /* True when there was no memory. */
};

/* Proxies are on no processor. */
static const int no_processors[1];

static int node_of(const struct maker *maker, int process)
{
    const struct dal_process_desc *desc = &maker->whole->processes[process];
    return maker->whole->processors[desc->processors[0]].node;
}

static const struct dal_channel_desc *channel_of(const struct maker *maker, int channel)
{
    return &maker->whole->channels[channel];
}

/* Returns the first reader of a port on a node, from a channel on, or -1. */
static int find_reader(const struct maker *maker, int channel, int node)
{
    do {
        if (node_of(maker, channel_of(maker, channel)->consumer) == node)
            return channel;
        channel = channel_of(maker, channel)->next_of_port;
    } while (channel);
    return -1;
}

/* ---- processes ------------------------------------------------------------------------------- */

static void take_processes(struct maker *maker)
{
    for (int i = 0; i < maker->whole->process_count; i++) {
        maker->process_at[i] = -1;
        maker->above[i] = i;
        if (node_of(maker, i) != maker->node)
            continue;
        maker->process_at[i] = maker->part->net.process_count;
        maker->part->processes[maker->part->net.process_count++] = maker->whole->processes[i];
    }
}

static const struct dal_port_desc *renumber_ports(struct maker *maker,
                                                  const struct dal_process_desc *desc)
{
    struct dal_port_desc *ports = maker->ports;
    for (int i = 0; i < desc->port_count; i++) {
        const struct dal_port_desc *port = &desc->ports[i];
        ports[i] = *port;
        ports[i].channel =
            port->output ? maker->first_at[port->channel] : maker->channel_at[port->channel];
    }
    maker->ports += desc->port_count;
    return ports;
}

/* Renumbers the node's own processes. Proxies, which come behind them, need it not. */
static void renumber_processes(struct maker *maker, int count)
{
    for (int i = 0; i < count; i++) {
        struct dal_process_desc *desc = &maker->part->processes[i];
        desc->ports = renumber_ports(maker, desc);
        if (!desc->fallback)
            continue;
        *maker->fallbacks = *desc->fallback;
        maker->fallbacks->ports = desc->ports;
        desc->fallback = maker->fallbacks++;
    }
}

/* Adds a proxy and returns its index. `stands_for` is a process at the far end. */
static int add_proxy(struct maker *maker, int stands_for, int channel, int output)
{
    struct dal_part *part = maker->part;
    const struct dal_process_desc *far = &maker->whole->processes[stands_for];
    int node = node_of(maker, stands_for), index = part->net.process_count++;
    char *name = dal_format("%s@%s", far->name, maker->whole->nodes[node]);
    struct dal_port_desc *port = maker->ports++;
    maker->lost |= !name;
    part->names[part->name_count++] = name;
    *port = (struct dal_port_desc){
        .name = maker->whole->nodes[node], .output = output, .channel = channel, .rate = 1};
    part->processes[index] = (struct dal_process_desc){.name = name,
                                                       .base = name,
                                                       .kind = DAL_PROCESS_PROXY,
                                                       .processors = no_processors,
                                                       .work_items = 1,
                                                       .shadow_copies = 1,
                                                       .block = 1,
                                                       .ports = port,
                                                       .port_count = 1,
                                                       .origin = far->origin,
                                                       .beyond = stands_for};
    part->flows[part->flow_count++] = (struct dal_part_flow){
        .number = maker->flow_count, .proxy = index, .node = node, .output = output};
    return index;
}

/* ---- what is connected through other nodes --------------------------------------------------- */

static int find_root(struct maker *maker, int process)
{
    while (maker->above[process] != process) {
        maker->above[process] = maker->above[maker->above[process]];
        process = maker->above[process];
    }
    return process;
}

static void connect_processes(struct maker *maker, int a, int b)
{
    maker->above[find_root(maker, a)] = find_root(maker, b);
}

/* Connects processes through a channel of other nodes. A channel between other nodes connects its
 * ends. One that leaves this node connects its reader with that node's first reader, which has the
 * same proxy. */
static void connect_channel(struct maker *maker, int port, int channel)
{
    const struct dal_channel_desc *desc = channel_of(maker, channel);
    int reader = desc->consumer;
    if (node_of(maker, reader) == maker->node)
        return;
    if (node_of(maker, desc->producer) != maker->node)
        connect_processes(maker, desc->producer, reader);
    else
        connect_processes(
            maker, reader,
            channel_of(maker, find_reader(maker, port, node_of(maker, reader)))->consumer);
}

/* Moves each proxy from the process that it stands for to its place in a ring. */
static void join_proxies(struct maker *maker, int first)
{
    struct dal_process_desc *processes = maker->part->processes;
    for (int i = first; i < maker->part->net.process_count; i++) {
        int *last = &maker->last_of[find_root(maker, processes[i].beyond)];
        processes[i].beyond = *last ? processes[*last - 1].beyond : i;
        if (*last)
            processes[*last - 1].beyond = i;
        *last = i + 1;
    }
}

/* ---- channels -------------------------------------------------------------------------------- */

/* Adds a channel and returns it. It follows the channel that was added last, if that is of the same
 * port, as `first` tells. */
static struct dal_channel_desc *add_channel(struct maker *maker, int channel, int first)
{
    struct dal_part *part = maker->part;
    int index = part->net.channel_count++;
    struct dal_channel_desc *desc = &part->channels[index];
    if (index > first)
        part->channels[index - 1].next_of_port = index;
    *desc = *channel_of(maker, channel);
    desc->next_of_port = 0;
    part->origins[index] = channel;
    return desc;
}

/* Adds the readers of this node. */
static void add_readers(struct maker *maker, int port, int producer, int first)
{
    int channel = find_reader(maker, port, maker->node), next;
    for (; channel >= 0; channel = next ? find_reader(maker, next, maker->node) : -1) {
        struct dal_channel_desc *desc;
        maker->channel_at[channel] = maker->part->net.channel_count;
        desc = add_channel(maker, channel, first);
        desc->producer = producer;
        desc->consumer = maker->process_at[desc->consumer];
        next = channel_of(maker, channel)->next_of_port;
    }
}

/* Adds a port of another node that this one reads from. */
static void add_incoming(struct maker *maker, int port)
{
    int first = maker->part->net.channel_count;
    int proxy = add_proxy(maker, channel_of(maker, port)->producer, first, 1);
    add_readers(maker, port, proxy, first);
    for (int i = first; i < maker->part->net.channel_count; i++)
        maker->part->channels[i].rate_in = 1;
}

static void add_outgoing(struct maker *maker, int reader, int first)
{
    struct dal_channel_desc *desc = add_channel(maker, reader, first);
    desc->producer = maker->process_at[desc->producer];
    desc->consumer = add_proxy(maker, channel_of(maker, reader)->consumer,
                               maker->part->net.channel_count - 1, 0);
    desc->rate_out = 1;
    desc->initial_tokens = 0;
    desc->initial_data = NULL;
}

static void add_port(struct maker *maker, int port)
{
    int first = maker->part->net.channel_count, reader;
    int producer = channel_of(maker, port)->producer, from = node_of(maker, producer);
    maker->first_at[port] = first;
    if (from == maker->node)
        add_readers(maker, port, maker->process_at[producer], first);
    for (int node = 0; node < maker->whole->node_count; node++) {
        reader = node == from ? -1 : find_reader(maker, port, node);
        if (reader < 0)
            continue;
        if (from == maker->node)
            add_outgoing(maker, reader, first);
        else if (node == maker->node)
            add_incoming(maker, port);
        maker->flow_count++;
    }
}

static void take_channels(struct maker *maker)
{
    int next;
    for (int i = 0; i < maker->whole->channel_count; i++) {
        if (maker->seen[i])
            continue;
        next = i;
        do {
            maker->seen[next] = 1;
            connect_channel(maker, i, next);
            next = channel_of(maker, next)->next_of_port;
        } while (next);
        add_port(maker, i);
    }
}

/* ---- groups ---------------------------------------------------------------------------------- */

static const struct dal_group_member *renumber_members(struct maker *maker,
                                                       const struct dal_group_desc *group)
{
    struct dal_group_member *members = maker->members;
    for (int i = 0; i < group->member_count; i++) {
        members[i] = group->members[i];
        members[i].process = maker->process_at[members[i].process];
    }
    maker->members += group->member_count;
    return members;
}

static const struct dal_group_kept *renumber_kept(struct maker *maker,
                                                  const struct dal_group_desc *group)
{
    struct dal_group_kept *kept = maker->kept;
    for (int i = 0; i < group->kept_count; i++) {
        kept[i] = group->kept[i];
        kept[i].channel = maker->channel_at[kept[i].channel];
    }
    maker->kept += group->kept_count;
    return kept;
}

static void take_groups(struct maker *maker)
{
    for (int i = 0; i < maker->whole->group_count; i++) {
        const struct dal_group_desc *group = &maker->whole->groups[i];
        struct dal_group_desc *own = &maker->groups[maker->part->net.group_count];
        if (maker->process_at[group->members[0].process] < 0)
            continue;
        *own = *group;
        own->members = renumber_members(maker, group);
        own->kept = renumber_kept(maker, group);
        maker->part->net.group_count++;
    }
}

/* ---- latencies ------------------------------------------------------------------------------- */

/* Takes the latencies between processes of this node. Across nodes the clocks differ. */
static void take_latencies(struct maker *maker)
{
    struct dal_net *net = &maker->part->net;
    for (int i = 0; i < maker->whole->latency_count; i++) {
        struct dal_latency_desc latency = maker->whole->latencies[i];
        latency.from = maker->process_at[latency.from];
        latency.to = maker->process_at[latency.to];
        if (latency.from >= 0 && latency.to >= 0)
            maker->part->latencies[net->latency_count++] = latency;
    }
    net->latencies = maker->part->latencies;
}

/* ---- the part -------------------------------------------------------------------------------- */

/* Returns zeroed memory, which is freed with the part, or NULL. */
static void *take_memory(struct maker *maker, size_t count, size_t bytes)
{
    void *memory = dal_calloc(count, bytes);
    maker->lost |= !memory;
    maker->part->memory[maker->part->memory_count++] = memory;
    return memory;
}

/* Allocates the part and the maps. Every flow has a channel of its own in the whole, and a port at
 * its proxy. */
static void allocate_part(struct maker *maker)
{
    struct dal_part *part = maker->part;
    const struct dal_net *whole = maker->whole;
    size_t own = (size_t)whole->process_count + 1, channels = (size_t)whole->channel_count + 1;
    size_t processes = own + channels, ports = channels;
    for (int i = 0; i < whole->process_count; i++)
        ports += (size_t)whole->processes[i].port_count;
    part->flows = take_memory(maker, channels, sizeof(*part->flows));
    part->processes = take_memory(maker, processes, sizeof(*part->processes));
    part->channels = take_memory(maker, channels, sizeof(*part->channels));
    part->origins = take_memory(maker, channels, sizeof(int));
    part->latencies =
        take_memory(maker, (size_t)whole->latency_count + 1, sizeof(*part->latencies));
    part->names = take_memory(maker, channels, sizeof(char *));
    maker->fallbacks = take_memory(maker, processes, sizeof(*maker->fallbacks));
    maker->ports = take_memory(maker, ports, sizeof(*maker->ports));
    maker->groups = take_memory(maker, (size_t)whole->group_count + 1, sizeof(*maker->groups));
    maker->members = take_memory(maker, processes, sizeof(*maker->members));
    maker->kept = take_memory(maker, channels, sizeof(*maker->kept));
    maker->process_at = take_memory(maker, own, sizeof(int));
    maker->channel_at = take_memory(maker, channels, sizeof(int));
    maker->first_at = take_memory(maker, channels, sizeof(int));
    maker->seen = take_memory(maker, channels, 1);
    maker->above = take_memory(maker, own, sizeof(int));
    maker->last_of = take_memory(maker, own, sizeof(int));
}

static void fill_part(struct maker *maker)
{
    struct dal_part *part = maker->part;
    int own;
    take_processes(maker);
    own = part->net.process_count;
    take_channels(maker);
    renumber_processes(maker, own);
    join_proxies(maker, own);
    take_groups(maker);
    take_latencies(maker);
    part->net.processes = part->processes;
    part->net.channels = part->channels;
    part->net.groups = maker->groups;
}

int dal_part_make(struct dal_part *part, const struct dal_net *whole, int node)
{
    struct maker maker = {.part = part, .whole = whole, .node = node};
    *part = (struct dal_part){.net = *whole};
    part->net.process_count = part->net.channel_count = part->net.group_count = 0;
    part->net.latency_count = 0;
    allocate_part(&maker);
    if (!maker.lost)
        fill_part(&maker);
    return maker.lost ? DAL_ERR_NOMEM : DAL_OK;
}

void dal_part_finish(struct dal_part *part)
{
    for (int i = 0; i < part->name_count; i++)
        dal_free(part->names[i]);
    for (int i = 0; i < part->memory_count; i++)
        dal_free(part->memory[i]);
    *part = (struct dal_part){0};
}
