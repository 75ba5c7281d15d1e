#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/nodes/nodes.h"
#include "rt/observe/levels.h"
#include "rt/observe/stats.h"

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
    levels = dal__levels_list(network, &level_count);
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
                                               .is_wanted = dal_trace_wanted,
                                               .needs = DAL_NEEDS_TIMES | DAL_NEEDS_REPORT,
                                               .check = dal_trace_check,
                                               .write = write_trace};
