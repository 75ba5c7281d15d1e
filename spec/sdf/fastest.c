/*
 * Capacities for the least period. Each channel has a lower bound of its own: what it needs while
 * all others are unlimited. Often these bounds are fast enough together, and then they are the
 * answer. Otherwise: grow all that is tight until it is fast enough, take back what was too much,
 * and search between the bounds and that.
 */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/sdf/search.h"
#include "spec/sdf/sizing.h"

#include <string.h>

/* Capacities are not tried beyond this many tokens. */
#define MAX_TOKENS ((uint64_t)1 << 48)
/* Above this many channels their own bounds are left out: each splits the whole graph. */
#define MAX_BOUNDED 2000

struct fastest {
    const struct dal_sdf_sizing *sizing;
    struct dal_sdf_period target;
    struct dal__evaluator evaluator;
    uint64_t *bound;    /* by channel: nothing below can be fast enough */
    uint64_t *capacity; /* the best known */
    unsigned char *tight;
};

/* A channel alone */

/* Least capacity of one channel in its part with which the part is fast enough. */
static int bound_in_part(struct fastest *fastest, const struct dal_sdf_graph *part,
                         uint64_t *unlimited, size_t channel)
{
    const struct dal_sdf_channel *c = &fastest->sizing->graph->channels[channel];
    struct dal_sdf_budget *budget = fastest->sizing->budget;
    struct dal_sdf_engine *engine = dal_sdf_engine_create(part);
    struct dal_sdf_period period;
    uint64_t low = 0, high = 1; /* in steps; low is too little but for 0, high not known */
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

/* What the channels have that cannot hold anything up: no limit where they are free. */
static uint64_t *unlimited_capacities(const struct dal_sdf_sizing *sizing)
{
    uint64_t *capacity = dal__least_capacities(sizing);
    for (size_t i = 0; capacity && i < sizing->graph->channel_count; i++)
        if (dal__is_free(sizing, i))
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
        if (dal__is_free(sizing, i) && !sizing->budget->expired)
            status = bound_channel(fastest, unlimited, i);
    dal_free(unlimited);
    return unlimited ? status : DAL_ERR_NOMEM;
}

/* All together */

/* *fast: whether the period is reached; otherwise fastest->tight says what holds it up. */
static int try(struct fastest *fastest, const uint64_t *capacity, int *fast)
{
    struct dal_sdf_period period;
    int status = dal__evaluate(&fastest->evaluator, capacity, fastest->sizing->budget,
                               &fastest->target, &period, fastest->tight);
    *fast = !status && dal_sdf_compare(period, fastest->target) <= 0;
    return status;
}

/* More for every tight channel, twice as much each time. Returns 1 when it is fast enough. */
static int grow(struct fastest *fastest)
{
    const struct dal_sdf_graph *graph = fastest->sizing->graph;
    uint64_t *capacity = fastest->capacity;
    int fast, status = try(fastest, capacity, &fast);
    while (!status && !fast && !fastest->sizing->budget->expired) {
        size_t grown = 0;
        for (size_t i = 0; i < graph->channel_count; i++) {
            const struct dal_sdf_channel *channel = &graph->channels[i];
            uint64_t steps = (capacity[i] - fastest->bound[i]) / channel->step;
            if (!fastest->tight[i] || !dal__is_free(fastest->sizing, i) || capacity[i] > MAX_TOKENS)
                continue;
            capacity[i] = fastest->bound[i] + (2 * steps + 1) * channel->step;
            grown++;
        }
        if (grown == 0)
            break;
        status = try(fastest, capacity, &fast);
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
        status = try(fastest, fastest->capacity, &fast);
        if (fast)
            high = middle;
        else
            low = middle + 1;
    }
    *at = bound + high * step;
    return status;
}

static int shrink(struct fastest *fastest)
{
    int status = DAL_OK;
    for (size_t i = 0; i < fastest->sizing->graph->channel_count && !status; i++)
        if (dal__is_free(fastest->sizing, i) && fastest->capacity[i] > fastest->bound[i])
            status = shrink_one(fastest, i);
    return status;
}

static int look(void *context, const uint64_t *vector, uint64_t total, struct dal__branch *branches,
                size_t *count)
{
    struct fastest *fastest = context;
    const struct dal_sdf_graph *graph = fastest->sizing->graph;
    int fast, status = try(fastest, vector, &fast);
    (void)total;
    if (fast) {
        memcpy(fastest->capacity, vector, graph->channel_count * sizeof(*vector));
        return 1;
    }
    for (size_t i = 0; i < graph->channel_count && !status; i++)
        if (fastest->tight[i] && dal__is_free(fastest->sizing, i))
            branches[(*count)++] = (struct dal__branch){.at = i, .more = graph->channels[i].step};
    return status;
}

static int prove(struct fastest *fastest, struct dal_sdf_buffers *result)
{
    const struct dal_sdf_sizing *sizing = fastest->sizing;
    struct dal__search search = {
        .size = sizing->graph->channel_count,
        .weight = sizing->weight,
        .limit = dal_sdf_cost(sizing, fastest->capacity),
        .budget = sizing->budget,
        .context = fastest,
        .look = look,
    };
    int status = dal__search_run(&search, fastest->bound, dal_sdf_cost(sizing, fastest->bound));
    if (status < 0)
        return status;
    result->total = dal_sdf_cost(sizing, fastest->capacity);
    result->least = search.complete ? result->total : search.reached;
    return DAL_OK;
}

static int find(struct fastest *fastest, struct dal_sdf_buffers *result)
{
    const struct dal_sdf_sizing *sizing = fastest->sizing;
    int status = find_bounds(fastest);
    if (status)
        return status;
    memcpy(fastest->capacity, fastest->bound,
           sizing->graph->channel_count * sizeof(*fastest->bound));
    result->least = dal_sdf_cost(sizing, fastest->bound);
    status = grow(fastest);
    if (status <= 0)
        return status;
    result->found = 1;
    status = shrink(fastest);
    result->total = dal_sdf_cost(sizing, fastest->capacity);
    if (!status && result->total > result->least)
        status = prove(fastest, result);
    return status;
}

/* The period that nothing can beat: that with no limits. */
static int find_target(const struct dal_sdf_sizing *sizing, struct dal_sdf_period *period)
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
        .bound = dal__least_capacities(sizing),
        .capacity = dal_calloc(count + 1, sizeof(*fastest.capacity)),
        .tight = dal_calloc(count + 1, 1),
    };
    int status = fastest.bound && fastest.capacity && fastest.tight ? DAL_OK : DAL_ERR_NOMEM;
    *result = (struct dal_sdf_buffers){.capacity = fastest.capacity};
    if (!status)
        status = find_target(sizing, &fastest.target);
    result->period = fastest.target;
    if (!status && fastest.target.verdict == DAL_SDF_PERIODIC) {
        status = dal__evaluator_init(&fastest.evaluator, sizing->graph, fastest.bound);
        if (!status)
            status = find(&fastest, result);
        dal__evaluator_finish(&fastest.evaluator);
    }
    dal_free(fastest.bound);
    dal_free(fastest.tight);
    return status;
}
