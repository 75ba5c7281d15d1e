#include "spec/sdf/sizing.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/sdf/repair.h"
#include "spec/sdf/search.h"

#include <string.h>

/* Capacities are not tried beyond this many tokens. */
#define MAX_TOKENS ((uint64_t)1 << 48)
/* With more channels than this, no bounds are searched for: each search splits the graph. */
#define MAX_BOUNDED 2000

/* Returns whether the capacity of a channel is searched for. */
static int is_free(const struct dal_sdf_sizing *sizing, size_t channel)
{
    return sizing->fixed[channel] == 0 && !dal_sdf_is_loop(&sizing->graph->channels[channel]);
}

/* Returns new capacities: the lower bound of every channel that is free, the others as they are.
 * NULL without memory. */
static uint64_t *least_capacities(const struct dal_sdf_sizing *sizing)
{
    const struct dal_sdf_graph *graph = sizing->graph;
    uint64_t *capacity = dal_calloc(graph->channel_count + 1, sizeof(*capacity));
    for (size_t i = 0; capacity && i < graph->channel_count; i++)
        if (is_free(sizing, i))
            capacity[i] = graph->channels[i].least;
        else
            capacity[i] = sizing->fixed[i] ? sizing->fixed[i] : DAL_SDF_UNLIMITED;
    return capacity;
}

/* Returns the cost of capacities; saturates. */
static uint64_t total_cost(const struct dal_sdf_sizing *sizing, const uint64_t *capacity)
{
    uint64_t total = 0, cost;
    for (size_t i = 0; i < sizing->graph->channel_count; i++)
        if (is_free(sizing, i) && (__builtin_mul_overflow(capacity[i], sizing->weight[i], &cost) ||
                                   __builtin_add_overflow(total, cost, &total)))
            return UINT64_MAX;
    return total;
}

void dal_sdf_buffers_finish(struct dal_sdf_buffers *buffers)
{
    dal_free(buffers->capacity);
    *buffers = (struct dal_sdf_buffers){0};
}

/* Executes a network again and again. All its channels between processes have capacities. */
struct evaluator {
    struct dal_sdf_parts parts;
    struct dal_sdf_engine **engines; /* one a part */
    size_t channel_count;
};

static void evaluator_finish(struct evaluator *evaluator)
{
    for (size_t i = 0; evaluator->engines && i < evaluator->parts.count; i++)
        dal_sdf_engine_destroy(evaluator->engines[i]);
    dal_free(evaluator->engines);
    dal_sdf_parts_finish(&evaluator->parts);
    *evaluator = (struct evaluator){0};
}

/* The caller finishes it in any case. */
static int evaluator_init(struct evaluator *evaluator, const struct dal_sdf_graph *graph,
                          const uint64_t *capacity)
{
    *evaluator = (struct evaluator){.channel_count = graph->channel_count};
    if (dal_sdf_parts_init(&evaluator->parts, graph, capacity, DAL_SDF_NONE))
        return DAL_ERR_NOMEM;
    evaluator->engines = dal_calloc(evaluator->parts.count + 1, sizeof(*evaluator->engines));
    for (size_t i = 0; evaluator->engines && i < evaluator->parts.count; i++) {
        evaluator->engines[i] = dal_sdf_engine_create(&evaluator->parts.list[i]);
        if (!evaluator->engines[i])
            return DAL_ERR_NOMEM;
    }
    return evaluator->engines ? DAL_OK : DAL_ERR_NOMEM;
}

/* Finds the period with `capacity`. `tight` (by channel, cleared first, may be NULL) marks the
 * channels that hold up the slowest part. With `target`, stops at the first part that is slower. */
static int evaluate_parts(struct evaluator *evaluator, const uint64_t *capacity,
                          struct dal_sdf_budget *budget, const struct dal_sdf_period *target,
                          struct dal_sdf_period *period, unsigned char *tight)
{
    size_t slowest = 0;
    int status = DAL_OK;
    *period = (struct dal_sdf_period){.verdict = DAL_SDF_UNBOUNDED};
    for (size_t i = 0; i < evaluator->parts.count && !status; i++) {
        struct dal_sdf_period one;
        status = dal_sdf_engine_period(evaluator->engines[i], capacity, budget, &one);
        if (status || dal_sdf_compare(one, *period) <= 0)
            continue;
        *period = one;
        slowest = i;
        if (one.verdict == DAL_SDF_UNKNOWN || (target && dal_sdf_compare(one, *target) > 0))
            break;
    }
    if (status || !tight)
        return status;
    memset(tight, 0, evaluator->channel_count);
    return evaluator->parts.count ? dal_sdf_engine_tight(evaluator->engines[slowest], tight)
                                  : DAL_OK;
}

/* Liveness: every channel's lower bound, repaired */

static int find_minimum(const struct dal_sdf_sizing *sizing, struct dal__repair *repair,
                        struct dal_sdf_buffers *result)
{
    size_t channels = sizing->graph->channel_count;
    uint64_t bound = total_cost(sizing, result->capacity);
    int status;
    for (size_t i = 0; i < channels; i++) {
        repair->allowed[i] = (unsigned char)is_free(sizing, i);
        repair->weight[i] = sizing->weight[i];
    }
    status = dal__repair(repair);
    if (status)
        return status;
    for (size_t i = 0; i < channels; i++)
        if (repair->allowed[i])
            result->capacity[i] += repair->more[i];
    result->found = repair->found;
    result->least = bound + repair->least;
    result->total = total_cost(sizing, result->capacity);
    return DAL_OK;
}

int dal_sdf_minimum(const struct dal_sdf_sizing *sizing, struct dal_sdf_buffers *result)
{
    struct dal__repair repair;
    int status;
    *result = (struct dal_sdf_buffers){.capacity = least_capacities(sizing)};
    if (!result->capacity)
        return DAL_ERR_NOMEM;
    status = dal__repair_init(&repair, sizing->graph, result->capacity, sizing->budget);
    if (!status)
        status = find_minimum(sizing, &repair, result);
    dal__repair_finish(&repair);
    return status;
}

/*
 * The least period. Each channel has a lower bound of its own: what it needs while all others are
 * unlimited. Often these bounds are fast enough together, and then they are the answer. Otherwise
 * the tight channels grow until the network is fast enough. Then the excess is taken back, and the
 * search goes on between the bounds and that.
 */

struct fastest {
    const struct dal_sdf_sizing *sizing;
    struct dal_sdf_period target;
    struct evaluator evaluator;
    uint64_t *bound;    /* by channel: nothing below can be fast enough */
    uint64_t *capacity; /* the best known */
    unsigned char *tight;
};

/* A channel alone */

/* Finds the least capacity of one channel with which its part of the graph is fast enough. */
static int bound_in_part(struct fastest *fastest, const struct dal_sdf_graph *part,
                         uint64_t *unlimited, size_t channel)
{
    const struct dal_sdf_channel *c = &fastest->sizing->graph->channels[channel];
    struct dal_sdf_budget *budget = fastest->sizing->budget;
    struct dal_sdf_engine *engine = dal_sdf_engine_create(part);
    struct dal_sdf_period period;
    uint64_t low = 0, high = 1; /* the answer in steps: `low` or more; `high` or less once found */
    int status = engine ? DAL_OK : DAL_ERR_NOMEM, found = 0;
    unlimited[channel] = c->least;
    while (!status) {
        status = dal_sdf_engine_period(engine, unlimited, budget, &period);
        if (status || period.verdict == DAL_SDF_UNKNOWN)
            break;
        uint64_t steps = (unlimited[channel] - c->least) / c->step;
        if (dal_sdf_compare(period, fastest->target) <= 0) {
            found = 1;
            high = steps;
        } else {
            low = steps + 1;
        }
        if (found && low >= high)
            break;
        steps = found ? low + (high - low) / 2 : 2 * steps + 1;
        if (steps > MAX_TOKENS / c->step)
            break;
        unlimited[channel] = c->least + steps * c->step;
    }
    fastest->bound[channel] = c->least + low * c->step;
    dal_sdf_engine_destroy(engine);
    return status;
}

static int bound_channel(struct fastest *fastest, uint64_t *unlimited, size_t channel)
{
    const struct dal_sdf_graph *graph = fastest->sizing->graph;
    struct dal_sdf_parts parts;
    int status;
    unlimited[channel] = graph->channels[channel].least;
    status = dal_sdf_parts_init(&parts, graph, unlimited, graph->channels[channel].producer);
    if (!status)
        status = bound_in_part(fastest, &parts.list[0], unlimited, channel);
    unlimited[channel] = DAL_SDF_UNLIMITED;
    dal_sdf_parts_finish(&parts);
    return status;
}

/* Returns capacities with which no channel holds anything up: no limit where they are free. */
static uint64_t *unlimited_capacities(const struct dal_sdf_sizing *sizing)
{
    uint64_t *capacity = least_capacities(sizing);
    for (size_t i = 0; capacity && i < sizing->graph->channel_count; i++)
        if (is_free(sizing, i))
            capacity[i] = DAL_SDF_UNLIMITED;
    return capacity;
}

static int find_bounds(struct fastest *fastest)
{
    const struct dal_sdf_sizing *sizing = fastest->sizing;
    uint64_t *unlimited;
    int status = DAL_OK;
    if (sizing->graph->channel_count > MAX_BOUNDED)
        return DAL_OK;
    unlimited = unlimited_capacities(sizing);
    for (size_t i = 0; unlimited && i < sizing->graph->channel_count && !status; i++)
        if (is_free(sizing, i) && !sizing->budget->expired)
            status = bound_channel(fastest, unlimited, i);
    dal_free(unlimited);
    return unlimited ? status : DAL_ERR_NOMEM;
}

/* All together */

/* Tells in *fast whether the period is reached; otherwise fastest->tight has the channels that hold
 * it up. */
static int try_capacity(struct fastest *fastest, const uint64_t *capacity, int *fast)
{
    struct dal_sdf_period period;
    int status = evaluate_parts(&fastest->evaluator, capacity, fastest->sizing->budget,
                                &fastest->target, &period, fastest->tight);
    *fast = !status && dal_sdf_compare(period, fastest->target) <= 0;
    return status;
}

/* Gives every tight channel more, twice as much each time. Returns 1 when it is fast enough. */
static int grow_tight(struct fastest *fastest)
{
    const struct dal_sdf_graph *graph = fastest->sizing->graph;
    uint64_t *capacity = fastest->capacity;
    int fast, status = try_capacity(fastest, capacity, &fast);
    while (!status && !fast && !fastest->sizing->budget->expired) {
        size_t grown = 0;
        for (size_t i = 0; i < graph->channel_count; i++) {
            const struct dal_sdf_channel *channel = &graph->channels[i];
            uint64_t steps = (capacity[i] - fastest->bound[i]) / channel->step;
            if (!fastest->tight[i] || !is_free(fastest->sizing, i) || capacity[i] > MAX_TOKENS)
                continue;
            capacity[i] = fastest->bound[i] + (2 * steps + 1) * channel->step;
            grown++;
        }
        if (grown == 0)
            break;
        status = try_capacity(fastest, capacity, &fast);
    }
    return status ? status : fast;
}

static int shrink_one(struct fastest *fastest, size_t channel)
{
    uint64_t step = fastest->sizing->graph->channels[channel].step;
    uint64_t bound = fastest->bound[channel], *at = &fastest->capacity[channel];
    uint64_t low = 0, high = (*at - bound) / step;
    int status = DAL_OK, fast;
    while (low < high && !status && !fastest->sizing->budget->expired) {
        uint64_t middle = low + (high - low) / 2;
        *at = bound + middle * step;
        status = try_capacity(fastest, fastest->capacity, &fast);
        if (fast)
            high = middle;
        else
            low = middle + 1;
    }
    *at = bound + high * step;
    return status;
}

static int shrink_all(struct fastest *fastest)
{
    int status = DAL_OK;
    for (size_t i = 0; i < fastest->sizing->graph->channel_count && !status; i++)
        if (is_free(fastest->sizing, i) && fastest->capacity[i] > fastest->bound[i])
            status = shrink_one(fastest, i);
    return status;
}

static int look_for_fastest(void *context, const uint64_t *vector, uint64_t total,
                            struct dal__branch *branches, size_t *count)
{
    struct fastest *fastest = context;
    const struct dal_sdf_graph *graph = fastest->sizing->graph;
    int fast, status = try_capacity(fastest, vector, &fast);
    (void)total;
    if (fast) {
        memcpy(fastest->capacity, vector, graph->channel_count * sizeof(*vector));
        return 1;
    }
    for (size_t i = 0; i < graph->channel_count && !status; i++)
        if (fastest->tight[i] && is_free(fastest->sizing, i))
            branches[(*count)++] = (struct dal__branch){.at = i, .more = graph->channels[i].step};
    return status;
}

static int prove_fastest(struct fastest *fastest, struct dal_sdf_buffers *result)
{
    const struct dal_sdf_sizing *sizing = fastest->sizing;
    struct dal__search search = {
        .size = sizing->graph->channel_count,
        .weight = sizing->weight,
        .limit = total_cost(sizing, fastest->capacity),
        .budget = sizing->budget,
        .context = fastest,
        .look = look_for_fastest,
    };
    int status = dal__search_run(&search, fastest->bound, total_cost(sizing, fastest->bound));
    if (status < 0)
        return status;
    result->total = total_cost(sizing, fastest->capacity);
    result->least = search.complete ? result->total : search.reached;
    return DAL_OK;
}

static int find_fastest(struct fastest *fastest, struct dal_sdf_buffers *result)
{
    const struct dal_sdf_sizing *sizing = fastest->sizing;
    int status = find_bounds(fastest);
    if (status)
        return status;
    memcpy(fastest->capacity, fastest->bound,
           sizing->graph->channel_count * sizeof(*fastest->bound));
    result->least = total_cost(sizing, fastest->bound);
    status = grow_tight(fastest);
    if (status <= 0)
        return status;
    result->found = 1;
    status = shrink_all(fastest);
    result->total = total_cost(sizing, fastest->capacity);
    if (!status && result->total > result->least)
        status = prove_fastest(fastest, result);
    return status;
}

int dal_sdf_unlimited(const struct dal_sdf_sizing *sizing, struct dal_sdf_period *period)
{
    uint64_t *unlimited = unlimited_capacities(sizing);
    int status = unlimited ? dal_sdf_period(sizing->graph, unlimited, sizing->budget, period)
                           : DAL_ERR_NOMEM;
    dal_free(unlimited);
    return status;
}

int dal_sdf_fastest(const struct dal_sdf_sizing *sizing, struct dal_sdf_buffers *result)
{
    size_t count = sizing->graph->channel_count;
    struct fastest fastest = {
        .sizing = sizing,
        .bound = least_capacities(sizing),
        .capacity = dal_calloc(count + 1, sizeof(*fastest.capacity)),
        .tight = dal_calloc(count + 1, 1),
    };
    int status = fastest.bound && fastest.capacity && fastest.tight ? DAL_OK : DAL_ERR_NOMEM;
    *result = (struct dal_sdf_buffers){.capacity = fastest.capacity};
    if (sizing->unlimited)
        fastest.target = *sizing->unlimited;
    else if (!status)
        status = dal_sdf_unlimited(sizing, &fastest.target);
    result->period = fastest.target;
    if (!status && fastest.target.verdict == DAL_SDF_PERIODIC) {
        status = evaluator_init(&fastest.evaluator, sizing->graph, fastest.bound);
        if (!status)
            status = find_fastest(&fastest, result);
        evaluator_finish(&fastest.evaluator);
    }
    dal_free_all(fastest.bound, fastest.tight);
    return status;
}

/* All capacities worth having, from the fewest that are live to the fewest that are fastest */

struct pareto {
    const struct dal_sdf_sizing *sizing;
    struct evaluator evaluator;
    struct dal_sdf_front *front;
    struct dal_sdf_period best, target;
    unsigned char *tight;
};

/* Returns the place of the next point. A point of the same cost as the last one replaces it. */
static struct dal_sdf_buffers *find_point(struct dal_sdf_front *front, uint64_t total)
{
    if (front->count > 0 && front->points[front->count - 1].total == total)
        return &front->points[front->count - 1];
    if (dal_grow(&front->points, front->count, &front->room, sizeof(*front->points)))
        return NULL;
    front->points[front->count] = (struct dal_sdf_buffers){.total = total, .least = total};
    return &front->points[front->count++];
}

static int add_point(struct pareto *pareto, const uint64_t *capacity, uint64_t total)
{
    size_t count = pareto->sizing->graph->channel_count;
    struct dal_sdf_buffers *point = find_point(pareto->front, total);
    if (point && !point->capacity)
        point->capacity = dal_calloc(count + 1, sizeof(*capacity));
    if (!point || !point->capacity)
        return DAL_ERR_NOMEM;
    memcpy(point->capacity, capacity, count * sizeof(*capacity));
    point->found = 1;
    point->period = pareto->best;
    return DAL_OK;
}

static int look_for_points(void *context, const uint64_t *vector, uint64_t total,
                           struct dal__branch *branches, size_t *count)
{
    struct pareto *pareto = context;
    const struct dal_sdf_graph *graph = pareto->sizing->graph;
    struct dal_sdf_period period;
    int status = evaluate_parts(&pareto->evaluator, vector, pareto->sizing->budget, NULL, &period,
                                pareto->tight);
    if (status || period.verdict == DAL_SDF_UNKNOWN)
        return status;
    if (dal_sdf_compare(period, pareto->best) < 0) {
        pareto->best = period;
        status = add_point(pareto, vector, total);
        /* Without a target, which its own limit of time left unknown, all are looked for. */
        if (!status && pareto->target.verdict != DAL_SDF_UNKNOWN &&
            dal_sdf_compare(period, pareto->target) <= 0)
            return 1;
    }
    for (size_t i = 0; i < graph->channel_count && !status; i++)
        if (pareto->tight[i] && is_free(pareto->sizing, i))
            branches[(*count)++] = (struct dal__branch){.at = i, .more = graph->channels[i].step};
    return status;
}

static int find_points(struct pareto *pareto, const uint64_t *start)
{
    const struct dal_sdf_sizing *sizing = pareto->sizing;
    struct dal__search search = {
        .size = sizing->graph->channel_count,
        .weight = sizing->weight,
        .limit = UINT64_MAX,
        .budget = sizing->budget,
        .context = pareto,
        .look = look_for_points,
    };
    int status = evaluator_init(&pareto->evaluator, sizing->graph, start);
    if (!status)
        status = dal__search_run(&search, start, total_cost(sizing, start));
    evaluator_finish(&pareto->evaluator);
    pareto->front->complete = status >= 0 && search.complete;
    pareto->front->reached = search.reached;
    return status < 0 ? status : DAL_OK;
}

int dal_sdf_pareto(const struct dal_sdf_sizing *sizing, const struct dal_sdf_buffers *least,
                   struct dal_sdf_period target, struct dal_sdf_front *front)
{
    struct pareto pareto = {
        .sizing = sizing,
        .front = front,
        .best = {.verdict = DAL_SDF_DEADLOCK},
        .target = target,
        .tight = dal_calloc(sizing->graph->channel_count + 1, 1),
    };
    uint64_t *start = least_capacities(sizing);
    int status = pareto.tight && start ? DAL_OK : DAL_ERR_NOMEM;
    *front = (struct dal_sdf_front){.reached = least->least};
    if (!status && least->found)
        status = find_points(&pareto, start);
    dal_free_all(pareto.tight, start);
    return status;
}

void dal_sdf_front_finish(struct dal_sdf_front *front)
{
    for (size_t i = 0; i < front->count; i++)
        dal_sdf_buffers_finish(&front->points[i]);
    dal_free(front->points);
    *front = (struct dal_sdf_front){0};
}
