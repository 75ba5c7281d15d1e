#define _GNU_SOURCE
#include "rt/observe/stats.h"

#include "rt/base/error.h"
#include "rt/base/memory_stream.h"
#include "rt/device/launcher.h"
#include "rt/nodes/nodes.h"
#include "rt/observe/timing.h"

/* All sections, in the order of a report, with the observers that write them. */
static const struct {
    const struct dal_section *list;
    const char *between; /* two items */
    int end;             /* the number of the section behind them */
    const struct dal_observer *rows[2];
} kinds[] = {
    {dal__table_sections, "", DAL_STATS_FILE, {&dal_observe_table}},
    {dal__file_sections, ",\n", DAL_STATS_TIMES, {&dal_observe_stats, &dal_observe_page}},
    {&dal__times_section, "", DAL_STATS_TRACE, {&dal_observe_times}},
    {&dal__trace_section, "", DAL_STATS_SECTIONS, {&dal_observe_trace, &dal_observe_page}},
};

static int count_items(const struct dal_network *network, enum dal_items items)
{
    const int counts[] = {
        [DAL_ITEMS_ONE] = 1,
        [DAL_ITEMS_PROCESSES] = network->net->process_count,
        [DAL_ITEMS_PERIODIC] = network->net->process_count,
        [DAL_ITEMS_TOGETHER] = network->groups.together_count,
        [DAL_ITEMS_LAUNCHED] = network->handler.launcher_count,
        [DAL_ITEMS_CHANNELS] = network->net->channel_count,
        [DAL_ITEMS_FLOWS] = network->nodes ? network->nodes->part.flow_count : 0,
        [DAL_ITEMS_DEVICES] = network->handler.queue_count,
        [DAL_ITEMS_LATENCIES] = network->net->latency_count,
    };
    return counts[items];
}

/* Returns item number i, or NULL if it is none of those. */
static const void *find_item(const struct dal_network *network, enum dal_items items, int i)
{
    switch (items) {
    case DAL_ITEMS_PROCESSES:
        return network->processes[i].ops->is_proxy ? NULL : &network->processes[i];
    case DAL_ITEMS_PERIODIC:
        return network->processes[i].host.timer ? &network->processes[i] : NULL;
    case DAL_ITEMS_TOGETHER:
        return &network->groups.together[i];
    case DAL_ITEMS_LAUNCHED:
        return network->handler.launchers[i].group ? &network->handler.launchers[i] : NULL;
    case DAL_ITEMS_CHANNELS:
        return network->processes[network->channels[i]->desc->consumer].ops->is_proxy
                   ? NULL
                   : network->channels[i];
    case DAL_ITEMS_FLOWS:
        return network->nodes->flows[i].desc.output ? NULL : &network->nodes->flows[i];
    case DAL_ITEMS_DEVICES:
        return network->handler.queues[i].device;
    case DAL_ITEMS_LATENCIES:
        return &dal__timing_latencies(network)[i];
    case DAL_ITEMS_ONE:
        break;
    }
    return network;
}

static void print_items(const struct dal_network *network, FILE *file,
                        const struct dal_section *section, const char *between)
{
    int i, count = count_items(network, section->items), some = 0;
    for (i = 0; i < count; i++) {
        const void *item = find_item(network, section->items, i);
        if (!item)
            continue;
        fputs(some++ ? between : "", file);
        section->print(network, file, item);
    }
}

int dal_stats_make(const struct dal_network *network, struct dal_stats_report *report)
{
    int i = 0;
    *report =
        (struct dal_stats_report){.network = network->whole->name, .wall_ns = network->wall_ns};
    for (int kind = 0; i < DAL_STATS_SECTIONS; kind++) {
        int wanted = dal_observed_by(network, kinds[kind].rows[0]) ||
                     dal_observed_by(network, kinds[kind].rows[1]);
        for (int first = i; i < kinds[kind].end; i++) {
            struct dal_memory_stream stream;
            dal_memory_open(&stream);
            if (stream.file && wanted)
                print_items(network, stream.file, &kinds[kind].list[i - first],
                            kinds[kind].between);
            report->texts[i] = dal_memory_close(&stream);
            report->bytes[i] = stream.bytes;
            if (!report->texts[i])
                return dal_no_memory();
        }
    }
    return DAL_OK;
}

void dal_stats_finish(struct dal_stats_report *report)
{
    for (int i = 0; i < DAL_STATS_SECTIONS; i++)
        free(report->texts[i]);
    *report = (struct dal_stats_report){0};
}
