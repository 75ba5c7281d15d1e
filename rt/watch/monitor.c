#include "rt/watch/monitor.h"

#include "channels/port.h"
#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/fault.h"
#include "rt/base/output.h"
#include "rt/base/sync.h"
#include "rt/base/thread.h"
#include "rt/base/ticker.h"
#include "rt/nodes/nodes.h"
#include "rt/watch/look.h"
#include "rt/watch/resolve.h"
#include "rt/watch/watchdog.h"

#include <unistd.h>

struct dal_monitor {
    struct dal_network *network;
    const struct dal_monitor_limits *limits;
    int judges;  /* True where capacities may be too small, since the analysis does not know all. */
    int is_here; /* True when the thread that runs the network watches it, too. */
    struct dal_look look;
    int64_t still_ns; /* in which nothing has run or moved */
    struct dal_watchdog watchdog;
    struct dal_ticker ticker;
};

enum {
    FIRST_NAP_NS = 1000 * 1000, /* doubled while nothing moves */
    MOVING_NAP_NS = 10 * 1000 * 1000,
    LAST_NAP_NS = 100 * 1000 * 1000,
    MOST_REPORTED = 64, /* lines of a report */
    LAST_NAPS = 10,     /* before the report of a program that ends */
};
/* Nanoseconds that threads have to end once the network is broken. A firing that never returns
 * keeps its thread. */
static const int64_t LAST_WAIT_NS = 5000000000;

const struct dal_monitor_limits dal_monitor_usual = {.stall_ns = 10000000000,
                                                     .device_ns = 120000000000,
                                                     .link_ns = 600000000000,
                                                     .report_ns = 60000000000,
                                                     .growth_bytes = (uint64_t)1 << 30};

/* Logs a process and all that it waits for. Its waits are in the look's waits, from *next on. */
static void tell_process(const struct dal_monitor *monitor, int number, int count, int *next)
{
    const struct dal_process *process = &monitor->network->processes[number];
    const struct dal_wait *waits = monitor->look.waits;
    int vertex = dal_look_now(&monitor->look)->processes[number].vertex;
    if (dal_watchdog_runs(process))
        dal_log(DAL_LOG_NOTE, "process %s: its %s has not returned", process->desc->name,
                dal_watchdog_name(process));
    for (; *next < count && waits[*next].waiter == vertex; ++*next)
        dal_wait_tell(monitor->network, &waits[*next]);
}

/* Returns whether callers stand in for a process, which may call again at any time. */
static int is_outside(const struct dal_monitor *monitor, int number)
{
    const struct dal_process *process = &monitor->network->processes[number];
    return process->is_called && !atomic_load_explicit(&process->ended, memory_order_acquire);
}

/* Returns whether a process works. A firing is work, and may wait for the outside world if the
 * process deals with that. Waiting for the time to fire is work, too. */
static int is_at_work(const struct dal_monitor *monitor)
{
    for (int i = 0; i < monitor->network->net->process_count; i++)
        if (is_outside(monitor, i) ||
            ((!monitor->limits->runs_too || monitor->network->net->processes[i].io) &&
             dal_watchdog_runs(&monitor->network->processes[i])) ||
            dal_snapshot_is_held(dal_look_now(&monitor->look), i))
            return 1;
    return 0;
}

static void end_stalled(struct dal_monitor *monitor)
{
    int i, next = 0, count = dal_look_list(&monitor->look, monitor->look.waits);
    dal_log(DAL_LOG_ERROR, "network %s: no token has moved for %.3g s (--stall-timeout)",
            monitor->network->net->name, 1e-9 * (double)monitor->limits->stall_ns);
    for (i = 0; i < monitor->network->net->process_count && i < MOST_REPORTED; i++)
        tell_process(monitor, i, count, &next);
    dal_control_break(&monitor->network->control, DAL_ERR_STALLED);
}

/* Logs the processes that run, or those of type io. Returns how many there are. */
static int tell_running(const struct dal_monitor *monitor, int only_io, enum dal_log_level level,
                        const char *how)
{
    const struct dal_network *network = monitor->network;
    int count = 0;
    for (int i = 0; i < network->net->process_count; i++) {
        if ((only_io && !network->net->processes[i].io) ||
            !dal_watchdog_runs(&network->processes[i]))
            continue;
        dal_log(level, "process %s: its %s %s", network->net->processes[i].name,
                dal_watchdog_name(&network->processes[i]), how);
        count++;
    }
    return count;
}

/* ---- the program's end ----------------------------------------------------------------------- */

/* Writes a report that is wanted. Returns 0 if the main thread does that. */
static int write_report(struct dal_network *network)
{
    if (!network->supervision.report || !dal_report_take(&network->supervision.concludes))
        return 0;
    network->supervision.report(network);
    return 1;
}

/* A process has crashed, or called exit(). Its thread ends the program once the report is written.
 * The others have a moment to come to rest. */
static void report_last(struct dal_network *network)
{
    struct dal_control *control = &network->control;
    const struct timespec time = {.tv_nsec = LAST_NAP_NS};
    dal_control_break(control, DAL_ERR_PROCESS);
    for (int i = 0;
         i < LAST_NAPS && atomic_load(&control->resting) + 1 < atomic_load(&control->threads); i++)
        nanosleep(&time, NULL);
    if (!write_report(network))
        return;
    dal_output_drop();
    _exit(1);
}

/* ---- the thread ------------------------------------------------------------------------------ */

/* Returns whether all threads have ended, and all processes that callers stand in for. */
static int have_left(const void *of)
{
    const struct dal_monitor *monitor = of;
    const struct dal_control *control = &monitor->network->control;
    int i = 0, count = monitor->network->net->process_count;
    if (atomic_load(&control->left) < atomic_load(&control->threads))
        return 0;
    while (i < count && !is_outside(monitor, i))
        i++;
    return i == count || atomic_load(&control->broken);
}

static int is_over(const struct dal_monitor *monitor)
{
    return monitor->is_here ? have_left(monitor) : dal_ticker_stops(&monitor->ticker);
}

/* Sleeps and returns how long. Time slept beyond `time_ns` does not count, since the program may
 * have been stopped. */
static int64_t nap(struct dal_monitor *monitor, int64_t time_ns)
{
    int64_t begin_ns = dal_now_ns(), slept_ns;
    if (monitor->is_here)
        dal_wake_until(&monitor->network->control.end, have_left, monitor, begin_ns + time_ns);
    else
        dal_ticker_sleep(&monitor->ticker, begin_ns + time_ns);
    if (dal_program_ends() && monitor->network->supervision.report)
        report_last(monitor->network);
    slept_ns = dal_now_ns() - begin_ns;
    return slept_ns < time_ns ? slept_ns : time_ns;
}

/* Returns whether a process runs init or finish. */
static int is_called(const struct dal_monitor *monitor)
{
    for (int i = 0; i < monitor->network->net->process_count; i++)
        if (atomic_load_explicit(&monitor->network->processes[i].host.calling,
                                 memory_order_relaxed))
            return 1;
    return 0;
}

static void leave_for_good(struct dal_monitor *monitor)
{
    if (tell_running(monitor, 0, DAL_LOG_ERROR, "does not return; giving up") == 0)
        dal_log(DAL_LOG_ERROR, "network %s: a device's driver does not return; giving up",
                monitor->network->net->name);
    dal_output_flush(DAL_OUTPUT_LAST_NS);
    write_report(monitor->network);
    dal_output_drop();
    _exit(1);
}

/* Waits for the threads of a broken network, for a limited time in which init and finish do not
 * count. Output is flushed first, since one more interrupt ends the program where it stands. */
static void see_it_end(struct dal_monitor *monitor)
{
    int64_t left_ns = LAST_WAIT_NS;
    dal_watchdog_hurry(monitor->network);
    dal_output_flush(0);
    while (!is_over(monitor) && left_ns > 0) {
        int64_t slept_ns = nap(monitor, LAST_NAP_NS);
        dal_watchdog_look(&monitor->watchdog, slept_ns);
        dal_watchdog_hurry(monitor->network);
        if (!monitor->network->control.hosted && (monitor->limits->runs_too || !is_called(monitor)))
            left_ns -= slept_ns;
    }
    if (!is_over(monitor))
        leave_for_good(monitor);
}

/* Takes another snapshot at once, so that both show one moment, and resolves deadlocks. */
static void judge(struct dal_monitor *monitor)
{
    struct dal_look *look = &monitor->look;
    const struct dal_wait *grows;
    if (!monitor->judges)
        return;
    dal_look_take(look);
    grows =
        dal_resolve(monitor->network, &look->judge, look->waits, dal_look_list(look, look->waits));
    if (grows)
        dal_grow_ring(monitor->network, grows->ring);
}

static void tell_work(const struct dal_monitor *monitor)
{
    if (monitor->network->nodes)
        dal_nodes_note_work(monitor->network->nodes);
}

/* Counts the time in which nothing moves and no process works. Launches and messages under way have
 * limits of their own, so their time does not count. A handler that only looked for work has
 * nothing in flight for long. */
static void wait_for_move(struct dal_monitor *monitor, int64_t slept_ns)
{
    const struct dal_watchdog *watchdog = &monitor->watchdog;
    if (watchdog->messages.is_on || watchdog->launches.time_ns > LAST_NAP_NS)
        tell_work(monitor);
    if (monitor->network->nodes && dal_nodes_elsewhere(monitor->network->nodes))
        monitor->still_ns = 0;
    else if (!watchdog->messages.is_on && !watchdog->launches.is_on)
        monitor->still_ns += slept_ns;
}

/* Looks around after a sleep of `slept_ns`. Returns whether something has moved. */
static int look_around(struct dal_monitor *monitor, int64_t slept_ns)
{
    int paused = dal_control_paused(&monitor->network->control);
    int moved = dal_look_take(&monitor->look);
    dal_watchdog_look(&monitor->watchdog, paused ? 0 : slept_ns);
    moved |= monitor->watchdog.turned;
    if (moved || paused || is_at_work(monitor)) {
        monitor->still_ns = 0;
        tell_work(monitor);
    } else {
        wait_for_move(monitor, slept_ns);
    }
    return moved;
}

/* Returns whether a time is beyond its limit, and logs it. */
static int is_late(const struct dal_monitor *monitor, int64_t time_ns, int64_t limit_ns,
                   const char *what, const char *option)
{
    if (!limit_ns || time_ns <= limit_ns)
        return 0;
    dal_log(DAL_LOG_ERROR, "network %s: %s for %.3g s (--%s)", monitor->network->net->name, what,
            1e-9 * (double)limit_ns, option);
    return 1;
}

/* Returns whether something under way takes too long, and logs what. */
static int is_any_late(const struct dal_monitor *monitor)
{
    const struct dal_monitor_limits *limits = monitor->limits;
    const struct dal_watchdog *watchdog = &monitor->watchdog;
    if (is_late(monitor, watchdog->launches.time_ns, limits->device_ns,
                "no device has completed anything", "device-timeout"))
        dal_watchdog_tell_launches(watchdog, watchdog->launches.time_ns);
    else if (is_late(monitor, watchdog->messages.time_ns, limits->link_ns,
                     "no message between nodes has come through", "link-timeout"))
        dal_nodes_tell_messages(monitor->network->nodes, watchdog->messages.time_ns);
    else if (is_late(monitor, watchdog->io_ns, limits->io_ns,
                     "a process of type io has not come back", "io-timeout"))
        tell_running(monitor, 1, DAL_LOG_NOTE, "has not returned");
    else
        return 0;
    return 1;
}

static void end_if_due(struct dal_monitor *monitor)
{
    const struct dal_monitor_limits *limits = monitor->limits;
    if (is_over(monitor)) /* during the sleep */
        return;
    if (limits->stall_ns && monitor->still_ns > limits->stall_ns)
        end_stalled(monitor);
    else if (is_any_late(monitor))
        dal_control_break(&monitor->network->control, DAL_ERR_STALLED);
}

static void watch_until_over(struct dal_monitor *monitor)
{
    struct dal_control *control = &monitor->network->control;
    int64_t time_ns = MOVING_NAP_NS;
    while (!is_over(monitor) && !dal_control_broken(control)) {
        if (look_around(monitor, nap(monitor, time_ns)))
            time_ns = monitor->judges ? FIRST_NAP_NS : LAST_NAP_NS;
        else
            time_ns = 2 * time_ns < LAST_NAP_NS ? 2 * time_ns : LAST_NAP_NS;
        judge(monitor);
        end_if_due(monitor);
    }
    if (dal_control_broken(control))
        see_it_end(monitor);
}

static void *watch_apart(void *monitor)
{
    dal_thread_begin();
    watch_until_over(monitor);
    return NULL;
}

/* Returns whether there is something to watch when all threads have ended: devices and ranks that
 * come to their ends, and finish functions. */
static int is_needed_to_the_end(const struct dal_network *network)
{
    int i = 0, count = network->net->process_count;
    while (i < count &&
           !(network->net->processes[i].code && network->net->processes[i].code->finish))
        i++;
    return i < count || network->nodes || network->handler.launcher_count;
}

static int prepare(struct dal_monitor *monitor, struct dal_network *network)
{
    int i, status = dal_look_init(&monitor->look, network);
    monitor->network = network;
    monitor->limits = &network->supervision.limits;
    for (i = 0; i < network->net->process_count; i++)
        monitor->judges |= network->processes[i].ops->has_thread;
    for (i = 0; i < network->net->channel_count; i++)
        monitor->judges |= network->channels[i]->port->newest != NULL;
    return status < 0 ? status
                      : dal_watchdog_init(&monitor->watchdog, network,
                                          network->supervision.limits.report_ns);
}

int dal_monitor_start(struct dal_network *network)
{
    struct dal_monitor *monitor = dal_calloc(1, sizeof(*monitor));
    network->supervision.monitor = monitor;
    if (!monitor || prepare(monitor, network) < 0) {
        dal_log(DAL_LOG_ERROR, "no memory for the network's monitor");
        return DAL_ERR_NOMEM;
    }
    monitor->is_here = !is_needed_to_the_end(network);
    return monitor->is_here ? DAL_OK
                            : dal_ticker_start(&monitor->ticker, "monitor", watch_apart, monitor);
}

void dal_monitor_watch(struct dal_network *network)
{
    struct dal_monitor *monitor = network->supervision.monitor;
    sigset_t before;
    if (!monitor || !monitor->is_here) {
        dal_faults_take_up();
        if (monitor)
            dal_wake_until(&network->control.end, have_left, monitor, INT64_MAX);
        return;
    }
    dal_faults_block(&before);
    dal_faults_take_up();
    watch_until_over(monitor);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void dal_monitor_stop(struct dal_network *network)
{
    struct dal_monitor *monitor = network->supervision.monitor;
    if (!monitor)
        return;
    dal_ticker_stop(&monitor->ticker);
    dal_look_finish(&monitor->look);
    dal_watchdog_finish(&monitor->watchdog);
    dal_free(monitor);
    network->supervision.monitor = NULL;
}
