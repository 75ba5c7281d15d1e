#include "rt/network/waits.h"

#include "channels/grow.h"
#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/host/phase.h"
#include "rt/network/network.h"
#include "rt/network/resolve.h"
#include "rt/nodes/nodes.h"

#include <string.h>

enum { UNSEEN, ON_PATH, DONE };

/* ---- what is visible ------------------------------------------------------------------------- */

static uint64_t visible(const struct dal_end *end)
{
    return atomic_load_explicit(&end->visible, memory_order_acquire);
}

static struct dal_look_view view_of(const struct dal_process *process)
{
    struct dal_look_view view = {0};
    if (process->group)
        view.at_work = atomic_load_explicit(&process->group->at_work, memory_order_acquire) |
                       atomic_load_explicit(&process->alone->at_work, memory_order_acquire);
    if (process->ops->sleeps_at)
        view.blocked = process->ops->sleeps_at(process);
    return view;
}

int dal_look_take(struct dal_look *look)
{
    const struct dal_network *network = look->network;
    int i, moved = 0;
    look->devices_rest = dal_watch_devices_rest(network);
    for (i = 0; i < network->net->process_count; i++)
        look->views[i] = view_of(&network->processes[i]);
    for (i = 0; i < network->net->channel_count; i++) {
        uint64_t written = visible(network->channels[i]->consumer.peer);
        uint64_t read = visible(&network->channels[i]->consumer);
        moved |= written != look->counts[2 * i] || read != look->counts[2 * i + 1];
        look->counts[2 * i] = written;
        look->counts[2 * i + 1] = read;
    }
    return moved;
}

static int number_of(const struct dal_look *look, const struct dal_channel *channel)
{
    return (int)(channel->desc - look->network->net->channels);
}

static uint64_t fill_of(const struct dal_look *look, const struct dal_channel *channel)
{
    int number = number_of(look, channel);
    return look->counts[2 * number] - look->counts[2 * number + 1];
}

/* Tokens or space of a firing; of a phase, where those are fired one by one. */
static uint64_t needs(const struct dal_process *process, int port)
{
    return process->desc->by_phase ? dal_phase_needs(process, port) : process->ends[port]->rate;
}

/* Has a port less, as far as is visible? */
static int lacks(const struct dal_look *look, const struct dal_process *process, int port)
{
    const struct dal_end *end = process->ends[port];
    const struct dal_channel *channel = dal_end_channel(end);
    uint64_t fill = fill_of(look, channel);
    if (dal_end_peer_closed(end) || (end->output && channel->desc->inplace))
        return 0;
    return (end->output ? dal_channel_capacity(channel) - fill : fill) < needs(process, port);
}

/* Will a process that is fired from outside end when next it is looked at: an input has ended (by
 * these counts; dal_process_starved() is the owner's), or nobody wants what it writes? */
static int about_to_end(const struct dal_look *look, struct dal_process *process)
{
    int i;
    for (i = 0; i < process->desc->port_count; i++) {
        const struct dal_end *end = process->ends[i];
        if (!end->output && dal_end_peer_closed(end) &&
            fill_of(look, end->channel) < needs(process, i))
            return 1;
    }
    return dal_process_unwanted(process);
}

/* Does a process wait at this port? A KPN process waits at one, any other at all that lack. */
static int waits_at(const struct dal_look *look, int number, int port)
{
    struct dal_process *process = &look->network->processes[number];
    const struct dal_look_view *view = &look->views[number];
    struct dal_end *end = process->ends[port];
    if (atomic_load_explicit(&process->ended, memory_order_acquire))
        return 0;
    if (process->ops->is_courier)
        return lacks(look, process, port);
    if (process->ops->sleeps_at ? view->blocked != end
                                : view->at_work || about_to_end(look, process))
        return 0;
    return lacks(look, process, port);
}

int dal_look_is_held(const struct dal_look *look, int process)
{
    const struct dal_process *held = &look->network->processes[process];
    int i, lacking = 0;
    if (!held->timer || dal_timer_next_ns(held->timer) <= dal_now_ns())
        return 0;
    for (i = 0; i < held->desc->port_count; i++)
        lacking |= lacks(look, held, i);
    return !lacking;
}

/* ---- waits ----------------------------------------------------------------------------------- */

static struct dal_wait describe_wait(const struct dal_look *look, int process, int port)
{
    const struct dal_end *end = look->network->processes[process].ends[port];
    const struct dal_channel *channel = dal_end_channel(end);
    const struct dal_channel_desc *desc = channel->desc;
    const struct dal_nodes *nodes = look->network->nodes;
    int number = number_of(look, channel);
    return (struct dal_wait){.waiter = look->vertices[process],
                             .peer = look->vertices[end->output ? desc->consumer : desc->producer],
                             .channel = nodes ? nodes->part.origins[number] : number,
                             .rank = nodes ? nodes->link->rank : 0,
                             .ring = number_of(look, end->channel),
                             .output = end->output,
                             .growth = end->output ? dal_growth_of(look->network, end->channel)
                                                   : DAL_GROWTH_NEVER,
                             .token_bytes = (uint32_t)desc->token_bytes,
                             .rate = needs(&look->network->processes[process], port),
                             .fill = fill_of(look, channel),
                             .capacity = dal_channel_capacity(channel)};
}

int dal_look_list(const struct dal_look *look, struct dal_wait *waits)
{
    const struct dal_net *net = look->network->net;
    int i, port, count = 0;
    for (i = 0; i < net->process_count; i++)
        for (port = 0; port < net->processes[i].port_count; port++)
            if (waits_at(look, i, port))
                waits[count++] = describe_wait(look, i, port);
    return count;
}

int dal_look_most(const struct dal_look *look)
{
    const struct dal_net *net = look->network->net;
    int i, count = 0;
    for (i = 0; i < net->process_count; i++)
        count += net->processes[i].port_count;
    return count;
}

/* ---- cycles ---------------------------------------------------------------------------------- */

static void push(struct dal_look *look, int depth, int vertex)
{
    look->visits[vertex] = ON_PATH;
    look->on[depth] = vertex;
    look->path[depth] = look->first[vertex];
}

static int search_from(struct dal_look *look, const struct dal_wait *waits, int count, int root,
                       int *first)
{
    int depth = 1;
    push(look, 0, root);
    while (depth > 0) {
        int top = depth - 1, wait = look->path[top], peer;
        if (wait == count || waits[wait].waiter != look->on[top]) {
            look->visits[look->on[top]] = DONE;
            depth--;
            if (depth > 0)
                look->path[depth - 1]++;
            continue;
        }
        peer = waits[wait].peer;
        if (look->visits[peer] == ON_PATH) {
            for (*first = 0; look->on[*first] != peer; ++*first)
                ;
            return depth;
        }
        if (look->visits[peer] == DONE)
            look->path[top]++;
        else
            push(look, depth++, peer);
    }
    return 0;
}

int dal_look_find_cycle(struct dal_look *look, const struct dal_wait *waits, int count, int *first)
{
    int i, depth = 0;
    *first = 0;
    memset(look->visits, UNSEEN, (size_t)look->vertex_count);
    for (i = 0; i < look->vertex_count; i++)
        look->first[i] = count;
    for (i = count - 1; i >= 0; i--)
        look->first[waits[i].waiter] = i;
    for (i = 0; depth == 0 && i < count; i++)
        if (look->visits[waits[i].waiter] == UNSEEN)
            depth = search_from(look, waits, count, waits[i].waiter, first);
    return depth;
}

/* ---- vertices -------------------------------------------------------------------------------- */

/* A node's processes are in the order of the whole network, couriers behind them. */
static void number_processes(struct dal_look *look)
{
    const struct dal_network *network = look->network;
    const struct dal_net *whole = network->whole;
    const struct dal_nodes *nodes = network->nodes;
    int i, part = 0;
    for (i = 0; i < whole->process_count; i++)
        if (!nodes ||
            whole->processors[whole->processes[i].processors[0]].node == nodes->link->rank)
            look->vertices[part++] = i;
    for (i = 0; nodes && i < nodes->part.flow_count; i++) {
        const struct dal_part_flow *flow = &nodes->part.flows[i];
        look->vertices[flow->courier] = whole->process_count + flow->number;
    }
}

int dal_look_init(struct dal_look *look, const struct dal_network *network)
{
    size_t channels = (size_t)network->net->channel_count + 1;
    size_t processes = (size_t)network->net->process_count + 1;
    size_t vertices;
    look->network = network;
    look->vertex_count = network->whole->process_count + network->whole->channel_count;
    vertices = (size_t)look->vertex_count + 1;
    look->counts = dal_calloc(2 * channels, sizeof(*look->counts));
    look->views = dal_calloc(processes, sizeof(*look->views));
    look->vertices = dal_calloc(processes, sizeof(int));
    look->first = dal_calloc(vertices, sizeof(int));
    look->visits = dal_calloc(vertices, 1);
    look->path = dal_calloc(vertices, sizeof(int));
    look->on = dal_calloc(vertices, sizeof(int));
    if (!look->counts || !look->views || !look->vertices || !look->first || !look->visits ||
        !look->path || !look->on)
        return DAL_ERR_NOMEM;
    number_processes(look);
    return DAL_OK;
}

void dal_look_finish(struct dal_look *look)
{
    dal_free(look->counts);
    dal_free(look->views);
    dal_free(look->vertices);
    dal_free(look->first);
    dal_free(look->visits);
    dal_free(look->path);
    dal_free(look->on);
    *look = (struct dal_look){0};
}
