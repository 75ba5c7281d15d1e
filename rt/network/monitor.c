#include "rt/network/monitor.h"

#include "channels/grow.h"
#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/output.h"
#include "rt/network/network.h"
#include "rt/nodes/nodes.h"

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
                                                     .device_ns = 120000000000,
                                                     .report_ns = 60000000000,
                                                     .growth_bytes = (uint64_t)1 << 30};

/* A process that waits at a port for its peer. */
struct dal_monitor_wait {
    int process, port;
};

/* A process at the last look, and in the search for cycles. */
struct dal_monitor_view {
    const struct dal_end *blocked; /* where a KPN process sleeps */
    int at_work;                   /* any other process */
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

static struct dal_monitor_view view_of(const struct dal_process *process)
{
    struct dal_monitor_view view = {0};
    if (process->group)
        view.at_work = atomic_load_explicit(&process->group->at_work, memory_order_acquire) |
                       atomic_load_explicit(&process->alone->at_work, memory_order_acquire);
    if (process->ops->sleeps_at)
        view.blocked = process->ops->sleeps_at(process);
    return view;
}

/* Looks at what everybody does, and then at all counts (monitor.h); returns whether one has moved
 * since the last time. */
static int note_counts(struct dal_monitor *monitor)
{
    const struct dal_network *network = monitor->network;
    int i, moved = 0;
    monitor->devices_rest = dal_watch_devices_rest(network);
    for (i = 0; i < network->net->process_count; i++)
        monitor->views[i] = view_of(&network->processes[i]);
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

/* Has this end less than a firing's tokens or space, as far as is visible? */
static int lacks(const struct dal_monitor *monitor, const struct dal_end *end)
{
    const struct dal_channel *channel = dal_end_channel(end);
    uint64_t fill = fill_of(monitor, channel);
    if (dal_end_peer_closed(end))
        return 0;
    return (end->output ? dal_channel_capacity(channel) - fill : fill) < end->rate;
}

/* Will a process that is fired from outside end when next it is looked at: an input has ended (by
 * these counts; dal_process_starved() is the owner's), or nobody wants what it writes? */
static int about_to_end(const struct dal_monitor *monitor, struct dal_process *process)
{
    int i;
    for (i = 0; i < process->desc->port_count; i++) {
        const struct dal_end *end = process->ends[i];
        if (!end->output && dal_end_peer_closed(end) && fill_of(monitor, end->channel) < end->rate)
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
    if (process->ops->sleeps_at ? view->blocked != end
                                : view->at_work || about_to_end(monitor, process))
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
            dal_channel_capacity(channel), network->net->processes[peer_of(monitor, wait)].name,
            end->output ? "reads" : "writes");
}

static void tell_process(const struct dal_monitor *monitor, int number)
{
    const struct dal_process *process = &monitor->network->processes[number];
    struct dal_monitor_wait wait = {.process = number};
    if (dal_watch_runs(process))
        dal_log(DAL_LOG_NOTE, "process %s: its %s has not returned", process->desc->name,
                dal_watch_name(process));
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
            (!best || dal_channel_capacity(channel) * channel->desc->token_bytes <
                          dal_channel_capacity(best) * best->desc->token_bytes))
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
static int grow_channel(struct dal_monitor *monitor, struct dal_channel *channel)
{
    uint64_t token = channel->desc->token_bytes, capacity = dal_channel_capacity(channel);
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
    if (dal_channel_is_growing(channel))
        return; /* it has not been taken up yet */
    status = grow_channel(monitor, channel);
    if (status == DAL_ERR_LIMIT)
        give_up(monitor, first, last,
                "deadlock: these processes wait for each other, and channels have grown as far as "
                "--max-memory allows");
    else if (status < 0)
        dal_control_break(&monitor->network->control, status);
}

/* What runs is work, and may wait for the world outside if it deals with that. */
static int is_at_work(const struct dal_monitor *monitor)
{
    int i;
    for (i = 0; i < monitor->network->net->process_count; i++)
        if ((!monitor->limits.runs_too || monitor->network->net->processes[i].io) &&
            dal_watch_runs(&monitor->network->processes[i]))
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
    dal_control_break(&monitor->network->control, DAL_ERR_STALLED);
}

static void end_hung(struct dal_monitor *monitor)
{
    dal_log(DAL_LOG_ERROR,
            "network %s: no device has completed anything for %.3g s "
            "(--device-timeout)",
            monitor->network->net->name, 1e-9 * (double)monitor->limits.device_ns);
    dal_watch_tell_launches(&monitor->watch, monitor->watch.device_ns);
    dal_control_break(&monitor->network->control, DAL_ERR_STALLED);
}

/* ---- the thread ------------------------------------------------------------------------------ */

static int stopping(const struct dal_monitor *monitor)
{
    return atomic_load_explicit(&monitor->stopping, memory_order_acquire);
}

/* Sleeps, and returns how long; a sleep that was longer than it was to be is not counted: the
 * program may have been stopped. */
static int64_t nap(struct dal_monitor *monitor, int64_t time_ns)
{
    int64_t begin_ns = dal_now_ns(), slept_ns;
    uint32_t sequence = dal_wake_prepare(&monitor->wake);
    if (stopping(monitor))
        dal_wake_cancel(&monitor->wake);
    else
        dal_wake_wait(&monitor->wake, sequence, time_ns);
    slept_ns = dal_now_ns() - begin_ns;
    return slept_ns < time_ns ? slept_ns : time_ns;
}

/* Does a process run init or finish? */
static int is_called(const struct dal_monitor *monitor)
{
    int i;
    for (i = 0; i < monitor->network->net->process_count; i++)
        if (atomic_load_explicit(&monitor->network->processes[i].calling, memory_order_relaxed))
            return 1;
    return 0;
}

static void leave_for_good(struct dal_monitor *monitor)
{
    const struct dal_network *network = monitor->network;
    int i, count = 0;
    for (i = 0; i < network->net->process_count; i++) {
        if (!dal_watch_runs(&network->processes[i]))
            continue;
        dal_log(DAL_LOG_ERROR, "process %s: its %s does not return; giving up",
                network->net->processes[i].name, dal_watch_name(&network->processes[i]));
        count++;
    }
    if (count == 0)
        dal_log(DAL_LOG_ERROR, "network %s: a device's driver does not return; giving up",
                network->net->name);
    dal_output_flush(DAL_OUTPUT_LAST_NS);
    _exit(1);
}

/* The network is broken: its threads have so long to end, without what init and finish take. What
 * was printed is written first: one more interrupt ends the program where it stands. */
static void see_it_end(struct dal_monitor *monitor)
{
    int64_t left_ns = LAST_WAIT_NS;
    dal_watch_hurry(monitor->network);
    dal_output_flush(0);
    while (!stopping(monitor) && left_ns > 0) {
        int64_t slept_ns = nap(monitor, LAST_NAP_NS);
        dal_watch_look(&monitor->watch, slept_ns);
        dal_watch_hurry(monitor->network);
        if (monitor->limits.runs_too || !is_called(monitor))
            left_ns -= slept_ns;
    }
    if (!stopping(monitor))
        leave_for_good(monitor);
}

/* Draws a verdict if nothing moves between the last look and another. */
static void judge(struct dal_monitor *monitor)
{
    int first = 0, last;
    if (!monitor->has_kpn || note_counts(monitor) || !monitor->devices_rest)
        return;
    last = find_cycle(monitor, &first);
    if (last > 0)
        resolve(monitor, first, last);
}

static void note_work(struct dal_monitor *monitor)
{
    monitor->still_ns = 0;
    if (monitor->network->nodes)
        dal_nodes_note_work(monitor->network->nodes);
}

/* Looks, after a sleep of so long. Returns whether something has moved. */
static int look_around(struct dal_monitor *monitor, int64_t slept_ns)
{
    int paused = dal_control_paused(&monitor->network->control);
    int moved = note_counts(monitor);
    dal_watch_look(&monitor->watch, paused ? 0 : slept_ns);
    moved |= monitor->watch.turned;
    if (moved || paused || is_at_work(monitor))
        note_work(monitor);
    else if (monitor->network->nodes && dal_nodes_elsewhere(monitor->network->nodes))
        monitor->still_ns = 0;
    else if (monitor->devices_rest) /* launches have a limit of their own */
        monitor->still_ns += slept_ns;
    return moved;
}

static void end_if_due(struct dal_monitor *monitor)
{
    const struct dal_monitor_limits *limits = &monitor->limits;
    if (limits->stall_ns && monitor->still_ns > limits->stall_ns)
        end_stalled(monitor);
    else if (limits->device_ns && monitor->watch.device_ns > limits->device_ns)
        end_hung(monitor);
}

static void *watch_network(void *argument)
{
    struct dal_monitor *monitor = argument;
    struct dal_control *control = &monitor->network->control;
    int64_t time_ns = MOVING_NAP_NS;
    while (!stopping(monitor) && !dal_control_broken(control)) {
        if (look_around(monitor, nap(monitor, time_ns)))
            time_ns = monitor->has_kpn ? FIRST_NAP_NS : LAST_NAP_NS;
        else
            time_ns = 2 * time_ns < LAST_NAP_NS ? 2 * time_ns : LAST_NAP_NS;
        judge(monitor);
        end_if_due(monitor);
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
    if (monitor->counts && monitor->views && monitor->path &&
        dal_watch_init(&monitor->watch, monitor->network, monitor->limits.report_ns) == DAL_OK)
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
        monitor->has_kpn |= network->processes[i].ops->has_thread;
    if (prepare(monitor) < 0)
        return DAL_ERR_NOMEM;
    error = pthread_create(&monitor->thread, NULL, watch_network, monitor);
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
    dal_watch_finish(&monitor->watch);
    *monitor = (struct dal_monitor){0};
}
