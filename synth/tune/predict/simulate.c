#include "synth/tune/predict/execute.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <math.h>

/* SAME: two stretches of time, the second twice as long, have the same period up to this part.
 * ALIKE: two actors have periods so alike that they neither fill nor empty what is between them.
 * WARM_UP_EVENTS: events until the first stretch begins, for each actor. */
static const double SAME = 1e-4, ALIKE = 1e-2;
enum { WARM_UP_EVENTS = 128 };
/* ---- stretches of time ----------------------------------------------------------------------- */

static void begin_stretch(struct dal__sim_state *s)
{
    s->began_ns = s->now_ns;
    for (size_t i = 0; i < s->sim->graph->process_count; i++) {
        struct dal__sim_actor *actor = &s->actors[i];
        actor->first_ns = -1;
        actor->fired_then = actor->fired;
        actor->activations_then = actor->activations;
        actor->busy_then = actor->busy_ns;
        actor->releases_then = actor->releases;
        actor->misses_then = actor->misses;
    }
    for (size_t i = 0; i < s->sim->server_count; i++)
        s->servers[i].busy_then = s->servers[i].busy_ns;
    for (size_t i = 0; i < s->sim->path_count; i++) {
        s->paths[i].sum_ns = s->paths[i].most_ns = 0;
        s->paths[i].ended = 0;
    }
    for (size_t i = 0; i < s->sim->graph->channel_count; i++) {
        dal__sim_hold(s, &s->channels[i], 0);
        s->channels[i].filled = 0;
    }
}

/* Returns the slowest actor's period, and the fastest one's. INFINITY where an actor has not ended
 * two iterations. */
static double find_period(const struct dal__sim_state *s, double *fastest)
{
    double slowest = 0;
    *fastest = INFINITY;
    for (size_t i = 0; i < s->sim->graph->process_count; i++) {
        const struct dal__sim_actor *actor = &s->actors[i];
        double period_ns;
        if (actor->first_ns < 0 || actor->last == actor->first)
            return INFINITY;
        period_ns = (actor->last_ns - actor->first_ns) / (double)(actor->last - actor->first);
        slowest = period_ns > slowest ? period_ns : slowest;
        *fastest = period_ns < *fastest ? period_ns : *fastest;
    }
    return slowest;
}

/* Simulates stretches, each twice as long as the one before, until two have the same period. */
static void settle(struct dal__sim_state *s, struct dal_sim_result *result)
{
    uint64_t count = WARM_UP_EVENTS * (s->sim->graph->process_count + 1);
    double before_ns, fastest_ns = 0;
    dal__sim_execute(s, count);
    result->period_ns = INFINITY;
    do {
        before_ns = result->period_ns;
        count *= 2;
        begin_stretch(s);
        dal__sim_execute(s, count);
        result->period_ns = s->heap_count ? find_period(s, &fastest_ns) : INFINITY;
        result->seen = s->seen;
        result->settled = isfinite(before_ns) && isfinite(result->period_ns) &&
                          fastest_ns >= (1 - ALIKE) * result->period_ns &&
                          fabs(result->period_ns - before_ns) <= SAME * before_ns;
    } while (!s->lost && s->heap_count && !result->settled && s->seen + 2 * count < s->sim->events);
}

/* Has each path so many iterations in the stretch? */
static int have_ended(const struct dal__sim_state *s, uint64_t iterations)
{
    for (size_t i = 0; i < s->sim->path_count; i++)
        if (s->paths[i].ended < iterations)
            return 0;
    return 1;
}

static int make_histograms(struct dal__sim_state *s)
{
    for (size_t i = 0; i < s->sim->path_count; i++)
        if (!(s->paths[i].times = dal_calloc(1, sizeof(*s->paths[i].times))))
            return DAL_ERR_NOMEM;
    return DAL_OK;
}

/* Returns what the path's part of the iterations in the stretch took at most. */
static double part_of(const struct dal__sim_path *path, double part)
{
    return part < 1 ? dal_histogram_quantile(path->times, part) : path->most_ns;
}

/* Draws the iterations of a stretch. A path needs what it needed most in a stretch. */
static void draw_stretch(struct dal__sim_state *s, uint64_t iterations)
{
    uint64_t most = s->seen + s->sim->events;
    begin_stretch(s);
    for (size_t i = 0; i < s->sim->path_count; i++)
        *s->paths[i].times = (struct dal_histogram){0};
    while (!s->lost && s->heap_count && !have_ended(s, iterations) && s->seen < most)
        dal__sim_execute(s, WARM_UP_EVENTS);
    for (size_t i = 0; i < s->sim->path_count; i++)
        s->paths[i].part_ns =
            fmax(s->paths[i].part_ns, part_of(&s->paths[i], s->sim->paths[i].part));
}

/* Simulates with drawn times: the first iterations, in which queues fill, and as many once the
 * network has settled. */
static int draw_iterations(struct dal__sim_state *s, uint64_t settled, uint64_t iterations)
{
    s->draws = 1;
    if (make_histograms(s) < 0)
        return DAL_ERR_NOMEM;
    draw_stretch(s, iterations);
    if (s->seen < settled)
        dal__sim_execute(s, settled - s->seen);
    draw_stretch(s, iterations);
    return DAL_OK;
}

/* Returns the part of the releases in the stretch that missed their deadline. */
static double part_missed(const struct dal__sim_actor *actor)
{
    uint64_t releases = actor->releases - actor->releases_then;
    return releases ? (double)(actor->misses - actor->misses_then) / (double)releases : 0;
}

static struct dal_sim_latency latency_of(const struct dal__sim_path *path)
{
    struct dal_sim_latency latency = {-1, -1, -1};
    if (!path->ended)
        return latency;
    latency.mean_ns = path->sum_ns / (double)path->ended;
    latency.most_ns = path->most_ns;
    latency.part_ns = path->times ? path->part_ns : path->most_ns;
    return latency;
}

static void fill_result(struct dal__sim_state *s, struct dal_sim_result *result)
{
    double lasted_ns = s->now_ns > s->began_ns ? s->now_ns - s->began_ns : 1;
    for (size_t i = 0; i < s->sim->graph->process_count; i++) {
        const struct dal__sim_actor *actor = &s->actors[i];
        uint64_t activations = actor->activations - actor->activations_then;
        result->actor_busy[i] = (actor->busy_ns - actor->busy_then) / lasted_ns;
        result->actor_block[i] =
            (double)(actor->fired - actor->fired_then) / (double)(activations ? activations : 1);
        result->actor_misses[i] = part_missed(actor);
    }
    for (size_t i = 0; i < s->sim->server_count; i++)
        result->server_busy[i] = (s->servers[i].busy_ns - s->servers[i].busy_then) / lasted_ns;
    for (size_t i = 0; i < s->sim->graph->channel_count; i++) {
        dal__sim_hold(s, &s->channels[i], 0);
        result->channel_fill[i] = s->channels[i].filled / lasted_ns;
    }
    for (size_t i = 0; i < s->sim->path_count; i++)
        result->latency[i] = latency_of(&s->paths[i]);
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static void join_channels(struct dal__sim_state *s)
{
    size_t first = 0, last = s->sim->graph->channel_count - 1;
    for (size_t i = 0; i < s->sim->graph->channel_count; i++) {
        uint64_t tokens = s->sim->graph->channels[i].initial_tokens;
        struct dal__sim_channel *channel = &s->channels[i];
        channel->tokens = tokens;
        if (s->sim->rings)
            channel->ring = s->sim->rings[i];
        if (!s->sim->graph->channels[i].continues) {
            channel->space = s->sim->graph->channels[i].given;
            first = i;
        }
        channel->frees = i < last && s->sim->graph->channels[i + 1].continues ? SIZE_MAX : first;
        dal__sim_take_space(s, &s->channels[first], tokens);
    }
}

/* Counts, then lists which actors want each server. */
static int list_wanted(struct dal__sim_state *s)
{
    size_t sum = 0;
    for (size_t i = 0; i < s->sim->graph->process_count; i++)
        for (size_t k = 0; k < s->sim->actors[i].server_count; k++)
            s->servers[s->sim->actors[i].servers[k]].count++;
    for (size_t i = 0; i < s->sim->server_count; i++) {
        s->servers[i].first = sum;
        sum += s->servers[i].count;
        s->servers[i].count = 0;
    }
    s->wanted = dal_calloc(sum + 1, sizeof(*s->wanted));
    if (!s->wanted)
        return DAL_ERR_NOMEM;
    for (size_t i = 0; i < s->sim->graph->process_count; i++)
        for (size_t k = 0; k < s->sim->actors[i].server_count; k++) {
            struct dal__sim_server *server = &s->servers[s->sim->actors[i].servers[k]];
            s->wanted[server->first + server->count++] = i;
        }
    return DAL_OK;
}

static int make_state(struct dal__sim_state *s, struct dal_sim_result *result)
{
    const struct dal_sim *sim = s->sim;
    s->actors = dal_calloc(sim->graph->process_count + 1, sizeof(*s->actors));
    s->channels = dal_calloc(sim->graph->channel_count + 1, sizeof(*s->channels));
    s->servers = dal_calloc(sim->server_count + 1, sizeof(*s->servers));
    s->paths = dal_calloc(sim->path_count + 1, sizeof(*s->paths));
    result->server_busy = dal_calloc(sim->server_count + 1, sizeof(*result->server_busy));
    result->actor_busy = dal_calloc(sim->graph->process_count + 1, sizeof(*result->actor_busy));
    result->actor_block = dal_calloc(sim->graph->process_count + 1, sizeof(*result->actor_block));
    result->channel_fill = dal_calloc(sim->graph->channel_count + 1, sizeof(*result->channel_fill));
    result->actor_misses = dal_calloc(sim->graph->process_count + 1, sizeof(*result->actor_misses));
    result->latency = dal_calloc(sim->path_count + 1, sizeof(*result->latency));
    if (!s->actors || !s->channels || !s->servers || !s->paths || !result->server_busy ||
        !result->actor_busy || !result->actor_block || !result->channel_fill ||
        !result->actor_misses || !result->latency)
        return DAL_ERR_NOMEM;
    join_channels(s);
    return list_wanted(s);
}

/* Simulates until the network is settled, or, where iterations are wanted, draws them. */
static int simulate(const struct dal_sim *sim, uint64_t settled, uint64_t iterations,
                    struct dal_sim_result *result)
{
    struct dal__sim_state s = {.sim = sim};
    int status;
    *result = (struct dal_sim_result){0};
    status = make_state(&s, result);
    if (status == DAL_OK)
        dal__sim_begin(&s);
    if (status == DAL_OK && iterations)
        status = draw_iterations(&s, settled, iterations);
    else if (status == DAL_OK)
        settle(&s, result);
    if (status == DAL_OK && !s.lost)
        fill_result(&s, result);
    dal_free_all(s.actors, s.channels, s.servers);
    for (size_t i = 0; s.paths && i < sim->path_count; i++)
        dal_free_all(s.paths[i].begins, s.paths[i].times);
    dal_free_all(s.paths, s.wanted, s.heap);
    return s.lost ? DAL_ERR_NOMEM : status;
}

int dal_sim_run(const struct dal_sim *sim, struct dal_sim_result *result)
{
    return simulate(sim, 0, 0, result);
}

int dal_sim_draw(const struct dal_sim *sim, uint64_t settled, uint64_t iterations,
                 struct dal_sim_result *result)
{
    return simulate(sim, settled, iterations, result);
}

void dal_sim_finish(struct dal_sim_result *result)
{
    dal_free_all(result->server_busy, result->actor_busy, result->actor_block, result->channel_fill,
                 result->actor_misses, result->latency);
    *result = (struct dal_sim_result){0};
}
