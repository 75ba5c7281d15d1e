#define _GNU_SOURCE
#include "view/command/picture.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/memory_stream.h"
#include "synth/command/analyze_print.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

/* The facts that a click shows: [["name","value"],...]. */
struct facts {
    struct dal_text *json;
    int count;
};

static void add_fact(struct facts *facts, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add_fact(struct facts *facts, const char *name, const char *format, ...)
{
    char *value = NULL;
    va_list arguments;
    int length;
    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    value = length < 0 ? NULL : dal_calloc((size_t)length + 1, 1);
    if (!value) {
        facts->json->lost = 1;
        return;
    }
    va_start(arguments, format);
    vsnprintf(value, (size_t)length + 1, format, arguments);
    va_end(arguments);
    dal_text_add(facts->json, facts->count++ ? ",[" : "[");
    dal_text_add_json(facts->json, name);
    dal_text_add(facts->json, ",");
    dal_text_add_json(facts->json, value);
    dal_text_add(facts->json, "]");
    dal_free(value);
}

static void add_place(struct facts *facts, const char *name, struct dal_spec_place place)
{
    if (place.file)
        add_fact(facts, name, "%s:%d", place.file, place.line);
}

static const char *kind_of(const struct dal_spec_process *process, int device)
{
    if (device)
        return "kernel on a device";
    if (process->kpn)
        return "KPN process: it blocks where it reads";
    if (process->by_phase)
        return "cyclo-static process, fired phase by phase";
    return process->phases > 1 ? "cyclo-static process" : "process";
}

static void add_sources(struct facts *facts, const struct dal_spec_process *process)
{
    for (size_t i = 0; i < process->source_count; i++) {
        const struct dal_spec_source *source = &process->sources[i];
        add_fact(facts, "source", "%s (%s)", source->path ? source->path : source->location,
                 source->cxx ? "C++" : dal_spec_source_traits(source->type)->language);
    }
}

static void add_plan(struct facts *facts, const struct dal_plan_process *p)
{
    int device = dal_plan_on_device(p);
    add_fact(facts, "function", "%s%s", device ? p->unit->kernel : p->unit->function,
             device ? "" : "_fire");
    if (device || p->shadow_copies > 1)
        add_fact(facts, "shadow copies (S)", "%" PRIu32 "%s%s", p->shadow_copies,
                 p->copies_reason ? ": " : "", p->copies_reason ? p->copies_reason : "");
    if (device)
        add_fact(facts, "work-items (I)", "%" PRIu32 "%s%s", p->work_items,
                 p->items_reason ? ": " : "", p->items_reason ? p->items_reason : "");
    else if (!p->process->kpn)
        add_fact(facts, "block", "%" PRIu64 " firings%s%s", p->block, p->block_reason ? ": " : "",
                 p->block_reason ? p->block_reason : "");
    if (p->group)
        add_fact(facts, "launched as one with", "%zu processes", p->group->member_count);
    if (p->apart)
        add_fact(facts, "apart", "%s", p->apart);
    if (p->fallback)
        add_fact(facts, "fallback", "%s on %s", p->fallback->source->location,
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

static void write_ports(const struct dal_spec_process *process, struct dal_text *json)
{
    for (size_t i = 0; i < process->port_count; i++) {
        const struct dal_spec_port *port = &process->ports[i];
        struct dal_text rate = {0};
        dal_picture_rate(&rate, port, port->rate);
        dal_text_add(json, i ? ",{\"name\":" : "{\"name\":");
        dal_text_add_json(json, port->name);
        dal_text_printf(json, ",\"output\":%s,\"rate\":", port->output ? "true" : "false");
        dal_text_add_json(json, dal_text_get(&rate));
        dal_text_add(json, "}");
        json->lost |= rate.lost;
        dal_text_finish(&rate);
    }
}

static void write_process(const struct dal_picture *picture, const struct dal_spec_process *process,
                          struct dal_text *json)
{
    const struct dal_plan_process *p =
        picture->plan ? &picture->plan->processes[process->number] : NULL;
    uint64_t firings = repetitions(&picture->analysis->report, process->number);
    char *place = dal_picture_place(picture, process);
    struct facts facts = {.json = json};
    dal_text_add(json, "{\"name\":");
    dal_text_add_json(json, process->name);
    dal_text_add(json, ",\"place\":");
    dal_text_add_json(json, place ? place : "");
    dal_text_printf(json, ",\"device\":%s,\"blocked\":%s,\"ports\":[",
                    p && dal_plan_on_device(p) ? "true" : "false",
                    dal_picture_is_blocked(picture, process) ? "true" : "false");
    write_ports(process, json);
    dal_text_add(json, "],\"facts\":[");
    add_fact(&facts, "kind", "%s", kind_of(process, p && dal_plan_on_device(p)));
    if (place && *place)
        add_fact(&facts, "runs on", "%s", place);
    if (firings)
        add_fact(&facts, process->phases > 1 ? "cycles an iteration" : "firings an iteration",
                 "%" PRIu64, firings);
    if (process->phases > 1)
        add_fact(&facts, "phases", "%" PRIu64, process->phases);
    if (p)
        add_plan(&facts, p);
    add_sources(&facts, process);
    for (size_t i = 0; i < process->parameter_count; i++)
        add_fact(&facts, "parameter", "%s = %s", process->parameters[i].name,
                 process->parameters[i].value);
    add_place(&facts, "written in", process->place);
    dal_text_add(json, "]}");
    dal_free(place);
}

static void add_channel_plan(struct facts *facts, const struct dal_plan_channel *ch)
{
    add_fact(facts, "placed", "%s%s%s", dal_channel_traits(ch->kind)->name, ch->reason ? ": " : "",
             ch->reason ? ch->reason : "");
    if (ch->capacity_reason)
        add_fact(facts, "why this capacity", "%s", ch->capacity_reason);
}

/* Adds what a deadlocked process waits for at this channel. */
static void add_wait(struct facts *facts, const struct dal_sdf_report *report, size_t channel)
{
    for (size_t i = 0; report->consistent && i < report->deadlock.cycle_count; i++) {
        const struct dal_sdf_wait *wait = &report->deadlock.cycle[i];
        if (report->graph.channels[wait->channel].origin == channel)
            add_fact(facts, "deadlock", "%s waits for %s: there are %" PRIu64 ", it needs %" PRIu64,
                     report->graph.processes[wait->process].name, wait->space ? "space" : "tokens",
                     wait->have, wait->need);
    }
}

static void add_fix(struct facts *facts, const struct dal_sdf_report *report, size_t channel)
{
    const struct dal_sdf_deadlock *d = &report->deadlock;
    for (size_t i = 0; report->consistent && d->has_fix && i < report->graph.channel_count; i++) {
        if (report->graph.channels[i].origin != channel)
            continue;
        if (d->more_tokens[i])
            add_fact(facts, "a way out", "initialtokens=\"%" PRIu64 "\"",
                     report->graph.channels[i].initial_tokens + d->more_tokens[i]);
        if (report->given[i] != DAL_SDF_UNLIMITED && (d->more_capacity[i] || d->more_tokens[i]))
            add_fact(facts, "a way out", "size=\"%" PRIu64 "\"",
                     report->given[i] + d->more_capacity[i] + d->more_tokens[i]);
    }
}

static void write_channel_facts(const struct dal_picture *picture, const struct dal_spec_channel *c,
                                const char *rates, struct dal_text *json)
{
    struct facts facts = {.json = json};
    uint64_t capacity = dal_picture_capacity(picture, c);
    add_fact(&facts, "from", "%s.%s", c->producer->name, c->producer_port->name);
    add_fact(&facts, "to", "%s.%s", c->consumer->name, c->consumer_port->name);
    add_fact(&facts, "rates", "%s", rates);
    if (c->counted.most)
        add_fact(&facts, "packet", "%" PRIu64 " bytes, up to %" PRIu64 " tokens", c->token_bytes,
                 c->counted.most);
    if (c->token_type)
        add_fact(&facts, "token", "%" PRIu64 " bytes, %" PRIu64 " of type %s",
                 dal_spec_token_bytes(c), c->token_count, c->token_type);
    else
        add_fact(&facts, "token", "%" PRIu64 " bytes", dal_spec_token_bytes(c));
    if (c->initial_tokens)
        add_fact(&facts, "initial tokens", "%" PRIu64, c->initial_tokens);
    if (capacity)
        add_fact(&facts, "capacity", "%" PRIu64 " tokens", capacity);
    if (picture->plan)
        add_channel_plan(&facts, &picture->plan->channels[c->number]);
    add_wait(&facts, &picture->analysis->report, c->number);
    add_fix(&facts, &picture->analysis->report, c->number);
    add_place(&facts, "written in", c->place);
}

static void write_channel(const struct dal_picture *picture, const struct dal_spec_channel *c,
                          struct dal_text *json)
{
    struct dal_text rates = {0};
    dal_picture_rate(&rates, c->producer_port, c->rate_in);
    dal_text_add(&rates, " → ");
    dal_picture_rate(&rates, c->consumer_port, c->rate_out);
    dal_text_add(json, "{\"name\":");
    dal_text_add_json(json, c->name);
    dal_text_printf(json,
                    ",\"from\":[%zu,%zu],\"to\":[%zu,%zu],\"initial\":\"%" PRIu64
                    "\",\"capacity\":\"%" PRIu64 "\",\"kind\":",
                    c->producer->number, (size_t)(c->producer_port - c->producer->ports),
                    c->consumer->number, (size_t)(c->consumer_port - c->consumer->ports),
                    c->initial_tokens, dal_picture_capacity(picture, c));
    dal_text_add_json(json, picture->plan
                                ? dal_channel_traits(picture->plan->channels[c->number].kind)->name
                                : "");
    dal_text_printf(json, ",\"witness\":%s,\"facts\":[",
                    dal_picture_is_witness(picture, c) ? "true" : "false");
    write_channel_facts(picture, c, dal_text_get(&rates), json);
    dal_text_add(json, "]}");
    json->lost |= rates.lost;
    dal_text_finish(&rates);
}

static void write_messages(const struct dal_diags *diags, struct dal_text *json)
{
    static const char *const levels[] = {
        [DAL_DIAG_ERROR] = "error", [DAL_DIAG_WARNING] = "warning", [DAL_DIAG_NOTE] = "note"};
    for (size_t i = 0; i < diags->count; i++) {
        const struct dal_diag *d = &diags->list[i];
        dal_text_printf(json, "%s{\"level\":\"%s\",\"line\":%d,\"file\":", i ? "," : "",
                        levels[d->level], d->place.line);
        dal_text_add_json(json, d->place.file ? d->place.file : "");
        dal_text_add(json, ",\"text\":");
        dal_text_add_json(json, d->message);
        dal_text_add(json, "}");
    }
}

/* Writes the same object as dalsynth --analyze=json. */
static int write_analysis(const struct dal_analysis *analysis, struct dal_text *json)
{
    struct dal_memory_stream out;
    char *text;
    int status = DAL_ERR_NOMEM;
    dal_memory_open(&out);
    if (out.file)
        status = dal_analyze_json(analysis->spec, &analysis->report, out.file);
    text = dal_memory_close(&out);
    if (!text && !status)
        status = DAL_ERR_NOMEM;
    if (!status)
        dal_text_add_bytes(json, text, out.bytes);
    free(text);
    return status;
}

static const char *verdict(const struct dal_sdf_report *report)
{
    if (!report->consistent)
        return "inconsistent";
    if (report->deadlock.dead)
        return "deadlock";
    return report->live_known ? "runs" : "unknown";
}

int dal_picture_json(const struct dal_picture *picture, struct dal_text *json)
{
    const struct dal_spec_network *network = &picture->analysis->spec->network;
    int status;
    dal_text_add(json, "{\"network\":");
    dal_text_add_json(json, network->name);
    dal_text_add(json, ",\"file\":");
    dal_text_add_json(json, network->file ? network->file : "");
    dal_text_printf(json, ",\"verdict\":\"%s\",\"analysis\":", verdict(&picture->analysis->report));
    status = write_analysis(picture->analysis, json);
    dal_text_add(json, ",\"processes\":[");
    for (size_t i = 0; i < network->process_count; i++) {
        dal_text_add(json, i ? ",\n" : "\n");
        write_process(picture, &network->processes[i], json);
    }
    dal_text_add(json, "],\"channels\":[");
    for (size_t i = 0; i < network->channel_count; i++) {
        dal_text_add(json, i ? ",\n" : "\n");
        write_channel(picture, &network->channels[i], json);
    }
    dal_text_add(json, "],\"runs\":[");
    for (size_t i = 0; i < picture->run_count; i++) {
        dal_text_add(json, i ? ",\n" : "\n");
        dal_run_json(picture->analysis->spec, &picture->runs[i], json);
    }
    dal_text_add(json, "],\"traces\":[");
    dal_text_add(json, picture->traces ? picture->traces : "");
    dal_text_add(json, "],\"messages\":[");
    write_messages(picture->diags, json);
    dal_text_add(json, "]}\n");
    return status ? status : json->lost ? DAL_ERR_NOMEM : DAL_OK;
}
