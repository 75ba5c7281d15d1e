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

/* ---- ports of networks ------------------------------------------------------------------------
 */

/* What an option names. */
struct wish {
    const char *name;
    char *meant;  /* of a port of a network: the port of a process whose tokens it has; else NULL */
    int is_input; /* of such a port */
    int is_used;
};

/* Finds a port of a part, "Left.mixed", or of the network itself, "mixed"; NULL without one. */
static const struct dal__raw_port *find_network_port(const struct dal__raw_network *raw,
                                                     const char *name)
{
    const char *point = strrchr(name, '.');
    size_t length = point ? (size_t)(point - name) : 0;
    for (size_t i = 0; i < raw->part_count; i++)
        if (strlen(raw->parts[i].name) == length && strncmp(raw->parts[i].name, name, length) == 0)
            return DAL_NAMED(raw->parts[i].ports, raw->parts[i].port_count, name,
                             point ? point + 1 : name);
    return NULL;
}

static int is_port_named(const struct dal_spec_process *process, const char *name)
{
    return dal_spec_is_port(process) && strcmp(process->name, name) == 0;
}

/* Does a channel, whose ends are known, lead through such a port, or begin or end there? */
static int leads_through(const struct dal__taps *taps, size_t channel, const char *name)
{
    const struct dal_spec_process *processes = taps->network->processes;
    const char *at = taps->network->channels[channel].through;
    size_t length = strlen(name);
    for (; at && *at; at += strcspn(at, "\n") + 1)
        if (strncmp(at, name, length) == 0 && at[length] == '\n')
            return 1;
    return is_port_named(&processes[taps->edges[channel].from], name) ||
           is_port_named(&processes[taps->edges[channel].to], name);
}

static int find_meaning(const struct dal__taps *taps, struct wish *wish)
{
    const struct dal__raw_port *port = find_network_port(&taps->raw->network, wish->name);
    size_t i = 0, count = port ? taps->network->channel_count : 0;
    while (i < count &&
           (taps->edges[i].from == DAL__NO_EDGE || !leads_through(taps, i, wish->name)))
        i++;
    if (i == count)
        return DAL_OK;
    wish->is_input = !port->output;
    wish->meant = dal__edge_name(taps, i, 1);
    return wish->meant ? DAL_OK : dal__lost(taps->diags);
}

/* ---- taps ------------------------------------------------------------------------------------ */

/* Marks the options that fit the name of a port. Returns whether any does. */
static int fit(struct wish *wishes, size_t count, const char *name)
{
    int fits = 0;
    for (size_t i = 0; i < count; i++)
        if (wishes[i].meant ? !wishes[i].is_input && strcmp(wishes[i].meant, name) == 0
                            : dal_names_match(wishes[i].name, name))
            wishes[i].is_used = fits = 1;
    return fits;
}

/* Is it a port of a process that is left out, or of one that a recording stands for? */
static int is_gone(const struct dal__taps *taps, const struct wish *wish)
{
    const char *name = wish->meant ? wish->meant : wish->name, *point = strrchr(name, '.');
    size_t length = point ? (size_t)(point - name) : 0;
    for (size_t i = 0; length && i < taps->raw->gone_count; i++)
        if (strlen(taps->raw->gone[i]) == length && strncmp(taps->raw->gone[i], name, length) == 0)
            return 1;
    return wish->meant && !wish->is_input;
}

static void refuse_unused(const struct dal__taps *taps, const struct wish *wish,
                          const struct dal_names *names)
{
    struct dal__hint hint;
    if (is_gone(taps, wish))
        dal_error(taps->diags, taps->network->place, "tap",
                  "--tap=%s: its process does not run beside recordings", wish->name);
    else if (wish->is_input)
        dal_error(taps->diags, taps->network->place, "tap",
                  "--tap=%s: it is an input port; its tokens are those of %s", wish->name,
                  wish->meant);
    else
        dal_error(taps->diags, taps->network->place, "tap", "--tap=%s: no output port %s%s",
                  wish->name, dal_names_is_pattern(wish->name) ? "fits" : "has this name",
                  strchr(wish->name, '.') ? dal__did_you_mean(&hint, names, wish->name)
                                          : "; PROCESS.PORT is wanted");
}

/* A process that stands for a recording has been tapped when that was made. */
static int can_be_tapped(const struct dal__taps *taps, size_t channel)
{
    const struct dal__edge *edge = &taps->edges[channel];
    return edge->is_first && !taps->network->processes[edge->from].tap.kind;
}

static int add_fitting(struct dal__taps *taps, struct wish *wishes, size_t count, char **names,
                       const uint64_t *order)
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
        else if (fit(wishes, count, names[i]))
            status = dal__taps_listen(
                taps, names[i], i,
                (struct dal_spec_tap){.kind = DAL_TAP_RECORD, .order = order[taps->edges[i].from]});
    }
    for (size_t i = 0; i < count && !status; i++)
        if (!wishes[i].is_used)
            refuse_unused(taps, &wishes[i], &all);
    for (size_t i = 0; i < channels; i++)
        dal_free(names[i]);
    dal_names_finish(&all);
    return status;
}

static int add_all(struct dal__taps *taps, const struct dal_spec_define *defines, size_t count)
{
    struct wish *wishes = dal_calloc(count + 1, sizeof(*wishes));
    uint64_t *order = number_processes(taps);
    char **names = dal_calloc(taps->network->channel_count + 1, sizeof(*names));
    size_t found = 0;
    int status = wishes && order && names ? DAL_OK : dal__lost(taps->diags);
    for (size_t i = 0; i < count && !status; i++)
        if (defines[i].kind == DAL_DEFINE_TAP) {
            wishes[found].name = defines[i].name;
            status = find_meaning(taps, &wishes[found++]);
        }
    if (!status)
        status = add_fitting(taps, wishes, found, names, order);
    for (size_t i = 0; i < found; i++)
        dal_free(wishes[i].meant);
    dal_free_all(wishes, order, names);
    return status;
}

static int make_change(struct dal__taps *taps, const struct dal_spec_define *defines, size_t count,
                       enum dal_spec_define_kind kind)
{
    return kind == DAL_DEFINE_TAP ? add_all(taps, defines, count)
                                  : dal__taps_cut(taps, defines, count, kind);
}

/* All options of a kind are one change. Taps see the network that the others leave. */
int dal__add_taps(struct dal_diags *diags, struct dal_spec_network *network, struct dal__raw *raw,
                  const struct dal_spec_define *defines, size_t define_count)
{
    static const enum dal_spec_define_kind kinds[] = {DAL_DEFINE_REPLAY, DAL_DEFINE_ONLY,
                                                      DAL_DEFINE_TAP};
    int status = DAL_OK;
    for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]) && !status; k++) {
        struct dal__taps taps;
        size_t i = 0;
        while (i < define_count && defines[i].kind != kinds[k])
            i++;
        if (i == define_count)
            continue;
        status = dal__taps_begin(&taps, diags, network, raw);
        if (!status)
            status = make_change(&taps, defines, define_count, kinds[k]);
        dal__taps_finish(&taps);
    }
    return status;
}
