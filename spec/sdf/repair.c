/*
 * Executes an iteration, adds something wherever it blocks, then takes back what proves needless,
 * then searches for less. A deadlock is a cycle of waits. The network becomes live only if at least
 * one of them gets all that it lacks: one process of the cycle must be the first to get further.
 */
#include "spec/sdf/repair.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/sdf/search.h"

#include <string.h>

/* Most additions that are tried smaller one by one. */
#define MAX_REDUCED 256

struct state {
    struct dal__repair *repair;
    struct dal_sdf_engine *exec;
    struct dal_sdf_wait *waits;
    uint64_t *capacity; /* with additions, for one execution */
};

static size_t entry_of(const struct state *state, const struct dal_sdf_wait *wait)
{
    const struct dal_sdf_graph *graph = state->repair->graph;
    return wait->space ? graph->channels[wait->channel].first_of_port
                       : graph->channel_count + wait->channel;
}

static uint64_t total_cost(const uint64_t *weight, const uint64_t *more, size_t size)
{
    uint64_t total = 0, one;
    for (size_t i = 0; i < size; i++)
        if (more[i] && (__builtin_mul_overflow(more[i], weight[i], &one) ||
                        __builtin_add_overflow(total, one, &total)))
            return UINT64_MAX;
    return total;
}

/* Returns the wait whose end costs least; NULL when none may be ended. */
static const struct dal_sdf_wait *cheapest_wait(const struct state *state, size_t count)
{
    const struct dal__repair *repair = state->repair;
    const struct dal_sdf_wait *best = NULL;
    uint64_t least = UINT64_MAX, one;
    for (size_t i = 0; i < count; i++) {
        const struct dal_sdf_wait *wait = &state->waits[i];
        size_t at = entry_of(state, wait);
        if (!repair->allowed[at])
            continue;
        if (__builtin_mul_overflow(wait->need - wait->have, repair->weight[at], &one))
            one = UINT64_MAX;
        if (!best || one < least) {
            best = wait;
            least = one;
        }
    }
    return best;
}

static void begin_with(struct state *state, const uint64_t *more)
{
    const struct dal__repair *repair = state->repair;
    for (size_t i = 0; i < repair->graph->channel_count; i++)
        state->capacity[i] =
            dal__add_capped(repair->capacity[i], more[repair->graph->channels[i].first_of_port]);
    dal__engine_begin(state->exec, state->capacity, more + repair->graph->channel_count,
                      repair->budget);
}

/* Goes on with the execution where it blocked: what was fired stays fired. */
static int get_through(struct state *state)
{
    struct dal__repair *repair = state->repair;
    struct dal_sdf_engine *exec = state->exec;
    begin_with(state, repair->more);
    while (exec->unfinished > 0 && !repair->budget->expired) {
        const struct dal_sdf_wait *wait = cheapest_wait(state, dal__exec_cycle(exec, state->waits));
        if (!wait)
            return 0;
        repair->more[entry_of(state, wait)] += wait->need - wait->have;
        dal__exec_end_wait(exec, wait);
        dal__engine_go_on(exec);
    }
    return !repair->budget->expired;
}

static int is_live(struct state *state, const uint64_t *more)
{
    begin_with(state, more);
    return state->exec->unfinished == 0;
}

static void reduce_one(struct state *state, uint64_t *at)
{
    uint64_t low = 0, high = *at;
    while (low < high && !state->repair->budget->expired) {
        *at = low + (high - low) / 2;
        if (is_live(state, state->repair->more))
            high = *at;
        else
            low = *at + 1;
    }
    *at = high;
}

/* Takes back additions that a later one has made needless. */
static void reduce_all(struct state *state)
{
    struct dal__repair *repair = state->repair;
    size_t tried = 0;
    for (size_t i = 0; i < 2 * repair->graph->channel_count && tried < MAX_REDUCED; i++)
        if (repair->more[i] > 0) {
            reduce_one(state, &repair->more[i]);
            tried++;
        }
}

static int look_at_additions(void *context, const uint64_t *more, uint64_t total,
                             struct dal__branch *branches, size_t *count)
{
    struct state *state = context;
    struct dal__repair *repair = state->repair;
    size_t waits;
    (void)total;
    if (is_live(state, more)) {
        memcpy(repair->more, more, 2 * repair->graph->channel_count * sizeof(*more));
        return 1;
    }
    waits = dal__exec_cycle(state->exec, state->waits);
    for (size_t i = 0; i < waits; i++) {
        const struct dal_sdf_wait *wait = &state->waits[i];
        if (repair->allowed[entry_of(state, wait)])
            branches[(*count)++] =
                (struct dal__branch){.at = entry_of(state, wait), .more = wait->need - wait->have};
    }
    return DAL_OK;
}

static int search_less(struct state *state)
{
    struct dal__repair *repair = state->repair;
    size_t size = 2 * repair->graph->channel_count;
    struct dal__search search = {
        .size = size,
        .weight = repair->weight,
        .limit = total_cost(repair->weight, repair->more, size),
        .budget = repair->budget,
        .context = state,
        .look = look_at_additions,
    };
    uint64_t *start = dal_calloc(size + 1, sizeof(*start));
    int status = start ? dal__search_run(&search, start, 0) : DAL_ERR_NOMEM;
    dal_free(start);
    if (status < 0)
        return status;
    repair->total = total_cost(repair->weight, repair->more, size);
    repair->least = search.complete ? repair->total : search.reached;
    return DAL_OK;
}

static int find_additions(struct state *state)
{
    struct dal__repair *repair = state->repair;
    repair->found = get_through(state);
    if (!repair->found)
        return DAL_OK;
    repair->total = total_cost(repair->weight, repair->more, 2 * repair->graph->channel_count);
    if (repair->total == 0)
        return DAL_OK;
    reduce_all(state);
    return search_less(state);
}

int dal__repair_init(struct dal__repair *repair, const struct dal_sdf_graph *graph,
                     const uint64_t *capacity, struct dal_sdf_budget *budget)
{
    size_t entries = 2 * graph->channel_count;
    *repair = (struct dal__repair){
        .graph = graph,
        .capacity = capacity,
        .budget = budget,
        .allowed = dal_calloc(entries + 1, 1),
        .weight = dal_calloc(entries + 1, sizeof(*repair->weight)),
        .more = dal_calloc(entries + 1, sizeof(*repair->more)),
    };
    if (!repair->allowed || !repair->weight || !repair->more)
        return DAL_ERR_NOMEM;
    for (size_t i = 0; i < entries; i++)
        repair->weight[i] = 1;
    return DAL_OK;
}

void dal__repair_finish(struct dal__repair *repair)
{
    dal_free_all(repair->allowed, repair->weight, repair->more);
}

int dal__repair(struct dal__repair *repair)
{
    const struct dal_sdf_graph *graph = repair->graph;
    struct state state = {
        .repair = repair,
        .waits = dal_calloc(graph->process_count + 1, sizeof(*state.waits)),
        .capacity = dal_calloc(graph->channel_count + 1, sizeof(*state.capacity)),
        .exec = dal__exec_create(graph),
    };
    int status = state.waits && state.capacity && state.exec ? DAL_OK : DAL_ERR_NOMEM;
    repair->found = 0;
    repair->total = repair->least = 0;
    memset(repair->more, 0, 2 * graph->channel_count * sizeof(*repair->more));
    if (!status)
        status = find_additions(&state);
    dal_sdf_engine_destroy(state.exec);
    dal_free_all(state.waits, state.capacity);
    return status;
}
