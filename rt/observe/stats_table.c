/* The table of statistics on standard error (DAL_STATS=1). */
#include "channels/port.h"
#include "include/kinds.h"
#include "rt/base/setting.h"
#include "rt/device/launcher.h"
#include "rt/host/overlay.h"
#include "rt/nodes/nodes.h"
#include "rt/observe/counters.h"
#include "rt/observe/stats.h"
#include "rt/observe/timing.h"

#include <inttypes.h>

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
static void print_process(const struct dal_network *network, FILE *file, const void *item)
{
    const struct dal_process *process = item;
    int64_t wall_ns = network->wall_ns;
    const struct dal_launcher *launcher = process->launcher;
    struct work all = {process->firings, process->launches, process->time.wall_ns};
    print_work(file, process->desc->name, 0, all, wall_ns);
    for (int i = DAL_COUNTER_busy_ns; i <= DAL_COUNTER_blocked_ns; i++)
        fprintf(file, " %10.3f", 1e-6 * (double)dal_process_count(process, i));
    fprintf(file, " %6" PRIu64 "\n", dal_process_count(process, DAL_COUNTER_in_use));
    for (int i = 0; launcher && launcher->replica_count > 1 && i < launcher->replica_count; i++) {
        const struct dal_launcher_replica *replica = &launcher->replicas[i];
        struct work part = {replica->rounds * dal_launcher_round(process), replica->launches,
                            replica->busy_ns / launcher->actor.count};
        print_work(file, replica->queue->device->processor, 2, part, wall_ns);
        putc('\n', file);
    }
}

static void print_group(const struct dal_network *network, FILE *file, const void *item)
{
    const struct dal_group *group = item;
    size_t rings = 0;
    (void)network;
    for (int i = 0; i < group->overlays.count; i++)
        rings += dal_channel_ring_bytes(group->overlays.between[i].channel);
    fprintf(file, "%s to %s, %d processes%s; %d channel%s in %zu bytes, not %zu\n",
            dal__member(group, 0)->desc->name,
            dal__member(group, group->actor.count - 1)->desc->name, group->actor.count,
            group->claim.shared ? ", a copy of all on each core" : "", group->overlays.count,
            group->overlays.count == 1 ? "" : "s",
            (size_t)group->copy_count * group->overlays.bytes, rings);
}

static void print_launcher(const struct dal_network *network, FILE *file, const void *item)
{
    const struct dal_launcher *launcher = item;
    (void)network;
    fprintf(file, "%s to %s, %d processes, %" PRIu64 " rounds in %" PRIu64 " launches\n",
            launcher->actor.members[0].process->desc->name,
            launcher->actor.members[launcher->actor.count - 1].process->desc->name,
            launcher->actor.count, launcher->rounds, launcher->actor.members[0].process->launches);
}

static void print_channel(const struct dal_network *network, FILE *file, const void *item)
{
    const struct dal_channel *channel = item;
    int64_t wall_ns = network->wall_ns;
    enum dal_channel_kind kind = dal_channel_reported_kind(channel);
    uint64_t tokens = dal_channel_count(channel, DAL_COUNTER_tokens);
    uint64_t copied = dal_channel_count(channel, DAL_COUNTER_bytes_copied);
    uint64_t in_place = dal_channel_count(channel, DAL_COUNTER_bytes_in_place);
    fprintf(file, "%-24s %-8s %12" PRIu64 " %12.0f %12.3f %12.3f %8" PRIu64 "\n",
            channel->desc->name, dal_channel_traits(kind)->name, tokens,
            wall_ns > 0 ? 1e9 * (double)tokens / (double)wall_ns : 0, 1e-6 * (double)copied,
            1e-6 * (double)in_place, dal_channel_count(channel, DAL_COUNTER_left));
}

/* Prints a counted channel if a core has seen its packets. */
static void print_counted(const struct dal_network *network, FILE *file, const void *item)
{
    const struct dal_channel *channel = item;
    uint64_t packets = dal_channel_count(channel, DAL_COUNTER_tokens);
    uint64_t tokens = dal_channel_count(channel, DAL_COUNTER_packet_tokens);
    (void)network;
    if (channel->desc->most && !(channel->consumer.ops && channel->producer->ops))
        fprintf(file, "%-24s %8" PRIu64 " %12" PRIu64 " %12" PRIu64 " %12.3f\n",
                channel->desc->name, channel->desc->most, packets, tokens,
                packets ? (double)tokens / (double)packets : 0);
}

/* Prints what the reader of the newest token has got. */
static void print_newest(const struct dal_network *network, FILE *file, const void *item)
{
    const struct dal_channel *channel = item;
    uint64_t reads = dal_channel_count(channel, DAL_COUNTER_tokens);
    double age_ns = (double)dal_channel_count(channel, DAL_COUNTER_age_ns);
    (void)network;
    if (channel->port->newest)
        fprintf(file, "%-24s %12" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10.3f %10.3f\n",
                channel->desc->name, reads, dal_channel_count(channel, DAL_COUNTER_repeated),
                dal_channel_count(channel, DAL_COUNTER_lost),
                reads ? 1e-6 * age_ns / (double)reads : 0,
                1e-6 * (double)dal_channel_count(channel, DAL_COUNTER_oldest_ns));
}

/* Prints the tokens sent to another node: once, however many readers it has. */
static void print_flow(const struct dal_network *network, FILE *file, const void *item)
{
    const struct dal_flow *flow = item;
    double seconds = 1e-9 * (double)network->wall_ns, bytes = (double)flow->bytes;
    fprintf(file, "%-24s %-8s %-8s %12" PRIu64 " %12" PRIu64 " %12.3f %12.3f\n",
            flow->end->channel->desc->name, dal_nodes_name(network->nodes),
            network->whole->nodes[flow->desc.node], flow->process->firings, flow->process->launches,
            1e-6 * bytes, seconds > 0 ? 1e-6 * bytes / seconds : 0);
}

static double quantile(const struct dal_histogram *times, double part, double unit)
{
    return dal_histogram_quantile(times, part) / unit;
}

static void print_latency(const struct dal_network *network, FILE *file, const void *item)
{
    const struct dal_latency *latency = item;
    const struct dal_histogram *times = &latency->times;
    int width = fprintf(file, "%s -> %s", dal__timing_name(network, latency->desc->from),
                        dal__timing_name(network, latency->desc->to));
    fprintf(file, "%*s %12" PRIu64 " %10.3f %10.3f %10.3f %10.3f %10" PRIu64 " %10.6g\n",
            width < 24 ? 24 - width : 0, "", times->count, quantile(times, 0.5, 1e6),
            quantile(times, 0.99, 1e6), 1e-6 * times->most, 1e-6 * (double)latency->desc->max_ns,
            latency->misses, dal__timing_percentile(latency));
}

static void print_periodic(const struct dal_network *network, FILE *file, const void *item)
{
    const struct dal_process *process = item;
    const struct dal_timer *timer = process->host.timer;
    (void)network;
    fprintf(file,
            "%-24s %12" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %11.1f %11.1f %11.1f\n",
            process->desc->name, dal_timer_releases(timer), timer->misses, timer->overruns,
            timer->skipped, quantile(&timer->late, 0.5, 1e3), quantile(&timer->late, 0.99, 1e3),
            1e-3 * timer->late.most);
}

/* Prints the pace of a process that is periodic or has a clock outside (rt/host/drift.h). */
static void print_clock(const struct dal_network *network, FILE *file, const void *item)
{
    const struct dal_process *process = item;
    const struct dal_drift *drift = &process->time.drift;
    (void)network;
    if (dal_drift_per_s(drift) > 0)
        fprintf(file, "%-24s %12" PRIu64 " %14.3f %14.3f %11.1f %10.3f\n", process->desc->name,
                drift->tokens, dal_drift_per_s(drift), drift->nominal_per_s, dal_drift_ppm(drift),
                1e-9 * (double)(drift->last_ns - drift->first_ns));
}

/* Prints where a device's kernels come from, and how long it took to get them. */
static void print_kernels(const struct dal_network *network, FILE *file, const void *item)
{
    const struct dal_device *device = item;
    (void)network;
    fprintf(file, "%s: %d sources of kernels compiled, %d from the disk cache, %.1f ms\n",
            device->processor, device->built, device->loaded, 1e-6 * (double)device->ready_ns);
}

static void print_ignored(const struct dal_network *network, FILE *file, const void *item)
{
    uint64_t ignored = atomic_load(&network->control.ignored);
    (void)item;
    if (ignored)
        fprintf(file, "events ignored: %" PRIu64 "\n", ignored);
}

/* ---- the table ------------------------------------------------------------------------------- */

#define PROCESS_TITLE                                                                              \
    "process                       firings     launches    wall ms wall %    us/firing"            \
    "    busy ms  device ms starved ms blocked ms  cores\n"
#define CHANNEL_TITLE                                                                              \
    "channel                  kind           tokens     tokens/s    copied MB  in place M"         \
    "B     left\n"
#define COUNTED_TITLE "counted                      most      packets       tokens  of a packet\n"
#define NEWEST_TITLE                                                                               \
    "newest                          reads   repeated       lost    mean ms     max ms\n"
#define FLOW_TITLE                                                                                 \
    "between nodes            from     to             tokens     messages           MB   "         \
    "      MB/s\n"
#define LATENCY_TITLE                                                                              \
    "latency                    iterations     p50 ms     p99 ms     max ms allowed ms     "       \
    "misses promised %\n"
#define PERIODIC_TITLE                                                                             \
    "periodic                     releases     misses   overruns    skipped late p50 us "          \
    "late p99 us late max us\n"
#define CLOCK_TITLE                                                                                \
    "clock                          tokens       tokens/s      nominal/s   drift ppm     over s\n"

const struct dal_section dal__table_sections[DAL_STATS_FILE] = {
    {PROCESS_TITLE, DAL_ITEMS_PROCESSES, print_process},
    {"fired in turn, as one:\n", DAL_ITEMS_TOGETHER, print_group},
    {"launched as one:\n", DAL_ITEMS_LAUNCHED, print_launcher},
    {CHANNEL_TITLE, DAL_ITEMS_CHANNELS, print_channel},
    {COUNTED_TITLE, DAL_ITEMS_CHANNELS, print_counted},
    {NEWEST_TITLE, DAL_ITEMS_CHANNELS, print_newest},
    {FLOW_TITLE, DAL_ITEMS_FLOWS, print_flow},
    {LATENCY_TITLE, DAL_ITEMS_LATENCIES, print_latency},
    {PERIODIC_TITLE, DAL_ITEMS_PERIODIC, print_periodic},
    {CLOCK_TITLE, DAL_ITEMS_PROCESSES, print_clock},
    {"", DAL_ITEMS_DEVICES, print_kernels},
    {"", DAL_ITEMS_ONE, print_ignored},
};

static void print_section(const struct dal_reports *all, int section)
{
    if (dal__reports_have(all, section))
        fprintf(stderr, "\n%s", dal__table_sections[section].title);
    dal__reports_print(stderr, all, section, "");
}

static int print_table(const struct dal_reports *all)
{
    if (all->heading)
        fprintf(stderr, "\n%s, %.3f ms\n", all->heading, 1e-6 * (double)all->list[0].wall_ns);
    for (int i = 0; i < DAL_STATS_FILE; i++)
        print_section(all, i);
    return DAL_OK;
}

int dal_stats_table_wanted(void)
{
    return dal_setting_wanted("DAL_STATS") && !dal__stats_name();
}

const struct dal_observer dal_observe_table = {.name = "table",
                                               .is_wanted = dal_stats_table_wanted,
                                               .needs = DAL_NEEDS_TIMES | DAL_NEEDS_REPORT,
                                               .write = print_table};
