#include "rt/watch/watchdog.h"

#include "rt/base/alloc.h"
#include "rt/device/launcher.h"
#include "rt/model/network.h"
#include "rt/nodes/nodes.h"

static const int64_t LONG_NS = 100000000; /* of an activation, until it is asked to end early */

int dal_watchdog_init(struct dal_watchdog *watchdog, const struct dal_network *network,
                      int64_t report_ns)
{
    size_t copies = 1;
    for (int i = 0; i < network->net->process_count; i++)
        copies += (size_t)network->processes[i].host.copy_count;
    *watchdog = (struct dal_watchdog){.network = network, .report_ns = report_ns};
    watchdog->runs = dal_calloc(copies, sizeof(*watchdog->runs));
    return watchdog->runs ? DAL_OK : DAL_ERR_NOMEM;
}

void dal_watchdog_finish(struct dal_watchdog *watchdog)
{
    dal_free(watchdog->runs);
    *watchdog = (struct dal_watchdog){0};
}

static int is_blocked(const struct dal_process *process)
{
    return process->ops->sleeps_at && process->ops->sleeps_at(process);
}

static unsigned calls_of(const struct dal_process *process)
{
    return process->ops->progress ? process->ops->progress(process) : 0;
}

int dal_watchdog_runs(const struct dal_process *process)
{
    if (is_blocked(process))
        return 0;
    for (int i = 0; i < process->host.copy_count; i++)
        if (dal_copy_runs(&process->host.copies[i]))
            return 1;
    return 0;
}

const char *dal_watchdog_name(const struct dal_process *process)
{
    const char *calling = atomic_load_explicit(&process->host.calling, memory_order_relaxed);
    return calling ? calling : "firing";
}

int dal_watchdog_devices_rest(const struct dal_network *network)
{
    const struct dal_handler *handler = &network->handler;
    return handler->launcher_count == 0 ||
           atomic_load_explicit(&handler->idle, memory_order_acquire);
}

static void hurry(struct dal_copy *copy)
{
    __atomic_store_n(&copy->activation.enough, 1, __ATOMIC_RELAXED);
}

void dal_watchdog_hurry(const struct dal_network *network)
{
    for (int i = 0; i < network->net->process_count; i++)
        for (int k = 0; k < network->processes[i].host.copy_count; k++)
            hurry(&network->processes[i].host.copies[k]);
}

/* Reports a call that does not return, unless the process has effects outside of the network: that
 * one may wait for the world. */
static void report(const struct dal_watchdog *watchdog, const struct dal_process *process,
                   int64_t before_ns, int64_t time_ns)
{
    int64_t times = watchdog->report_ns ? time_ns / watchdog->report_ns : 0;
    const char *name = dal_watchdog_name(process);
    if (times == 0 || times == before_ns / watchdog->report_ns || process->desc->io)
        return;
    dal_log(DAL_LOG_WARNING, "process %s: its %s has not returned%s for %.3g s",
            process->desc->name, name,
            process->ops->has_thread && *name == 'f' ? ", read or written" : "",
            1e-9 * (double)time_ns);
}

static void look_at(struct dal_watchdog *watchdog, const struct dal_process *process,
                    struct dal_copy *copy, struct dal_watchdog_run *run, int64_t slept_ns)
{
    struct dal_watchdog_run now = {atomic_load_explicit(&copy->runs, memory_order_relaxed),
                                   calls_of(process), 0};
    if (now.runs != run->runs)
        watchdog->turned |= !process->ops->has_thread;
    else if (dal_copy_runs(copy) && now.calls == run->calls && !is_blocked(process))
        now.time_ns = run->time_ns + slept_ns;
    if (now.time_ns >= LONG_NS)
        hurry(copy);
    if (process->desc->io && now.time_ns > watchdog->io_ns)
        watchdog->io_ns = now.time_ns;
    report(watchdog, process, run->time_ns, now.time_ns);
    *run = now;
}

void dal_watchdog_tell_launches(const struct dal_watchdog *watchdog, int64_t time_ns)
{
    const struct dal_handler *handler = &watchdog->network->handler;
    for (int i = 0; i < handler->launcher_count; i++) {
        const struct dal_launcher *launcher = &handler->launchers[i];
        const struct dal_queue *queue = launcher->queues[0];
        int count = atomic_load_explicit(&launcher->in_flight, memory_order_relaxed);
        if (count > 0)
            dal_log(DAL_LOG_WARNING,
                    "process %s: %d launch%s in flight on %s (%s%s), and none has completed for "
                    "%.3g s",
                    launcher->subject.name, count, count == 1 ? " is" : "es are",
                    queue->device->info.name, queue->device->processor,
                    launcher->replica_count > 1 ? " and others" : "", 1e-9 * (double)time_ns);
    }
}

/* Notes what is in flight. Returns whether it is time to report. */
static int note_flight(struct dal_watchdog_flight *flight, int is_on, uint64_t through,
                       int64_t slept_ns, int64_t report_ns)
{
    int64_t before_ns = flight->time_ns;
    flight->time_ns = is_on && through == flight->through ? before_ns + slept_ns : 0;
    flight->through = through;
    flight->is_on = is_on;
    return report_ns && flight->time_ns / report_ns > before_ns / report_ns;
}

static void look_at_devices(struct dal_watchdog *watchdog, int64_t slept_ns)
{
    const struct dal_handler *handler = &watchdog->network->handler;
    if (note_flight(&watchdog->launches, !dal_watchdog_devices_rest(watchdog->network),
                    atomic_load_explicit(&handler->retired, memory_order_relaxed), slept_ns,
                    watchdog->report_ns))
        dal_watchdog_tell_launches(watchdog, watchdog->launches.time_ns);
}

static void look_at_messages(struct dal_watchdog *watchdog, int64_t slept_ns)
{
    struct dal_nodes *nodes = watchdog->network->nodes;
    if (nodes &&
        note_flight(&watchdog->messages,
                    atomic_load_explicit(&nodes->signs.under_way, memory_order_relaxed) > 0,
                    atomic_load_explicit(&nodes->signs.through, memory_order_relaxed), slept_ns,
                    watchdog->report_ns))
        dal_nodes_tell_messages(nodes, watchdog->messages.time_ns);
}

void dal_watchdog_look(struct dal_watchdog *watchdog, int64_t slept_ns)
{
    const struct dal_network *network = watchdog->network;
    struct dal_watchdog_run *run = watchdog->runs;
    watchdog->turned = 0;
    watchdog->io_ns = 0;
    for (int i = 0; i < network->net->process_count; i++)
        for (int k = 0; k < network->processes[i].host.copy_count; k++)
            look_at(watchdog, &network->processes[i], &network->processes[i].host.copies[k], run++,
                    slept_ns);
    look_at_devices(watchdog, slept_ns);
    look_at_messages(watchdog, slept_ns);
}
