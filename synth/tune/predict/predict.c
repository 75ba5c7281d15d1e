#include "synth/tune/predict/predict.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "synth/tune/predict/model.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Events that a prediction may look at, for each actor and at least. Where many plans are compared,
 * they are FEWER_EVENTS times fewer. */
#define EVENTS_AN_ACTOR UINT64_C(20000)
#define LEAST_EVENTS    UINT64_C(2000000)
enum { FEWER_EVENTS = 10 };
/* Iterations by which a promise is weighed, at the start and later: fewer of a network for which
 * that takes longer than to settle. */
enum { DRAWN_ITERATIONS = 1000 };
/* What a promise allows for of a machine: holding a core up for such a part of the promise, which
 * takes such a part of the core's time. Who keeps a promise only as long as turns are never
 * disturbed does not keep it. */
static const double STALL_PART = 0.1, STALLED_PART = 0.01;
/* The part of all iterations from which on an average that is too long is enough to refuse. */
static const double HOPELESS_PART = 0.9;
/* The part of the time from which on a processor, or a process on all of its cores, never rests. */
static const double NO_REST = 0.97;

int dal_predict_is_wanted(const struct dal_plan *plan)
{
    for (size_t i = 0; i < plan->process_count; i++)
        if (dal_model_time(&plan->processes[i]) >= 0)
            return 1;
    return 0;
}

/* Tells why a process cannot be predicted; NULL where nobody has measured its time. The model fires
 * whole cycles, so it would deadlock where the network does by cycles. */
static const char *why_unknown(const struct dal_plan *plan, const struct dal_plan_process *p)
{
    if (dal_spec_is_open(p->process))
        return dal_spec_open_firings(p->process) ? NULL : " (what is inside differs in its rate)";
    if (p->process->kpn)
        return " (its rates vary)";
    if (p->process->by_phase && plan->spec->network.dead_by_cycles)
        return " (it is fired phase by phase)";
    return NULL;
}

/* Lists the processes of which nobody has measured the time, or that do not fire by whole firings.
 * Returns whether there are any. */
static int list_unknown(const struct dal_plan *plan, struct dal_text *text)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->process_count; i++) {
        const struct dal_plan_process *p = dal_plan_in_order(plan, i);
        const char *why = why_unknown(plan, p);
        if (!why && (dal_spec_is_open(p->process) || dal_model_time(p) >= 0))
            continue;
        dal_text_printf(text, "%s%s%s", count++ ? ", " : "", p->process->name, why ? why : "");
    }
    return count > 0;
}

/* ---- paths ----------------------------------------------------------------------------------- */

/* Has a process no port of a kind, but to itself? */
static int is_end(const struct dal_spec_process *p, int output)
{
    for (size_t i = 0; i < p->port_count; i++)
        if (p->ports[i].output == output &&
            p->ports[i].channel->producer != p->ports[i].channel->consumer)
            return 0;
    return 1;
}

/* Marks what can be reached. Each channel is looked at once, when its producer has been reached. */
static void follow(const struct dal_plan *plan, size_t from, unsigned char *reached, size_t *todo)
{
    size_t count = 0;
    memset(reached, 0, plan->process_count);
    reached[from] = 1;
    todo[count++] = from;
    while (count > 0) {
        const struct dal_spec_process *p = plan->processes[todo[--count]].process;
        for (size_t i = 0; i < p->port_count; i++) {
            const struct dal_spec_channel *c = p->ports[i].output ? p->ports[i].channel : NULL;
            for (; c; c = dal_port_next(&p->ports[i], c))
                if (!reached[c->consumer->number]) {
                    reached[c->consumer->number] = 1;
                    todo[count++] = c->consumer->number;
                }
        }
    }
}

static int is_promised(const struct dal_plan *plan, size_t from, size_t to)
{
    const struct dal_spec_network *network = &plan->spec->network;
    for (size_t i = 0; i < network->latency_count; i++)
        if (network->latencies[i].from->number == from && network->latencies[i].to->number == to)
            return 1;
    return 0;
}

static void add_paths(const struct dal_plan *plan, size_t from, const unsigned char *reached,
                      struct dal_prediction *p)
{
    for (size_t i = 0; i < plan->process_count; i++) {
        if (!reached[i] || i == from || !is_end(plan->processes[i].process, 1) ||
            is_promised(plan, from, i))
            continue;
        if (p->path_count == plan->spec->network.latency_count + DAL_PREDICTION_PATHS)
            p->more_paths = 1;
        else
            p->paths[p->path_count++] = (struct dal_prediction_path){.from = from, .to = i};
    }
}

static void add_promises(const struct dal_spec_network *network, struct dal_prediction *p)
{
    for (size_t i = 0; i < network->latency_count; i++) {
        const struct dal_spec_latency *promise = &network->latencies[i];
        p->paths[p->path_count++] = (struct dal_prediction_path){
            .from = promise->from->number, .to = promise->to->number, .promise = promise};
    }
}

static int find_paths(const struct dal_plan *plan, struct dal_prediction *p)
{
    const struct dal_spec_network *network = &plan->spec->network;
    unsigned char *reached = dal_calloc(plan->process_count + 1, 1);
    size_t *todo = dal_calloc(plan->process_count + 1, sizeof(*todo));
    p->paths = dal_calloc(network->latency_count + DAL_PREDICTION_PATHS, sizeof(*p->paths));
    if (p->paths)
        add_promises(network, p);
    for (size_t i = 0; reached && todo && p->paths && !p->more_paths && i < plan->process_count;
         i++) {
        if (!is_end(plan->processes[i].process, 0))
            continue;
        follow(plan, i, reached, todo);
        add_paths(plan, i, reached, p);
    }
    dal_free_all(reached, todo);
    return reached && todo && p->paths ? DAL_OK : DAL_ERR_NOMEM;
}

/* ---- what holds it up ------------------------------------------------------------------------ */

/* The busiest server but for one; of SIZE_MAX, of all. SIZE_MAX without any. */
static size_t find_busiest(const struct dal_model *m, const struct dal_sim_result *result,
                           size_t but)
{
    size_t most = SIZE_MAX;
    for (size_t i = 0; i < m->server_count; i++)
        if (i != but && (most == SIZE_MAX || result->server_busy[i] > result->server_busy[most]))
            most = i;
    return most;
}

/* A server behind the processors belongs to one of them. */
static char *name_server(const struct dal_model *m, size_t server)
{
    static const char *const kinds[] = {"downloads from", "uploads to",
                                        "messages from the node of"};
    size_t count = m->plan->processor_count, kind_count = sizeof(kinds) / sizeof(kinds[0]);
    size_t way = server < count ? 0 : server - count;
    if (server < count)
        return dal_strdup(m->plan->processors[server].processor->name);
    return dal_format("%s %s", kinds[way % kind_count],
                      m->plan->processors[way / kind_count].processor->name);
}

/* The process whose copies never rest though processors do; NULL without one. */
static const struct dal_plan_process *find_tied(const struct dal_model *m,
                                                const struct dal_sim_result *result)
{
    for (size_t i = 0; i < m->plan->process_count; i++) {
        size_t actor = m->actor_of[i];
        if (result->actor_busy[actor] > NO_REST * (double)m->actors[actor].copies)
            return &m->plan->processes[i];
    }
    return NULL;
}

/* Returns a periodic process whose releases limit the period of the iterations; NULL without
 * one. */
static const struct dal_plan_process *find_clock(const struct dal_model *m, double period_ns)
{
    for (size_t i = 0; i < m->plan->process_count; i++) {
        const struct dal_plan_process *p = &m->plan->processes[i];
        if (p->process->periodic.period_ns &&
            period_ns <= dal_spec_iteration_ns(p->process) / NO_REST)
            return p;
    }
    return NULL;
}

static char *limit_by_server(const struct dal_model *m, size_t server, struct dal_prediction *p)
{
    size_t count = m->plan->processor_count;
    p->limit_kind = server < count ? DAL_LIMIT_PROCESSOR : DAL_LIMIT_WAY;
    p->limit_of = server < count ? server : (server - count) / (m->server_count / count - 1);
    return name_server(m, server);
}

static char *find_limit(const struct dal_model *m, const struct dal_sim_result *result,
                        struct dal_prediction *p)
{
    size_t server = find_busiest(m, result, SIZE_MAX), next = find_busiest(m, result, server);
    double busy = server == SIZE_MAX ? 0 : result->server_busy[server];
    const struct dal_plan_process *tied;
    p->limit_kind = DAL_LIMIT_DEADLOCK;
    if (isinf(result->period_ns))
        return dal_strdup("a deadlock");
    p->next_busy = next == SIZE_MAX ? 0 : result->server_busy[next];
    if (busy > NO_REST)
        return limit_by_server(m, server, p);
    p->next_busy = busy;
    tied = find_clock(m, result->period_ns);
    if (tied) {
        p->limit_kind = DAL_LIMIT_PERIOD;
        p->limit_of = tied->process->number;
        return dal_format("the period of %s", tied->process->name);
    }
    tied = find_tied(m, result);
    p->limit_kind = tied ? DAL_LIMIT_PROCESS : DAL_LIMIT_ROOM;
    p->limit_of = tied ? tied->process->number : 0;
    if (tied)
        return dal_format("%s, which fires %" PRIu64 " times at once", tied->process->name,
                          m->actors[m->actor_of[tied->process->number]].copies);
    return dal_strdup("capacities, cycles, and the time that tokens are on their way");
}

/* ---- the prediction -------------------------------------------------------------------------- */

/* Returns the part of an actor's time that one process takes, in proportion to the times of their
 * firings. */
static double part_of(const struct dal_model *m, const struct dal_sim_result *result,
                      size_t process)
{
    size_t actor = m->actor_of[process];
    double own = m->time_of[process] * (double)m->round_of[process];
    double all = m->actors[actor].firing_ns;
    return all > 0 ? result->actor_busy[actor] * own / all : result->actor_busy[actor];
}

static double fill_of(const struct dal_model *m, const struct dal_sim_result *result,
                      size_t channel)
{
    double tokens = 0;
    for (size_t i = 0; m->first_of[channel] != SIZE_MAX && i < m->count_of[channel]; i++)
        tokens += result->channel_fill[m->first_of[channel] + i];
    return tokens;
}

static int take_over(const struct dal_model *m, const struct dal_sim_result *result,
                     struct dal_prediction *p)
{
    const struct dal_plan *plan = m->plan;
    p->period_ns = result->period_ns;
    p->settled = result->settled;
    p->limit = find_limit(m, result, p);
    p->processors = dal_calloc(plan->processor_count + 1, sizeof(*p->processors));
    p->processes = dal_calloc(plan->process_count + 1, sizeof(*p->processes));
    p->channels = dal_calloc(plan->channel_count + 1, sizeof(*p->channels));
    p->misses = dal_calloc(plan->process_count + 1, sizeof(*p->misses));
    if (!p->limit || !p->processors || !p->processes || !p->channels || !p->misses)
        return DAL_ERR_NOMEM;
    for (size_t i = 0; i < plan->processor_count; i++)
        p->processors[i] = result->server_busy[i];
    for (size_t i = 0; i < plan->process_count; i++) {
        p->processes[i] = part_of(m, result, i);
        p->misses[i] = result->actor_misses[m->actor_of[i]];
    }
    for (size_t i = 0; i < plan->channel_count; i++)
        p->channels[i] = fill_of(m, result, i);
    for (size_t i = 0; i < p->path_count; i++) {
        p->paths[i].mean_ns = result->latency[i].mean_ns;
        p->paths[i].most_ns = p->paths[i].promised_ns = result->latency[i].most_ns;
    }
    return DAL_OK;
}

static uint64_t count_events(const struct dal_model *m, int is_brief)
{
    uint64_t events = EVENTS_AN_ACTOR * m->graph.process_count;
    events = events > LEAST_EVENTS ? events : LEAST_EVENTS;
    return is_brief ? events / FEWER_EVENTS : events;
}

static int times_differ(const struct dal_model *m)
{
    size_t i = 0;
    while (i < m->graph.process_count && !m->actors[i].spread)
        i++;
    return i < m->graph.process_count;
}

/* Which core fires a process that several may fire, and when, is not as certain as turns are. */
static int has_pools(const struct dal_model *m)
{
    size_t i = 0;
    while (i < m->graph.process_count && m->actors[i].server_count < 2)
        i++;
    return i < m->graph.process_count;
}

/* Draws a promise's iterations, with cores that others hold up for a part of it. */
static int draw_iterations(const struct dal_sim *sim, uint64_t settled, size_t path,
                           enum dal_sim_order order, struct dal_prediction_path *p)
{
    struct dal_sim drawn = *sim;
    struct dal_sim_result result;
    int status;
    drawn.paths = &sim->paths[path];
    drawn.path_count = 1;
    drawn.order = order;
    drawn.stall_ns = STALL_PART * (double)p->promise->max_ns;
    drawn.between_ns = drawn.stall_ns / STALLED_PART;
    status = dal_sim_draw(&drawn, settled, DRAWN_ITERATIONS, &result);
    if (status == DAL_OK)
        p->promised_ns = fmax(p->promised_ns, result.latency[0].part_ns);
    dal_sim_finish(&result);
    return status;
}

/* Weighs a promise with turns on all cores; with pools, in each order. */
static int draw_promise(const struct dal_model *m, const struct dal_sim *sim, uint64_t settled,
                        size_t path, struct dal_prediction_path *p)
{
    int orders = has_pools(m) ? DAL_SIM_ORDERS : 1, status = DAL_OK;
    p->promised_ns = -1;
    for (int i = 0; status == DAL_OK && i < orders; i++)
        status = draw_iterations(sim, settled, path, (enum dal_sim_order)i, p);
    if (p->promised_ns < 0)
        p->promised_ns = p->most_ns;
    return status;
}

/* Is a promise for most iterations less than what they take on the average? */
static int is_hopeless(const struct dal_prediction_path *p, double part)
{
    return part >= HOPELESS_PART && p->mean_ns > (double)p->promise->max_ns;
}

/* Finds what promises need where the times of firings differ. They are the first paths. */
static int draw_promises(const struct dal_model *m, struct dal_sim *sim, uint64_t settled,
                         struct dal_prediction *p)
{
    size_t promises = m->plan->spec->network.latency_count;
    int status = DAL_OK;
    if (isinf(p->period_ns) || !times_differ(m))
        return DAL_OK;
    sim->events = settled > LEAST_EVENTS / FEWER_EVENTS ? settled : LEAST_EVENTS / FEWER_EVENTS;
    for (size_t i = 0; status == DAL_OK && i < promises; i++)
        if (!is_hopeless(&p->paths[i], sim->paths[i].part))
            status = draw_promise(m, sim, settled, i, &p->paths[i]);
    return status;
}

/* Returns the part of all iterations that a path looks at. */
static double part_of_iterations(const struct dal_prediction_path *path)
{
    return path->promise ? 1 - path->promise->late_ppm / 1e6 : 1;
}

static int run_model(const struct dal_model *m, int is_brief, struct dal_prediction *prediction)
{
    struct dal_sim_path *paths = dal_calloc(prediction->path_count + 1, sizeof(*paths));
    struct dal_sim sim;
    struct dal_sim_result result;
    int status;
    if (!paths)
        return DAL_ERR_NOMEM;
    dal_model_sim(m, &sim);
    sim.paths = paths;
    sim.path_count = prediction->path_count;
    sim.events = count_events(m, is_brief);
    for (size_t i = 0; i < prediction->path_count; i++)
        paths[i] = (struct dal_sim_path){m->actor_of[prediction->paths[i].from],
                                         m->actor_of[prediction->paths[i].to],
                                         part_of_iterations(&prediction->paths[i])};
    status = dal_sim_run(&sim, &result);
    if (status == DAL_OK)
        status = take_over(m, &result, prediction);
    if (status == DAL_OK)
        status = draw_promises(m, &sim, result.seen, prediction);
    dal_sim_finish(&result);
    dal_free(paths);
    return status;
}

int dal_predict(const struct dal_plan *plan, int is_brief, struct dal_prediction *prediction)
{
    struct dal_text unknown = {0};
    struct dal_model model;
    int status;
    *prediction = (struct dal_prediction){0};
    if (list_unknown(plan, &unknown)) {
        prediction->unknown = dal_text_take(&unknown);
        return prediction->unknown ? DAL_OK : DAL_ERR_NOMEM;
    }
    status = dal_model_make(&model, plan);
    if (status == DAL_OK)
        status = find_paths(plan, prediction);
    if (status == DAL_OK)
        status = run_model(&model, is_brief, prediction);
    dal_model_finish(&model);
    return status;
}

void dal_prediction_finish(struct dal_prediction *prediction)
{
    dal_free_all(prediction->unknown, prediction->limit, prediction->processors,
                 prediction->processes, prediction->channels, prediction->misses,
                 prediction->paths);
    *prediction = (struct dal_prediction){0};
}
