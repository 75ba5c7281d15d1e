#include "rt/monitor.h"

#include "channels/grow.h"
#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/kpn.h"
#include "rt/network.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum {
    FIRST_NAP_NS = 1000 * 1000, /* doubled while nothing moves */
    MOVING_NAP_NS = 10 * 1000 * 1000,
    LAST_NAP_NS = 100 * 1000 * 1000,
    MOST_REPORTED = 64, /* lines of a report */
};
/* For threads to end once the network is broken; a firing that never returns keeps them. */
static const int64_t LAST_WAIT_NS = 5000000000;

const struct dal_monitor_limits dal_monitor_usual = {.stall_ns = 10000000000,
                                                     .growth_bytes = (uint64_t)1 << 30};

/* A process that waits at a port for its peer. */
struct dal_monitor_wait {
    int process, port;
};

/* A process at the last look, and in the search for cycles. */
struct dal_monitor_view {
    const struct dal_end *blocked; /* where a KPN process sleeps */
    int at_work;                   /* any other process */
    int running;                   /* a firing of it */
    enum { UNSEEN, ON_PATH, DONE } visit;
};

/* ---- what is visible ------------------------------------------------------------------------- */

static const struct dal_channel *channel_of(const struct dal_monitor *monitor,
                                            struct dal_monitor_wait wait)
{
    return dal_end_channel(monitor->network->processes[wait.process].ends[wait.port]);
}

static uint64_t visible(const struct dal_end *end)
{
    return atomic_load_explicit(&end->visible, memory_order_acquire);
}

static int is_running(const struct dal_process *process)
{
    int i;
    if (process->kpn && atomic_load_explicit(&process->kpn->blocked, memory_order_acquire))
        return 0;
    for (i = 0; i < process->copy_count; i++)
        if (atomic_load_explicit(&process->copies[i].running, memory_order_relaxed))
            return 1;
    return 0;
}

static struct dal_monitor_view view_of(const struct dal_process *process)
{
    struct dal_monitor_view view = {
        .at_work = atomic_load_explicit(&process->at_work, memory_order_acquire),
        .running = is_running(process)};
    if (process->cluster)
        view.at_work |= atomic_load_explicit(&process->cluster->at_work, memory_order_acquire);
    if (process->kpn)
        view.blocked = atomic_load_explicit(&process->kpn->blocked, memory_order_acquire);
    return view;
}

/* A device is at work, or tokens of it are on their way, unless its handler sleeps with nothing in
 * flight. */
static int devices_rest(const struct dal_monitor *monitor)
{
    const struct dal_handler *handler = &monitor->network->handler;
    return handler->launcher_count == 0 ||
           atomic_load_explicit(&handler->idle, memory_order_acquire);
}

/* Looks at what everybody does, and then at all counts (monitor.h); returns whether one has moved
 * since the last time. */
static int look(struct dal_monitor *monitor)
{
    const struct dal_network *network = monitor->network;
    int i, moved = 0;
    monitor->devices_rest = devices_rest(monitor);
    monitor->turned = 0;
    for (i = 0; i < network->net->process_count; i++) {
        struct dal_monitor_view view = view_of(&network->processes[i]);
        monitor->turned |= view.running != monitor->views[i].running;
        monitor->views[i] = view;
    }
    for (i = 0; i < network->net->channel_count; i++) {
        uint64_t written = visible(network->channels[i]->consumer.peer);
        uint64_t read = visible(&network->channels[i]->consumer);
        moved |= written != monitor->counts[2 * i] || read != monitor->counts[2 * i + 1];
        monitor->counts[2 * i] = written;
        monitor->counts[2 * i + 1] = read;
    }
    return moved;
}

static uint64_t fill_of(const struct dal_monitor *monitor, const struct dal_channel *channel)
{
    long number = channel->desc - monitor->network->net->channels;
    return monitor->counts[2 * number] - monitor->counts[2 * number + 1];
}

static uint64_t capacity_of(const struct dal_channel *channel)
{
    return atomic_load_explicit(&channel->capacity, memory_order_relaxed);
}

/* Has this end less than a firing's tokens or space, as far as is visible? */
static int lacks(const struct dal_monitor *monitor, const struct dal_end *end)
{
    const struct dal_channel *channel = dal_end_channel(end);
    const struct dal_end *peer = end->output ? &channel->consumer : end->peer;
    uint64_t fill = fill_of(monitor, channel);
    if (atomic_load_explicit(&peer->closed, memory_order_acquire))
        return 0;
    return (end->output ? capacity_of(channel) - fill : fill) < end->rate;
}

/* Will a process that is fired from outside end when next it is looked at: an input has ended (by
 * these counts; dal_process_starved() is the owner's), or nobody wants what it writes? */
static int about_to_end(const struct dal_monitor *monitor, struct dal_process *process)
{
    int i;
    for (i = 0; i < process->desc->port_count; i++) {
        const struct dal_end *end = process->ends[i];
        if (!end->output && atomic_load_explicit(&end->peer->closed, memory_order_acquire) &&
            fill_of(monitor, end->channel) < end->rate)
            return 1;
    }
    return dal_process_unwanted(process);
}

/* Does a process wait at this port? A KPN process waits at one, any other at all that lack. */
static int waits_at(const struct dal_monitor *monitor, int number, int port)
{
    struct dal_process *process = &monitor->network->processes[number];
    const struct dal_monitor_view *view = &monitor->views[number];
    struct dal_end *end = process->ends[port];
    if (atomic_load_explicit(&process->ended, memory_order_acquire))
        return 0;
    if (process->kpn ? view->blocked != end : view->at_work || about_to_end(monitor, process))
        return 0;
    return lacks(monitor, end);
}

static int peer_of(const struct dal_monitor *monitor, struct dal_monitor_wait wait)
{
    const struct dal_channel_desc *desc = channel_of(monitor, wait)->desc;
    return monitor->network->processes[wait.process].ends[wait.port]->output ? desc->consumer
                                                                             : desc->producer;
}

/* ---- cycles ---------------------------------------------------------------------------------- */

/* The next port from `wait.port` on at which the process waits; 0 without one. */
static int next_wait(const struct dal_monitor *monitor, struct dal_monitor_wait *wait)
{
    int ports = monitor->network->net->processes[wait->process].port_count;
    while (wait->port < ports && !waits_at(monitor, wait->process, wait->port))
        wait->port++;
    return wait->port < ports;
}

/* Follows waits from a process until one comes back to the path (then the cycle is
 * path[*first .. result-1]) or there are no more (0). */
static int search_from(struct dal_monitor *monitor, int root, int *first)
{
    struct dal_monitor_wait *path = monitor->path;
    int depth = 1;
    path[0] = (struct dal_monitor_wait){.process = root};
    monitor->views[root].visit = ON_PATH;
    while (depth > 0) {
        struct dal_monitor_wait *top = &path[depth - 1];
        int peer;
        if (!next_wait(monitor, top)) {
            monitor->views[top->process].visit = DONE;
            depth--;
            if (depth > 0)
                path[depth - 1].port++;
            continue;
        }
        peer = peer_of(monitor, *top);
        if (monitor->views[peer].visit == ON_PATH) {
            for (*first = 0; path[*first].process != peer; ++*first)
                ;
            return depth;
        }
        if (monitor->views[peer].visit == DONE) {
            top->port++;
            continue;
        }
        monitor->views[peer].visit = ON_PATH;
        path[depth++] = (struct dal_monitor_wait){.process = peer};
    }
    return 0;
}

static int find_cycle(struct dal_monitor *monitor, int *first)
{
    int i, depth = 0, count = monitor->network->net->process_count;
    for (i = 0; depth == 0 && i < count; i++)
        if (monitor->views[i].visit == UNSEEN)
            depth = search_from(monitor, i, first);
    return depth;
}

/* ---- reports --------------------------------------------------------------------------------- */

static void tell_wait(const struct dal_monitor *monitor, struct dal_monitor_wait wait)
{
    const struct dal_network *network = monitor->network;
    const struct dal_end *end = network->processes[wait.process].ends[wait.port];
    const struct dal_channel *channel = channel_of(monitor, wait);
    dal_log(DAL_LOG_NOTE,
            "process %s waits for %" PRIu64 " token%s%s of channel %s (%" PRIu64 " of %" PRIu64
            " there), which process %s %s",
            network->net->processes[wait.process].name, end->rate, end->rate == 1 ? "" : "s",
            end->output ? " of space" : "", channel->desc->name, fill_of(monitor, channel),
            capacity_of(channel), network->net->processes[peer_of(monitor, wait)].name,
            end->output ? "reads" : "writes");
}

static void tell_process(const struct dal_monitor *monitor, int number)
{
    const struct dal_process *process = &monitor->network->processes[number];
    struct dal_monitor_wait wait = {.process = number};
    if (is_running(process))
        dal_log(DAL_LOG_NOTE, "process %s is firing", process->desc->name);
    for (; next_wait(monitor, &wait); wait.port++)
        tell_wait(monitor, wait);
}

/* ---- what follows ---------------------------------------------------------------------------- */

/* Of the channels that members of the cycle want to write to, the smallest one that can grow. */
static struct dal_channel *smallest_full(const struct dal_monitor *monitor, int first, int last,
                                         int *full)
{
    struct dal_channel *best = NULL;
    int i;
    *full = 0;
    for (i = first; i < last; i++) {
        struct dal_monitor_wait wait = monitor->path[i];
        struct dal_end *end = monitor->network->processes[wait.process].ends[wait.port];
        struct dal_channel *channel = end->channel;
        if (!end->output)
            continue;
        ++*full;
        if (dal_channel_can_grow(channel) &&
            (!best || capacity_of(channel) * channel->desc->token_bytes <
                          capacity_of(best) * best->desc->token_bytes))
            best = channel;
    }
    return best;
}

static void give_up(struct dal_monitor *monitor, int first, int last, const char *why)
{
    int i;
    dal_log(DAL_LOG_ERROR, "network %s: %s", monitor->network->net->name, why);
    for (i = first; i < last && i < first + MOST_REPORTED; i++)
        tell_wait(monitor, monitor->path[i]);
    dal_control_break(&monitor->network->control, DAL_ERR_DEADLOCK);
}

/* Doubles a channel, or gives it what is left of the limit if that helps. */
static int grow(struct dal_monitor *monitor, struct dal_channel *channel)
{
    uint64_t token = channel->desc->token_bytes, capacity = capacity_of(channel);
    uint64_t left = (monitor->limits.growth_bytes - monitor->grown_bytes) / token;
    uint64_t more = capacity < left ? capacity : left;
    struct dal_listener *producer;
    int status;
    if (more < channel->desc->rate_in)
        return DAL_ERR_LIMIT;
    status = dal_channel_grow(channel, capacity + more);
    if (status < 0)
        return status;
    monitor->grown_bytes += more * token;
    dal_log(DAL_LOG_NOTE,
            "channel %s: grown from %" PRIu64 " to %" PRIu64 " tokens, since processes waited for "
            "each other",
            channel->desc->name, capacity, capacity + more);
    producer = &monitor->network->processes[channel->desc->producer].listener;
    producer->notify(producer);
    return DAL_OK;
}

static void resolve(struct dal_monitor *monitor, int first, int last)
{
    int full, status;
    struct dal_channel *channel = smallest_full(monitor, first, last, &full);
    if (!full) {
        give_up(monitor, first, last, "deadlock: these processes wait for each other's tokens");
        return;
    }
    if (!channel) {
        give_up(monitor, first, last,
                "deadlock: these processes wait for each other, and no full channel between them "
                "can grow, since a device uses it; give it a larger size");
        return;
    }
    if (atomic_load_explicit(&channel->producer.renewed, memory_order_acquire))
        return; /* it has not been taken up yet */
    status = grow(monitor, channel);
    if (status == DAL_ERR_LIMIT)
        give_up(monitor, first, last,
                "deadlock: these processes wait for each other, and channels have grown as far as "
                "--max-memory allows");
    else if (status < 0)
        dal_control_break(&monitor->network->control, status);
}

/* A stall is no one's fault while a process that deals with the world outside is at work. */
static int waits_for_world(const struct dal_monitor *monitor)
{
    int i;
    for (i = 0; i < monitor->network->net->process_count; i++)
        if (monitor->network->net->processes[i].io && is_running(&monitor->network->processes[i]))
            return 1;
    return 0;
}

static void end_stalled(struct dal_monitor *monitor)
{
    int i;
    dal_log(DAL_LOG_ERROR, "network %s: no token has moved for %.3g s (--stall-timeout)",
            monitor->network->net->name, 1e-9 * (double)monitor->limits.stall_ns);
    for (i = 0; i < monitor->network->net->process_count && i < MOST_REPORTED; i++)
        tell_process(monitor, i);
    if (!devices_rest(monitor))
        dal_log(DAL_LOG_NOTE, "launches are in flight");
    dal_control_break(&monitor->network->control, DAL_ERR_STALLED);
}

/* ---- the thread ------------------------------------------------------------------------------ */

static int stopping(const struct dal_monitor *monitor)
{
    return atomic_load_explicit(&monitor->stopping, memory_order_acquire);
}

static void nap(struct dal_monitor *monitor, int64_t time_ns)
{
    uint32_t sequence = dal_wake_prepare(&monitor->wake);
    if (stopping(monitor))
        dal_wake_cancel(&monitor->wake);
    else
        dal_wake_wait(&monitor->wake, sequence, time_ns);
}

/* The network is broken: its threads have so long to end. */
static void see_it_end(struct dal_monitor *monitor)
{
    int64_t limit_ns = dal_now_ns() + LAST_WAIT_NS;
    int i;
    while (!stopping(monitor) && dal_now_ns() < limit_ns)
        nap(monitor, LAST_NAP_NS);
    if (stopping(monitor))
        return;
    for (i = 0; i < monitor->network->net->process_count; i++)
        if (is_running(&monitor->network->processes[i]))
            dal_log(DAL_LOG_ERROR, "process %s: its firing does not return; giving up",
                    monitor->network->net->processes[i].name);
    _exit(1);
}

/* Draws a verdict if nothing moves between the last look and another. */
static void judge(struct dal_monitor *monitor)
{
    int first = 0, last;
    if (!monitor->has_kpn || look(monitor) || !monitor->devices_rest)
        return;
    last = find_cycle(monitor, &first);
    if (last > 0)
        resolve(monitor, first, last);
}

static void *watch(void *argument)
{
    struct dal_monitor *monitor = argument;
    struct dal_control *control = &monitor->network->control;
    int64_t moved_ns = dal_now_ns(), time_ns = MOVING_NAP_NS;
    while (!stopping(monitor) && !dal_control_broken(control)) {
        nap(monitor, time_ns);
        if (dal_control_paused(control))
            moved_ns = dal_now_ns();
        if (look(monitor) || monitor->turned || waits_for_world(monitor)) {
            moved_ns = dal_now_ns();
            time_ns = monitor->has_kpn ? FIRST_NAP_NS : LAST_NAP_NS;
        } else {
            time_ns = 2 * time_ns < LAST_NAP_NS ? 2 * time_ns : LAST_NAP_NS;
        }
        judge(monitor);
        if (monitor->limits.stall_ns && dal_now_ns() - moved_ns > monitor->limits.stall_ns)
            end_stalled(monitor);
    }
    if (dal_control_broken(control))
        see_it_end(monitor);
    return NULL;
}

static int prepare(struct dal_monitor *monitor)
{
    const struct dal_net *net = monitor->network->net;
    monitor->counts = dal_calloc(2 * (size_t)net->channel_count + 1, sizeof(*monitor->counts));
    monitor->views = dal_calloc((size_t)net->process_count + 1, sizeof(*monitor->views));
    monitor->path = dal_calloc((size_t)net->process_count + 1, sizeof(*monitor->path));
    if (monitor->counts && monitor->views && monitor->path)
        return DAL_OK;
    dal_log(DAL_LOG_ERROR, "no memory for the network's monitor");
    return DAL_ERR_NOMEM;
}

int dal_monitor_start(struct dal_monitor *monitor, struct dal_network *network,
                      const struct dal_monitor_limits *limits)
{
    int i, error;
    monitor->network = network;
    monitor->limits = *limits;
    for (i = 0; i < network->net->process_count; i++)
        monitor->has_kpn |= network->net->processes[i].kind == DAL_PROCESS_KPN;
    if (network->net->channel_count == 0 || (!monitor->has_kpn && !limits->stall_ns))
        return DAL_OK;
    if (prepare(monitor) < 0)
        return DAL_ERR_NOMEM;
    error = pthread_create(&monitor->thread, NULL, watch, monitor);
    if (error) {
        dal_log(DAL_LOG_ERROR, "monitor: no thread: %s", strerror(error));
        return DAL_ERR_SYSTEM;
    }
    monitor->running = 1;
    return DAL_OK;
}

void dal_monitor_stop(struct dal_monitor *monitor)
{
    if (monitor->running) {
        atomic_store_explicit(&monitor->stopping, 1, memory_order_seq_cst);
        dal_wake_signal(&monitor->wake);
        pthread_join(monitor->thread, NULL);
    }
    dal_free(monitor->counts);
    dal_free(monitor->views);
    dal_free(monitor->path);
    *monitor = (struct dal_monitor){0};
}
