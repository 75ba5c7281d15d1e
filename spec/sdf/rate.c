/* Consistency and repetition vector by exact propagation over a spanning forest. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/sdf/sdf.h"
#include "spec/sdf/change.h"
#include "spec/sdf/ratio.h"

#include <inttypes.h>
#include <string.h>

/* Channels of a contradictory cycle, and changes that end it, that are spelt out. */
#define MAX_NOTES 16
/* Channel ends looked at in search of a change: half a second. */
#define MAX_CHANGE_WORK ((uint64_t)1 << 25)

/* One process in the forest. */
struct visit {
    struct dal__ratio firings;          /* for one firing of the root */
    const struct dal_spec_channel *via; /* from the parent; NULL at a root */
    size_t parent, depth;
    int seen;
};

struct forest {
    struct dal_diags *diags;
    struct dal_spec_network *network;
    struct visit *visits; /* by process number */
    size_t *order;        /* process numbers, breadth first */
    size_t count;
    struct dal_sdf_contradiction *witness; /* where to leave the first, or NULL */
    int told;                              /* the change that ends all contradictions */
};

/* The other end of a channel, as seen from its producer (output 1) or its consumer (0). */
static const struct dal_spec_process *other_end(const struct dal_spec_channel *channel, int output)
{
    return output ? channel->consumer : channel->producer;
}

static uint64_t near_rate(const struct dal_spec_channel *channel, int output)
{
    return output ? channel->rate_in : channel->rate_out;
}

static uint64_t far_rate(const struct dal_spec_channel *channel, int output)
{
    return output ? channel->rate_out : channel->rate_in;
}

static int overflow(struct forest *forest, const struct dal_spec_process *process)
{
    dal_error(forest->diags, process->place, "repetition-overflow",
              "process '%s': the firings of one iteration do not fit 64 bits; the rates on the way "
              "to it have too large a common multiple",
              process->name);
    return DAL_ERR_INVALID;
}

/* The way from `number` up to `stop`, appended to steps. */
static size_t climb(const struct forest *forest, size_t number, size_t stop,
                    struct dal_sdf_step *steps)
{
    const struct dal_spec_process *processes = forest->network->processes;
    size_t count = 0;
    for (; number != stop; number = forest->visits[number].parent)
        steps[count++] = (struct dal_sdf_step){.from = &processes[number],
                                               .to = &processes[forest->visits[number].parent],
                                               .channel = forest->visits[number].via};
    return count;
}

static size_t common_ancestor(const struct forest *forest, size_t a, size_t b)
{
    const struct visit *visits = forest->visits;
    while (a != b) {
        if (visits[a].depth < visits[b].depth)
            b = visits[b].parent;
        else
            a = visits[a].parent;
    }
    return a;
}

/* The cycle that `channel` closes: through it, up to the common ancestor, and down again. */
static size_t find_cycle(const struct forest *forest, const struct dal_spec_channel *channel,
                         struct dal_sdf_step *steps)
{
    size_t from = channel->producer->number, to = channel->consumer->number;
    size_t top = common_ancestor(forest, from, to), count = 1, down;
    steps[0] = (struct dal_sdf_step){
        .from = channel->producer, .to = channel->consumer, .channel = channel};
    count += climb(forest, to, top, steps + 1);
    down = climb(forest, from, top, steps + count);
    for (size_t i = 0; i < (down + 1) / 2; i++) {
        struct dal_sdf_step *a = &steps[count + i], *b = &steps[count + down - 1 - i], swap = *a;
        *a = (struct dal_sdf_step){.from = b->to, .to = b->from, .channel = b->channel};
        *b = (struct dal_sdf_step){.from = swap.to, .to = swap.from, .channel = swap.channel};
    }
    return count + down;
}

/* Near and far rates along the steps; 0 when the product does not fit. */
static void multiply(const struct dal_sdf_step *steps, size_t count, uint64_t *near, uint64_t *far)
{
    int large = 0;
    *near = *far = 1;
    for (size_t i = 0; i < count; i++) {
        const struct dal_spec_channel *channel = steps[i].channel;
        int along = steps[i].from == channel->producer;
        large |= __builtin_mul_overflow(*near, along ? channel->rate_in : channel->rate_out, near);
        large |= __builtin_mul_overflow(*far, along ? channel->rate_out : channel->rate_in, far);
    }
    if (large)
        *near = *far = 0;
}

static void note_products(struct forest *forest, const struct dal_sdf_step *steps, size_t count)
{
    struct dal_diags *diags = forest->diags;
    uint64_t near, far;
    multiply(steps, count, &near, &far);
    if (!near)
        dal_note(diags, steps[0].channel->place,
                 "the products of the rates round this cycle differ");
    else
        dal_note(diags, steps[0].channel->place,
                 "round this cycle the rates at the near ends multiply to %" PRIu64
                 ", those at the far ends to %" PRIu64 "; they must be equal",
                 near, far);
}

static void note_rates(struct dal_diags *diags, const struct dal_spec_channel *channel, uint64_t in,
                       uint64_t out, const char *also)
{
    if (in == channel->rate_in)
        dal_note(diags, channel->place,
                 "with tokenrateout=\"%" PRIu64 "\" on sw_channel '%s' (now %" PRIu64 ")%s", out,
                 channel->name, channel->rate_out, also);
    else if (out == channel->rate_out)
        dal_note(diags, channel->place,
                 "with tokenratein=\"%" PRIu64 "\" on sw_channel '%s' (now %" PRIu64 ")%s", in,
                 channel->name, channel->rate_in, also);
    else
        dal_note(diags, channel->place,
                 "with tokenratein=\"%" PRIu64 "\" tokenrateout=\"%" PRIu64
                 "\" on sw_channel '%s' (now %" PRIu64 " and %" PRIu64 ")%s",
                 in, out, channel->name, channel->rate_in, channel->rate_out, also);
}

static void note_change(struct forest *forest, const struct dal_sdf_change *change)
{
    const struct dal_spec_network *network = forest->network;
    size_t left = change->count, named = 0;
    for (size_t i = 0; i < network->channel_count && named < MAX_NOTES && left; i++) {
        const struct dal_spec_channel *channel = &network->channels[i];
        if (change->rate_in[i] == channel->rate_in && change->rate_out[i] == channel->rate_out)
            continue;
        note_rates(forest->diags, channel, change->rate_in[i], change->rate_out[i],
                   --left                ? " and what follows"
                   : change->is_smallest ? " all rates fit; no fewer channels are enough"
                                         : " all rates fit");
        named++;
    }
    if (left)
        dal_note(forest->diags, network->place, "and %zu more changes all rates fit", left);
}

static void describe_cycle(struct forest *forest, const struct dal_sdf_step *steps, size_t count)
{
    struct dal_diags *diags = forest->diags;
    char path[400];
    size_t used;
    snprintf(path, sizeof(path), "%.60s", steps[0].from->name);
    for (size_t i = 0; i < count; i++) {
        used = strlen(path);
        snprintf(path + used, sizeof(path) - used, " -> %.60s",
                 used > 250 && i + 1 < count ? "..." : steps[i].to->name);
        if (used > 250)
            break;
    }
    dal_error(diags, steps[0].channel->place, "inconsistent-rates",
              "sw_channel '%s': no numbers of firings fit the rates of the cycle %s",
              steps[0].channel->name, path);
    for (size_t i = 0; i < count && i < MAX_NOTES; i++) {
        const struct dal_spec_channel *channel = steps[i].channel;
        dal_note(diags, channel->place,
                 "sw_channel '%s': '%s' writes %" PRIu64 " and '%s' reads %" PRIu64
                 " tokens a firing",
                 channel->name, channel->producer->name, channel->rate_in, channel->consumer->name,
                 channel->rate_out);
    }
    if (count > MAX_NOTES)
        dal_note(diags, steps[0].channel->place, "and %zu more channels", count - MAX_NOTES);
    note_products(forest, steps, count);
}

/* One change for all contradictions, told with the first. */
static int find_change(struct forest *forest, struct dal_sdf_change *change)
{
    struct dal_sdf_budget budget = {.work = MAX_CHANGE_WORK};
    int status = forest->told ? DAL_OK : dal__change_find(change, forest->network, &budget);
    if (!status && change->found)
        note_change(forest, change);
    forest->told = 1;
    return status;
}

static int contradiction(struct forest *forest, const struct dal_spec_channel *channel)
{
    struct dal_sdf_step *steps = dal_calloc(2 * forest->network->process_count + 1, sizeof(*steps));
    struct dal_sdf_contradiction *witness = forest->witness, own = {0};
    size_t count;
    int status;
    if (!steps) {
        forest->diags->lost = 1;
        return DAL_ERR_NOMEM;
    }
    count = find_cycle(forest, channel, steps);
    describe_cycle(forest, steps, count);
    if (!witness || witness->steps)
        witness = &own;
    *witness = (struct dal_sdf_contradiction){.steps = steps, .count = count};
    multiply(steps, count, &witness->near, &witness->far);
    status = find_change(forest, &witness->change);
    forest->diags->lost |= status != DAL_OK;
    dal_sdf_contradiction_finish(&own);
    return DAL_ERR_INVALID;
}

void dal_sdf_contradiction_finish(struct dal_sdf_contradiction *contradiction)
{
    dal_free(contradiction->steps);
    dal_sdf_change_finish(&contradiction->change);
    *contradiction = (struct dal_sdf_contradiction){0};
}

/* Enters or verifies the process at the other end of a channel. */
static int follow(struct forest *forest, const struct dal_spec_process *process,
                  const struct dal_spec_channel *channel, int output)
{
    const struct dal_spec_process *other = other_end(channel, output);
    const struct visit *here = &forest->visits[process->number];
    struct visit *there = &forest->visits[other->number];
    struct dal__ratio firings;
    int unfit =
        dal__scale(here->firings, near_rate(channel, output), far_rate(channel, output), &firings);
    if (!there->seen) {
        if (unfit)
            return overflow(forest, other);
        *there = (struct visit){.firings = firings,
                                .via = channel,
                                .parent = process->number,
                                .depth = here->depth + 1,
                                .seen = 1};
        forest->order[forest->count++] = other->number;
        return DAL_OK;
    }
    if (unfit || firings.over != there->firings.over || firings.under != there->firings.under)
        return contradiction(forest, channel);
    return DAL_OK;
}

static int follow_port(struct forest *forest, const struct dal_spec_process *process,
                       const struct dal_spec_port *port)
{
    const struct dal_spec_channel *channel;
    int status = DAL_OK;
    for (channel = port->channel; channel && !status; channel = dal_port_next(port, channel))
        status = follow(forest, process, channel, port->output);
    return status;
}

/* Visits all that is connected with `root`; it ends up in order[first..count). */
static int grow(struct forest *forest, size_t root, size_t first)
{
    forest->visits[root] = (struct visit){.firings = {.over = 1, .under = 1}, .seen = 1};
    forest->order[forest->count++] = root;
    for (size_t i = first; i < forest->count; i++) {
        const struct dal_spec_process *process = &forest->network->processes[forest->order[i]];
        for (size_t k = 0; k < process->port_count; k++) {
            int status = follow_port(forest, process, &process->ports[k]);
            if (status)
                return status;
        }
    }
    return DAL_OK;
}

/* With a root of 1, the least common multiple of the denominators makes the smallest integers. */
static int scale_to_integers(struct forest *forest, size_t first)
{
    struct dal_spec_process *processes = forest->network->processes;
    uint64_t multiple = 1;
    for (size_t i = first; i < forest->count; i++) {
        uint64_t under = forest->visits[forest->order[i]].firings.under;
        if (__builtin_mul_overflow(multiple, under / dal_gcd(multiple, under), &multiple))
            return overflow(forest, &processes[forest->order[i]]);
    }
    for (size_t i = first; i < forest->count; i++) {
        struct dal_spec_process *process = &processes[forest->order[i]];
        struct dal__ratio firings = forest->visits[process->number].firings;
        if (__builtin_mul_overflow(multiple / firings.under, firings.over, &process->repetitions))
            return overflow(forest, process);
    }
    return DAL_OK;
}

static int check_tokens(struct forest *forest)
{
    const struct dal_spec_network *network = forest->network;
    for (size_t i = 0; i < network->channel_count; i++) {
        const struct dal_spec_channel *channel = &network->channels[i];
        uint64_t tokens;
        if (__builtin_mul_overflow(channel->producer->repetitions, channel->rate_in, &tokens) ||
            __builtin_add_overflow(tokens, channel->initial_tokens, &tokens))
            return overflow(forest, channel->producer);
    }
    return DAL_OK;
}

static void mark_port(struct forest *forest, const struct dal_spec_port *port)
{
    const struct dal_spec_channel *channel;
    for (channel = port->channel; channel; channel = dal_port_next(port, channel)) {
        const struct dal_spec_process *other = other_end(channel, port->output);
        if (forest->visits[other->number].seen)
            continue;
        forest->visits[other->number].seen = 1;
        forest->order[forest->count++] = other->number;
    }
}

/* One error a component, so that one wrong rate is not reported many times. The rest of a
 * contradictory component is left unvisited and would be taken for components of its own, so the
 * next root must not have been reached through it: all of its processes are marked first. */
static void mark_component(struct forest *forest, size_t first)
{
    for (size_t i = first; i < forest->count; i++) {
        const struct dal_spec_process *process = &forest->network->processes[forest->order[i]];
        for (size_t k = 0; k < process->port_count; k++)
            mark_port(forest, &process->ports[k]);
    }
}

static int solve(struct forest *forest)
{
    int result = DAL_OK;
    for (size_t root = 0; root < forest->network->process_count; root++) {
        size_t first = forest->count;
        int status;
        if (forest->visits[root].seen)
            continue;
        status = grow(forest, root, first);
        if (!status)
            status = scale_to_integers(forest, first);
        if (status) {
            result = status;
            mark_component(forest, first);
        }
    }
    return result ? result : check_tokens(forest);
}

int dal_sdf_repetitions_or(struct dal_diags *diags, struct dal_spec_network *network,
                           struct dal_sdf_contradiction *witness)
{
    struct forest forest = {
        .diags = diags,
        .network = network,
        .witness = witness,
        .visits = dal_calloc(network->process_count + 1, sizeof(*forest.visits)),
        .order = dal_calloc(network->process_count + 1, sizeof(*forest.order)),
    };
    int status = DAL_ERR_INVALID;
    if (witness)
        *witness = (struct dal_sdf_contradiction){0};
    if (forest.visits && forest.order)
        status = solve(&forest);
    else
        diags->lost = 1;
    dal_free(forest.visits);
    dal_free(forest.order);
    return status ? DAL_ERR_INVALID : DAL_OK;
}

int dal_sdf_repetitions(struct dal_diags *diags, struct dal_spec_network *network)
{
    return dal_sdf_repetitions_or(diags, network, NULL);
}
