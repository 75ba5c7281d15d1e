/* The picture as JSON. */
#include "view/command/picture.h"

#include "rt/base/alloc.h"
#include "rt/base/json.h"
#include "spec/base/file.h"
#include "synth/command/analyze_print.h"

#include <inttypes.h>
#include <string.h>

/* Bytes of a mapping whose comment is shown, at most. */
enum { MOST_MAPPING = 1 << 24 };

static void add_place(struct dal_json_pairs *facts, const char *name, struct dal_spec_place place)
{
    if (place.file)
        dal_json_pair(facts, name, "%s:%d", place.file, place.line);
}

static const char *kind_of(const struct dal_spec_process *process, int device)
{
    if (device)
        return "kernel on a device";
    if (dal_spec_is_open(process))
        return process->ports->output ? "open input port of the network"
                                      : "open output port of the network";
    if (process->kpn)
        return "KPN process: it blocks where it reads";
    if (process->by_phase)
        return "cyclo-static process, fired phase by phase";
    return process->phases > 1 ? "cyclo-static process" : "process";
}

static void add_sources(struct dal_json_pairs *facts, const struct dal_spec_process *process)
{
    for (size_t i = 0; i < process->source_count; i++) {
        const struct dal_spec_source *source = &process->sources[i];
        dal_json_pair(facts, "source", "%s (%s)", source->path ? source->path : source->location,
                      source->cxx ? "C++" : dal_spec_source_traits(source->type)->language);
    }
}

static void add_plan(struct dal_json_pairs *facts, const struct dal_plan_process *p)
{
    int device = dal_plan_on_device(p);
    dal_json_pair(facts, "function", "%s%s", dal_plan_function(p), dal_plan_function_end(p));
    if (device || p->shadow_copies > 1)
        dal_json_pair(facts, "shadow copies (S)", "%" PRIu32 "%s%s", p->shadow_copies,
                      p->copies_reason ? ": " : "", p->copies_reason ? p->copies_reason : "");
    if (device)
        dal_json_pair(facts, "work-items (I)", "%" PRIu32 "%s%s", p->work_items,
                      p->items_reason ? ": " : "", p->items_reason ? p->items_reason : "");
    else if (!p->process->kpn)
        dal_json_pair(facts, "block", "%" PRIu64 " firings%s%s", p->block,
                      p->block_reason ? ": " : "", p->block_reason ? p->block_reason : "");
    if (p->group)
        dal_json_pair(facts, "launched as one with", "%zu processes", p->group->member_count);
    if (p->apart)
        dal_json_pair(facts, "apart", "%s", p->apart);
    if (p->fallback)
        dal_json_pair(facts, "fallback", "%s on %s", p->fallback->source->location,
                      p->fallback->processors[0]->processor->name);
}

/* Returns the firings of an iteration, from the analysis, which knows them even without a plan. */
static uint64_t repetitions(const struct dal_sdf_report *report, size_t process)
{
    for (size_t i = 0; report->consistent && i < report->graph.process_count; i++)
        if (report->graph.processes[i].origin == process)
            return report->graph.processes[i].repetitions;
    return 0;
}

static void write_ports(const struct dal_spec_process *process, FILE *json)
{
    for (size_t i = 0; i < process->port_count; i++) {
        const struct dal_spec_port *port = &process->ports[i];
        dal_json_format(json, "%-s{\"name\":%s,\"output\":%-s,\"rate\":\"", i ? "," : "",
                        port->name, port->output ? "true" : "false");
        dal_picture_rate(json, port, port->rate);
        fputs("\"}", json);
    }
}

/* Writes at which border of the network an open port is, and what its tokens are. */
static void write_border(const struct dal_spec_process *process, FILE *json)
{
    char *tokens;
    if (!dal_spec_is_open(process))
        return;
    tokens = dal_picture_tokens(process->ports->channel);
    dal_json_format(json, ",\"border\":%s,\"tokens\":%s",
                    process->ports->output ? "input" : "output", tokens);
    dal_free(tokens);
}

/* Writes the parts that are folded around a process. */
static void write_folded(const struct dal_picture *picture, const char *name, FILE *json)
{
    struct dal_text part = {0};
    if (!picture->fold)
        return;
    fputs(",\"folded\":[", json);
    for (size_t at = 0; (at = dal_picture_folded(picture->fold, name, at)) != 0;) {
        fputs(part.length ? "," : "", json);
        part.length = 0;
        dal_text_add_bytes(&part, name, at);
        dal_json_format(json, "%s", dal_text_get(&part));
    }
    putc(']', json);
    dal_text_finish(&part);
}

static void write_process(const struct dal_picture *picture, const struct dal_spec_process *process,
                          FILE *json)
{
    const struct dal_plan_process *p =
        picture->plan ? &picture->plan->processes[process->number] : NULL;
    uint64_t firings = repetitions(&picture->analysis->report, process->number);
    char *place = dal_picture_place(picture, process);
    struct dal_json_pairs facts = {.out = json};
    dal_json_format(json, "{\"name\":%s,\"place\":%s,\"device\":%-s,\"blocked\":%-s,\"ports\":[",
                    process->name, place, p && dal_plan_on_device(p) ? "true" : "false",
                    dal_picture_is_blocked(picture, process) ? "true" : "false");
    write_ports(process, json);
    putc(']', json);
    write_border(process, json);
    write_folded(picture, process->name, json);
    fputs(",\"facts\":[", json);
    dal_json_pair(&facts, "kind", "%s", kind_of(process, p && dal_plan_on_device(p)));
    if (place && *place)
        dal_json_pair(&facts, "runs on", "%s", place);
    if (firings)
        dal_json_pair(&facts, process->phases > 1 ? "cycles an iteration" : "firings an iteration",
                      "%" PRIu64, firings);
    if (process->phases > 1)
        dal_json_pair(&facts, "phases", "%" PRIu64, process->phases);
    if (p)
        add_plan(&facts, p);
    add_sources(&facts, process);
    for (size_t i = 0; i < process->parameter_count; i++)
        dal_json_pair(&facts, "parameter", "%s = %s", process->parameters[i].name,
                      process->parameters[i].value);
    for (size_t i = 0; i < process->constant_count; i++)
        dal_json_pair(&facts, "constant", "%s: %s[%" PRIu64 "]%s%s", process->constants[i].name,
                      process->constants[i].type, process->constants[i].count,
                      process->constants[i].file ? " of " : "",
                      process->constants[i].file ? process->constants[i].file : "");
    add_place(&facts, "written in", process->place);
    fputs("]}", json);
    dal_free(place);
}

static void add_channel_plan(struct dal_json_pairs *facts, const struct dal_plan_channel *ch)
{
    dal_json_pair(facts, "placed", "%s%s%s", dal_channel_traits(ch->kind)->name,
                  ch->reason ? ": " : "", ch->reason ? ch->reason : "");
    if (ch->capacity_reason)
        dal_json_pair(facts, "why this capacity", "%s", ch->capacity_reason);
}

/* Adds what a deadlocked process waits for at this channel. */
static void add_wait(struct dal_json_pairs *facts, const struct dal_sdf_report *report,
                     size_t channel)
{
    for (size_t i = 0; report->consistent && i < report->deadlock.cycle_count; i++) {
        const struct dal_sdf_wait *wait = &report->deadlock.cycle[i];
        if (report->graph.channels[wait->channel].origin == channel)
            dal_json_pair(facts, "deadlock",
                          "%s waits for %s: there are %" PRIu64 ", it needs %" PRIu64,
                          report->graph.processes[wait->process].name,
                          wait->space ? "space" : "tokens", wait->have, wait->need);
    }
}

static void add_fix(struct dal_json_pairs *facts, const struct dal_sdf_report *report,
                    size_t channel)
{
    const struct dal_sdf_deadlock *d = &report->deadlock;
    for (size_t i = 0; report->consistent && d->has_fix && i < report->graph.channel_count; i++) {
        if (report->graph.channels[i].origin != channel)
            continue;
        if (d->more_tokens[i])
            dal_json_pair(facts, "a way out", "initialtokens=\"%" PRIu64 "\"",
                          dal_sdf_tokens_in_file(&report->graph.channels[i], d->more_tokens[i]));
        if (report->given[i] != DAL_SDF_UNLIMITED && (d->more_capacity[i] || d->more_tokens[i]))
            dal_json_pair(facts, "a way out", "size=\"%" PRIu64 "\"",
                          report->given[i] + d->more_capacity[i] + d->more_tokens[i]);
    }
}

static void write_channel_facts(const struct dal_picture *picture, const struct dal_spec_channel *c,
                                FILE *json)
{
    struct dal_json_pairs facts = {.out = json};
    uint64_t capacity = dal_picture_capacity(picture, c);
    char newest[DAL_PICTURE_NEWEST];
    dal_json_pair(&facts, "from", "%s.%s", c->producer->name, c->producer_port->name);
    dal_json_pair(&facts, "to", "%s.%s", c->consumer->name, c->consumer_port->name);
    fputs(",[\"rates\",\"", json);
    dal_picture_rate(json, c->producer_port, c->rate_in);
    fputs(" → ", json);
    dal_picture_rate(json, c->consumer_port, c->rate_out);
    fputs("\"]", json);
    if (c->counted.most)
        dal_json_pair(&facts, "packet", "%" PRIu64 " bytes, up to %" PRIu64 " tokens",
                      c->token_bytes, c->counted.most);
    if (c->token_type)
        dal_json_pair(&facts, "token", "%" PRIu64 " bytes, %" PRIu64 " of type %s",
                      dal_spec_token_bytes(c), c->token_count, c->token_type);
    else
        dal_json_pair(&facts, "token", "%" PRIu64 " bytes", dal_spec_token_bytes(c));
    if (c->initial_tokens)
        dal_json_pair(&facts, "initial tokens", "%" PRIu64, c->initial_tokens);
    if (c->newest.is_given)
        dal_json_pair(&facts, "kept", "%s%s", dal_picture_newest(c, newest),
                      c->newest.repeat ? ", read again until there is another" : "");
    else if (capacity)
        dal_json_pair(&facts, "capacity", "%" PRIu64 " tokens", capacity);
    if (picture->plan)
        add_channel_plan(&facts, &picture->plan->channels[c->number]);
    add_wait(&facts, &picture->analysis->report, c->number);
    add_fix(&facts, &picture->analysis->report, c->number);
    add_place(&facts, "written in", c->place);
}

static void write_channel(const struct dal_picture *picture, const struct dal_spec_channel *c,
                          FILE *json)
{
    const struct dal_plan *plan = picture->plan;
    char newest[DAL_PICTURE_NEWEST];
    dal_json_format(
        json,
        "{\"name\":%s,\"from\":[%zu,%zu],\"to\":[%zu,%zu],\"initial\":\"%" PRIu64
        "\",\"capacity\":\"%" PRIu64 "\",\"kind\":%s,\"newest\":%s,\"witness\":%-s,\"facts\":[",
        c->name, c->producer->number, (size_t)(c->producer_port - c->producer->ports),
        c->consumer->number, (size_t)(c->consumer_port - c->consumer->ports), c->initial_tokens,
        dal_picture_capacity(picture, c),
        plan ? dal_channel_traits(plan->channels[c->number].kind)->name : "",
        dal_picture_newest(c, newest), dal_picture_is_witness(picture, c) ? "true" : "false");
    write_channel_facts(picture, c, json);
    putc(']', json);
    if (c->through)
        dal_json_format(json, ",\"through\":%s", c->through);
    putc('}', json);
}

static void write_messages(const struct dal_diags *diags, FILE *json)
{
    static const char *const levels[] = {
        [DAL_DIAG_ERROR] = "error", [DAL_DIAG_WARNING] = "warning", [DAL_DIAG_NOTE] = "note"};
    for (size_t i = 0; i < diags->count; i++) {
        const struct dal_diag *d = &diags->list[i];
        dal_json_format(json, "%-s{\"level\":%s,\"line\":%d,\"file\":%s,\"text\":%s}", i ? "," : "",
                        levels[d->level], d->place.line, d->place.file, d->message);
    }
}

static const char *verdict(const struct dal_sdf_report *report)
{
    if (!report->consistent)
        return "inconsistent";
    if (report->deadlock.dead)
        return "deadlock";
    return report->live_known ? "runs" : "unknown";
}

/* Writes the first comment of the mapping, if it has one: what dalmap has tried. */
static void write_comment(const struct dal_plan *plan, FILE *json)
{
    const char *file = plan ? plan->spec->mapping.file : NULL, *why;
    char *text = NULL, *begin, *end;
    size_t length;
    if (!file || dal_file_read(file, MOST_MAPPING, &text, &length, &why))
        return;
    begin = strstr(text, "<!--");
    end = begin ? strstr(begin, "-->") : NULL;
    if (end) {
        *end = '\0';
        dal_json_format(json, ",\"mapping\":%s", begin + strlen("<!--"));
    }
    dal_free(text);
}

void dal_picture_json(const struct dal_picture *picture, FILE *json)
{
    const struct dal_spec_network *network = &picture->analysis->spec->network;
    const struct dal_sdf_report *report = &picture->analysis->report;
    dal_json_format(json, "{\"network\":%s,\"file\":%s,\"verdict\":%s,\"analysis\":", network->name,
                    network->file, verdict(report));
    dal_analyze_json(picture->analysis->spec, report, json);
    fputs(",\"processes\":[", json);
    for (size_t i = 0; i < network->process_count; i++) {
        fputs(i ? ",\n" : "\n", json);
        write_process(picture, &network->processes[i], json);
    }
    fputs("],\"channels\":[", json);
    for (size_t i = 0; i < network->channel_count; i++) {
        fputs(i ? ",\n" : "\n", json);
        write_channel(picture, &network->channels[i], json);
    }
    fputs("],\"latencies\":[", json);
    for (size_t i = 0; i < network->latency_count; i++)
        fprintf(json, "%s{\"from\":%zu,\"to\":%zu}", i ? "," : "",
                network->latencies[i].from->number, network->latencies[i].to->number);
    fputs("],\"runs\":[", json);
    for (size_t i = 0; i < picture->run_count; i++) {
        fputs(i ? ",\n" : "\n", json);
        dal_run_json(picture->analysis->spec, &picture->runs[i], json);
    }
    fprintf(json, "],\"traces\":[%s],\"messages\":[", picture->traces);
    write_messages(picture->diags, json);
    putc(']', json);
    write_comment(picture->plan, json);
    fputs("}\n", json);
}
