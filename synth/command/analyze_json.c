/* Prints an analysis as JSON. */
#include "synth/command/analyze_print.h"

#include "rt/base/error.h"
#include "rt/base/json.h"

#include <inttypes.h>

static void print_period(FILE *out, struct dal_sdf_period period)
{
    if (period.verdict == DAL_SDF_UNBOUNDED)
        fputs("\"no bound\"", out);
    else if (period.verdict != DAL_SDF_PERIODIC)
        fputs("null", out);
    else if (period.under == 1)
        fprintf(out, "%" PRIu64, period.over);
    else
        fprintf(out, "\"%" PRIu64 "/%" PRIu64 "\"", period.over, period.under);
}

/* Prints "name":value, with a comma before all but the first. */
static void print_number(FILE *out, const char *name, uint64_t value, int *first)
{
    dal_json_format(out, "%-s%s:%" PRIu64, *first ? "" : ",", name, value);
    *first = 0;
}

/* {"channel":number,...} of the entries that are not 0 and not a process's channel to itself. */
static void print_capacities(FILE *out, const struct dal_sdf_report *report,
                             const uint64_t *capacity)
{
    int first = 1;
    fputc('{', out);
    for (size_t i = 0; i < report->graph.channel_count; i++)
        if (capacity[i] && !dal_sdf_is_loop(&report->graph.channels[i]))
            print_number(out, report->graph.channels[i].name, capacity[i], &first);
    fputc('}', out);
}

static void print_point(FILE *out, const struct dal_sdf_report *report,
                        const struct dal_sdf_buffers *buffers)
{
    fputs("{\"capacities\":", out);
    print_capacities(out, report, buffers->capacity);
    fprintf(out, ",\"total\":%" PRIu64, buffers->total);
    if (buffers->least < buffers->total)
        fprintf(out, ",\"proven\":false,\"at_least\":%" PRIu64, buffers->least);
    fputs(",\"period\":", out);
    print_period(out, buffers->period);
    fputc('}', out);
}

static void print_buffers(FILE *out, const struct dal_sdf_report *report, const char *name,
                          const struct dal_sdf_buffers *buffers)
{
    fprintf(out, buffers->found ? "\"%s\":" : "\"%s\":null", name);
    if (buffers->found)
        print_point(out, report, buffers);
}

static void print_front(FILE *out, const struct dal_sdf_report *report)
{
    const struct dal_sdf_front *front = &report->front;
    fputs(",\"pareto\":[", out);
    for (size_t i = 0; i < front->count; i++) {
        fputs(i ? "," : "", out);
        print_point(out, report, &front->points[i]);
    }
    fputc(']', out);
    if (!front->complete)
        fprintf(out, ",\"pareto_complete_below\":%" PRIu64 ",\"pareto_ended_by\":\"%s\"",
                front->reached, front->full ? "points" : "time");
}

/* Firings of an iteration, and of a cycle where a process is cyclo-static. */
static void print_repetitions(FILE *out, const struct dal_sdf_report *report)
{
    size_t cyclic = 0;
    int first = 1;
    fputs(",\"repetition\":{", out);
    for (size_t i = 0; i < report->graph.process_count; i++)
        print_number(out, report->graph.processes[i].name,
                     dal_sdf_firings(&report->graph.processes[i]), &first);
    fputc('}', out);
    for (size_t i = 0; i < report->graph.process_count; i++)
        cyclic += dal_sdf_is_cyclic(&report->graph.processes[i]);
    if (cyclic == 0)
        return;
    fputs(",\"phases\":{", out);
    first = 1;
    for (size_t i = 0; i < report->graph.process_count; i++)
        if (dal_sdf_is_cyclic(&report->graph.processes[i]))
            print_number(out, report->graph.processes[i].name, report->graph.processes[i].phases,
                         &first);
    fputc('}', out);
}

static void print_cycle(FILE *out, const struct dal_sdf_report *report)
{
    const struct dal_sdf_contradiction *c = &report->contradiction;
    const struct dal_sdf_graph *graph = &report->graph;
    fputs(",\"cycle\":[", out);
    for (size_t i = 0; i < c->count; i++) {
        const struct dal_sdf_channel *channel = &graph->channels[c->steps[i].channel];
        dal_json_format(
            out,
            "%-s{\"name\":%s,\"from\":%s,\"writes\":%" PRIu64 ",\"to\":%s,\"reads\":%" PRIu64 "}",
            i ? "," : "", channel->name, graph->processes[channel->producer].name, channel->rate_in,
            graph->processes[channel->consumer].name, channel->rate_out);
    }
    fputc(']', out);
    if (c->near)
        fprintf(out, ",\"products\":[%" PRIu64 ",%" PRIu64 "]", c->near, c->far);
}

/* {"channel":rate,...} of the rates that change. */
static void print_rates(FILE *out, const struct dal_sdf_report *report, const uint64_t *rates,
                        int in)
{
    int first = 1;
    fputc('{', out);
    for (size_t i = 0; i < report->graph.channel_count; i++) {
        const struct dal_sdf_channel *channel = &report->graph.channels[i];
        if (rates[i] != (in ? channel->rate_in : channel->rate_out))
            print_number(out, channel->name, rates[i], &first);
    }
    fputc('}', out);
}

static void print_contradiction(FILE *out, const struct dal_sdf_report *report)
{
    const struct dal_sdf_change *change = &report->contradiction.change;
    print_cycle(out, report);
    fputs(",\"fix\":", out);
    if (!change->found) {
        fputs("null", out);
        return;
    }
    fputs("{\"tokenratein\":", out);
    print_rates(out, report, change->rate_in, 1);
    fputs(",\"tokenrateout\":", out);
    print_rates(out, report, change->rate_out, 0);
    fprintf(out, ",\"smallest\":%s}", change->is_smallest ? "true" : "null");
}

static void print_wait(FILE *out, const struct dal_sdf_report *report,
                       const struct dal_sdf_wait *wait)
{
    dal_json_format(out, "{\"name\":%s,\"process\":%s,%s:%" PRIu64 ",\"needs\":%" PRIu64 "}",
                    report->graph.channels[wait->channel].name,
                    report->graph.processes[wait->process].name, wait->space ? "space" : "tokens",
                    wait->have, wait->need);
}

static void print_tokens(FILE *out, const struct dal_sdf_report *report)
{
    int first = 1;
    fputc('{', out);
    for (size_t i = 0; i < report->graph.channel_count; i++)
        if (report->deadlock.more_tokens[i])
            print_number(
                out, report->graph.channels[i].name,
                dal_sdf_tokens_in_file(&report->graph.channels[i], report->deadlock.more_tokens[i]),
                &first);
    fputc('}', out);
}

/* Prints the sizes of channels that need another size: more tokens need room, too. */
static void print_sizes(FILE *out, const struct dal_sdf_report *report)
{
    const struct dal_sdf_deadlock *d = &report->deadlock;
    int first = 1;
    fputc('{', out);
    for (size_t i = 0; i < report->graph.channel_count; i++)
        if (report->given[i] != DAL_SDF_UNLIMITED && (d->more_capacity[i] || d->more_tokens[i]))
            print_number(out, report->graph.channels[i].name,
                         report->given[i] + d->more_capacity[i] + d->more_tokens[i], &first);
    fputc('}', out);
}

static void print_fix(FILE *out, const struct dal_sdf_report *report)
{
    fputs("],\"fix\":", out);
    if (!report->deadlock.has_fix) {
        fputs("null}", out);
        return;
    }
    fputs("{\"initialtokens\":", out);
    print_tokens(out, report);
    fputs(",\"size\":", out);
    print_sizes(out, report);
    fprintf(out, ",\"smallest\":%s}}", report->deadlock.is_smallest ? "true" : "null");
}

static void print_deadlock(FILE *out, const struct dal_sdf_report *report)
{
    const struct dal_sdf_deadlock *d = &report->deadlock;
    fputs(",\"deadlock\":", out);
    if (!d->dead) {
        fputs(report->live_known ? "null" : "\"unknown\"", out);
        return;
    }
    fputs("{\"blocked\":[", out);
    for (size_t i = 0; i < d->blocked_count; i++)
        dal_json_format(out, "%-s%s", i ? "," : "", report->graph.processes[d->blocked[i]].name);
    fputs("],\"channels\":[", out);
    for (size_t i = 0; i < d->cycle_count; i++) {
        fputs(i ? "," : "", out);
        print_wait(out, report, &d->cycle[i]);
    }
    print_fix(out, report);
}

static void print_given(FILE *out, const struct dal_sdf_report *report)
{
    struct dal_sdf_buffers given = {
        .found = 1, .capacity = report->given, .period = report->given_period};
    if (!report->all_given)
        return;
    for (size_t i = 0; i < report->graph.channel_count; i++)
        if (dal_sdf_is_counted(&report->graph, i))
            given.total += report->given[i];
    given.least = given.total;
    fputc(',', out);
    print_buffers(out, report, "given", &given);
}

static void print_searches(FILE *out, const struct dal_sdf_report *report)
{
    fputs(",\"period_unbounded\":", out);
    print_period(out, report->unbounded);
    fputs(",\"buffers\":{", out);
    print_buffers(out, report, "minimum", &report->minimum);
    fputc(',', out);
    print_buffers(out, report, "fastest", &report->fastest);
    print_given(out, report);
    if (report->with_front)
        print_front(out, report);
    fputs("},\"latency\":", out);
    if (report->has_latency)
        fprintf(out, "%" PRIu64, report->latency);
    else
        fputs("null", out);
}

/* Nanoseconds of an iteration by the releases of periodic processes, if there are any. */
static void print_releases(FILE *out, const struct dal_spec *spec,
                           const struct dal_sdf_report *report)
{
    const char *before = ",\"released_ns\":{", *behind = "";
    for (size_t i = 0; i < report->graph.process_count; i++) {
        const struct dal_sdf_process *p = &report->graph.processes[i];
        const struct dal_spec_period *periodic = &spec->network.processes[p->origin].periodic;
        if (!periodic->period_ns)
            continue;
        fputs(before, out);
        dal_json_print(out, p->name);
        fprintf(out, ":%.17g", dal_spec_released_ns(periodic, p->repetitions));
        before = ",";
        behind = "}";
    }
    fputs(behind, out);
}

/* Prints the wanted throughput, in iterations a time unit, and whether it is kept. */
static void print_asked(FILE *out, const struct dal_spec *spec, const struct dal_sdf_report *report)
{
    static const char *const words[] = {"null", "false", "true"};
    double asked = spec->network.throughput;
    if (asked <= 0)
        return;
    fprintf(out, ",\"throughput\":{\"asked\":%.17g,\"at_best\":%s", asked,
            words[1 + dal_analyze_keeps(report->unbounded, asked)]);
    if (report->all_given)
        fprintf(out, ",\"given\":%s", words[1 + dal_analyze_keeps(report->given_period, asked)]);
    fputc('}', out);
}

/* Prints one more name of a list. */
static void print_name(FILE *out, const char **comma, const char *name)
{
    dal_json_format(out, "%-s%s", *comma, name);
    *comma = ",";
}

/* Prints the assumptions behind the periods. "at_once" has the processes that may not fire any
 * number of times at once. "state_unknown" has those whose source nobody has read. */
static void print_assumptions(FILE *out, const struct dal_spec *spec,
                              const struct dal_sdf_report *report)
{
    const char *comma = "";
    int first = 1;
    fprintf(out, ",\"processors\":\"unlimited\",\"mapping\":%s,\"at_once\":{",
            spec->mapping.binding_count > 0 ? "\"sources, sizes, shadow copies\"" : "\"not used\"");
    for (size_t i = 0; i < report->graph.process_count; i++)
        if (dal_sdf_report_overlap(report, i).at_once)
            print_number(out, report->graph.processes[i].name,
                         dal_sdf_report_overlap(report, i).at_once, &first);
    fputs("},\"state_unknown\":[", out);
    for (size_t i = 0; i < report->graph.process_count; i++)
        if (dal_sdf_report_overlap(report, i).why == DAL_SDF_UNREAD)
            print_name(out, &comma, report->graph.processes[i].name);
    fputc(']', out);
}

/* Prints the open ports; the outside is taken to be always ready. */
static void print_open(FILE *out, const struct dal_spec_network *whole)
{
    const char *comma = "";
    if (!dal_analyze_open(whole))
        return;
    fputs(",\"open_ports\":[", out);
    for (size_t i = 0; i < whole->process_count; i++)
        if (dal_spec_is_open(&whole->processes[i]))
            print_name(out, &comma, whole->processes[i].name);
    fputc(']', out);
}

/* Prints what is not covered: KPN processes and the channels at them. */
static void print_left_out(FILE *out, const struct dal_spec_network *whole,
                           const struct dal_sdf_report *report)
{
    const char *comma = "";
    if (report->graph.process_count + dal_analyze_open(whole) == whole->process_count)
        return;
    fputs(",\"not_covered\":{\"processes\":[", out);
    for (size_t i = 0; i < whole->process_count; i++)
        if (dal_analyze_is_kpn(&whole->processes[i]))
            print_name(out, &comma, whole->processes[i].name);
    fputs("],\"channels\":[", out);
    comma = "";
    for (size_t i = 0; i < whole->channel_count; i++)
        if (dal_analyze_is_kpn(whole->channels[i].producer) ||
            dal_analyze_is_kpn(whole->channels[i].consumer))
            print_name(out, &comma, whole->channels[i].name);
    fputs("]}", out);
}

int dal_analyze_json(const struct dal_spec *spec, const struct dal_sdf_report *report, FILE *out)
{
    dal_json_format(out, "{\"network\":%s,\"consistent\":%-s", spec->network.name,
                    report->consistent ? "true" : "false");
    if (!report->consistent) {
        print_contradiction(out, report);
    } else {
        print_repetitions(out, report);
        print_deadlock(out, report);
        if (!report->deadlock.dead)
            print_searches(out, report);
        if (!report->deadlock.dead)
            print_asked(out, spec, report);
        print_releases(out, spec, report);
        if (!report->deadlock.dead)
            print_assumptions(out, spec, report);
    }
    print_open(out, &spec->network);
    print_left_out(out, &spec->network, report);
    fputs("}\n", out);
    return DAL_OK;
}
