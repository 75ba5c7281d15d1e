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
            dal_error(
                taps->diags, taps->network->place, "tap", "--tap=%s: no output port %s%s",
                defines[i].name, dal_names_is_pattern(defines[i].name) ? "fits" : "has this name",
                strchr(defines[i].name, '.') ? dal__did_you_mean(&hint, names, defines[i].name)
                                             : "; PROCESS.PORT is wanted");
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
            status = dal__taps_listen(
                taps, names[i], i,
                (struct dal_spec_tap){.kind = DAL_TAP_RECORD, .order = order[taps->edges[i].from]});
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
