#include "rt/observe/timing.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "rt/device/launcher.h"

#include <assert.h>
#include <inttypes.h>

struct latencies {
    struct dal_latency *list; /* in the table's order */
    int count;
};

struct dal_latency *dal__timing_latencies(const struct dal_network *network)
{
    const struct latencies *latencies = dal_observer_state(network, &dal_observe_timing);
    return latencies ? latencies->list : NULL;
}

/* ---- making ---------------------------------------------------------------------------------- */

/* Returns the marks of a process. The planned repetitions count: a process that has fallen back
 * fires as often in an iteration. */
static struct dal_probe *marks_of(struct dal_network *network, int number)
{
    struct dal_process *process = &network->processes[number];
    if (process->marks)
        return process->marks;
    assert(network->net->processes[number].repetitions > 0);
    process->marks = dal_calloc_apart(1, sizeof(*process->marks));
    if (process->marks)
        process->marks->repetitions = network->net->processes[number].repetitions;
    return process->marks;
}

static int make_latencies(struct dal_network *network, void **state)
{
    const struct dal_net *net = network->net;
    struct latencies *latencies = *state = dal_calloc(1, sizeof(*latencies));
    int status = DAL_OK;
    if (latencies)
        latencies->list =
            dal_calloc_apart((size_t)net->latency_count + 1, sizeof(*latencies->list));
    if (!latencies || !latencies->list)
        return DAL_ERR_NOMEM;
    latencies->count = net->latency_count;
    for (int i = 0; status == DAL_OK && i < net->latency_count; i++) {
        const struct dal_latency_desc *desc = &net->latencies[i];
        struct dal_probe *from = marks_of(network, desc->from), *to = marks_of(network, desc->to);
        status = from && to ? dal_latency_init(&latencies->list[i], desc, from, to) : DAL_ERR_NOMEM;
    }
    return status;
}

static int make_timers(struct dal_network *network)
{
    for (int i = 0; i < network->net->process_count; i++) {
        struct dal_process *process = &network->processes[i];
        if (!process->desc->periodic || process->ops != &dal_process_c)
            continue;
        process->host.timer = dal_calloc_apart(1, sizeof(*process->host.timer));
        if (!process->host.timer)
            return DAL_ERR_NOMEM;
    }
    return DAL_OK;
}

static void tell_worker(struct dal_worker *worker)
{
    for (int i = 0; i < worker->group_count; i++)
        worker->periodic |= dal__member(worker->groups[i], 0)->host.timer != NULL;
}

/* Makes both, once workers and groups exist. */
static int make_timing(struct dal_network *network, void **state)
{
    if (make_latencies(network, state) < 0 || make_timers(network) < 0)
        return dal_no_memory();
    for (int i = 0; i < network->groups.alone_count; i++)
        if (network->groups.alone[i].actor.count)
            dal_actor_take_notes(&network->groups.alone[i].actor);
    for (int i = 0; i < network->groups.together_count; i++)
        dal_actor_take_notes(&network->groups.together[i].actor);
    for (int i = 0; i < network->handler.launcher_count; i++)
        dal_actor_take_notes(&network->handler.launchers[i].actor);
    for (int i = 0; i < network->worker_count; i++)
        tell_worker(&network->workers[i]);
    return DAL_OK;
}

static void start_timer(struct dal_process *process, int64_t start_ns)
{
    const struct dal_period_desc *periodic = process->desc->periodic;
    const struct dal_end *end = dal_process_paced_end(process);
    double tokens = (double)(periodic->repetitions * (end ? end->rate : 1));
    dal_timer_start(process->host.timer, periodic, start_ns);
    dal_drift_begin(&process->time.drift, 1e9 * tokens / (double)periodic->period_ns);
}

/* Starts the timers before the workers: the first releases count from now. */
static int start_timing(struct dal_network *network, void **state)
{
    int64_t start_ns = dal_now_ns();
    (void)state;
    for (int i = 0; i < network->net->process_count; i++) {
        struct dal_process *process = &network->processes[i];
        if (process->host.timer)
            start_timer(process, start_ns);
    }
    return DAL_OK;
}

/* Timers and marks belong to their processes. */
static void destroy_timing(void *state)
{
    struct latencies *latencies = state;
    for (int i = 0; i < latencies->count; i++)
        dal_latency_finish(&latencies->list[i]);
    dal_free(latencies->list);
    dal_free(latencies);
}

/* ---- warnings -------------------------------------------------------------------------------- */

/* Writes what is promised of a part of all iterations, and of how many it was kept. */
static void tell_percentile(const struct dal_latency *latency, char *text, size_t room)
{
    double late = (double)latency->misses / (double)latency->times.count;
    *text = '\0';
    if (latency->desc->late_ppm)
        snprintf(text, room, ", %.4f %% did not, and %.6g %% were promised", 100 - 100 * late,
                 dal__timing_percentile(latency));
}

/* Writes what the second process waited for before the end of the longest iteration. */
static void tell_wait(const struct dal_network *network, const struct dal_latency *latency,
                      char *text, size_t room)
{
    const struct dal_probe_wait *wait = &latency->longest;
    *text = '\0';
    for (int i = 0; wait->at && i < network->net->channel_count; i++) {
        const struct dal_channel *channel = network->channels[i];
        int output = wait->at == &channel->waits[1];
        if (output || wait->at == &channel->waits[0])
            snprintf(text, room, ", for %.3f ms of which %.99s waited for %s %.99s",
                     1e-6 * (double)wait->ns, dal__timing_name(network, latency->desc->to),
                     output ? "space in front of" : "tokens of",
                     dal__timing_name(network,
                                      output ? channel->desc->consumer : channel->desc->producer));
    }
}

static void warn_latency(const struct dal_network *network, const struct dal_latency *latency)
{
    const struct dal_latency_desc *desc = latency->desc;
    const char *from = dal__timing_name(network, desc->from);
    const char *to = dal__timing_name(network, desc->to);
    double most_ms = 1e-6 * latency->times.most;
    char percentile[80], wait[320];
    tell_percentile(latency, percentile, sizeof(percentile));
    tell_wait(network, latency, wait, sizeof(wait));
    if (!dal_latency_is_kept(latency))
        dal_log(DAL_LOG_WARNING,
                "latency %s -> %s: %" PRIu64 " of %" PRIu64
                " iterations took more than %.6g ms%s; the longest %.*f ms%s (%s:%d)",
                from, to, latency->misses, latency->times.count, 1e-6 * (double)desc->max_ns,
                percentile, most_ms < 10 ? 3 : 1, most_ms, wait, desc->origin.file,
                desc->origin.line);
    if (latency->lost)
        dal_log(DAL_LOG_WARNING,
                "latency %s -> %s: %" PRIu64
                " iterations were not counted: more than %d were on their way (%s:%d)",
                from, to, latency->lost, DAL_LATENCY_SLOTS, desc->origin.file, desc->origin.line);
}

static void warn_process(const struct dal_process *process)
{
    const struct dal_process_desc *desc = process->desc;
    const struct dal_timer *timer = process->host.timer;
    if (timer && timer->misses)
        dal_log(DAL_LOG_WARNING,
                "process %s: %" PRIu64 " of %" PRIu64
                " releases missed their deadline of %.6g ms (%s:%d)",
                desc->name, timer->misses, dal_timer_releases(timer),
                1e-6 * (double)desc->periodic->deadline_ns, desc->origin.file, desc->origin.line);
}

static void warn_worker(const struct dal_worker *worker)
{
    if (worker->rests)
        dal_log(DAL_LOG_WARNING,
                "processor %s: its real-time thread took all of a core for 100 ms, and left it to "
                "others for 5 ms, %" PRIu64 " time%s",
                worker->name, worker->rests, worker->rests == 1 ? "" : "s");
}

static void warn_all(const struct dal_network *network, const void *state)
{
    const struct latencies *latencies = state;
    for (int i = 0; i < network->worker_count; i++)
        warn_worker(&network->workers[i]);
    for (int i = 0; i < network->net->process_count; i++)
        warn_process(&network->processes[i]);
    for (int i = 0; i < latencies->count; i++)
        warn_latency(network, &latencies->list[i]);
}

const struct dal_observer dal_observe_timing = {.name = "timing",
                                                .install = make_timing,
                                                .start = start_timing,
                                                .warn = warn_all,
                                                .destroy = destroy_timing};
