#define _GNU_SOURCE
#include "rt/observe/stats.h"

#include "include/kinds.h"
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/memory_stream.h"
#include "rt/base/output.h"
#include "rt/base/setting.h"
#include "rt/device/launcher.h"
#include "rt/host/overlay.h"
#include "rt/nodes/nodes.h"
#include "rt/observe/counters.h"
#include "rt/observe/levels.h"
#include "rt/observe/report.h"
#include "rt/observe/stats_file.h"
#include "rt/observe/times.h"
#include "rt/observe/timing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int dal_stats_wanted(void)
{
    return dal_setting_wanted("DAL_STATS") || dal_setting_wanted("DAL_TIMES") || dal_trace_kept();
}

/* Returns the file's name, or NULL. DAL_STATS=1 and the like are no names. */
static const char *stats_file(void)
{
    const char *value = dal_setting_wanted("DAL_STATS");
    return value && strpbrk(value, "./") ? value : NULL;
}

int dal_stats_file_wanted(void)
{
    return stats_file() || dal_report_name();
}

int dal_stats_table_wanted(void)
{
    return dal_setting_wanted("DAL_STATS") && !stats_file();
}

int dal_times_wanted(void)
{
    return dal_setting_wanted("DAL_TIMES") != NULL;
}

int dal_spreads_wanted(void)
{
    return dal_times_wanted() || dal_stats_file_wanted();
}

struct work {
    uint64_t firings, launches;
    int64_t wall_ns;
};

static void print_work(FILE *file, const char *name, int indent, struct work work, int64_t wall_ns)
{
    double firings = work.firings ? (double)work.firings : 1, wall = (double)work.wall_ns;
    fprintf(file, "%*s%-*s %12" PRIu64 " %12" PRIu64 " %10.3f %6.1f %12.3f", indent, "",
            24 - indent, name, work.firings, work.launches, 1e-6 * wall,
            wall_ns > 0 ? 100 * wall / (double)wall_ns : 0, 1e-3 * wall / firings);
}

/* Prints a process, and the part of each of its devices if there are several. The processes of a
 * group share a launch's time equally. */
static void print_process(FILE *file, const struct dal_process *process, int64_t wall_ns)
{
    const struct dal_launcher *launcher = process->launcher;
    struct work all = {process->firings, process->launches, process->wall_ns};
    int i;
    print_work(file, process->desc->name, 0, all, wall_ns);
    for (i = DAL_COUNTER_busy_ns; i < DAL_COUNTERS_OF_PROCESS; i++)
        fprintf(file, " %10.3f", 1e-6 * (double)dal_process_count(process, i));
    putc('\n', file);
    for (i = 0; launcher && launcher->lane_count > 1 && i < launcher->lane_count; i++) {
        const struct dal_launcher_lane *lane = &launcher->lanes[i];
        struct work part = {lane->rounds * dal_launcher_round(process), lane->launches,
                            lane->busy_ns / launcher->actor.count};
        print_work(file, lane->queue->device->processor, 2, part, wall_ns);
        putc('\n', file);
    }
}

static void print_processes(const struct dal_network *network, FILE *file)
{
    int i;
    for (i = 0; i < network->net->process_count; i++)
        if (!network->processes[i].ops->is_courier)
            print_process(file, &network->processes[i], network->wall_ns);
}

static void print_group(FILE *file, const struct dal_group *group)
{
    size_t rings = 0;
    int i;
    for (i = 0; i < group->overlays.count; i++)
        rings += dal_channel_ring_bytes(group->overlays.between[i].channel);
    fprintf(file, "%s to %s, %d processes%s; %d channel%s in %zu bytes, not %zu\n",
            dal__member(group, 0)->desc->name,
            dal__member(group, group->actor.count - 1)->desc->name, group->actor.count,
            group->claim.shared ? ", a copy of all on each core" : "", group->overlays.count,
            group->overlays.count == 1 ? "" : "s",
            (size_t)group->copy_count * group->overlays.bytes, rings);
}

static void print_groups(const struct dal_network *network, FILE *file)
{
    int i;
    for (i = 0; i < network->groups.together_count; i++)
        print_group(file, &network->groups.together[i]);
}

static void print_launchers(const struct dal_network *network, FILE *file)
{
    int i;
    for (i = 0; i < network->handler.launcher_count; i++) {
        const struct dal_launcher *launcher = &network->handler.launchers[i];
        if (launcher->group)
            fprintf(file, "%s to %s, %d processes, %" PRIu64 " rounds in %" PRIu64 " launches\n",
                    launcher->actor.members[0].process->desc->name,
                    launcher->actor.members[launcher->actor.count - 1].process->desc->name,
                    launcher->actor.count, launcher->rounds,
                    launcher->actor.members[0].process->launches);
    }
}

static void print_channel(FILE *file, const struct dal_channel *channel, int64_t wall_ns)
{
    enum dal_channel_kind kind =
        channel->desc->kind == DAL_CHANNEL_REMOTE ? channel->desc->kind : channel->kind;
    uint64_t tokens = dal_channel_count(channel, DAL_COUNTER_tokens);
    uint64_t copied = dal_channel_count(channel, DAL_COUNTER_bytes_copied);
    uint64_t in_place = dal_channel_count(channel, DAL_COUNTER_bytes_in_place);
    fprintf(file, "%-24s %-8s %12" PRIu64 " %12.0f %12.3f %12.3f %8" PRIu64 "\n",
            channel->desc->name, dal_channel_traits(kind)->name, tokens,
            wall_ns > 0 ? 1e9 * (double)tokens / (double)wall_ns : 0, 1e-6 * (double)copied,
            1e-6 * (double)in_place, dal_channel_count(channel, DAL_COUNTER_left));
}

/* Prints the counted channels whose packets a core has seen. */
static void print_counted(const struct dal_network *network, FILE *file)
{
    int i;
    for (i = 0; i < network->net->channel_count; i++) {
        const struct dal_channel *channel = network->channels[i];
        uint64_t packets = dal_channel_count(channel, DAL_COUNTER_tokens);
        uint64_t tokens = dal_channel_count(channel, DAL_COUNTER_packet_tokens);
        if (!channel->desc->most || (channel->consumer.ops && channel->producer->ops) ||
            network->processes[channel->desc->consumer].ops->is_courier)
            continue;
        fprintf(file, "%-24s %8" PRIu64 " %12" PRIu64 " %12" PRIu64 " %12.3f\n",
                channel->desc->name, channel->desc->most, packets, tokens,
                packets ? (double)tokens / (double)packets : 0);
    }
}

/* Prints the channels. One that leads to another node is printed there. */
static void print_channels(const struct dal_network *network, FILE *file)
{
    int i;
    for (i = 0; i < network->net->channel_count; i++)
        if (!network->processes[network->channels[i]->desc->consumer].ops->is_courier)
            print_channel(file, network->channels[i], network->wall_ns);
}

/* Prints the tokens sent to other nodes: once for each node, however many readers it has. */
static void print_flows(const struct dal_network *network, FILE *file)
{
    const struct dal_nodes *nodes = network->nodes;
    int i;
    for (i = 0; nodes && i < nodes->part.flow_count; i++) {
        const struct dal_flow *flow = &nodes->flows[i];
        double seconds = 1e-9 * (double)network->wall_ns, bytes = (double)flow->bytes;
        if (flow->desc.output)
            continue;
        fprintf(file, "%-24s %-8s %-8s %12" PRIu64 " %12" PRIu64 " %12.3f %12.3f\n",
                flow->end->channel->desc->name, dal_nodes_name(nodes),
                network->whole->nodes[flow->desc.node], flow->process->firings,
                flow->process->launches, 1e-6 * bytes, seconds > 0 ? 1e-6 * bytes / seconds : 0);
    }
}

static double quantile(const struct dal_histogram *times, double part, double unit)
{
    return dal_histogram_quantile(times, part) / unit;
}

static void print_latencies(const struct dal_network *network, FILE *file)
{
    int i;
    for (i = 0; i < network->net->latency_count; i++) {
        const struct dal_latency *latency = &network->latencies[i];
        const struct dal_histogram *times = &latency->times;
        int width = fprintf(file, "%s -> %s", dal__timing_name(network, latency->desc->from),
                            dal__timing_name(network, latency->desc->to));
        fprintf(file, "%*s %12" PRIu64 " %10.3f %10.3f %10.3f %10.3f %10" PRIu64 "\n",
                width < 24 ? 24 - width : 0, "", times->count, quantile(times, 0.5, 1e6),
                quantile(times, 0.99, 1e6), 1e-6 * times->most,
                1e-6 * (double)latency->desc->max_ns, latency->misses);
    }
}

static void print_periodic(const struct dal_network *network, FILE *file)
{
    int i;
    for (i = 0; i < network->net->process_count; i++) {
        const struct dal_timer *timer = network->processes[i].host.timer;
        if (timer)
            fprintf(file,
                    "%-24s %12" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64
                    " %11.1f %11.1f %11.1f\n",
                    dal__timing_name(network, i), dal_timer_releases(timer), timer->misses,
                    timer->overruns, timer->skipped, quantile(&timer->late, 0.5, 1e3),
                    quantile(&timer->late, 0.99, 1e3), 1e-3 * timer->late.most);
    }
}

/* Prints where the devices' kernels come from, and how long it took to get them. */
static void print_kernels(const struct dal_network *network, FILE *file)
{
    for (int i = 0; i < network->handler.queue_count; i++) {
        const struct dal_device *device = network->handler.queues[i].device;
        fprintf(file, "%s: %d sources of kernels compiled, %d from the disk cache, %.1f ms\n",
                device->processor, device->built, device->loaded, 1e-6 * (double)device->ready_ns);
    }
}

static void print_ignored(const struct dal_network *network, FILE *file)
{
    uint64_t ignored = atomic_load(&network->control.ignored);
    if (ignored)
        fprintf(file, "events ignored: %" PRIu64 "\n", ignored);
}

static void put_first(struct dal_trace_row **rows, struct dal_trace_row *row)
{
    row->next = *rows;
    *rows = row;
}

/* Puts a device's transfers behind its launches, if it has any. */
static void put_device(struct dal_trace_row **rows, struct dal_device_rows *device)
{
    int sort;
    for (sort = DAL_TRACE_SORTS; sort-- > 0;)
        if (sort == DAL_TRACE_FIRINGS || device->rows[sort].count)
            put_first(rows, &device->rows[sort]);
}

static void print_trace(const struct dal_network *network, FILE *file)
{
    const struct dal_nodes *nodes = network->nodes;
    struct dal_trace_origin origin = {.number = 1};
    struct dal_trace_row *rows = NULL;
    const struct dal_trace_level *levels;
    int i, level_count;
    levels = dal__levels_list(network, &level_count);
    if (nodes)
        origin = (struct dal_trace_origin){nodes->link->rank + 1, dal_nodes_name(nodes),
                                           nodes->clock.begin_ns};
    for (i = network->handler.queue_count; i-- > 0;)
        put_device(&rows, &network->handler.rows[i]);
    for (i = network->worker_count; i-- > 0;)
        put_first(&rows, &network->workers[i].row);
    dal_trace_write_part(file, rows, levels, level_count, &origin);
}

#define PROCESS_TITLE                                                                              \
    "process                       firings     launches    wall ms wall %    us/firing"            \
    "    busy ms  device ms starved ms blocked ms\n"
#define CHANNEL_TITLE                                                                              \
    "channel                  kind           tokens     tokens/s    copied MB  in place M"         \
    "B     left\n"
#define COUNTED_TITLE "counted                      most      packets       tokens  of a packet\n"
#define FLOW_TITLE                                                                                 \
    "between nodes            from     to             tokens     messages           MB   "         \
    "      MB/s\n"
#define LATENCY_TITLE                                                                              \
    "latency                    iterations     p50 ms     p99 ms     max ms allowed ms     "       \
    "misses\n"
#define PERIODIC_TITLE                                                                             \
    "periodic                     releases     misses   overruns    skipped late p50 us "          \
    "late p99 us late max us\n"

/* The sections of the reports; those of the table and of its file are in their order. */
static const struct section {
    const char *title; /* NULL: not in the table; "": no title */
    void (*print)(const struct dal_network *network, FILE *file);
    int (*is_wanted)(void);
} sections[DAL_STATS_SECTIONS] = {
    {PROCESS_TITLE, print_processes, dal_stats_table_wanted},
    {"fired in turn, as one:\n", print_groups, dal_stats_table_wanted},
    {"launched as one:\n", print_launchers, dal_stats_table_wanted},
    {CHANNEL_TITLE, print_channels, dal_stats_table_wanted},
    {COUNTED_TITLE, print_counted, dal_stats_table_wanted},
    {FLOW_TITLE, print_flows, dal_stats_table_wanted},
    {LATENCY_TITLE, print_latencies, dal_stats_table_wanted},
    {PERIODIC_TITLE, print_periodic, dal_stats_table_wanted},
    {"", print_kernels, dal_stats_table_wanted},
    {"", print_ignored, dal_stats_table_wanted},
    [DAL_STATS_FILE] = {NULL, dal__stats_nodes, dal_stats_file_wanted},
    {NULL, dal__stats_processes, dal_stats_file_wanted},
    {NULL, dal__stats_together, dal_stats_file_wanted},
    {NULL, dal__stats_launched, dal_stats_file_wanted},
    {NULL, dal__stats_channels, dal_stats_file_wanted},
    {NULL, dal__stats_flows, dal_stats_file_wanted},
    {NULL, dal__stats_devices, dal_stats_file_wanted},
    {NULL, dal__stats_latencies, dal_stats_file_wanted},
    {NULL, dal__stats_periodic, dal_stats_file_wanted},
    [DAL_STATS_TIMES] = {NULL, dal__times_print, dal_times_wanted},
    [DAL_STATS_TRACE] = {NULL, print_trace, dal_trace_kept},
};

int dal_stats_make(const struct dal_network *network, struct dal_stats_report *report)
{
    int i;
    *report =
        (struct dal_stats_report){.network = network->whole->name, .wall_ns = network->wall_ns};
    for (i = 0; i < DAL_STATS_SECTIONS; i++) {
        struct dal_memory_stream stream;
        dal_memory_open(&stream);
        if (stream.file && sections[i].is_wanted())
            sections[i].print(network, stream.file);
        report->texts[i] = dal_memory_close(&stream);
        report->bytes[i] = stream.bytes;
        if (!report->texts[i])
            return dal__no_memory();
    }
    return DAL_OK;
}

void dal_stats_finish(struct dal_stats_report *report)
{
    int i;
    for (i = 0; i < DAL_STATS_SECTIONS; i++)
        free(report->texts[i]);
    *report = (struct dal_stats_report){0};
}

/* ---- of one node or of several --------------------------------------------------------------- */

static void print_section(const struct dal_stats_report *reports, int count, int section)
{
    int i, some = 0;
    for (i = 0; i < count; i++)
        some |= *reports[i].texts[section] != '\0';
    if (some)
        fprintf(stderr, "\n%s", sections[section].title);
    for (i = 0; i < count; i++)
        fputs(reports[i].texts[section], stderr);
}

static void print_table(const struct dal_stats_report *reports, int count, const char *heading)
{
    int i;
    if (heading)
        fprintf(stderr, "\n%s, %.3f ms\n", heading, 1e-6 * (double)reports[0].wall_ns);
    for (i = 0; i < DAL_STATS_SECTIONS; i++)
        if (sections[i].title)
            print_section(reports, count, i);
}

static int write_stats(const struct dal_stats_report *reports, int count, const char *label)
{
    char *name = dal_trace_file(stats_file(), label);
    int status = name ? dal__stats_write(name, reports, count, label) : DAL_ERR_NOMEM;
    dal_free(name);
    return status;
}

static int write_times(const struct dal_stats_report *reports, int count, const char *label)
{
    char *name = dal_trace_file(dal_setting_wanted("DAL_TIMES"), label);
    int status = name ? dal__times_write(name, reports, count) : DAL_ERR_NOMEM;
    dal_free(name);
    return status;
}

struct dal_trace_part *dal__stats_trace_parts(const struct dal_stats_report *reports, int count)
{
    struct dal_trace_part *parts = dal_calloc((size_t)count, sizeof(*parts));
    int i;
    for (i = 0; parts && i < count; i++)
        parts[i] = (struct dal_trace_part){reports[i].texts[DAL_STATS_TRACE],
                                           reports[i].bytes[DAL_STATS_TRACE]};
    return parts;
}

static int write_trace(const struct dal_stats_report *reports, int count, const char *label,
                       const char *about)
{
    struct dal_trace_part *parts = dal__stats_trace_parts(reports, count);
    int status = parts ? dal_trace_write(parts, count, label, about) : dal__no_memory();
    dal_free(parts);
    return status;
}

int dal_stats_write(const struct dal_stats_report *reports, int count, const char *heading,
                    const char *label, const char *about)
{
    int stats, times, trace, page;
    if (dal_stats_table_wanted())
        print_table(reports, count, heading);
    stats = stats_file() ? write_stats(reports, count, label) : DAL_OK;
    times = dal_times_wanted() ? write_times(reports, count, label) : DAL_OK;
    trace = dal_trace_wanted() ? write_trace(reports, count, label, about) : DAL_OK;
    page = dal_report_name() ? dal__report_write(reports, count, label) : DAL_OK;
    return stats < 0 ? stats : times < 0 ? times : trace < 0 ? trace : page;
}

/* `name` may be NULL. */
static int check_file(const char *what, const char *name, const char *label)
{
    char *file = name ? dal_trace_file(name, label) : NULL;
    int status = file ? dal_output_check(what, file) : name ? DAL_ERR_NOMEM : DAL_OK;
    dal_free(file);
    return status;
}

int dal_stats_check(const char *label)
{
    int status = check_file("DAL_STATS=", stats_file(), label);
    if (status == DAL_OK)
        status = check_file("DAL_TIMES=", dal_setting_wanted("DAL_TIMES"), label);
    if (status == DAL_OK)
        status = dal_trace_check(label);
    return status < 0 ? status : dal__report_check(label);
}
