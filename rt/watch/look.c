#include "rt/watch/look.h"

#include "channels/newest.h"
#include "channels/port.h"
#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/device/launcher.h"
#include "rt/host/phase.h"
#include "rt/model/network.h"
#include "rt/nodes/nodes.h"
#include "rt/watch/resolve.h"
#include "rt/watch/watchdog.h"

/* ---- processes, in the order that snapshot.h asks for ---------------------------------------- */

static int is_at_work(const struct dal_process *process)
{
    return process->host.group &&
           (atomic_load_explicit(&process->host.group->at_work, memory_order_acquire) |
            atomic_load_explicit(&process->host.alone->at_work, memory_order_acquire));
}

/* Reads the tokens and the space that a process needs for a firing, or for its next phase. */
static void see_needs(const struct dal_look *look, struct dal_snapshot *now, int number)
{
    const struct dal_process *process = &look->network->processes[number];
    int phase = atomic_load_explicit(&process->host.phase, memory_order_acquire);
    int i, first = now->processes[number].first_port;
    for (i = 0; i < now->processes[number].port_count; i++)
        now->ports[first + i].need = process->desc->by_phase ? dal_phase_tokens(process, phase, i)
                                                             : look->ends[first + i]->rate;
}

static int find_port(const struct dal_process *process, const struct dal_end *end)
{
    int i = 0;
    while (process->ends[i] != end)
        i++;
    return i;
}

static void see_thread(const struct dal_process *process, struct dal_seen_process *seen)
{
    const struct dal_end *end = process->ops->sleeps_at(process);
    seen->state = end ? DAL_SEEN_BLOCKED : DAL_SEEN_WORKING;
    seen->port = end ? find_port(process, end) : 0;
}

/* Reads whether a process works both before and after its needs. A process at rest both times was
 * at the phase that was seen. */
static void see_process(const struct dal_look *look, struct dal_snapshot *now, int number,
                        int devices_rest, int64_t now_ns)
{
    const struct dal_process *process = &look->network->processes[number];
    struct dal_seen_process *seen = &now->processes[number];
    int works = is_at_work(process) | (process->ops->on_device && !devices_rest);
    see_needs(look, now, number);
    seen->state = works | is_at_work(process) ? DAL_SEEN_WORKING : DAL_SEEN_RESTING;
    if (process->ops->sleeps_at)
        see_thread(process, seen);
    if (atomic_load_explicit(&process->ended, memory_order_acquire))
        seen->state = DAL_SEEN_ENDED;
    seen->stops = !process->ops->is_proxy && dal_process_stopped(process);
    seen->held = process->host.timer && dal_timer_next_ns(process->host.timer) > now_ns;
}

/* ---- channels -------------------------------------------------------------------------------- */

static uint64_t visible_at(const struct dal_end *end)
{
    return atomic_load_explicit(&end->visible, memory_order_acquire);
}

static int is_closed(const struct dal_end *end)
{
    return atomic_load_explicit(&end->closed, memory_order_acquire);
}

static void see_channel(const struct dal_look *look, struct dal_seen_channel *seen, int number)
{
    const struct dal_channel *channel = look->network->channels[number];
    seen->writer_closed = is_closed(channel->consumer.peer);
    seen->reader_closed = is_closed(&channel->consumer);
    seen->growth = dal_growth_of(look->network, channel);
    seen->capacity = dal_channel_capacity(channel);
    seen->written = visible_at(channel->consumer.peer);
    seen->read = visible_at(&channel->consumer);
    if (channel->port->newest)
        dal_newest_see(channel, &seen->written, &seen->read, &seen->capacity);
}

int dal_look_take(struct dal_look *look)
{
    struct dal_snapshot *now = &look->seen[!look->last];
    int devices_rest = dal_watchdog_devices_rest(look->network), i;
    int64_t now_ns = dal_now_ns();
    for (i = 0; i < now->process_count; i++)
        see_process(look, now, i, devices_rest, now_ns);
    for (i = 0; i < now->channel_count; i++)
        see_channel(look, &now->channels[i], i);
    look->last = !look->last;
    return dal_snapshot_moved(&look->seen[!look->last], now);
}

int dal_look_list(const struct dal_look *look, struct dal_wait *waits)
{
    return dal_snapshot_list(&look->seen[!look->last], &look->seen[look->last], waits);
}

int dal_look_most(const struct dal_look *look)
{
    return 2 * look->network->net->channel_count;
}

/* ---- what does not change -------------------------------------------------------------------- */

/* Returns the process that stands for a launch: the first of those launched together. */
static const struct dal_process *one_for(const struct dal_process *process)
{
    return process->launcher ? process->launcher->actor.members[0].process : process;
}

static int count_ports(const struct dal_process *process)
{
    if (one_for(process) != process)
        return 0;
    return process->launcher ? process->launcher->actor.end_count : process->desc->port_count;
}

/* Numbers this node's processes as in the whole network, with proxies behind them. */
static void number_vertices(const struct dal_network *network, struct dal_snapshot *now)
{
    const struct dal_net *whole = network->whole;
    const struct dal_nodes *nodes = network->nodes;
    int part = 0;
    for (int i = 0; i < whole->process_count; i++)
        if (!nodes ||
            whole->processors[whole->processes[i].processors[0]].node == nodes->link->rank)
            now->processes[part++].vertex = i;
    for (int i = 0; nodes && i < nodes->part.flow_count; i++) {
        const struct dal_part_flow *flow = &nodes->part.flows[i];
        now->processes[flow->proxy].vertex = whole->process_count + flow->number;
    }
    for (int i = 0; i < now->process_count; i++)
        now->processes[i].vertex =
            now->processes[one_for(&network->processes[i]) - network->processes].vertex;
}

static void describe_ports(const struct dal_look *look, struct dal_snapshot *now)
{
    const struct dal_network *network = look->network;
    int port = 0;
    for (int i = 0; i < now->process_count; i++) {
        const struct dal_process *process = &network->processes[i];
        struct dal_end **ends = process->launcher ? process->launcher->actor.ends : process->ends;
        struct dal_seen_process *seen = &now->processes[i];
        seen->first_port = port;
        seen->port_count = count_ports(process);
        seen->heeds = process->wanted != NULL;
        for (int k = 0; process->launcher && k < process->launcher->actor.count; k++)
            seen->heeds &= process->launcher->actor.members[k].process->wanted != NULL;
        for (int k = 0; k < seen->port_count; k++) {
            look->ends[port] = ends[k];
            now->ports[port++] = (struct dal_seen_port){
                .output = ends[k]->output,
                .channel = (int)(ends[k]->channel->desc - network->net->channels)};
        }
    }
}

static void describe_channels(const struct dal_network *network, struct dal_snapshot *now)
{
    const struct dal_nodes *nodes = network->nodes;
    for (int i = 0; i < now->channel_count; i++) {
        const struct dal_channel *channel = network->channels[i];
        const struct dal_channel_desc *desc = channel->desc;
        now->channels[i] = (struct dal_seen_channel){
            .producer = desc->producer,
            .consumer = desc->consumer,
            .ring = (int)(channel->producer->channel->desc - network->net->channels),
            .next = desc->next_of_port ? desc->next_of_port : -1,
            .inplace = channel == channel->port->inplace,
            .whole = nodes ? nodes->part.origins[i] : i,
            .token_bytes = (uint32_t)desc->token_bytes};
    }
}

static int describe(struct dal_look *look, struct dal_snapshot *now, int ports)
{
    const struct dal_network *network = look->network;
    if (dal_snapshot_init(now, network->net->process_count, ports, network->net->channel_count) < 0)
        return DAL_ERR_NOMEM;
    now->rank = network->nodes ? network->nodes->link->rank : 0;
    number_vertices(network, now);
    describe_ports(look, now);
    describe_channels(network, now);
    return DAL_OK;
}

int dal_look_init(struct dal_look *look, const struct dal_network *network)
{
    const struct dal_net *whole = network->whole;
    int ports = 0;
    look->network = network;
    for (int i = 0; i < network->net->process_count; i++)
        ports += count_ports(&network->processes[i]);
    look->ends = dal_calloc((size_t)ports + 1, sizeof(struct dal_end *));
    look->waits = dal_calloc((size_t)dal_look_most(look) + 1, sizeof(*look->waits));
    if (!look->ends || !look->waits || describe(look, &look->seen[0], ports) < 0)
        return DAL_ERR_NOMEM;
    if (describe(look, &look->seen[1], ports) < 0)
        return DAL_ERR_NOMEM;
    return dal_judge_init(&look->judge, whole->process_count + whole->channel_count);
}

void dal_look_finish(struct dal_look *look)
{
    dal_snapshot_finish(&look->seen[0]);
    dal_snapshot_finish(&look->seen[1]);
    dal_judge_finish(&look->judge);
    dal_free(look->ends);
    dal_free(look->waits);
    *look = (struct dal_look){0};
}
