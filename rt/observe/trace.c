/*
 * Samples the fill of all channels while a network runs, for its trace and its page (DAL_TRACE,
 * DAL_REPORT).
 *
 * A thread samples them every 0.1 ms at first. When it has no more room, it forgets every second
 * moment and samples half as often. So a run of any length has some hundred moments, and at most
 * 2^18 numbers. Nothing of a run waits for it.
 */
#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "rt/base/thread.h"
#include "rt/base/ticker.h"
#include "rt/nodes/nodes.h"
#include "rt/observe/counters.h"
#include "rt/observe/stats.h"
#include "rt/trace/trace_file.h"

#include <string.h>

/* ---- levels ---------------------------------------------------------------------------------- */

enum { MOST_NUMBERS = 1 << 18, MOST_MOMENTS = 512, FEWEST_MOMENTS = 16, FIRST_PERIOD_NS = 100000 };

struct dal_levels {
    const struct dal_network *network;
    size_t channel_count, room, count; /* moments */
    int64_t period_ns;
    int64_t *at_ns;
    uint32_t *tokens; /* of all channels at the first moment, then at the second, and so on */
    struct dal_trace_level *list;
    struct dal_ticker ticker;
};

/* Keeps every second moment. */
static void thin_out(struct dal_levels *levels)
{
    size_t k, row = levels->channel_count * sizeof(*levels->tokens);
    for (k = 1; 2 * k < levels->count; k++) {
        levels->at_ns[k] = levels->at_ns[2 * k];
        memcpy(levels->tokens + k * levels->channel_count,
               levels->tokens + 2 * k * levels->channel_count, row);
    }
    levels->count = k;
    levels->period_ns *= 2;
}

static void look_at_all(struct dal_levels *levels)
{
    uint32_t *tokens;
    if (levels->count == levels->room)
        thin_out(levels);
    tokens = levels->tokens + levels->count * levels->channel_count;
    levels->at_ns[levels->count++] = dal_now_ns();
    for (size_t i = 0; i < levels->channel_count; i++) {
        uint64_t left = dal_channel_count(levels->network->channels[i], DAL_COUNTER_left);
        tokens[i] = left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;
    }
}

static void *look_again_and_again(void *argument)
{
    struct dal_levels *levels = argument;
    dal_thread_begin();
    do
        look_at_all(levels);
    while (dal_ticker_sleep(&levels->ticker, dal_now_ns() + levels->period_ns));
    return NULL;
}

static int make_room(struct dal_levels *levels)
{
    levels->room = MOST_NUMBERS / levels->channel_count;
    if (levels->room > MOST_MOMENTS)
        levels->room = MOST_MOMENTS;
    if (levels->room < FEWEST_MOMENTS)
        levels->room = FEWEST_MOMENTS;
    levels->at_ns = dal_calloc(levels->room, sizeof(*levels->at_ns));
    levels->tokens = dal_calloc(levels->room * levels->channel_count, sizeof(*levels->tokens));
    levels->list = dal_calloc(levels->channel_count, sizeof(*levels->list));
    return levels->at_ns && levels->tokens && levels->list ? DAL_OK : dal_no_memory();
}

static int start_levels(struct dal_network *network, void **state)
{
    struct dal_levels *levels;
    int status;
    if (network->net->channel_count == 0)
        return DAL_OK;
    levels = *state = dal_calloc(1, sizeof(*levels));
    if (!levels)
        return dal_no_memory();
    levels->network = network;
    levels->channel_count = (size_t)network->net->channel_count;
    levels->period_ns = FIRST_PERIOD_NS;
    status = make_room(levels);
    return status < 0
               ? status
               : dal_ticker_start(&levels->ticker, dal_report_name() ? "DAL_REPORT" : "DAL_TRACE",
                                  look_again_and_again, levels);
}

/* Takes the last sample. */
static int stop_levels(struct dal_network *network, void *state)
{
    struct dal_levels *levels = state;
    (void)network;
    if (!levels)
        return DAL_OK;
    dal_ticker_stop(&levels->ticker);
    look_at_all(levels);
    return DAL_OK;
}

/* Returns the levels of the channels that are read on this node, or *count 0 if there are none. The
 * list belongs to the network. */
static const struct dal_trace_level *list_levels(const struct dal_network *network, int *count)
{
    const struct dal_levels *levels = dal_observer_state(network, &dal_observe_levels);
    *count = 0;
    for (size_t i = 0; levels && levels->list && i < levels->channel_count; i++) {
        const struct dal_channel_desc *desc = network->channels[i]->desc;
        if (!network->processes[desc->consumer].ops->is_proxy)
            levels->list[(*count)++] = (struct dal_trace_level){.name = desc->name,
                                                                .at_ns = levels->at_ns,
                                                                .tokens = levels->tokens + i,
                                                                .stride = levels->channel_count,
                                                                .count = levels->count};
    }
    return levels ? levels->list : NULL;
}

static void destroy_levels(void *state)
{
    struct dal_levels *levels = state;
    dal_free(levels->at_ns);
    dal_free(levels->tokens);
    dal_free(levels->list);
    dal_free(levels);
}

const struct dal_observer dal_observe_levels = {.name = "levels",
                                                .is_wanted = dal_trace_kept,
                                                .start = start_levels,
                                                .stop = stop_levels,
                                                .destroy = destroy_levels};

/* ---- the trace ------------------------------------------------------------------------------- */

static void put_first(struct dal_trace_row **rows, struct dal_trace_row *row)
{
    row->next = *rows;
    *rows = row;
}

/* Puts a device's transfers behind its launches, if it has any. */
static void put_device(struct dal_trace_row **rows, struct dal_device_rows *device)
{
    for (int sort = DAL_TRACE_SORTS; sort-- > 0;)
        if (sort == DAL_TRACE_FIRINGS || device->rows[sort].count)
            put_first(rows, &device->rows[sort]);
}

static void print_trace(const struct dal_network *network, FILE *file, const void *item)
{
    const struct dal_nodes *nodes = network->nodes;
    struct dal_trace_origin origin = {.number = 1};
    struct dal_trace_row *rows = NULL;
    const struct dal_trace_level *levels;
    int level_count;
    (void)item;
    levels = list_levels(network, &level_count);
    if (nodes)
        origin = (struct dal_trace_origin){nodes->link->rank + 1, dal_nodes_name(nodes),
                                           nodes->clock.begin_ns};
    for (int i = network->handler.queue_count; i-- > 0;)
        put_device(&rows, &network->handler.rows[i]);
    for (int i = network->worker_count; i-- > 0;)
        put_first(&rows, &network->workers[i].row);
    dal_trace_write_part(file, rows, levels, level_count, &origin);
}

const struct dal_section dal__trace_section = {NULL, DAL_ITEMS_ONE, print_trace};

struct dal_trace_part *dal__trace_parts(const struct dal_reports *all)
{
    struct dal_trace_part *parts = dal_calloc((size_t)all->count, sizeof(*parts));
    for (int i = 0; parts && i < all->count; i++)
        parts[i] = (struct dal_trace_part){all->list[i].texts[DAL_STATS_TRACE],
                                           all->list[i].bytes[DAL_STATS_TRACE]};
    return parts;
}

static int write_trace(const struct dal_reports *all)
{
    struct dal_trace_part *parts = dal__trace_parts(all);
    int status =
        parts ? dal_trace_write(parts, all->count, all->label, all->about) : dal_no_memory();
    dal_free(parts);
    return status;
}

const struct dal_observer dal_observe_trace = {.name = "trace",
                                               .variable = "DAL_TRACE=",
                                               .file_name = dal__trace_name,
                                               .needs = DAL_NEEDS_TIMES | DAL_NEEDS_REPORT,
                                               .check = dal_trace_check,
                                               .write = write_trace};
