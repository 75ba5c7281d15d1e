#include "spec/read/tap.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/read/tap_edges.h"

#include <string.h>

/* ---- what is upstream ------------------------------------------------------------------------ */

/* Counts the channels that a process waits for at the begin: those without initial tokens. */
static void count_waits(const struct dal__taps *taps, size_t *waits)
{
    for (size_t i = 0; i < taps->network->channel_count; i++)
        if (taps->edges[i].to != DAL__NO_EDGE && !taps->network->channels[i].initial_tokens)
            waits[taps->edges[i].to]++;
}

/* Channels by producer: the first one of a process, and the next one of each. */
struct outputs {
    size_t *first, *next;
};

static void list_outputs(const struct dal__taps *taps, const struct outputs *outputs)
{
    for (size_t i = 0; i < taps->network->process_count; i++)
        outputs->first[i] = DAL__NO_EDGE;
    for (size_t i = 0; i < taps->network->channel_count; i++) {
        size_t from = taps->edges[i].from;
        if (from == DAL__NO_EDGE || taps->network->channels[i].initial_tokens)
            continue;
        outputs->next[i] = outputs->first[from];
        outputs->first[from] = i;
    }
}

/* Numbers the processes from the sources on. Where all that are left wait for each other, the first
 * one in the file goes on. */
static void number_all(const struct dal__taps *taps, const struct outputs *outputs, size_t *waits,
                       uint64_t *numbers)
{
    size_t count = taps->network->process_count, next = 0, first = 0, ready = 0;
    size_t *queue = outputs->next + taps->network->channel_count;
    for (size_t i = 0; i < count; i++)
        if (!waits[i])
            queue[ready++] = i;
    while (next < count) {
        if (next == ready) {
            while (numbers[first] || !waits[first])
                first++;
            waits[first] = 0;
            queue[ready++] = first;
        }
        numbers[queue[next]] = next + 1;
        for (size_t c = outputs->first[queue[next++]]; c != DAL__NO_EDGE; c = outputs->next[c])
            if (waits[taps->edges[c].to] && !--waits[taps->edges[c].to])
                queue[ready++] = taps->edges[c].to;
    }
}

/* Returns the numbers of processes, from 1 on; NULL without memory. */
static uint64_t *number_processes(const struct dal__taps *taps)
{
    size_t processes = taps->network->process_count, channels = taps->network->channel_count;
    uint64_t *numbers = dal_calloc(processes + 1, sizeof(*numbers));
    size_t *waits = dal_calloc(processes + 1, sizeof(*waits));
    struct outputs outputs = {.first = dal_calloc(processes + 1, sizeof(size_t)),
                              .next = dal_calloc(channels + processes + 1, sizeof(size_t))};
    int is_there = numbers && waits && outputs.first && outputs.next;
    if (is_there) {
        count_waits(taps, waits);
        list_outputs(taps, &outputs);
        number_all(taps, &outputs, waits, numbers);
    }
    dal_free_all(waits, outputs.first, outputs.next);
    if (is_there)
        return numbers;
    dal_free(numbers);
    return NULL;
}

/* ---- taps ------------------------------------------------------------------------------------ */

static char *copy_text(int *lost, const char *text)
{
    char *copy = text ? dal_strdup(text) : NULL;
    *lost |= text && !copy;
    return copy;
}

static int copy_phases(struct dal_spec_phases *to, const struct dal_spec_phases *from)
{
    *to = (struct dal_spec_phases){0};
    if (!from->count)
        return 0;
    to->of = dal_calloc(from->count, sizeof(*to->of));
    if (!to->of)
        return 1;
    memcpy(to->of, from->of, from->count * sizeof(*to->of));
    to->count = from->count;
    return 0;
}

/* Adds a channel beside another one, at the same port. It has no initial tokens. */
static int add_channel(struct dal__taps *taps, const char *name, size_t beside)
{
    struct dal_spec_network *network = taps->network;
    struct dal__raw_network *raw = &taps->raw->network;
    struct dal_spec_channel *c;
    struct dal__raw_channel *r;
    int lost = 0;
    if (network->channel_count == DAL_MAX_CHANNELS)
        return dal_error(taps->diags, network->place, "network-size",
                         "--tap: there are more than %d channels", DAL_MAX_CHANNELS);
    if (dal_extend(&network->channels, network->channel_count, sizeof(*c)) ||
        dal_extend(&raw->channels, raw->channel_count, sizeof(*r)))
        return dal__lost(taps->diags);
    c = &network->channels[network->channel_count];
    r = &raw->channels[raw->channel_count++];
    *c = network->channels[beside];
    *r = (struct dal__raw_channel){.broken = raw->channels[beside].broken,
                                   .is_sized = raw->channels[beside].is_sized};
    c->name = dal_format("%s.tap", name);
    c->token_type = copy_text(&lost, c->token_type);
    c->header = copy_text(&lost, c->header);
    c->initial_data = NULL;
    c->through = NULL;
    c->initial_tokens = 0;
    c->inplace = c->unsaid_out = 0;
    c->rate_out = 1;
    c->number = network->channel_count++;
    r->input = copy_text(&lost, "in");
    r->output = copy_text(&lost, "out");
    lost |= copy_phases(&r->in, &raw->channels[beside].in) || !c->name;
    return lost ? dal__lost(taps->diags) : DAL_OK;
}

/* Adds a connection between a process and the last channel, whose process may come later. */
static int add_connection(struct dal__taps *taps, const char *process, const char *port, int into)
{
    struct dal__raw_network *raw = &taps->raw->network;
    const struct dal_spec_channel *channel =
        &taps->network->channels[taps->network->channel_count - 1];
    struct dal__raw_connection *c;
    struct dal__raw_end *at_process, *at_channel;
    if (dal_extend(&raw->connections, raw->connection_count, sizeof(*c)))
        return dal__lost(taps->diags);
    c = &raw->connections[raw->connection_count++];
    *c = (struct dal__raw_connection){
        .name = dal_format("%s.%s", channel->name, into ? "in" : "out"), .place = channel->place};
    at_process = into ? &c->origin : &c->target;
    at_channel = into ? &c->target : &c->origin;
    *at_process = (struct dal__raw_end){.name = dal_strdup(process), .port = dal_strdup(port)};
    *at_channel = (struct dal__raw_end){.name = dal_strdup(channel->name),
                                        .port = dal_strdup(into ? "in" : "out")};
    return c->name && at_process->name && at_process->port && at_channel->name && at_channel->port
               ? DAL_OK
               : dal__lost(taps->diags);
}

/* Adds a tap at the port that a channel leads from. */
static int add_tap(struct dal__taps *taps, const char *name, size_t beside, uint64_t order)
{
    size_t number = taps->network->channel_count, count = taps->raw->network.connection_count;
    const char *process = taps->network->processes[taps->edges[beside].from].name;
    int status = add_channel(taps, name, beside);
    if (!status)
        status = add_connection(taps, process, dal__edge_port(taps, beside, 1), 1);
    if (!status)
        status = add_connection(taps, "", "", 0);
    if (status)
        return status;
    taps->edges[number] =
        (struct dal__edge){.from = taps->edges[beside].from, .origin = count, .target = count + 1};
    return dal__taps_add(taps, dal_strdup(name), dal_strdup(name), number, 0,
                         (struct dal_spec_tap){.kind = DAL_TAP_RECORD, .order = order});
}

/* Marks the patterns that fit a name. Returns whether any does. */
static int fit(const struct dal_spec_define *defines, size_t count, unsigned char *used,
               const char *name)
{
    int fits = 0;
    for (size_t i = 0; i < count; i++)
        if (defines[i].kind == DAL_DEFINE_TAP && dal_names_match(defines[i].name, name))
            used[i] = fits = 1;
    return fits;
}

static void refuse_unused(const struct dal__taps *taps, const struct dal_spec_define *defines,
                          size_t count, const unsigned char *used, const struct dal_names *names)
{
    struct dal__hint hint;
    for (size_t i = 0; i < count; i++)
        if (defines[i].kind == DAL_DEFINE_TAP && !used[i])
            dal_error(taps->diags, taps->network->place, "tap", "--tap=%s: no output port %s%s",
                      defines[i].name,
                      dal_names_is_pattern(defines[i].name) ? "fits" : "has this name",
                      dal__did_you_mean(&hint, names, defines[i].name));
}

/* A process that stands for a recording has been tapped when that was made. */
static int can_be_tapped(const struct dal__taps *taps, size_t channel)
{
    const struct dal__edge *edge = &taps->edges[channel];
    return edge->is_first && !taps->network->processes[edge->from].tap.kind;
}

static int add_fitting(struct dal__taps *taps, const struct dal_spec_define *defines, size_t count,
                       char **names, const uint64_t *order, unsigned char *used)
{
    struct dal_names all = {0};
    size_t channels = taps->network->channel_count;
    int status = DAL_OK;
    for (size_t i = 0; i < channels && !status; i++) {
        if (!can_be_tapped(taps, i))
            continue;
        names[i] = dal__edge_name(taps, i, 1);
        if (!names[i] || dal_names_add(&all, names[i], i) == DAL_ERR_NOMEM)
            status = dal__lost(taps->diags);
        else if (fit(defines, count, used, names[i]))
            status = add_tap(taps, names[i], i, order[taps->edges[i].from]);
    }
    if (!status)
        refuse_unused(taps, defines, count, used, &all);
    for (size_t i = 0; i < channels; i++)
        dal_free(names[i]);
    dal_names_finish(&all);
    return status;
}

static int add_all(struct dal__taps *taps, const struct dal_spec_define *defines, size_t count)
{
    unsigned char *used = dal_calloc(count + 1, 1);
    uint64_t *order = number_processes(taps);
    char **names = dal_calloc(taps->network->channel_count + 1, sizeof(*names));
    int status = used && order && names ? add_fitting(taps, defines, count, names, order, used)
                                        : dal__lost(taps->diags);
    dal_free_all(used, order, names);
    return status;
}

/* Each change sees the network as the one before has left it. */
static int change(struct dal__taps *taps, const struct dal_spec_define *defines, size_t count,
                  const struct dal_spec_define *wish)
{
    return wish->kind == DAL_DEFINE_TAP ? add_all(taps, defines, count) : dal__taps_cut(taps, wish);
}

/* Recordings first; all taps are one change, the last. */
int dal__add_taps(struct dal_diags *diags, struct dal_spec_network *network, struct dal__raw *raw,
                  const struct dal_spec_define *defines, size_t define_count)
{
    int status = DAL_OK, last = 0;
    for (size_t i = 0; i < 2 * define_count && !status; i++) {
        const struct dal_spec_define *wish = &defines[i % define_count];
        struct dal__taps taps;
        int is_tap = wish->kind == DAL_DEFINE_TAP;
        if (!wish->kind || is_tap != (i >= define_count) || last)
            continue;
        last = is_tap;
        status = dal__taps_begin(&taps, diags, network, raw);
        if (!status)
            status = change(&taps, defines, define_count, wish);
        dal__taps_finish(&taps);
    }
    return status;
}
