#include "rt/network/network.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/fault.h"
#include "rt/base/output.h"
#include "rt/base/realtime.h"
#include "rt/base/setting.h"
#include "rt/base/sync.h"
#include "rt/device/flights.h"
#include "rt/device/launcher.h"
#include "rt/device/placed.h"
#include "rt/devices/devices.h"
#include "rt/host/crash.h"
#include "rt/host/firing.h"
#include "rt/host/release.h"
#include "rt/host/waiter.h"
#include "rt/kpn/call.h"
#include "rt/network/check.h"
#include "rt/network/install.h"
#include "rt/network/regions.h"
#include "rt/nodes/nodes.h"
#include "rt/observe/observers.h"
#include "rt/watch/throttles.h"
#include "rt/watch/monitor.h"
#include "rt/watch/resolve.h"

#include <unistd.h>

/* Callbacks of drivers wake the handler and may come late. So the wake object outlives its network
 * and serves the next one. Main thread. */
struct lasting_wake {
    struct dal_wake wake; /* first member */
    struct lasting_wake *next;
};
static struct lasting_wake *unused_wakes;

static struct dal_wake *take_wake(void)
{
    struct lasting_wake *taken = unused_wakes;
    if (!taken)
        return dal_calloc(1, sizeof(*taken));
    unused_wakes = taken->next;
    return &taken->wake;
}

static void give_wake(struct dal_wake *wake)
{
    struct lasting_wake *given = (struct lasting_wake *)wake;
    given->next = unused_wakes;
    unused_wakes = given;
}

/* Networks whose devices did not come to an end. They are kept for commands that may still run. */
static struct dal_network *abandoned;

static int fill(struct dal_network *network, const struct dal_net *net,
                const struct dal_network_options *options)
{
    int status;
    network->whole = net;
    network->net = options->part ? options->part : net;
    network->nodes = options->nodes;
    network->supervision.limits = options->limits ? *options->limits : dal_monitor_usual;
    network->supervision.save = options->save;
    network->supervision.save_of = options->save_of;
    network->label = options->label;
    network->devices.kept = options->devices ? options->devices : &network->devices.own;
    network->control.events = options->events;
    network->control.application = options->application;
    network->control.hosted = options->hosted;
    network->handler.control = &network->control;
    network->handler.wake = take_wake();
    if (!network->handler.wake)
        return dal_no_memory();
    network->handler.policy = dal_policy_find(net->queue.policy);
    if (!network->handler.policy) {
        dal_log(DAL_LOG_ERROR, "no task queue policy %s", net->queue.policy);
        return DAL_ERR_UNSUPPORTED;
    }
    status = options->hosted ? DAL_OK
                             : dal_realtime_read(net->queue.realtime, &network->control.realtime);
    if (status == DAL_OK)
        status =
            dal_observers_choose(network, options->observers ? options->observers : dal_observers);
    return status < 0 ? status : dal__network_install(network, options);
}

int dal_network_create(struct dal_network **result, const struct dal_net *net,
                       const struct dal_network_options *options)
{
    struct dal_network *network = dal_calloc(1, sizeof(*network));
    int status = network ? fill(network, net, options) : dal_no_memory();
    if (status < 0) {
        dal_network_destroy(network);
        network = NULL;
    } else {
        dal_devices_leave(*network->devices.kept);
    }
    *result = network;
    return status;
}

/* Ends the program, because a process's finish() left its thread. The caller needs this thread,
 * too. */
static void be_left(void *argument)
{
    struct dal_network *network = argument;
    dal_here_complain("ended its thread");
    if (network->control.hosted) {
        dal_control_break(&network->control, DAL_ERR_PROCESS);
        return;
    }
    dal_output_flush(DAL_OUTPUT_LAST_NS);
    dal_program_end();
    dal_output_drop();
    _exit(1);
}

static void last_calls(struct dal_network *network)
{
    pthread_cleanup_push(be_left, network);
    for (int i = 0; i < network->net->process_count; i++)
        if (network->processes[i].host.copies && !network->processes[i].is_called)
            dal_process_last_call(&network->processes[i]);
    pthread_cleanup_pop(0);
}

static void settle_groups(struct dal_network *network)
{
    for (int i = 0; i < network->groups.together_count; i++)
        dal_group_settle(&network->groups.together[i]);
    for (int i = 0; i < network->groups.alone_count; i++)
        dal_group_settle(&network->groups.alone[i]);
}

/* Ends the waits that a broken run left open. Nobody waits any more. */
static void end_waits(struct dal_network *network)
{
    for (int i = 0; i < network->net->channel_count; i++)
        for (int output = 0; output < 2; output++)
            dal_waits_end(&network->channels[i]->waits[output], dal_now_ns());
}

/* Starts all that runs beside the workers. Observers come before the handler, which looks at its
 * channels at once: a replay says what they have. */
static int start_parts(struct dal_network *network)
{
    int i, status = dal_resolve_nodes(network);
    if (status == DAL_OK && network->nodes)
        status = dal_nodes_start(network->nodes);
    if (status == DAL_OK)
        status = dal_observers_start(network);
    if (status == DAL_OK && network->handler.launcher_count)
        status = dal_handler_start(&network->handler);
    for (i = 0; status == DAL_OK && i < network->worker_count; i++)
        status = dal_worker_start(&network->workers[i]);
    if (status == DAL_OK && network->control.realtime)
        dal_realtime_lock();
    if (status == DAL_OK)
        status = dal_throttles_start(network);
    return status < 0 ? status : dal_monitor_start(network);
}

static void break_on(struct dal_network *network, int status)
{
    if (status < 0)
        dal_control_break(&network->control, status);
}

/* Does for the monitor what is done after all threads have ended. One of them never does. */
static void report_crash(struct dal_network *network)
{
    if (network->supervision.save)
        network->supervision.save(network->supervision.save_of);
    settle_groups(network);
    dal_observers_stop(network);
    network->wall_ns = dal_now_ns() - network->begin_ns;
    dal_network_report(network);
}

/* Has the report written in any case. On several nodes it is that of this node. */
static void watch_end(struct dal_network *network)
{
    dal_firing_watch_exit(1);
    dal_faults_put_off();
    dal_faults_catch(dal_crash_tell);
    dal_flights_watch(&network->handler);
    if (!network->supervision.save && !dal_observers_need(network, DAL_NEEDS_REPORT))
        return;
    network->supervision.report = report_crash;
    dal_report_want();
}

static void watch_no_more(struct dal_network *network)
{
    if (network->supervision.report)
        dal_report_done();
    network->supervision.report = NULL;
}

int dal_network_run(struct dal_network *network)
{
    int status;
    network->begin_ns = dal_now_ns();
    if (!network->control.hosted)
        watch_end(network);
    break_on(network, start_parts(network));
    dal_monitor_watch(network);
    for (int i = 0; i < network->worker_count; i++)
        dal_worker_join(&network->workers[i]);
    dal_handler_join(&network->handler);
    dal_flights_leave(&network->handler);
    last_calls(network);
    while (network->supervision.report && !dal_report_take(&network->supervision.concludes))
        pause(); /* the program ends, and the monitor writes */
    if (!network->control.hosted)
        dal_start_folder_return();
    settle_groups(network);
    break_on(network, dal_observers_stop(network));
    if (network->nodes)
        dal_nodes_finish(network->nodes);
    if (!network->control.hosted)
        dal_firing_watch_exit(-1);
    dal_throttles_stop(network);
    dal_monitor_stop(network);
    end_waits(network);
    network->wall_ns = dal_now_ns() - network->begin_ns;
    status = atomic_load(&network->control.error);
    return status < 0 ? status : dal__network_check(network);
}

int dal_network_try(const struct dal_net *net, const struct dal_network_options *given)
{
    struct dal_network_options options = *given;
    int several = net->node_count > 1, status = DAL_OK;
    for (int i = 0; status == DAL_OK && i < (several ? net->node_count : 1); i++) {
        struct dal_network *network = NULL;
        struct dal_part part = {0};
        if (several)
            status = dal_part_make(&part, net, i);
        options.part = several ? &part.net : NULL;
        if (status == DAL_OK)
            status = dal_network_create(&network, net, &options);
        dal_network_destroy(network);
        dal_part_finish(&part);
    }
    return status;
}

int dal_network_report(struct dal_network *network)
{
    int status;
    dal_observers_warn(network);
    status = dal_reports_write(network);
    watch_no_more(network);
    return status;
}

void dal_network_destroy(struct dal_network *network)
{
    if (!network)
        return;
    watch_no_more(network);
    if (network->handler.stuck) {
        dal_log(DAL_LOG_WARNING, "a device does not come to an end; its memory is not given back");
        network->devices.own = *network->devices.kept;
        if (network->devices.kept != &network->devices.own)
            *network->devices.kept = NULL; /* the next network must not get them */
        network->abandoned = abandoned;
        abandoned = network;
        return;
    }
    for (int i = 0; network->channels && i < network->net->channel_count; i++)
        dal_channel_destroy(network->channels[i]);
    dal__regions_finish(network);
    for (int i = 0; i < network->handler.launcher_count; i++)
        dal_launcher_finish(&network->handler.launchers[i]);
    dal_placed_finish(&network->handler.placed);
    for (int i = 0; i < network->handler.queue_count; i++)
        dal_queue_finish(&network->handler.queues[i]);
    for (int i = 0; network->handler.rows && i < network->net->processor_count; i++)
        dal_device_rows_finish(&network->handler.rows[i]);
    for (int i = 0; i < network->worker_count; i++) {
        dal_trace_row_finish(&network->workers[i].row);
        dal_free(network->workers[i].groups);
        dal_free(network->workers[i].numbers);
        dal_free(network->workers[i].search.pools);
        dal_free(network->workers[i].search.numbers);
        dal_team_finish(&network->workers[i].team);
    }
    dal_resolve_finish(network);
    dal_observers_destroy(network);
    dal_groups_finish(&network->groups);
    for (int i = 0; network->processes && i < network->net->process_count; i++)
        dal_process_finish(&network->processes[i]);
    for (int i = 0; network->pools && i < network->net->process_count; i++)
        dal_free(network->pools[i].wakes);
    dal_devices_close(network->devices.own);
    if (network->handler.wake)
        give_wake(network->handler.wake);
    dal_free(network->handler.launchers);
    dal_free(network->handler.queues);
    dal_free(network->handler.rows);
    dal_free(network->devices.queue_of);
    dal_free(network->control.sleepers);
    dal_free(network->workers);
    dal_free(network->pools);
    dal_free(network->channels);
    dal_free(network->processes);
    dal_free(network);
}
