#include "spec/sdf/sizing.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/sdf/evaluate.h"
#include "spec/sdf/repair.h"
#include "spec/sdf/search.h"

#include <string.h>

/* Capacities are not tried beyond this many tokens. */
#define MAX_TOKENS ((uint64_t)1 << 48)
/* With more channels than this, no bounds are searched for: each search splits the graph. */
#define MAX_BOUNDED 2000

/* Returns whether the capacity of a channel is searched for: that of the others of its port
 * follows. */
static int is_free(const struct dal_sdf_sizing *sizing, size_t channel)
{
    return sizing->fixed[channel] == 0 && dal_sdf_is_counted(sizing->graph, channel);
}

/* Returns new capacities: the lower bound of every port that is free, the others as they are. NULL
 * without memory. */
static uint64_t *least_capacities(const struct dal_sdf_sizing *sizing)
{
    const struct dal_sdf_graph *graph = sizing->graph;
    uint64_t *capacity = dal_calloc(graph->channel_count + 1, sizeof(*capacity));
    for (size_t i = 0; capacity && i < graph->channel_count; i++)
        if (is_free(sizing, i))
            capacity[i] = dal_sdf_port_least(graph, i);
        else
            capacity[i] = sizing->fixed[i] ? sizing->fixed[i] : DAL_SDF_UNLIMITED;
    if (capacity)
        dal_sdf_share(graph, capacity);
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

/* Liveness: every port's lower bound, repaired */

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
    dal_sdf_share(sizing->graph, result->capacity);
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
 * The least period. Each port has a lower bound of its own: what it needs while all others are
 * unlimited. Often these bounds are fast enough together, and then they are the answer. Otherwise
 * the tight ports grow until the network is fast enough. Then the excess is taken back, and the
 * search goes on between the bounds and that.
 */

struct fastest {
    const struct dal_sdf_sizing *sizing;
    struct dal_sdf_period target;
    struct dal__evaluator evaluator;
    uint64_t *bound;    /* by first channel of a port: nothing below can be fast enough */
    uint64_t *capacity; /* the best known */
    unsigned char *tight;
};

/* A port alone */

/* Finds the least capacity of one port with which its part of the graph is fast enough. */
static int bound_in_part(struct fastest *fastest, const struct dal_sdf_graph *part,
                         uint64_t *unlimited, size_t channel)
{
    const struct dal_sdf_graph *graph = fastest->sizing->graph;
    uint64_t least = dal_sdf_port_least(graph, channel), step = dal_sdf_port_step(graph, channel);
    struct dal_sdf_budget *budget = fastest->sizing->budget;
    struct dal_sdf_engine *engine = dal_sdf_engine_create(part);
    struct dal_sdf_period period;
    uint64_t low = 0, high = 1; /* the answer in steps: `low` or more; `high` or less once found */
    int status = engine ? DAL_OK : DAL_ERR_NOMEM, found = 0;
    unlimited[channel] = least;
    while (!status) {
        dal_sdf_share(graph, unlimited);
        status = dal_sdf_engine_period(engine, unlimited, budget, &period);
        if (status || period.verdict == DAL_SDF_UNKNOWN)
            break;
        uint64_t steps = (unlimited[channel] - least) / step;
        if (dal_sdf_compare(period, fastest->target) <= 0) {
            found = 1;
            high = steps;
        } else {
            low = steps + 1;
        }
        if (found && low >= high)
            break;
        steps = found ? low + (high - low) / 2 : 2 * steps + 1;
        if (steps > MAX_TOKENS / step)
            break;
        unlimited[channel] = least + steps * step;
    }
    fastest->bound[channel] = least + low * step;
    dal_sdf_engine_destroy(engine);
    return status;
}

static int bound_port(struct fastest *fastest, uint64_t *unlimited, size_t channel)
{
    const struct dal_sdf_graph *graph = fastest->sizing->graph;
    struct dal_sdf_parts parts;
    int status;
    unlimited[channel] = dal_sdf_port_least(graph, channel);
    dal_sdf_share(graph, unlimited);
    status = dal_sdf_parts_init(&parts, graph, unlimited, graph->channels[channel].producer);
    if (!status)
        status = bound_in_part(fastest, &parts.list[0], unlimited, channel);
    unlimited[channel] = DAL_SDF_UNLIMITED;
    dal_sdf_share(graph, unlimited);
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
    if (capacity)
        dal_sdf_share(sizing->graph, capacity);
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
            status = bound_port(fastest, unlimited, i);
    dal_free(unlimited);
    return unlimited ? status : DAL_ERR_NOMEM;
}

/* All together */

/* Tells in *fast whether the period is reached; otherwise fastest->tight has the channels that hold
 * it up. */
static int try_capacity(struct fastest *fastest, const uint64_t *capacity, int *fast)
{
    struct dal_sdf_period period;
    int status = dal__evaluate(&fastest->evaluator, capacity, fastest->sizing->budget,
                               &fastest->target, &period, fastest->tight);
    *fast = !status && dal_sdf_compare(period, fastest->target) <= 0;
    return status;
}

/* Gives every tight port more, twice as much each time. Returns 1 when it is fast enough. */
static int grow_tight(struct fastest *fastest)
{
    const struct dal_sdf_graph *graph = fastest->sizing->graph;
    uint64_t *capacity = fastest->capacity;
    int fast, status = try_capacity(fastest, capacity, &fast);
    while (!status && !fast && !fastest->sizing->budget->expired) {
        size_t grown = 0;
        for (size_t i = 0; i < graph->channel_count; i++) {
            uint64_t bound = fastest->bound[i], step;
            if (!fastest->tight[i] || !is_free(fastest->sizing, i) || capacity[i] > MAX_TOKENS)
                continue;
            step = dal_sdf_port_step(graph, i);
            capacity[i] = bound + (2 * ((capacity[i] - bound) / step) + 1) * step;
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
    uint64_t step = dal_sdf_port_step(fastest->sizing->graph, channel);
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

/* Lists the tight ports of a search as its branches. */
static void branch_out(const struct dal_sdf_sizing *sizing, const unsigned char *tight,
                       struct dal__branch *branches, size_t *count)
{
    for (size_t i = 0; i < sizing->graph->channel_count; i++)
        if (tight[i] && is_free(sizing, i))
            branches[(*count)++] =
                (struct dal__branch){.at = i, .more = dal_sdf_port_step(sizing->graph, i)};
}

static int look_for_fastest(void *context, const uint64_t *vector, uint64_t total,
                            struct dal__branch *branches, size_t *count)
{
    struct fastest *fastest = context;
    const struct dal_sdf_sizing *sizing = fastest->sizing;
    int fast, status = try_capacity(fastest, vector, &fast);
    (void)total;
    if (fast) {
        memcpy(fastest->capacity, vector, sizing->graph->channel_count * sizeof(*vector));
        return 1;
    }
    branch_out(sizing, fastest->tight, branches, count);
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
        status = dal__evaluator_init(&fastest.evaluator, sizing->graph, fastest.bound);
        if (!status)
            status = find_fastest(&fastest, result);
        dal__evaluator_finish(&fastest.evaluator);
        dal_sdf_share(sizing->graph, fastest.capacity);
    }
    dal_free_all(fastest.bound, fastest.tight);
    return status;
}

/* All capacities worth having, from the fewest that are live to the fewest that are fastest */

struct pareto {
    const struct dal_sdf_sizing *sizing;
    struct dal__evaluator evaluator;
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
    dal_sdf_share(pareto->sizing->graph, point->capacity);
    point->found = 1;
    point->period = pareto->best;
    return DAL_OK;
}

/* Is there no place for one more point? A front that has an end has places enough. */
static int is_full(const struct pareto *pareto, uint64_t total)
{
    const struct dal_sdf_front *front = pareto->front;
    return pareto->target.verdict != DAL_SDF_PERIODIC && front->count >= DAL_SDF_MOST_POINTS &&
           front->points[front->count - 1].total < total;
}

static int look_for_points(void *context, const uint64_t *vector, uint64_t total,
                           struct dal__branch *branches, size_t *count)
{
    struct pareto *pareto = context;
    struct dal_sdf_period period;
    int status = dal__evaluate(&pareto->evaluator, vector, pareto->sizing->budget, NULL, &period,
                               pareto->tight);
    if (status || period.verdict == DAL_SDF_UNKNOWN)
        return status;
    if (dal_sdf_compare(period, pareto->best) < 0) {
        if (is_full(pareto, total)) {
            pareto->front->full = 1;
            return 1;
        }
        pareto->best = period;
        status = add_point(pareto, vector, total);
        /* Without a target, which its own limit of time left unknown, all are looked for. */
        if (!status && pareto->target.verdict != DAL_SDF_UNKNOWN &&
            dal_sdf_compare(period, pareto->target) <= 0)
            return 1;
    }
    branch_out(pareto->sizing, pareto->tight, branches, count);
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
    int status = dal__evaluator_init(&pareto->evaluator, sizing->graph, start);
    if (!status)
        status = dal__search_run(&search, start, total_cost(sizing, start));
    dal__evaluator_finish(&pareto->evaluator);
    pareto->front->complete = status >= 0 && search.complete && !pareto->front->full;
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
