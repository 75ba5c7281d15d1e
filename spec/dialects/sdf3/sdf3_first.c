/* Fires the initial phases of SDF3's graphs, so that a graph of cycles is left. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/limits.h"
#include "spec/dialects/sdf3/sdf3_reader.h"

#include <string.h>

/* Limit of ports that are looked at: some seconds. */
#define MOST_WORK ((uint64_t)1 << 28)

/* An execution without time: only what the initial phases need is fired. The order does not
 * matter, since no firing takes away what another one waits for. */
struct beginning {
    struct dal__sdf3 *reader;
    struct dal_spec_network *network;
    uint64_t *initial;        /* by process: its initial phases */
    uint64_t *fired, *wanted; /* by process */
    uint64_t *tokens;         /* by channel */
    uint64_t work;
};

enum look { FIRES, ASKS, WAITS };

/* ---- what a file says ------------------------------------------------------------------------ */

static int has_sequence(const struct dal_spec_phases *phases)
{
    return phases->count > 1;
}

/* Compares one sequence with the process's number of initial phases. */
static void compare_initial(struct beginning *b, const struct dal_spec_process *process,
                            const struct dal_spec_phases *first,
                            const struct dal_spec_phases *cycle, struct dal_spec_place place)
{
    size_t initial = b->initial[process->number];
    if (first->count == initial || (first->count == 0 && !has_sequence(cycle)))
        return;
    dal_error(b->reader->diags, place, "sdf3",
              "actor '%s' has a sequence with %zu initial phases and one with %zu: all of its "
              "sequences need as many in front of the ';'",
              process->name, initial, first->count);
}

/* Returns whether there are any initial phases. Sequences of an actor that do not fit each other
 * are errors. */
static int count_initial(struct beginning *b)
{
    int any = 0;
    for (size_t i = 0; i < b->network->process_count; i++) {
        const struct dal_spec_process *process = &b->network->processes[i];
        const struct dal__sdf3_initial *of = &b->reader->initial[i];
        b->initial[i] = of->times.count;
        for (size_t k = 0; k < process->port_count; k++)
            if (of->ports[k].count > b->initial[i])
                b->initial[i] = of->ports[k].count;
        any |= b->initial[i] > 0;
        for (size_t k = 0; k < process->port_count; k++)
            compare_initial(b, process, &of->ports[k], &process->ports[k].phases,
                            process->ports[k].place);
        compare_initial(b, process, &of->times, &process->times, process->place);
    }
    return any;
}

/* ---- the execution --------------------------------------------------------------------------- */

/* Returns the tokens that the next firing of a process moves at a port. */
static uint64_t next_amount(const struct beginning *b, const struct dal_spec_process *process,
                            size_t port)
{
    const struct dal_spec_phases *first = &b->reader->initial[process->number].ports[port];
    const struct dal_spec_phases *cycle = &process->ports[port].phases;
    uint64_t fired = b->fired[process->number], initial = b->initial[process->number];
    if (fired < initial && first->count)
        return first->of[fired];
    return cycle->count ? cycle->of[(fired - initial) % cycle->count] : process->ports[port].rate;
}

static int is_short(const struct beginning *b, const struct dal_spec_process *process, size_t port)
{
    const struct dal_spec_channel *channel = process->ports[port].channel;
    uint64_t tokens = b->tokens[channel->number], amount = next_amount(b, process, port);
    if (!process->ports[port].output)
        return tokens < amount;
    return amount > 0 && channel->capacity && tokens + amount > channel->capacity;
}

/* Asks the process behind a port to fire once more. Returns whether nobody has asked before. */
static int ask_other_end(struct beginning *b, const struct dal_spec_port *port)
{
    const struct dal_spec_channel *channel = port->channel;
    size_t other = (port->output ? channel->consumer : channel->producer)->number;
    int is_new = b->wanted[other] == b->fired[other];
    b->wanted[other] += (uint64_t)is_new;
    return is_new;
}

/* Fires a process, or asks those for which it waits. */
static enum look look_at(struct beginning *b, const struct dal_spec_process *process)
{
    int waits = 0, asks = 0;
    b->work += process->port_count + 1;
    for (size_t k = 0; k < process->port_count; k++) {
        if (!is_short(b, process, k))
            continue;
        waits = 1;
        asks |= ask_other_end(b, &process->ports[k]);
    }
    if (waits)
        return asks ? ASKS : WAITS;
    for (size_t k = 0; k < process->port_count; k++) {
        uint64_t *tokens = &b->tokens[process->ports[k].channel->number];
        uint64_t amount = next_amount(b, process, k);
        *tokens = process->ports[k].output ? *tokens + amount : *tokens - amount;
    }
    b->fired[process->number]++;
    return FIRES;
}

/* Looks at all processes that are to fire. Returns whether anything has changed; counts those that
 * are still to fire. */
static int look_at_all(struct beginning *b, size_t *left)
{
    int changed = 0;
    *left = 0;
    for (size_t i = 0; i < b->network->process_count && b->work < MOST_WORK; i++) {
        enum look look = FIRES;
        while (b->fired[i] < b->wanted[i] && look == FIRES && b->work < MOST_WORK) {
            look = look_at(b, &b->network->processes[i]);
            changed |= look != WAITS;
        }
        *left += b->fired[i] < b->wanted[i];
    }
    return changed;
}

static void tell_dead(const struct beginning *b)
{
    size_t i = 0, k = 0;
    const struct dal_spec_process *process;
    while (b->fired[i] == b->wanted[i])
        i++;
    process = &b->network->processes[i];
    while (!is_short(b, process, k))
        k++;
    dal_error(b->reader->diags, process->place, "deadlock",
              "the initial phases cannot be executed to their end: actor '%s' waits for %s of "
              "channel '%s', which never come",
              process->name, process->ports[k].output ? "free places" : "tokens",
              process->ports[k].channel->name);
}

static void execute_initial(struct beginning *b)
{
    size_t left;
    int changed;
    memcpy(b->wanted, b->initial, b->network->process_count * sizeof(*b->wanted));
    for (size_t i = 0; i < b->network->channel_count; i++)
        b->tokens[i] = b->network->channels[i].initial_tokens;
    do
        changed = look_at_all(b, &left);
    while (changed && left && b->work < MOST_WORK);
    if (b->work >= MOST_WORK)
        dal_error(b->reader->diags, b->network->place, "analysis-limit",
                  "the initial phases need too many firings to be executed");
    else if (left)
        tell_dead(b);
}

/* ---- what is left ---------------------------------------------------------------------------- */

static int rotate_phases(struct dal_spec_phases *phases, uint64_t by)
{
    size_t shift = phases->count ? (size_t)(by % phases->count) : 0;
    uint64_t *turned = shift ? dal_calloc(phases->count, sizeof(*turned)) : NULL;
    if (!shift)
        return DAL_OK;
    if (!turned)
        return DAL_ERR_NOMEM;
    for (size_t i = 0; i < phases->count; i++)
        turned[i] = phases->of[(i + shift) % phases->count];
    dal_free(phases->of);
    phases->of = turned;
    return DAL_OK;
}

/* Makes the state that is reached the graph's initial one. */
static void keep_state(struct beginning *b)
{
    int status = DAL_OK;
    for (size_t i = 0; i < b->network->process_count; i++) {
        struct dal_spec_process *process = &b->network->processes[i];
        uint64_t by = b->fired[i] - b->initial[i];
        status |= rotate_phases(&process->times, by);
        for (size_t k = 0; k < process->port_count; k++)
            status |= rotate_phases(&process->ports[k].phases, by);
    }
    b->reader->lost |= status != DAL_OK;
    for (size_t i = 0; i < b->network->channel_count; i++) {
        struct dal_spec_channel *channel = &b->network->channels[i];
        channel->begun_tokens = (int64_t)(b->tokens[i] - channel->initial_tokens);
        channel->initial_tokens = b->tokens[i];
        if (b->tokens[i] > DAL_MAX_CHANNEL_BYTES)
            dal_error(b->reader->diags, channel->place, "sdf3",
                      "channel '%s' has more than 2^40 tokens after the initial phases",
                      channel->name);
    }
}

int dal__sdf3_begin(struct dal__sdf3 *reader)
{
    struct dal_spec_network *network = reader->network;
    size_t count = network->process_count + 1, errors = reader->diags->errors;
    struct beginning b = {.reader = reader,
                          .network = network,
                          .initial = dal_calloc(count, sizeof(*b.initial)),
                          .fired = dal_calloc(count, sizeof(*b.fired)),
                          .wanted = dal_calloc(count, sizeof(*b.wanted)),
                          .tokens = dal_calloc(network->channel_count + 1, sizeof(*b.tokens))};
    int any = 0;
    if (!b.initial || !b.fired || !b.wanted || !b.tokens)
        reader->lost = 1;
    else
        any = count_initial(&b);
    if (any && reader->diags->errors == errors)
        execute_initial(&b);
    if (any && reader->diags->errors == errors)
        keep_state(&b);
    dal_free_all(b.initial, b.fired, b.wanted, b.tokens);
    return any;
}

void dal__sdf3_initial_finish(struct dal__sdf3 *reader)
{
    for (size_t i = 0; reader->initial && i < reader->network->process_count; i++) {
        struct dal__sdf3_initial *of = &reader->initial[i];
        for (size_t k = 0; of->ports && k < reader->network->processes[i].port_count; k++)
            dal_free(of->ports[k].of);
        dal_free_all(of->times.of, of->ports);
    }
    dal_free(reader->initial);
}
