#include "spec/read/stats.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/file.h"
#include "spec/base/names.h"
#include "spec/model/key.h"
#include "spec/read/curve.h"
#include "spec/read/json.h"
#include "spec/read/members.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_BYTES = 1 << 26, ROOM = 201, TYPE = 9, MOST_MESSAGE = 600 };
#define MOST 1.9e19 /* more than 64 bits */

/* A list of names: how many, the first, and a digest of all. */
struct names {
    char first[ROOM];
    double count;
    uint64_t digest;
};

/* An entry as it stands in the file. */
struct process_entry {
    char process[ROOM], type[TYPE], key[DAL_KEY_TEXT + 1];
    struct names planned, on;
    struct dal_stats_process values;
};

struct channel_entry {
    char channel[ROOM], from[ROOM], from_port[ROOM], to[ROOM], to_port[ROOM];
    double token_bytes, rate_in, rate_out, initial_tokens;
    struct dal_stats_channel values;
};

struct flow_entry {
    char channel[ROOM];
    struct dal_stats_channel values;
};

struct latency_entry {
    char from[ROOM], to[ROOM];
    struct dal_stats_latency values;
};

struct reading {
    struct dal_json json;
    const struct dal_spec *spec;
    struct dal_stats *stats;
    struct dal_spec_place place; /* begin of the object that is being read */
    struct dal_names processes, channels;
    unsigned char *is_there; /* processes, then channels */
    struct dal_key_maker maker;
    int status; /* DAL_ERR_NOMEM, or DAL_OK */
};

/* ---- what is wrong --------------------------------------------------------------------------- */

/* Refuses a file of statistics that is of something else. */
static void refuse_foreign(struct reading *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void refuse_foreign(struct reading *r, const char *format, ...)
{
    char text[MOST_MESSAGE];
    va_list list;
    if (r->json.wrong)
        return;
    r->json.wrong = 1;
    va_start(list, format);
    vsnprintf(text, sizeof(text), format, list);
    va_end(list);
    dal_error(r->json.diags, r->place, "foreign-stats", "%s", text);
}

/* Marks an entry as there; whether it is the first of its name. */
static int is_first(struct reading *r, size_t number, const char *what, const char *name)
{
    if (r->is_there[number])
        dal_json_refuse(&r->json, "%s '%s' is there twice", what, name);
    r->is_there[number] = 1;
    return !r->json.wrong;
}

/* ---- processes ------------------------------------------------------------------------------- */

/* FNV-1a (Fowler, Noll, Vo 1991), with the zero behind each name. */
static void add_name(struct names *names, const char *name)
{
    size_t i = 0;
    if (names->count == 0) {
        names->digest = UINT64_C(0xcbf29ce484222325);
        snprintf(names->first, sizeof(names->first), "%s", name);
    }
    names->count++;
    do
        names->digest = (names->digest ^ (unsigned char)name[i]) * UINT64_C(0x100000001b3);
    while (name[i++]);
}

static void read_names(struct dal_json *json, void *to)
{
    struct names *names = to;
    char name[ROOM];
    int count = 0;
    dal_json_begin(json, '[', "processors");
    while (dal_json_next(json, '[', &count)) {
        dal_json_string(json, name, sizeof(name), "a processor");
        if (!json->wrong)
            add_name(names, name);
    }
}

/* Without memory, there is no spread. */
static void read_spread(struct dal_json *json, void *to)
{
    struct dal_stats_process *values = to;
    size_t count;
    values->spread = dal_calloc(DAL_STATS_SPREAD, sizeof(*values->spread));
    count = dal_json_numbers(json, values->spread, DAL_STATS_SPREAD, MOST, "spread");
    values->spread_count = values->spread ? count & ~(size_t)1 : 0;
}

static int are_same(const struct names *a, const struct names *b)
{
    return a->count == b->count && a->digest == b->digest;
}

#define AT(type, field)     .offset = offsetof(struct type, field)
#define TEXT(type, field)   AT(type, field), .room = sizeof(((struct type *)0)->field), .must = 1
#define RARE(type, field)   AT(type, field), .least = 0, .most = MOST
#define NUMBER(type, field) RARE(type, field), .must = 1

static const struct dal_member process_members[] = {
    {"process", TEXT(process_entry, process)},
    {"type", TEXT(process_entry, type)},
    {"key", TEXT(process_entry, key)},
    {"planned", AT(process_entry, planned), .read = read_names, .must = 1},
    {"on", AT(process_entry, on), .read = read_names, .must = 1},
    {"copies", NUMBER(process_entry, values.copies)},
    {"firings", NUMBER(process_entry, values.firings)},
    {"firing_ns", NUMBER(process_entry, values.firing_ns)},
    {"busy_ns", NUMBER(process_entry, values.busy_ns)},
    {"device_ns", NUMBER(process_entry, values.device_ns)},
    {"starved_ns", NUMBER(process_entry, values.starved_ns)},
    {"blocked_ns", NUMBER(process_entry, values.blocked_ns)},
    {"first_ns", NUMBER(process_entry, values.first_ns)},
    {"last_ns", NUMBER(process_entry, values.last_ns)},
    {"tokens_per_s", RARE(process_entry, values.tokens_per_s)},
    {"nominal_per_s", RARE(process_entry, values.nominal_per_s)},
    {"drift_ppm", AT(process_entry, values.drift_ppm), .least = -1e6, .most = MOST},
    {"spread", AT(process_entry, values), .read = read_spread},
    {"curve", AT(process_entry, values.curve), .read = dal__curve_read},
    {0}};

/* Is it planned where the mapping has it? */
static void check_place(struct reading *r, const struct process_entry *entry,
                        const struct dal_spec_binding *binding)
{
    struct names wanted = {0};
    for (size_t i = 0; i < binding->processor_count; i++)
        add_name(&wanted, binding->processors[i]->name);
    if (!are_same(&entry->planned, &wanted))
        refuse_foreign(r, "process '%s' was bound to %s%s, and this mapping binds it to %s%s",
                       entry->process, entry->planned.first,
                       entry->planned.count > 1 ? " and others" : "", wanted.first,
                       wanted.count > 1 ? " and others" : "");
}

static void check_key(struct reading *r, const struct process_entry *entry,
                      const struct dal_spec_binding *binding, struct dal_stats_process *values)
{
    char key[DAL_KEY_TEXT] = "";
    if (*entry->key && !r->json.wrong)
        r->status =
            dal_key_make(&r->maker, &r->spec->network, binding->process, binding->source, key);
    values->is_stale = *key && strcmp(key, entry->key) != 0;
    if (values->is_stale)
        dal_warning(r->json.diags, r->place, "stale-stats",
                    "process '%s' ran with another source, other options or other ports",
                    entry->process);
}

static void take_process(struct reading *r, struct process_entry *entry)
{
    const struct dal_spec_binding *binding;
    struct dal_stats_process *values;
    size_t number = dal_names_find(&r->processes, entry->process);
    if (number == DAL_NAMES_NONE) {
        refuse_foreign(r, "process network '%s' has no process '%s'", r->spec->network.name,
                       entry->process);
        return;
    }
    if (entry->values.first_ns > entry->values.last_ns)
        dal_json_refuse(&r->json, "process '%s' ends before it begins", entry->process);
    if (!is_first(r, number, "process", entry->process))
        return;
    values = &r->stats->processes[number];
    *values = entry->values;
    entry->values.spread = NULL;
    entry->values.curve = NULL;
    values->on_other = !are_same(&entry->planned, &entry->on);
    if (number >= r->spec->mapping.binding_count)
        return; /* there is no mapping to compare with */
    binding = &r->spec->mapping.bindings[number];
    check_place(r, entry, binding);
    if (!values->on_other)
        check_key(r, entry, binding, values);
}

static void read_process(struct reading *r)
{
    struct process_entry entry = {.values = {0}};
    dal__members_read(&r->json, process_members, &entry, "a process");
    if (!r->json.wrong)
        take_process(r, &entry);
    dal_free_all(entry.values.spread, entry.values.curve); /* unless they were taken */
}

/* ---- channels -------------------------------------------------------------------------------- */

static const struct dal_member from_members[] = {
    {"process", TEXT(channel_entry, from)}, {"port", TEXT(channel_entry, from_port)}, {0}};
static const struct dal_member to_members[] = {
    {"process", TEXT(channel_entry, to)}, {"port", TEXT(channel_entry, to_port)}, {0}};

static const struct dal_member channel_members[] = {
    {"channel", TEXT(channel_entry, channel)},
    {"from", .inside = from_members, .must = 1},
    {"to", .inside = to_members, .must = 1},
    {"kind", TEXT(channel_entry, values.kind)},
    {"token_bytes", NUMBER(channel_entry, token_bytes)},
    {"rate_in", NUMBER(channel_entry, rate_in)},
    {"rate_out", NUMBER(channel_entry, rate_out)},
    {"initial_tokens", NUMBER(channel_entry, initial_tokens)},
    {"capacity", NUMBER(channel_entry, values.capacity)},
    {"tokens", NUMBER(channel_entry, values.tokens)},
    {"bytes_copied", NUMBER(channel_entry, values.copied_bytes)},
    {"bytes_in_place", NUMBER(channel_entry, values.in_place_bytes)},
    {"token_waits", NUMBER(channel_entry, values.token_waits)},
    {"token_wait_ns", NUMBER(channel_entry, values.token_wait_ns)},
    {"space_waits", NUMBER(channel_entry, values.space_waits)},
    {"space_wait_ns", NUMBER(channel_entry, values.space_wait_ns)},
    {"lost", RARE(channel_entry, values.lost)}, /* of a channel of the newest token */
    {"oldest_ns", RARE(channel_entry, values.oldest_ns)},
    {0}};

static int is_same_channel(const struct channel_entry *entry, const struct dal_spec_channel *c)
{
    return strcmp(entry->from, c->producer->name) == 0 &&
           strcmp(entry->to, c->consumer->name) == 0 &&
           strcmp(entry->from_port, c->producer_port->name) == 0 &&
           strcmp(entry->to_port, c->consumer_port->name) == 0 &&
           entry->token_bytes == (double)c->token_bytes && entry->rate_in == (double)c->rate_in &&
           entry->rate_out == (double)c->rate_out &&
           entry->initial_tokens == (double)c->initial_tokens;
}

static size_t find_channel(struct reading *r, const char *name)
{
    size_t number = dal_names_find(&r->channels, name);
    if (number == DAL_NAMES_NONE)
        refuse_foreign(r, "process network '%s' has no channel '%s'", r->spec->network.name, name);
    return number;
}

/* Adds the writer's side of a channel between nodes, which counts what is sent. */
static void add_flow(struct dal_stats_channel *channel, const struct dal_stats_channel *flow)
{
    channel->sent_bytes += flow->sent_bytes;
    channel->space_waits += flow->space_waits;
    channel->space_wait_ns += flow->space_wait_ns;
}

static void read_channel(struct reading *r)
{
    struct channel_entry entry = {.values = {.tokens = 0}};
    size_t number;
    dal__members_read(&r->json, channel_members, &entry, "a channel");
    number = r->json.wrong ? DAL_NAMES_NONE : find_channel(r, entry.channel);
    if (number == DAL_NAMES_NONE ||
        !is_first(r, r->spec->network.process_count + number, "channel", entry.channel))
        return;
    if (!is_same_channel(&entry, &r->spec->network.channels[number])) {
        refuse_foreign(r, "channel '%s' had other ends, rates or tokens", entry.channel);
        return;
    }
    add_flow(&entry.values, &r->stats->channels[number]);
    r->stats->channels[number] = entry.values;
}

static const struct dal_member flow_members[] = {
    {"channel", TEXT(flow_entry, channel)},
    {"bytes", NUMBER(flow_entry, values.sent_bytes)},
    {"space_waits", NUMBER(flow_entry, values.space_waits)},
    {"space_wait_ns", NUMBER(flow_entry, values.space_wait_ns)},
    {0}};

static void read_flow(struct reading *r)
{
    struct flow_entry entry = {.values = {.tokens = 0}};
    size_t number;
    dal__members_read(&r->json, flow_members, &entry, "a flow");
    number = r->json.wrong ? DAL_NAMES_NONE : find_channel(r, entry.channel);
    if (number != DAL_NAMES_NONE)
        add_flow(&r->stats->channels[number], &entry.values);
}

/* ---- latencies ------------------------------------------------------------------------------- */

static const struct dal_member latency_members[] = {
    {"from", TEXT(latency_entry, from)},
    {"to", TEXT(latency_entry, to)},
    {"iterations", NUMBER(latency_entry, values.iterations)},
    {"p50_ns", NUMBER(latency_entry, values.p50_ns)},
    {"p99_ns", NUMBER(latency_entry, values.p99_ns)},
    {"max_ns", NUMBER(latency_entry, values.max_ns)},
    {"allowed_ns", NUMBER(latency_entry, values.allowed_ns)},
    {"percentile", RARE(latency_entry, values.percentile)}, /* not in files of earlier programs */
    {"percentile_ns", RARE(latency_entry, values.percentile_ns)},
    {"misses", NUMBER(latency_entry, values.misses)},
    {"lost", NUMBER(latency_entry, values.lost)},
    {0}};

static void read_latency(struct reading *r)
{
    const struct dal_spec_network *network = &r->spec->network;
    struct latency_entry entry = {.values = {.iterations = 0}};
    dal__members_read(&r->json, latency_members, &entry, "a latency");
    if (entry.values.percentile == 0) { /* earlier programs promise something of all iterations */
        entry.values.percentile = 100;
        entry.values.percentile_ns = entry.values.max_ns;
    }
    for (size_t i = 0; !r->json.wrong && i < network->latency_count; i++)
        if (strcmp(network->latencies[i].from->name, entry.from) == 0 &&
            strcmp(network->latencies[i].to->name, entry.to) == 0)
            r->stats->latencies[i] = entry.values;
}

/* ---- the file -------------------------------------------------------------------------------- */

static void read_version(struct reading *r)
{
    double version = dal_json_number(&r->json, 0, MOST, "dal-stats");
    if (!r->json.wrong && version != 1)
        dal_json_refuse(&r->json, "version %.15g of statistics is not known, only 1", version);
}

static void read_network(struct reading *r)
{
    char name[ROOM];
    r->place = r->json.place;
    dal_json_string(&r->json, name, sizeof(name), "network");
    if (!r->json.wrong && strcmp(name, r->spec->network.name) != 0)
        refuse_foreign(r, "these are statistics of process network '%s', not of '%s'", name,
                       r->spec->network.name);
}

static void read_wall(struct reading *r)
{
    r->stats->wall_ns = dal_json_number(&r->json, 0, MOST, "wall_ns");
}

static const struct part {
    const char *name;
    void (*read)(struct reading *r);  /* the value */
    void (*entry)(struct reading *r); /* of a list of such entries */
} parts[] = {
    {"dal-stats", read_version, NULL}, {"network", read_network, NULL},
    {"wall_ns", read_wall, NULL},      {"processes", NULL, read_process},
    {"channels", NULL, read_channel},  {"flows", NULL, read_flow},
    {"latencies", NULL, read_latency},
};

/* Files of earlier programs have no latencies. */
enum { PARTS = sizeof(parts) / sizeof(parts[0]), PARTS_NEEDED = PARTS - 1 };

static void read_part(struct reading *r, const struct part *part)
{
    int count = 0;
    if (part->read) {
        part->read(r);
        return;
    }
    dal_json_begin(&r->json, '[', part->name);
    while (!r->status && dal_json_next(&r->json, '[', &count)) {
        dal_json_skip_space(&r->json);
        r->place = r->json.place;
        part->entry(r);
    }
}

static void read_file(struct reading *r)
{
    struct dal_json *json = &r->json;
    unsigned given = 0;
    int count = 0, i;
    char name[DAL_MEMBERS_MOST];
    dal_json_begin(json, '{', "the file");
    while (!r->status && dal_json_next(json, '{', &count)) {
        dal_json_name(json, name, sizeof(name));
        for (i = 0; i < PARTS && strcmp(parts[i].name, name) != 0;)
            i++;
        if (json->wrong)
            return;
        if (i == PARTS)
            dal_json_skip(json);
        else if (given & 1u << i)
            dal_json_refuse(json, "%s is given twice", name);
        else
            read_part(r, &parts[i]);
        given |= i < PARTS ? 1u << i : 0;
    }
    for (int k = 0; k < PARTS_NEEDED; k++)
        if (!(given & 1u << k))
            dal_json_refuse(json, "%s is missing: this is not what DAL_STATS writes",
                            parts[k].name);
    dal_json_skip_space(json);
    if (json->at != json->end)
        dal_json_refuse(json, "nothing may follow the object");
}

/* Statistics of a run that has ended must have all processes and channels. */
static void check_all(struct reading *r)
{
    const struct dal_spec_network *network = &r->spec->network;
    r->place = r->json.place;
    r->place.line = 0;
    for (size_t i = 0; i < network->process_count; i++)
        if (!r->is_there[i])
            refuse_foreign(r, "process '%s' is not in it", network->processes[i].name);
    for (size_t i = 0; i < network->channel_count; i++)
        if (!r->is_there[network->process_count + i])
            refuse_foreign(r, "channel '%s' is not in it", network->channels[i].name);
}

static int prepare(struct reading *r)
{
    const struct dal_spec_network *network = &r->spec->network;
    struct dal_stats *stats = r->stats;
    int status = DAL_OK;
    stats->process_count = network->process_count;
    stats->processes = dal_calloc(network->process_count + 1, sizeof(*stats->processes));
    stats->channels = dal_calloc(network->channel_count + 1, sizeof(*stats->channels));
    r->is_there = dal_calloc(network->process_count + network->channel_count + 1, 1);
    stats->latencies = dal_calloc(network->latency_count + 1, sizeof(*stats->latencies));
    if (!stats->processes || !stats->channels || !stats->latencies || !r->is_there)
        return DAL_ERR_NOMEM;
    for (size_t i = 0; !status && i < network->process_count; i++)
        status = dal_names_add(&r->processes, network->processes[i].name, i);
    for (size_t i = 0; !status && i < network->channel_count; i++)
        status = dal_names_add(&r->channels, network->channels[i].name, i);
    return status;
}

int dal_stats_read(struct dal_diags *diags, const char *file, const struct dal_spec *spec,
                   struct dal_stats *stats)
{
    struct reading r = {.spec = spec, .stats = stats};
    char *text = NULL;
    size_t length, errors = diags->errors;
    const char *why;
    int status;
    r.json = (struct dal_json){.diags = diags,
                               .code = "bad-stats",
                               .place = {.file = dal_diag_file(diags, file), .line = 1}};
    status = dal_file_read(file, MAX_BYTES, &text, &length, &why);
    if (status == DAL_ERR_LIMIT || status == DAL_ERR_IO) {
        r.json.place.line = 0;
        return dal_error(diags, r.json.place, "file", "%s",
                         status == DAL_ERR_IO ? why : "more than 2^26 bytes");
    }
    r.status = status ? status : prepare(&r);
    if (!r.status) {
        r.json.at = text;
        r.json.end = text + length;
        read_file(&r);
    }
    if (!r.status && !r.json.wrong)
        check_all(&r);
    dal_names_finish(&r.processes);
    dal_names_finish(&r.channels);
    dal_key_maker_finish(&r.maker);
    dal_free_all(r.is_there, text);
    return r.status ? r.status : diags->errors > errors ? DAL_ERR_INVALID : DAL_OK;
}

void dal_stats_finish(struct dal_stats *stats)
{
    for (size_t i = 0; stats->processes && i < stats->process_count; i++)
        dal_free_all(stats->processes[i].spread, stats->processes[i].curve);
    dal_free_all(stats->processes, stats->channels, stats->latencies);
    *stats = (struct dal_stats){0};
}
