/* Prints an analysis as tables. */
#include "synth/command/analyze_print.h"

#include "rt/base/error.h"
#include "spec/base/table.h"

#include <inttypes.h>

size_t dal_analyze_open(const struct dal_spec_network *network)
{
    size_t count = 0;
    for (size_t i = 0; i < network->process_count; i++)
        count += (size_t)dal_spec_is_open(&network->processes[i]);
    return count;
}

int dal_analyze_keeps(struct dal_sdf_period period, double throughput)
{
    if (period.verdict == DAL_SDF_UNKNOWN)
        return -1;
    if (period.verdict == DAL_SDF_PERIODIC)
        return (double)period.under >= throughput * (double)period.over * (1 - 1e-12);
    return period.verdict == DAL_SDF_UNBOUNDED;
}

static struct dal_cell period_text(struct dal_sdf_period period)
{
    static const char *const words[] = {[DAL_SDF_UNBOUNDED] = "no bound",
                                        [DAL_SDF_DEADLOCK] = "deadlock",
                                        [DAL_SDF_UNKNOWN] = "unknown"};
    if (period.verdict != DAL_SDF_PERIODIC)
        return dal_cell_format("%s", words[period.verdict]);
    if (period.under == 1)
        return dal_cell_format("%" PRIu64, period.over);
    return dal_cell_format("%" PRIu64 "/%" PRIu64, period.over, period.under);
}

static struct dal_cell capacity_text(const uint64_t *capacity, int known, size_t channel)
{
    if (known && capacity[channel] != DAL_SDF_UNLIMITED)
        return dal_cell_format("%" PRIu64, capacity[channel]);
    return dal_cell_format(known ? "*" : "-");
}

static uint64_t count_firings(const struct dal_sdf_report *report)
{
    uint64_t total = 0;
    for (size_t i = 0; i < report->graph.process_count; i++)
        if (__builtin_add_overflow(total, dal_sdf_firings(&report->graph.processes[i]), &total))
            return UINT64_MAX;
    return total;
}

/* Writes rates as "1,0,2"; of a long sequence, only the beginning. */
static void add_phases(struct dal_text *t, const struct dal_sdf_phases *phases, uint64_t constant)
{
    if (phases->count == 0)
        dal_text_printf(t, "%" PRIu64, constant);
    for (size_t i = 0; i < phases->count && i < 8; i++)
        dal_text_printf(t, "%s%" PRIu64, i ? "," : "", phases->of[i]);
    if (phases->count > 8)
        dal_text_add(t, ",..");
}

/* Tells how many firings of a process may be under way at once, and why. */
static void add_overlap(struct dal_text *t, const struct dal_sdf_report *report, size_t process)
{
    static const char *const reasons[] = {[DAL_SDF_FREE] = "",
                                          [DAL_SDF_UNREAD] = " (no source read)",
                                          [DAL_SDF_LOOP] = " (channel to itself)",
                                          [DAL_SDF_STATE] = " (state)",
                                          [DAL_SDF_MAPPING] = " (mapping)"};
    struct dal_sdf_overlap overlap = dal_sdf_report_overlap(report, process);
    if (!overlap.at_once && overlap.why != DAL_SDF_LOOP)
        dal_text_printf(t, "\vany%s\n", reasons[overlap.why]);
    else
        dal_text_printf(t, "\v%" PRIu64 "%s\n", overlap.at_once, reasons[overlap.why]);
}

static int print_processes(const struct dal_sdf_report *report, FILE *out)
{
    struct dal_text t = {0};
    dal_text_add(&t, "process\vfirings\vtime\vat once\n");
    for (size_t i = 0; i < report->graph.process_count; i++) {
        const struct dal_sdf_process *process = &report->graph.processes[i];
        dal_text_printf(&t, "%s\v%" PRIu64 "\v", process->name, dal_sdf_firings(process));
        add_phases(&t, &process->times, process->time);
        add_overlap(&t, report, i);
    }
    fputc('\n', out);
    return dal_table_print(&t, out);
}

static int print_channels(const struct dal_sdf_report *report, FILE *out)
{
    struct dal_text t = {0};
    const struct dal_sdf_process *processes = report->graph.processes;
    int dead = report->deadlock.dead;
    dal_text_add(&t, "channel\vfrom -> to\vrates\vinitial\vsize\vminimum\vfastest\n");
    for (size_t i = 0; i < report->graph.channel_count; i++) {
        const struct dal_sdf_channel *c = &report->graph.channels[i];
        int given = report->given[i] != DAL_SDF_UNLIMITED;
        dal_text_printf(&t, "%s\v%s -> %s\v", c->name, processes[c->producer].name,
                        processes[c->consumer].name);
        add_phases(&t, &c->phases_in, c->rate_in);
        dal_text_add(&t, " -> ");
        add_phases(&t, &c->phases_out, c->rate_out);
        dal_text_printf(
            &t, "\v%" PRIu64 "\v%s\v%s\v%s\n", c->initial_tokens,
            capacity_text(report->given, given, i).text,
            capacity_text(report->minimum.capacity, !dead && report->minimum.found, i).text,
            capacity_text(report->fastest.capacity, !dead && report->fastest.found, i).text);
    }
    fputc('\n', out);
    return dal_table_print(&t, out);
}

static void add_point(struct dal_text *t, const char *what, const struct dal_sdf_buffers *buffers)
{
    dal_text_printf(t, "%s\v%" PRIu64 "\v%s\v", what, buffers->total,
                    period_text(buffers->period).text);
    if (buffers->least < buffers->total)
        dal_text_printf(t, "not proven: at least %" PRIu64 "\n", buffers->least);
    else
        dal_text_add(t, "no fewer are enough\n");
}

/* The trade-off points but the first and the last stand between these. */
static int print_points(const struct dal_sdf_report *report, FILE *out)
{
    struct dal_text t = {0};
    dal_text_add(&t, "capacities\vtokens\vperiod\v\n");
    if (report->minimum.found)
        add_point(&t, "minimum", &report->minimum);
    for (size_t i = 0; i < report->front.count; i++)
        add_point(&t, "trade-off", &report->front.points[i]);
    if (report->fastest.found)
        add_point(&t, "fastest", &report->fastest);
    fputc('\n', out);
    return dal_table_print(&t, out);
}

/* Prints the capacities of the points between the first and the last, a line each. */
static void print_front(const struct dal_sdf_report *report, FILE *out)
{
    for (size_t i = 0; i < report->front.count; i++) {
        const struct dal_sdf_buffers *point = &report->front.points[i];
        const char *before = ":";
        fprintf(out, "%strade-off with %" PRIu64 " tokens", i ? "" : "\n", point->total);
        for (size_t k = 0; k < report->graph.channel_count; k++) {
            if (dal_sdf_is_loop(&report->graph.channels[k]))
                continue;
            fprintf(out, "%s %s %" PRIu64, before, report->graph.channels[k].name,
                    point->capacity[k]);
            before = ",";
        }
        fputc('\n', out);
    }
}

/* Tells why there is no bound on throughput: whatever waits for itself takes no time. */
static const char *why_unbounded(const struct dal_sdf_graph *graph)
{
    size_t timed = 0;
    for (size_t i = 0; i < graph->process_count; i++) {
        const struct dal_sdf_process *process = &graph->processes[i];
        uint64_t longest = process->times.count ? 0 : process->time;
        for (size_t k = 0; k < process->times.count; k++)
            longest = process->times.of[k] > longest ? process->times.of[k] : longest;
        timed += longest > 0;
    }
    if (timed == 0)
        return "no firing takes time";
    return timed < graph->process_count
               ? "no process that takes time is kept from firing concurrently with itself, so more "
                 "capacity always helps"
               : "no process is kept from firing concurrently with itself, so more capacity always "
                 "helps";
}

static void print_speed(const struct dal_sdf_report *report, FILE *out)
{
    fputc('\n', out);
    if (report->unbounded.verdict == DAL_SDF_UNBOUNDED)
        fprintf(out, "period: no bound on throughput; %s\n", why_unbounded(&report->graph));
    else
        fprintf(out, "period: %s time units an iteration at best\n",
                period_text(report->unbounded).text);
    if (report->all_given)
        fprintf(out, "period: %s with the sizes given\n", period_text(report->given_period).text);
    if (report->has_latency)
        fprintf(out,
                "latency: %" PRIu64 " time units for the first iteration, with the %s "
                "capacities\n",
                report->latency, report->fastest.found ? "fastest" : "minimum");
}

static void print_gaps(const struct dal_sdf_report *report, FILE *out)
{
    if (report->with_front && !report->front.complete)
        fprintf(out,
                "\nThe %s was reached: more trade-off points may lie at %" PRIu64
                " tokens and above.\n",
                report->front.full ? "limit of points" : "time limit", report->front.reached);
    if (!report->live_known)
        fputs("\nOne iteration has too many firings to be executed: it may deadlock.\n", out);
}

static void print_open(const struct dal_spec_network *whole, FILE *out)
{
    const char *title = "\nOpen ports: the outside is taken to be always ready:\n";
    for (size_t i = 0; i < whole->process_count; i++) {
        const struct dal_spec_process *p = &whole->processes[i];
        if (!dal_spec_is_open(p))
            continue;
        fprintf(out, "%s  %s port %s\n", title, p->ports->output ? "input" : "output", p->name);
        title = "";
    }
}

/* Prints what the tables above do not cover. */
static void print_left_out(const struct dal_spec_network *whole, FILE *out)
{
    const char *title =
        "\nNot covered, since a rate is dynamic (a deadlock there is found when it runs):\n";
    for (size_t i = 0; i < whole->process_count; i++) {
        if (!dal_analyze_is_kpn(&whole->processes[i]))
            continue;
        fprintf(out, "%s  process %s\n", title, whole->processes[i].name);
        title = "";
    }
    for (size_t i = 0; i < whole->channel_count; i++) {
        const struct dal_spec_channel *c = &whole->channels[i];
        if (dal_analyze_is_kpn(c->producer) || dal_analyze_is_kpn(c->consumer))
            fprintf(out, "  channel %s: %s -> %s\n", c->name, c->producer->name, c->consumer->name);
    }
    for (size_t i = 0; i < whole->channel_count; i++)
        if (whole->channels[i].newest.is_given)
            fprintf(out, "\nChannel %s keeps the newest token alone: %s and %s are apart.\n",
                    whole->channels[i].name, whole->channels[i].producer->name,
                    whole->channels[i].consumer->name);
}

static int shows_no_limit(const struct dal_sdf_report *report)
{
    const struct dal_sdf_buffers *shown = &report->minimum;
    if (!shown->found)
        shown = &report->fastest;
    for (size_t i = 0; shown->found && i < report->graph.channel_count; i++)
        if (shown->capacity[i] == DAL_SDF_UNLIMITED)
            return 1;
    return 0;
}

static int has_several_readers(const struct dal_sdf_graph *graph)
{
    size_t i = 0;
    while (i < graph->channel_count && graph->channels[i].first_of_port == i)
        i++;
    return i < graph->channel_count;
}

/* Prints the releases: the network is no faster than its processes are released. */
static void print_releases(const struct dal_spec *spec, const struct dal_sdf_report *report,
                           FILE *out)
{
    for (size_t i = 0; i < report->graph.process_count; i++) {
        const struct dal_sdf_process *p = &report->graph.processes[i];
        const struct dal_spec_period *periodic = &spec->network.processes[p->origin].periodic;
        if (periodic->period_ns)
            fprintf(out, "period: %.6g ms an iteration by the releases of %s, in addition\n",
                    dal_spec_released_ns(periodic, p->repetitions) / 1e6, p->name);
    }
}

static void print_asked(const struct dal_spec *spec, const struct dal_sdf_report *report, FILE *out)
{
    static const char *const words[] = {"unknown whether it is kept", "not kept", "kept"};
    double asked = spec->network.throughput;
    if (asked <= 0)
        return;
    fprintf(out, "throughput: %.10g iterations a time unit are asked for: %s at best", asked,
            words[1 + dal_analyze_keeps(report->unbounded, asked)]);
    if (report->all_given)
        fprintf(out, ", %s with the sizes given",
                words[1 + dal_analyze_keeps(report->given_period, asked)]);
    fputc('\n', out);
}

/* Prints the assumptions behind the periods above. */
static void print_assumptions(const struct dal_spec *spec, const struct dal_sdf_report *report,
                              FILE *out)
{
    size_t unread = 0;
    for (size_t i = 0; i < report->graph.process_count; i++)
        unread += dal_sdf_report_overlap(report, i).why == DAL_SDF_UNREAD;
    fprintf(out, "\nPeriods hold for unlimited processors; %s.\n",
            spec->mapping.binding_count > 0
                ? "of the mapping only sources, sizes and shadow copies are used"
                : "no mapping is used");
    if (report->by_cycles)
        fputs("A firing of a cyclo-static process is one of its cycles here, as when it runs.\n",
              out);
    if (unread)
        fprintf(out,
                "%zu of %zu processes have no source that can be read: taken to keep no state and "
                "to fire concurrently with themselves.\n",
                unread, report->graph.process_count);
}

static int print_results(const struct dal_spec *spec, const struct dal_sdf_report *report,
                         FILE *out)
{
    int status = print_processes(report, out);
    if (!status)
        status = print_channels(report, out);
    if (status || report->deadlock.dead)
        return status;
    status = print_points(report, out);
    print_front(report, out);
    print_speed(report, out);
    print_releases(spec, report, out);
    print_asked(spec, report, out);
    print_gaps(report, out);
    print_assumptions(spec, report, out);
    if (shows_no_limit(report))
        fputs("* no limit: a channel from a process to itself, not counted\n", out);
    if (has_several_readers(&report->graph))
        fputs("The channels of one port have one buffer, which counts once.\n", out);
    return status;
}

int dal_analyze_table(const struct dal_spec *spec, const struct dal_sdf_report *report, FILE *out)
{
    const struct dal_spec_network *whole = &spec->network;
    size_t processes = whole->process_count, open = dal_analyze_open(whole);
    int status = DAL_OK;
    fprintf(out, "network %s: %zu processes, %zu channels, ", whole->name, processes - open,
            whole->channel_count);
    if (open)
        fprintf(out, "%zu open port%s, ", open, open == 1 ? "" : "s");
    if (!report->consistent)
        fputs("inconsistent\n", out);
    else
        fprintf(out, "%sconsistent, %" PRIu64 " firings an iteration%s\n",
                report->graph.process_count + open < processes ? "static part " : "",
                count_firings(report), report->deadlock.dead ? ", deadlock" : "");
    if (report->consistent && report->graph.process_count > 0)
        status = print_results(spec, report, out);
    print_open(whole, out);
    print_left_out(whole, out);
    return status;
}
