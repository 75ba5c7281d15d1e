/* Consistency and repetition vector by exact propagation over a spanning forest. */
#include "spec/sdf/rate.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/sdf/forest.h"

#include <inttypes.h>
#include <string.h>

/* Channels of a contradictory cycle, and changes that end it, that are spelt out. */
#define MAX_NOTES 16
/* Channel ends looked at in search of a change: half a second. */
#define MAX_CHANGE_WORK ((uint64_t)1 << 25)

struct solver {
    struct dal_diags *diags;
    struct dal_sdf_graph *graph;
    struct dal__forest forest;
    struct dal_sdf_contradiction *witness; /* gets the first contradiction, or NULL */
    int told;                              /* the change that ends all contradictions */
};

/* The forest */

int dal__scale(struct dal__ratio q, uint64_t over, uint64_t under, struct dal__ratio *result)
{
    uint64_t common = dal_gcd(over, under), left, right;
    over /= common;
    under /= common;
    left = dal_gcd(q.over, under);
    right = dal_gcd(over, q.under);
    return __builtin_mul_overflow(q.over / left, over / right, &result->over) ||
           __builtin_mul_overflow(q.under / right, under / left, &result->under);
}

void dal__forest_finish(struct dal__forest *forest)
{
    dal_free_all(forest->visits, forest->order);
}

int dal__forest_init(struct dal__forest *forest, const struct dal_sdf_graph *graph)
{
    *forest = (struct dal__forest){
        .graph = graph,
        .visits = dal_calloc(graph->process_count + 1, sizeof(*forest->visits)),
        .order = dal_calloc(graph->process_count + 1, sizeof(*forest->order)),
    };
    return forest->visits && forest->order ? DAL_OK : DAL_ERR_NOMEM;
}

void dal__forest_plant(struct dal__forest *forest, size_t root)
{
    forest->visits[root] =
        (struct dal__visit){.firings = {.over = 1, .under = 1}, .via = DAL_SDF_NONE, .seen = 1};
    forest->order[forest->count++] = root;
}

int dal__forest_across(const struct dal__forest *forest, const struct dal_sdf_end *end,
                       struct dal__ratio *firings)
{
    const struct dal_sdf_channel *c = &forest->graph->channels[end->channel];
    struct dal__ratio here = forest->visits[end->output ? c->producer : c->consumer].firings;
    return dal__scale(here, end->rate, end->output ? c->rate_out : c->rate_in, firings);
}

void dal__forest_enter(struct dal__forest *forest, const struct dal_sdf_end *end,
                       struct dal__ratio firings)
{
    const struct dal_sdf_channel *c = &forest->graph->channels[end->channel];
    size_t from = end->output ? c->producer : c->consumer;
    size_t to = dal_sdf_other_end(forest->graph, end);
    forest->visits[to] = (struct dal__visit){.firings = firings,
                                             .via = end->channel,
                                             .parent = from,
                                             .depth = forest->visits[from].depth + 1,
                                             .seen = 1};
    forest->order[forest->count++] = to;
}

/* Contradictions */

static int report_overflow(struct solver *solver, size_t process)
{
    const struct dal_sdf_process *p = &solver->graph->processes[process];
    return dal_error(
        solver->diags, p->place, "repetition-overflow",
        "process '%s': the firings of one iteration do not fit 64 bits; the rates on the way "
        "to it have too large a common multiple",
        p->name);
}

/* Lists the way from process `number` up to `stop`, in steps. */
static size_t climb_to(const struct dal__forest *forest, size_t number, size_t stop,
                       struct dal_sdf_step *steps)
{
    size_t count = 0;
    for (; number != stop; number = forest->visits[number].parent)
        steps[count++] = (struct dal_sdf_step){.from = number,
                                               .to = forest->visits[number].parent,
                                               .channel = forest->visits[number].via};
    return count;
}

static size_t common_ancestor(const struct dal__forest *forest, size_t a, size_t b)
{
    const struct dal__visit *visits = forest->visits;
    while (a != b) {
        if (visits[a].depth < visits[b].depth)
            b = visits[b].parent;
        else
            a = visits[a].parent;
    }
    return a;
}

/* Lists the cycle that `channel` closes: through it, up to the common ancestor, and down again. */
static size_t walk_cycle(const struct dal__forest *forest, size_t channel,
                         struct dal_sdf_step *steps)
{
    size_t from = forest->graph->channels[channel].producer;
    size_t to = forest->graph->channels[channel].consumer;
    size_t top = common_ancestor(forest, from, to), count = 1, down;
    steps[0] = (struct dal_sdf_step){.from = from, .to = to, .channel = channel};
    count += climb_to(forest, to, top, steps + 1);
    down = climb_to(forest, from, top, steps + count);
    for (size_t i = 0; i < (down + 1) / 2; i++) {
        struct dal_sdf_step *a = &steps[count + i], *b = &steps[count + down - 1 - i], swap = *a;
        *a = (struct dal_sdf_step){.from = b->to, .to = b->from, .channel = b->channel};
        *b = (struct dal_sdf_step){.from = swap.to, .to = swap.from, .channel = swap.channel};
    }
    return count + down;
}

/* Multiplies near and far rates along the steps; 0 when a product does not fit. */
static void multiply_rates(const struct dal_sdf_graph *graph, const struct dal_sdf_step *steps,
                           size_t count, uint64_t *near, uint64_t *far)
{
    int large = 0;
    *near = *far = 1;
    for (size_t i = 0; i < count; i++) {
        const struct dal_sdf_channel *c = &graph->channels[steps[i].channel];
        int along = steps[i].from == c->producer;
        large |= __builtin_mul_overflow(*near, along ? c->rate_in : c->rate_out, near);
        large |= __builtin_mul_overflow(*far, along ? c->rate_out : c->rate_in, far);
    }
    if (large)
        *near = *far = 0;
}

static void note_products(struct solver *solver, const struct dal_sdf_contradiction *cycle)
{
    struct dal_spec_place place = solver->graph->channels[cycle->steps[0].channel].place;
    if (!cycle->near)
        dal_note(solver->diags, place, "the products of the rates round this cycle differ");
    else
        dal_note(solver->diags, place,
                 "round this cycle the rates at the near ends multiply to %" PRIu64
                 ", those at the far ends to %" PRIu64 "; they must be equal",
                 cycle->near, cycle->far);
}

/* Tells that rates of cyclo-static processes are those of their cycles. */
static const char *of_cycles(const struct dal_sdf_channel *channel)
{
    if (channel->phases_in.count && channel->phases_out.count)
        return ", both in a cycle of phases";
    return channel->phases_in.count    ? ", the first in a cycle of phases"
           : channel->phases_out.count ? ", the second in a cycle of phases"
                                       : "";
}

/* Suggests sums, but no new sequence. */
static void note_sums(struct dal_diags *diags, const struct dal_sdf_channel *channel, uint64_t in,
                      uint64_t out, const char *also)
{
    dal_note(diags, channel->place,
             "with %" PRIu64 " tokens written and %" PRIu64 " read on sw_channel '%s' (now %" PRIu64
             " and %" PRIu64 "%s)%s",
             in, out, channel->name, channel->rate_in, channel->rate_out, of_cycles(channel), also);
}

static void note_rates(struct dal_diags *diags, const struct dal_sdf_channel *channel, uint64_t in,
                       uint64_t out, const char *also)
{
    if (channel->phases_in.count || channel->phases_out.count)
        note_sums(diags, channel, in, out, also);
    else if (in == channel->rate_in)
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

static void note_change(struct solver *solver, const struct dal_sdf_change *change)
{
    const struct dal_sdf_graph *graph = solver->graph;
    size_t left = change->count, named = 0;
    for (size_t i = 0; i < graph->channel_count && named < MAX_NOTES && left; i++) {
        const struct dal_sdf_channel *channel = &graph->channels[i];
        if (change->rate_in[i] == channel->rate_in && change->rate_out[i] == channel->rate_out)
            continue;
        note_rates(solver->diags, channel, change->rate_in[i], change->rate_out[i],
                   --left                ? " and what follows"
                   : change->is_smallest ? " all rates fit; no fewer channels are enough"
                                         : " all rates fit");
        named++;
    }
    if (left)
        dal_note(solver->diags, graph->place, "and %zu more changes all rates fit", left);
}

static void describe_cycle(struct solver *solver, const struct dal_sdf_contradiction *cycle)
{
    const struct dal_sdf_graph *graph = solver->graph;
    const struct dal_sdf_step *steps = cycle->steps;
    const struct dal_sdf_channel *first = &graph->channels[steps[0].channel];
    char path[400];
    size_t used;
    snprintf(path, sizeof(path), "%.60s", graph->processes[steps[0].from].name);
    for (size_t i = 0; i < cycle->count; i++) {
        used = strlen(path);
        snprintf(path + used, sizeof(path) - used, " -> %.60s",
                 used > 250 && i + 1 < cycle->count ? "..." : graph->processes[steps[i].to].name);
        if (used > 250)
            break;
    }
    dal_error(solver->diags, first->place, "inconsistent-rates",
              "sw_channel '%s': no numbers of firings fit the rates of the cycle %s", first->name,
              path);
    for (size_t i = 0; i < cycle->count && i < MAX_NOTES; i++) {
        const struct dal_sdf_channel *c = &graph->channels[steps[i].channel];
        dal_note(solver->diags, c->place,
                 "sw_channel '%s': '%s' writes %" PRIu64 " and '%s' reads %" PRIu64
                 " tokens a firing%s",
                 c->name, graph->processes[c->producer].name, c->rate_in,
                 graph->processes[c->consumer].name, c->rate_out, of_cycles(c));
    }
    if (cycle->count > MAX_NOTES)
        dal_note(solver->diags, first->place, "and %zu more channels", cycle->count - MAX_NOTES);
    note_products(solver, cycle);
}

/* Suggests one change for all contradictions, with the first of them. */
static int suggest_change(struct solver *solver, struct dal_sdf_change *change)
{
    struct dal_sdf_budget budget = {.work = MAX_CHANGE_WORK};
    int status = solver->told ? DAL_OK : dal__change_find(change, solver->graph, &budget);
    if (!status && change->found)
        note_change(solver, change);
    solver->told = 1;
    return status;
}

static int report_contradiction(struct solver *solver, size_t channel)
{
    struct dal_sdf_contradiction *witness = solver->witness, own = {0};
    size_t most = 2 * solver->graph->process_count + 1;
    if (!witness || witness->steps)
        witness = &own;
    witness->steps = dal_calloc(most, sizeof(*witness->steps));
    if (!witness->steps) {
        solver->diags->lost = 1;
        return DAL_ERR_NOMEM;
    }
    witness->count = walk_cycle(&solver->forest, channel, witness->steps);
    multiply_rates(solver->graph, witness->steps, witness->count, &witness->near, &witness->far);
    describe_cycle(solver, witness);
    solver->diags->lost |= suggest_change(solver, &witness->change) != DAL_OK;
    dal_sdf_contradiction_finish(&own);
    return DAL_ERR_INVALID;
}

void dal_sdf_contradiction_finish(struct dal_sdf_contradiction *contradiction)
{
    dal_free(contradiction->steps);
    dal__change_finish(&contradiction->change);
    *contradiction = (struct dal_sdf_contradiction){0};
}

/* Solving */

/* Enters or verifies the process at the other side of an end. */
static int follow_end(struct solver *solver, const struct dal_sdf_end *end)
{
    size_t other = dal_sdf_other_end(solver->graph, end);
    const struct dal__visit *there = &solver->forest.visits[other];
    struct dal__ratio firings;
    int unfit = dal__forest_across(&solver->forest, end, &firings);
    if (!there->seen) {
        if (unfit)
            return report_overflow(solver, other);
        dal__forest_enter(&solver->forest, end, firings);
        return DAL_OK;
    }
    if (unfit || firings.over != there->firings.over || firings.under != there->firings.under)
        return report_contradiction(solver, end->channel);
    return DAL_OK;
}

/* Visits all that is connected with `root`; it ends up in order[first..count). */
static int visit_component(struct solver *solver, size_t root, size_t first)
{
    int status = DAL_OK;
    dal__forest_plant(&solver->forest, root);
    for (size_t i = first; i < solver->forest.count; i++) {
        const struct dal_sdf_process *p = &solver->graph->processes[solver->forest.order[i]];
        for (size_t k = 0; k < p->count && !status; k++)
            status = follow_end(solver, &solver->graph->ends[p->first + k]);
        if (status)
            return status;
    }
    return DAL_OK;
}

/* With a root of 1, the least common multiple of the denominators makes the smallest integers. */
static int scale_to_integers(struct solver *solver, size_t first)
{
    const struct dal__forest *forest = &solver->forest;
    uint64_t multiple = 1;
    for (size_t i = first; i < forest->count; i++) {
        uint64_t under = forest->visits[forest->order[i]].firings.under;
        if (__builtin_mul_overflow(multiple, under / dal_gcd(multiple, under), &multiple))
            return report_overflow(solver, forest->order[i]);
    }
    for (size_t i = first; i < forest->count; i++) {
        size_t process = forest->order[i];
        struct dal__ratio firings = forest->visits[process].firings;
        if (__builtin_mul_overflow(multiple / firings.under, firings.over,
                                   &solver->graph->processes[process].repetitions))
            return report_overflow(solver, process);
    }
    return DAL_OK;
}

static int check_tokens(struct solver *solver)
{
    const struct dal_sdf_graph *graph = solver->graph;
    for (size_t i = 0; i < graph->process_count; i++) {
        uint64_t firings;
        if (__builtin_mul_overflow(graph->processes[i].repetitions, graph->processes[i].phases,
                                   &firings))
            return report_overflow(solver, i);
    }
    for (size_t i = 0; i < graph->channel_count; i++) {
        const struct dal_sdf_channel *c = &graph->channels[i];
        uint64_t tokens, firings = graph->processes[c->producer].repetitions;
        if (__builtin_mul_overflow(firings, c->rate_in, &tokens) ||
            __builtin_add_overflow(tokens, c->initial_tokens, &tokens))
            return report_overflow(solver, c->producer);
    }
    return DAL_OK;
}

/* Reports one error a component, so that one wrong rate is not reported many times. The rest of a
 * contradictory component is left unvisited and would be taken for components of its own. So the
 * next root must not be reachable from it: all of its processes are marked first. */
static void mark_component(struct solver *solver, size_t first)
{
    struct dal__forest *forest = &solver->forest;
    for (size_t i = first; i < forest->count; i++) {
        const struct dal_sdf_process *p = &solver->graph->processes[forest->order[i]];
        for (size_t k = 0; k < p->count; k++) {
            size_t other = dal_sdf_other_end(solver->graph, &solver->graph->ends[p->first + k]);
            if (forest->visits[other].seen)
                continue;
            forest->visits[other].seen = 1;
            forest->order[forest->count++] = other;
        }
    }
}

static int solve_graph(struct solver *solver)
{
    int result = DAL_OK;
    for (size_t root = 0; root < solver->graph->process_count; root++) {
        size_t first = solver->forest.count;
        int status;
        if (solver->forest.visits[root].seen)
            continue;
        status = visit_component(solver, root, first);
        if (!status)
            status = scale_to_integers(solver, first);
        if (status) {
            result = status;
            mark_component(solver, first);
        }
    }
    return result ? result : check_tokens(solver);
}

int dal_sdf_repetitions(struct dal_diags *diags, struct dal_sdf_graph *graph,
                        struct dal_sdf_contradiction *contradiction)
{
    struct solver solver = {.diags = diags, .graph = graph, .witness = contradiction};
    int status = DAL_ERR_INVALID;
    if (contradiction)
        *contradiction = (struct dal_sdf_contradiction){0};
    if (dal__forest_init(&solver.forest, graph))
        diags->lost = 1;
    else
        status = solve_graph(&solver);
    dal__forest_finish(&solver.forest);
    return status ? DAL_ERR_INVALID : DAL_OK;
}
