/*
 * DAL_PROGRESS=S prints a line on standard error every S seconds: how far the running network is.
 *
 * One thread reads counters (counters.h), which their owners go on to count, and lengths
 * (DAL_setLength). On a terminal each line overwrites the last one.
 * On several nodes, the first one tells of its own part.
 */
#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "rt/base/setting.h"
#include "rt/base/thread.h"
#include "rt/base/ticker.h"
#include "rt/nodes/nodes.h"
#include "rt/observe/counters.h"
#include "rt/observe/observers.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { LINE_BYTES = 200 };

struct dal_progress {
    const struct dal_network *network;
    int64_t period_ns;
    int terminal;
    struct dal_ticker ticker;
    /* The moment and the counts of the last line. */
    int64_t told_ns;
    double told_iterations;
    int64_t *firing_ns; /* by process */
};

/* ---- what is told ---------------------------------------------------------------------------- */

/* Returns the whole iterations of the network. Without fixed rates, returns the firings of the
 * process that fired least. */
static double count_iterations(const struct dal_network *network)
{
    double fewest = -1, fewest_firings = -1;
    for (int i = 0; i < network->net->process_count; i++) {
        const struct dal_process *process = &network->processes[i];
        double firings = (double)dal_process_count(process, DAL_COUNTER_firings);
        uint64_t repetitions = process->desc->repetitions;
        if (process->ops->is_proxy)
            continue;
        if (repetitions && (fewest < 0 || firings / (double)repetitions < fewest))
            fewest = floor(firings / (double)repetitions);
        if (fewest_firings < 0 || firings < fewest_firings)
            fewest_firings = firings;
    }
    return fewest >= 0 ? fewest : fewest_firings;
}

/* Returns the longest time that a process needs for the rest of its firings, at the pace so far.
 * Returns -1 if no process has told its length. */
static double seconds_left(const struct dal_network *network, double seconds)
{
    double most = -1;
    for (int i = 0; i < network->net->process_count; i++) {
        const struct dal_process *process = &network->processes[i];
        double length = (double)atomic_load_explicit(&process->length, memory_order_relaxed);
        double firings = (double)dal_process_count(process, DAL_COUNTER_firings);
        double left = firings > 0 && length > firings ? (length / firings - 1) * seconds : 0;
        if (length > 0 && firings > 0 && left > most)
            most = left;
    }
    return most;
}

/* Finds the process that fired longest since the last line. Returns its part of that time. */
static double find_longest(struct dal_progress *progress, int64_t span_ns, int *longest)
{
    const struct dal_network *network = progress->network;
    double most = -1;
    for (int i = 0; i < network->net->process_count; i++) {
        int64_t ns = (int64_t)dal_process_count(&network->processes[i], DAL_COUNTER_firing_ns);
        double part = (double)(ns - progress->firing_ns[i]) / (double)span_ns;
        int copies = network->net->processes[i].shadow_copies;
        progress->firing_ns[i] = ns;
        part /= copies > 1 ? copies : 1;
        if (part > most) {
            most = part;
            *longest = i;
        }
    }
    return most > 1 ? 1 : most;
}

/* Finds the fullest channel that is not empty. Returns its fill, from 0 to 1. */
static double find_fullest(const struct dal_network *network, int *fullest)
{
    double most = 0;
    for (int i = 0; i < network->net->channel_count; i++) {
        const struct dal_channel *channel = network->channels[i];
        uint64_t capacity = dal_channel_capacity(channel);
        double part =
            (double)dal_channel_count(channel, DAL_COUNTER_left) / (double)(capacity + !capacity);
        if (part > most) {
            most = part;
            *fullest = i;
        }
    }
    return most > 1 ? 1 : most;
}

static void add_time(char *line, size_t *length, double seconds, const char *what)
{
    unsigned long whole = (unsigned long)seconds;
    if (whole < 60)
        *length +=
            (size_t)snprintf(line + *length, LINE_BYTES - *length, "%.1f s%s", seconds, what);
    else
        *length += (size_t)snprintf(line + *length, LINE_BYTES - *length, "%lu:%02lu:%02lu%s",
                                    whole / 3600, whole / 60 % 60, whole % 60, what);
}

/* Writes "net: 3.0 s, 1204 iterations, 398.1/s, Gauss fires 97 %, c2 holds 100 %, 9.1 s left". */
static void tell_now(struct dal_progress *progress, char *line)
{
    const struct dal_network *network = progress->network;
    int64_t now_ns = dal_now_ns(), span_ns = now_ns - progress->told_ns;
    double iterations = count_iterations(network);
    double seconds = 1e-9 * (double)(now_ns - network->begin_ns);
    double left = seconds_left(network, seconds), part;
    int number = 0;
    size_t length = 0;
    span_ns += !span_ns;
    add_time(line, &length, seconds, "");
    length += (size_t)snprintf(line + length, LINE_BYTES - length, ", %.0f iterations, %.4g/s",
                               iterations,
                               1e9 * (iterations - progress->told_iterations) / (double)span_ns);
    part = find_longest(progress, span_ns, &number);
    if (part >= 0)
        length += (size_t)snprintf(line + length, LINE_BYTES - length, ", %.40s fires %.0f %%",
                                   network->net->processes[number].name, 100 * part);
    part = find_fullest(network, &number);
    if (part > 0)
        length += (size_t)snprintf(line + length, LINE_BYTES - length, ", %.40s holds %.0f %%",
                                   network->net->channels[number].name, 100 * part);
    if (left > 0 && length < LINE_BYTES - 2) {
        length += (size_t)snprintf(line + length, LINE_BYTES - length, ", ");
        add_time(line, &length, left, " left");
    }
    progress->told_ns = now_ns;
    progress->told_iterations = iterations;
}

/* Prints a line at once, so that no message cuts it. On a terminal the cursor returns to the line's
 * begin, and the next output overwrites it. */
static void print_line(const struct dal_progress *progress, const char *line)
{
    if (progress->terminal)
        fprintf(stderr, "\r\033[K%.60s: %s\r", progress->network->net->name, line);
    else
        fprintf(stderr, "%.60s: %s\n", progress->network->net->name, line);
}

/* ---- the thread ------------------------------------------------------------------------------ */

static void *tell_progress(void *argument)
{
    struct dal_progress *progress = argument;
    char line[LINE_BYTES];
    dal_thread_begin();
    while (dal_ticker_sleep(&progress->ticker, progress->told_ns + progress->period_ns)) {
        tell_now(progress, line);
        print_line(progress, line);
    }
    return NULL;
}

static int read_period(int64_t *period_ns)
{
    const char *text = dal_setting_wanted("DAL_PROGRESS");
    char *rest;
    double seconds = strtod(text, &rest);
    if (*rest || !(seconds >= 0.01 && seconds <= 86400)) {
        dal_log(DAL_LOG_ERROR, "DAL_PROGRESS=%s: seconds between lines are wanted, 0.01 to 86400",
                text);
        return DAL_ERR_INVALID;
    }
    *period_ns = (int64_t)(1e9 * seconds);
    return DAL_OK;
}

static int check_progress(const char *label)
{
    int64_t period_ns;
    (void)label;
    return read_period(&period_ns);
}

static int start_progress(struct dal_network *network, void **state)
{
    struct dal_progress *progress;
    int64_t period_ns;
    int status;
    if (network->nodes && network->nodes->link->rank > 0)
        return DAL_OK;
    status = read_period(&period_ns);
    if (status < 0)
        return status;
    progress = *state = dal_calloc(1, sizeof(*progress));
    if (progress)
        progress->firing_ns =
            dal_calloc((size_t)network->net->process_count + 1, sizeof(*progress->firing_ns));
    if (!progress || !progress->firing_ns)
        return dal_no_memory();
    progress->network = network;
    progress->period_ns = period_ns;
    progress->terminal = isatty(STDERR_FILENO);
    progress->told_ns = network->begin_ns;
    return dal_ticker_start(&progress->ticker, "DAL_PROGRESS", tell_progress, progress);
}

/* Prints the last line. */
static int stop_progress(struct dal_network *network, void *state)
{
    struct dal_progress *progress = state;
    double iterations, seconds;
    if (!progress)
        return DAL_OK;
    dal_ticker_stop(&progress->ticker);
    iterations = count_iterations(network);
    seconds = 1e-9 * (double)(dal_now_ns() - network->begin_ns);
    fprintf(stderr, "%s%.60s: %.1f s, %.0f iterations, %.4g/s in all\n",
            progress->terminal ? "\r\033[K" : "", network->net->name, seconds, iterations,
            seconds > 0 ? iterations / seconds : 0);
    return DAL_OK;
}

static void destroy_progress(void *state)
{
    struct dal_progress *progress = state;
    dal_free(progress->firing_ns);
    dal_free(progress);
}

const struct dal_observer dal_observe_progress = {.name = "progress",
                                                  .variable = "DAL_PROGRESS",
                                                  .needs = DAL_NEEDS_TIMES,
                                                  .check = check_progress,
                                                  .start = start_progress,
                                                  .stop = stop_progress,
                                                  .destroy = destroy_progress};
