#include "rt/observe/stats_file.h"

#include "include/kinds.h"
#include "rt/base/error.h"
#include "rt/base/json.h"
#include "rt/base/setting.h"
#include "rt/device/launcher.h"
#include "rt/host/overlay.h"
#include "rt/nodes/nodes.h"
#include "rt/observe/counters.h"
#include "rt/observe/times.h"
#include "rt/observe/timing.h"

#include <inttypes.h>
#include <string.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

/* ---- members of JSON ------------------------------------------------------------------------- */

/* Prints ", ", unless it is the first, and the name. */
static void begin_member(FILE *file, const char *name)
{
    fprintf(file, ", \"%s\": ", name);
}

static void print_number(FILE *file, const char *name, uint64_t number)
{
    begin_member(file, name);
    fprintf(file, "%" PRIu64, number);
}

/* Prints a time, which is never negative. */
static void print_ns(FILE *file, const char *name, int64_t ns)
{
    print_number(file, name, ns > 0 ? (uint64_t)ns : 0);
}

static void print_text(FILE *file, const char *name, const char *text)
{
    begin_member(file, name);
    dal_json_print(file, text ? text : "");
}

/* Prints the first member of an entry, without a comma. */
static void begin_entry(const struct dal_network *network, FILE *file, const char *name,
                        const char *text)
{
    fprintf(file, "  {\"%s\": ", name);
    dal_json_print(file, text);
    if (network->nodes)
        print_text(file, "node", dal_nodes_name(network->nodes));
}

/* Prints name number i of a list. */
static void add_name(FILE *file, int i, const char *name)
{
    fputs(i ? ", " : "", file);
    dal_json_print(file, name);
}

static void begin_names(FILE *file, const char *member)
{
    begin_member(file, member);
    putc('[', file);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static void print_node(const struct dal_network *network, FILE *file, const void *item)
{
    const struct dal_nodes *nodes = network->nodes;
    int error = atomic_load(&network->control.error);
    (void)item;
    fputs("  {", file);
    if (nodes) {
        fputs("\"node\": ", file);
        dal_json_print(file, dal_nodes_name(nodes));
        fputs(", ", file);
    }
    fprintf(file, "\"wall_ns\": %" PRId64, network->wall_ns);
    print_ns(file, "clock_error_ns", nodes ? nodes->clock.error_ns : 0);
    print_number(file, "events_ignored", atomic_load(&network->control.ignored));
    if (error < 0)
        print_text(file, "error", dal_strerror(error));
    putc('}', file);
}

/* ---- processes ------------------------------------------------------------------------------- */

static void print_place(FILE *file, const char *member, const struct dal_network *network,
                        const struct dal_process_desc *desc)
{
    begin_names(file, member);
    for (int i = 0; i < desc->processor_count; i++)
        add_name(file, i, network->net->processors[desc->processors[i]].name);
    putc(']', file);
}

static const char *replica_name(const struct dal_launcher *launcher, int i)
{
    return launcher->replicas[i].queue->device->processor;
}

static void print_replicas(FILE *file, const struct dal_launcher *launcher)
{
    begin_names(file, "on");
    for (int i = 0; i < launcher->replica_count; i++)
        add_name(file, i, replica_name(launcher, i));
    putc(']', file);
}

static void widen(struct dal_span *span, const struct dal_span *other)
{
    if (other->first_ns && (span->first_ns == 0 || other->first_ns < span->first_ns))
        span->first_ns = other->first_ns;
    if (other->last_ns > span->last_ns)
        span->last_ns = other->last_ns;
}

/* Prints the time from the first firing to the last, over all copies or devices. */
static void print_span(FILE *file, const struct dal_network *network,
                       const struct dal_process *process)
{
    const struct dal_launcher *launcher = process->launcher;
    struct dal_span span = {0};
    for (int i = 0; launcher && i < launcher->replica_count; i++)
        widen(&span, &launcher->replicas[i].span);
    for (int i = 0; !launcher && i < process->host.copy_count; i++)
        widen(&span, &process->host.copies[i].span);
    print_ns(file, "first_ns", span.first_ns ? span.first_ns - network->begin_ns : 0);
    print_ns(file, "last_ns", span.last_ns ? span.last_ns - network->begin_ns : 0);
}

static void print_parts(FILE *file, const struct dal_process *process)
{
    const struct dal_launcher *launcher = process->launcher;
    begin_member(file, "parts");
    for (int i = 0; i < launcher->replica_count; i++) {
        const struct dal_launcher_replica *replica = &launcher->replicas[i];
        fprintf(file, "%s{\"on\": ", i ? ", " : "[");
        dal_json_print(file, replica_name(launcher, i));
        print_number(file, "firings", replica->rounds * dal_launcher_round(process));
        print_number(file, "launches", replica->launches);
        print_ns(file, "device_ns", replica->busy_ns / launcher->actor.count);
        putc('}', file);
    }
    putc(']', file);
}

/* Prints what launches have taken by their firings, over all devices. */
static void print_curve(FILE *file, const struct dal_process *process)
{
    const struct dal_launcher *launcher = process->launcher;
    struct dal_curve curve = {0};
    for (int i = 0; i < launcher->replica_count; i++)
        if (launcher->replicas[i].curve)
            dal_curve_merge(&curve, launcher->replicas[i].curve);
    dal_curve_print(file, ", ", &curve, dal_launcher_round(process), launcher->actor.count);
}

/* Prints [ns, firings, ...]: how many firings took how long, in buckets that are a fifth wide. */
static void print_spread(FILE *file, const struct dal_process *process)
{
    const struct dal_launcher *launcher = process->launcher;
    double scale = launcher ? 1.0 / (double)dal_launcher_round(process) / launcher->actor.count : 1;
    struct dal_histogram times = {0};
    const char *comma = "";
    for (int i = 0; launcher && i < launcher->replica_count; i++)
        if (launcher->replicas[i].times)
            dal_histogram_merge(&times, launcher->replicas[i].times);
    for (int i = 0; !launcher && i < process->host.copy_count; i++)
        if (process->host.copies[i].times)
            dal_histogram_merge(&times, process->host.copies[i].times);
    begin_member(file, "spread");
    putc('[', file);
    for (int i = 0; i < DAL_HISTOGRAM_BUCKETS; i += DAL_HISTOGRAM_FINE / 4) {
        uint64_t firings = dal_histogram_between(&times, i, i + DAL_HISTOGRAM_FINE / 4);
        if (firings == 0)
            continue;
        fprintf(file, "%s%.0f, %" PRIu64, comma, scale * dal_histogram_from(i), firings);
        comma = ", ";
    }
    putc(']', file);
}

/* Prints the pace of a process that is periodic or has a clock outside. */
static void print_drift(FILE *file, const struct dal_drift *drift)
{
    if (dal_drift_per_s(drift) > 0)
        fprintf(file,
                ", \"tokens_per_s\": %.12g, \"nominal_per_s\": %.12g, \"drift_ppm\": %.3f, "
                "\"drift_ns\": %" PRId64,
                dal_drift_per_s(drift), drift->nominal_per_s, dal_drift_ppm(drift),
                drift->last_ns - drift->first_ns);
}

static void print_process(const struct dal_network *network, FILE *file, const void *item)
{
    const struct dal_process *process = item;
    const struct dal_process_desc *desc = process->desc;
    const struct dal_process_desc *planned = &network->net->processes[process - network->processes];
    const struct dal_launcher *launcher = process->launcher;
    begin_entry(network, file, "process", desc->name);
    print_text(file, "type", dal__times_type(process));
    print_place(file, "planned", network, planned);
    if (launcher)
        print_replicas(file, launcher);
    else
        print_place(file, "on", network, desc);
    print_text(file, "source", desc->source);
    print_text(file, "key", desc->key);
    print_number(file, "copies", desc->shadow_copies ? desc->shadow_copies : 1);
    print_number(file, "items", desc->work_items ? desc->work_items : 1);
    print_number(file, "repetitions", desc->repetitions);
    print_number(file, launcher ? "launches" : "activations", process->launches);
    dal__counters_process(file, process, 1);
    print_span(file, network, process);
    print_drift(file, &process->time.drift);
    print_spread(file, process);
    if (launcher)
        print_curve(file, process);
    if (launcher && launcher->replica_count > 1)
        print_parts(file, process);
    putc('}', file);
}

/* ---- groups ---------------------------------------------------------------------------------- */

static void print_together(const struct dal_network *network, FILE *file, const void *item)
{
    const struct dal_group *group = item;
    uint64_t rings = 0;
    for (int i = 0; i < group->overlays.count; i++)
        rings += dal_channel_ring_bytes(group->overlays.between[i].channel);
    begin_entry(network, file, "first", dal__member(group, 0)->desc->name);
    begin_names(file, "processes");
    for (int i = 0; i < group->actor.count; i++)
        add_name(file, i, dal__member(group, i)->desc->name);
    putc(']', file);
    print_number(file, "copies", (uint64_t)group->copy_count);
    print_number(file, "channels", (uint64_t)group->overlays.count);
    print_number(file, "overlay_bytes", (uint64_t)group->copy_count * group->overlays.bytes);
    print_number(file, "ring_bytes", rings);
    putc('}', file);
}

static void print_launched(const struct dal_network *network, FILE *file, const void *item)
{
    const struct dal_launcher *launcher = item;
    begin_entry(network, file, "group", launcher->group->name);
    begin_names(file, "processes");
    for (int i = 0; i < launcher->actor.count; i++)
        add_name(file, i, launcher->actor.members[i].process->desc->name);
    putc(']', file);
    print_number(file, "rounds", launcher->rounds);
    print_number(file, "launches", launcher->actor.members[0].process->launches);
    putc('}', file);
}

/* ---- channels -------------------------------------------------------------------------------- */

/* Returns the port of a process that a channel of the net is at. */
static const char *port_name(const struct dal_net *net, int channel, int output)
{
    const struct dal_channel_desc *desc = &net->channels[channel];
    const struct dal_process_desc *process =
        &net->processes[output ? desc->producer : desc->consumer];
    for (int i = 0; i < process->port_count; i++) {
        const struct dal_port_desc *port = &process->ports[i];
        if (port->output == output &&
            (output ? dal_net_is_of_port(net, port->channel, channel) : port->channel == channel))
            return port->name;
    }
    return "";
}

static void print_end(FILE *file, const char *member, const struct dal_net *net, int channel,
                      int output)
{
    const struct dal_channel_desc *desc = &net->channels[channel];
    begin_member(file, member);
    fputs("{\"process\": ", file);
    dal_json_print(file, net->processes[output ? desc->producer : desc->consumer].name);
    print_text(file, "port", port_name(net, channel, output));
    putc('}', file);
}

static void print_waits(FILE *file, const struct dal_waits *waits, const char *count,
                        const char *ns)
{
    print_number(file, count, waits->count);
    print_ns(file, ns, waits->ns);
}

static void print_channel(const struct dal_network *network, FILE *file, const void *item)
{
    const struct dal_channel *channel = item;
    const struct dal_net *whole = network->whole;
    int part = (int)(channel->desc - network->net->channels);
    int number = network->nodes ? network->nodes->part.origins[part] : part;
    const struct dal_channel_desc *desc = &whole->channels[number];
    begin_entry(network, file, "channel", desc->name);
    print_end(file, "from", whole, number, 1);
    print_end(file, "to", whole, number, 0);
    print_text(file, "kind", dal_channel_traits(dal_channel_reported_kind(channel))->name);
    print_text(file, "planned_kind", dal_channel_traits(desc->kind)->name);
    print_number(file, "token_bytes", desc->token_bytes);
    print_number(file, "rate_in", desc->rate_in);
    print_number(file, "rate_out", desc->rate_out);
    if (desc->most)
        print_number(file, "most", desc->most);
    print_number(file, "initial_tokens", desc->initial_tokens);
    print_number(file, "capacity", dal_channel_capacity(channel));
    print_number(file, "planned_capacity", desc->capacity);
    print_number(file, "ring_bytes", dal_channel_ring_bytes(channel));
    dal__counters_channel(file, channel, 1);
    putc('}', file);
}

static void print_flow(const struct dal_network *network, FILE *file, const void *item)
{
    const struct dal_flow *flow = item;
    fputs("  {\"channel\": ", file);
    dal_json_print(file, flow->end->channel->desc->name);
    print_text(file, "from", dal_nodes_name(network->nodes));
    print_text(file, "to", network->whole->nodes[flow->desc.node]);
    print_number(file, "tokens", flow->process->firings);
    print_number(file, "messages", flow->process->launches);
    print_number(file, "bytes", flow->bytes);
    print_waits(file, &flow->end->channel->waits[1], "space_waits", "space_wait_ns");
    putc('}', file);
}

/* ---- devices and times ----------------------------------------------------------------------- */

static void print_device(const struct dal_network *network, FILE *file, const void *item)
{
    const struct dal_device *device = item;
    begin_entry(network, file, "processor", device->processor);
    print_text(file, "device", device->info.identifier);
    print_number(file, "compiled", (uint64_t)device->built);
    print_number(file, "cached", (uint64_t)device->loaded);
    print_ns(file, "ready_ns", device->ready_ns);
    putc('}', file);
}

/* Prints the median, the 99th percentile and the maximum. */
static void print_times(FILE *file, const struct dal_histogram *times, const char *const *names)
{
    print_ns(file, names[0], (int64_t)dal_histogram_quantile(times, 0.5));
    print_ns(file, names[1], (int64_t)dal_histogram_quantile(times, 0.99));
    print_ns(file, names[2], (int64_t)times->most);
}

static void print_latency(const struct dal_network *network, FILE *file, const void *item)
{
    static const char *const names[] = {"p50_ns", "p99_ns", "max_ns"};
    const struct dal_latency *latency = item;
    struct dal_latency_counts counts = dal_latency_count(latency);
    begin_entry(network, file, "from", dal__timing_name(network, latency->desc->from));
    print_text(file, "to", dal__timing_name(network, latency->desc->to));
    print_number(file, "iterations", counts.iterations);
    print_times(file, &latency->times, names);
    print_ns(file, "allowed_ns", latency->desc->max_ns);
    fprintf(file, ", \"percentile\": %.6g", dal__timing_percentile(latency));
    print_number(file, "percentile_ns", counts.percentile_ns);
    print_number(file, "misses", counts.misses);
    print_number(file, "lost", counts.lost);
    putc('}', file);
}

static void print_periodic(const struct dal_network *network, FILE *file, const void *item)
{
    static const char *const names[] = {"late_p50_ns", "late_p99_ns", "late_max_ns"};
    const struct dal_process *process = item;
    begin_entry(network, file, "process", process->desc->name);
    dal__counters_periodic(file, process->host.timer);
    print_times(file, &process->host.timer->late, names);
    putc('}', file);
}

/* ---- the file -------------------------------------------------------------------------------- */

const struct dal_section dal__file_sections[] = {
    {"nodes", DAL_ITEMS_ONE, print_node},
    {"processes", DAL_ITEMS_PROCESSES, print_process},
    {"together", DAL_ITEMS_TOGETHER, print_together},
    {"launched", DAL_ITEMS_LAUNCHED, print_launched},
    {"channels", DAL_ITEMS_CHANNELS, print_channel},
    {"flows", DAL_ITEMS_FLOWS, print_flow},
    {"devices", DAL_ITEMS_DEVICES, print_device},
    {"latencies", DAL_ITEMS_LATENCIES, print_latency},
    {"periodic", DAL_ITEMS_PERIODIC, print_periodic},
};

static void print_list(FILE *file, const struct dal_reports *all, int section)
{
    int some = dal__reports_have(all, section);
    fprintf(file, ",\n \"%s\": [", dal__file_sections[section - DAL_STATS_FILE].title);
    fputs(some ? "\n" : "", file);
    dal__reports_print(file, all, section, ",\n");
    fputs(some ? "\n ]" : "]", file);
}

int dal__stats_print(FILE *file, const struct dal_reports *all)
{
    fputs("{\"dal-stats\": 1", file);
    print_text(file, "version", PACKAGE_VERSION);
    print_text(file, "network", all->list[0].network);
    if (all->label)
        print_text(file, "run", all->label);
    print_ns(file, "wall_ns", all->list[0].wall_ns);
    for (int i = DAL_STATS_FILE; i < DAL_STATS_TIMES; i++)
        print_list(file, all, i);
    fputs("}\n", file);
    return DAL_OK;
}

const char *dal__stats_name(void)
{
    const char *value = dal_setting_wanted("DAL_STATS");
    return value && strpbrk(value, "./") ? value : NULL;
}

const struct dal_observer dal_observe_stats = {.name = "stats",
                                               .variable = "DAL_STATS=",
                                               .file_name = dal__stats_name,
                                               .needs = DAL_NEEDS_TIMES | DAL_NEEDS_SPREADS |
                                                        DAL_NEEDS_REPORT,
                                               .print = dal__stats_print};
