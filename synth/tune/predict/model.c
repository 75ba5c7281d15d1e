#include "synth/tune/predict/model.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/number.h"
#include "synth/plan/link.h"

static const size_t NONE = SIZE_MAX;

double dal_model_time(const struct dal_plan_process *p)
{
    const struct dal_spec_execution_time *time = dal_plan_time(p);
    if (!time->is_measured)
        return -1;
    /* Fewer threads than those asked for take longer. */
    return dal_spec_time_ns(time) *
           (dal_plan_has_team(p) ? (double)p->binding->threads / (double)(p->team_count + 1) : 1);
}

/* ---- costs ----------------------------------------------------------------------------------- */

/* Costs of the runtime and the machine, in ns and bytes a second, where the architecture has no
 * measured costs (spec/model/costs.h). They are those of usual machines:
 * doc/explanation/measured-mapping.md. */
static const struct {
    double activation_ns;             /* of a process on a core */
    double token_ns;                  /* until another core sees a token */
    double wake_ns;                   /* until the worker of a core that sleeps is at work */
    double patience_ns, look_ns;      /* until it sleeps; between its looks for work, at most */
    double launch_ns, cpu_launch_ns;  /* on a device; on one that is made of cores */
    double batch_ns;                  /* from the end of a launch until the host sees it */
    double transfer_ns, transfer_bps; /* between the memories of host and device */
    double message_ns, message_bps;   /* between nodes, where the link is not known */
} usual = {.activation_ns = 20,
           .token_ns = 150,
           .wake_ns = 20000,
           .patience_ns = 30000,
           .look_ns = 1500,
           .launch_ns = 4000,
           .cpu_launch_ns = 20000,
           .batch_ns = 10000,
           .transfer_ns = 10000,
           .transfer_bps = 12e9,
           .message_ns = 20000,
           .message_bps = 2e9};

/* Returns the measured cost from the processor of one process to that of the other, which may be
 * the same. NULL where nobody has measured it. */
static const struct dal_spec_cost *find_cost(const struct dal_model *m, enum dal_cost_kind kind,
                                             const struct dal_plan_process *from,
                                             const struct dal_plan_process *to)
{
    return dal_spec_cost(m->plan->spec, kind, from->processors[0]->processor,
                         to->processors[0]->processor);
}

static double latency_of(const struct dal_model *m, enum dal_cost_kind kind,
                         const struct dal_plan_process *from, const struct dal_plan_process *to,
                         double usual_ns)
{
    const struct dal_spec_cost *cost = find_cost(m, kind, from, to);
    return cost ? cost->latency_ns : usual_ns;
}

/* ---- processes ------------------------------------------------------------------------------- */

static size_t number_of(const struct dal_model *m, const struct dal_plan_processor *processor)
{
    return (size_t)(processor - m->plan->processors);
}

/* Lets an actor run where its first process is bound. */
static void set_servers(struct dal_model *m, struct dal_sim_actor *actor,
                        const struct dal_plan_process *p)
{
    size_t *list = &m->servers[m->server_room];
    for (size_t i = 0; i < p->processor_count; i++)
        list[i] = number_of(m, p->processors[i]);
    m->server_room += p->processor_count;
    actor->servers = list;
    actor->server_count = p->processor_count;
}

static void set_period(struct dal_sim_actor *actor, const struct dal_spec_period *periodic)
{
    actor->periodic = (struct dal_sim_period){.period_ns = (double)periodic->period_ns,
                                              .phase_ns = (double)periodic->phase_ns,
                                              .deadline_ns = (double)periodic->deadline_ns,
                                              .firings = periodic->repetitions,
                                              .overrun = periodic->overrun};
}

static struct dal_sim_actor *new_actor(struct dal_model *m, uint64_t repetitions)
{
    m->graph.processes[m->graph.process_count].repetitions = repetitions;
    return &m->actors[m->graph.process_count++];
}

static uint64_t firings_of(const struct dal_spec_process *process)
{
    return dal_spec_is_open(process) ? dal_spec_open_firings(process) : process->repetitions;
}

/* What is outside of an open port is always ready, and moves all that fits at once. */
static void add_open(struct dal_model *m, const struct dal_spec_process *port)
{
    m->actor_of[port->number] = m->graph.process_count;
    m->round_of[port->number] = 1;
    *new_actor(m, firings_of(port)) = (struct dal_sim_actor){.copies = 1, .most = UINT64_MAX};
}

static void begin_actor(struct dal_model *m, const struct dal_plan_process *p)
{
    struct dal_sim_actor *actor = new_actor(m, p->process->repetitions);
    set_servers(m, actor, p);
    if (p->device) {
        actor->copies = p->processor_count;
        actor->most = p->group ? p->group->rounds : p->shadow_copies;
        actor->takes = m->takes[number_of(m, p->processors[0])];
        actor->firing_counts = 1;
        actor->fixed_counts = m->alone[number_of(m, p->processors[0])];
        actor->fixed_ns = latency_of(m, DAL_COST_LAUNCH, p, p,
                                     actor->takes ? usual.cpu_launch_ns : usual.launch_ns);
    } else {
        actor->copies = p->shadow_copies ? p->shadow_copies : 1;
        actor->most = p->block;
        set_period(actor, &p->process->periodic);
    }
}

static void add_process(struct dal_model *m, size_t number, size_t actor)
{
    const struct dal_plan_process *p = &m->plan->processes[number];
    struct dal_sim_actor *a = &m->actors[actor];
    m->actor_of[number] = actor;
    m->round_of[number] = p->group ? p->round : 1;
    m->time_of[number] = dal_model_time(p);
    a->firing_ns += m->time_of[number] * (double)m->round_of[number];
    if (m->time_of[number] > 0)
        dal_spread_add(&m->spreads[actor], dal_plan_time(p),
                       (double)m->round_of[number] * m->time_of[number] /
                           dal_spec_time_ns(dal_plan_time(p)));
    a->most = p->device ? a->most : dal_least(a->most, p->block);
    if (!p->device)
        a->fixed_ns += latency_of(m, DAL_COST_FIRING, p, p, usual.activation_ns);
}

/* Returns the actor of a process's group, or NONE if it has none yet. `of_turn` has the actors of
 * groups that fire in turn. */
static size_t find_actor(const struct dal_model *m, const struct dal_plan_process *p, int turn,
                         const size_t *of_turn)
{
    const struct dal_plan_process *first = p->group ? p->group->members[0] : p;
    if (first != p)
        return m->actor_of[first->process->number];
    return turn < 0 ? NONE : of_turn[turn];
}

/* A group's first process stands before its others in the plan's order. */
static void place_processes(struct dal_model *m, const int *turns, size_t *of_turn)
{
    const struct dal_plan *plan = m->plan;
    for (size_t i = 0; i < plan->process_count; i++)
        of_turn[i] = NONE;
    for (size_t i = 0; i < plan->process_count; i++) {
        const struct dal_plan_process *p = dal_plan_in_order(plan, i);
        size_t actor = find_actor(m, p, turns[i], of_turn);
        if (dal_spec_is_open(p->process)) {
            add_open(m, p->process);
            continue;
        }
        if (actor == NONE) {
            actor = m->graph.process_count;
            begin_actor(m, p);
        }
        if (turns[i] >= 0)
            of_turn[turns[i]] = actor;
        add_process(m, plan->order[i], actor);
    }
}

static void fit_spreads(struct dal_model *m)
{
    for (size_t i = 0; i < m->graph.process_count; i++) {
        dal_spread_fit(&m->spreads[i]);
        if (dal_spread_differs(&m->spreads[i]))
            m->actors[i].spread = &m->spreads[i];
    }
}

static int make_actors(struct dal_model *m)
{
    size_t count = m->plan->process_count;
    int *turns = dal_calloc(count + 1, sizeof(*turns));
    size_t *of_turn = dal_calloc(count + 1, sizeof(*of_turn));
    int status = turns && of_turn ? dal_plan_turns(m->plan, turns) : DAL_ERR_NOMEM;
    if (status >= 0)
        place_processes(m, turns, of_turn);
    if (status >= 0)
        status = dal__model_paces(m);
    if (status >= 0)
        status = dal__model_curves(m);
    fit_spreads(m);
    dal_free_all(turns, of_turn);
    return status < 0 ? status : DAL_OK;
}

/* ---- channels -------------------------------------------------------------------------------- */

enum { MOST_STOPS = 3 };

/* One place on the way of a channel's tokens, and the time until the next actor sees them there.
 * The tokens have their places in the channel while they are in another memory; on another node,
 * they have new room as large. */
struct stop {
    size_t actor;
    double delay_ns;
    int in_place;
};

static void add_channel(struct dal_model *m, struct dal_sdf_channel channel,
                        const struct stop *from)
{
    channel.delay_ns = from->delay_ns;
    channel.continues = from->in_place;
    m->graph.channels[m->graph.channel_count++] = channel;
}

/* Adds an actor that moves single tokens to another memory or node, at `bps` bytes a second. */
static size_t add_transfer(struct dal_model *m, const struct dal_plan_channel *ch, size_t server,
                           double fixed_ns, double bps)
{
    const struct dal_spec_channel *c = ch->channel;
    size_t *list = &m->servers[m->server_room++];
    *list = server;
    *new_actor(m, firings_of(c->producer) * c->rate_in) = (struct dal_sim_actor){
        .servers = list,
        .server_count = 1,
        .copies = 1,
        .most = dal_least(ch->capacity, ch->message ? ch->message : ch->capacity),
        .fixed_ns = fixed_ns,
        .firing_ns = 1e9 * (double)c->token_bytes / bps};
    return m->graph.process_count - 1;
}

/* Each direction of a device's, and of a node's, is a server behind the processors. */
enum way_server { SERVER_DOWNLOAD, SERVER_UPLOAD, SERVER_MESSAGES, SERVER_KINDS };

static size_t server_of(const struct dal_model *m, const struct dal_plan_process *p,
                        enum way_server kind)
{
    return m->plan->processor_count + SERVER_KINDS * number_of(m, p->processors[0]) + kind;
}

static struct stop stop_at_copy(struct dal_model *m, const struct dal_plan_channel *ch,
                                const struct dal_plan_process *p, enum way_server server)
{
    enum dal_cost_kind kind = server == SERVER_UPLOAD ? DAL_COST_UPLOAD : DAL_COST_DOWNLOAD;
    const struct dal_spec_cost *cost = find_cost(m, kind, p, p);
    size_t actor =
        add_transfer(m, ch, server_of(m, p, server), cost ? cost->latency_ns : usual.transfer_ns,
                     cost ? cost->bytes_per_second : usual.transfer_bps);
    m->actors[actor].takes = m->takes[number_of(m, p->processors[0])];
    m->actors[actor].firing_counts = m->actors[actor].fixed_counts =
        m->alone[number_of(m, p->processors[0])];
    return (struct stop){.actor = actor, .delay_ns = usual.token_ns, .in_place = 1};
}

static int stop_at_link(struct dal_model *m, const struct dal_plan_channel *ch,
                        const struct dal_plan_process *from, const struct dal_plan_process *to,
                        struct stop *stop)
{
    struct dal_plan_way way = {0};
    double latency_ns = usual.message_ns, bps = usual.message_bps;
    int status =
        dal_plan_find_way(&m->plan->spec->architecture, from->processors[0]->processor->node_number,
                          to->processors[0]->processor->node_number, &way);
    if (status == DAL_OK && way.names) {
        latency_ns += (double)way.latency_ns;
        bps = (double)way.bandwidth;
    }
    dal_plan_way_finish(&way);
    stop->actor = add_transfer(m, ch, server_of(m, from, SERVER_MESSAGES), 0, bps);
    stop->delay_ns = latency_ns;
    stop->in_place = 0;
    return status;
}

/* Lists the stops between the producer and the consumer. Returns how many there are, or
 * DAL_ERR_NOMEM. */
static int list_stops(struct dal_model *m, const struct dal_plan_channel *ch, struct stop *stops)
{
    const struct dal_plan_process *from = dal_plan_producer(m->plan, ch->channel);
    const struct dal_plan_process *to = dal_plan_consumer(m->plan, ch->channel);
    int count = 0, status = DAL_OK;
    if (dal_channel_traits(ch->kind)->in_place)
        return 0;
    if (from->device)
        stops[count++] = stop_at_copy(m, ch, from, SERVER_DOWNLOAD);
    if (ch->kind == DAL_CHANNEL_REMOTE)
        status = stop_at_link(m, ch, from, to, &stops[count++]);
    if (to->device)
        stops[count++] = stop_at_copy(m, ch, to, SERVER_UPLOAD);
    return status < 0 ? status : count;
}

/* Until the reader sees what the writer has done, and the other way round. */
static double delay_of(const struct dal_model *m, const struct dal_plan_channel *ch)
{
    const struct dal_plan_process *from = dal_plan_producer(m->plan, ch->channel);
    const struct dal_plan_process *to = dal_plan_consumer(m->plan, ch->channel);
    const struct dal_plan_process *device = from->device ? from : to;
    if (ch->kind == DAL_CHANNEL_CORE || (from->device && to->device))
        return 0;
    if (device->device)
        return latency_of(m, DAL_COST_BATCH, device, device, usual.batch_ns);
    return latency_of(m, DAL_COST_TOKEN, from, to, usual.token_ns);
}

/* A channel of its own firings always has room for what these change in place. */
static int make_channel(struct dal_model *m, const struct dal_plan_channel *ch)
{
    const struct dal_spec_channel *c = ch->channel;
    struct dal_sdf_channel channel = {.producer = m->actor_of[c->producer->number],
                                      .rate_in = c->rate_in * m->round_of[c->producer->number],
                                      .rate_out = 1,
                                      .given = ch->capacity};
    size_t consumer = m->actor_of[c->consumer->number];
    struct stop stops[MOST_STOPS + 1] = {{.delay_ns = delay_of(m, ch)}};
    int count;
    m->first_of[c->number] = NONE;
    if ((channel.producer == consumer && c->producer != c->consumer) || c->newest.is_given)
        return DAL_OK; /* within a group, or nobody waits */
    m->first_of[c->number] = m->graph.channel_count;
    count = list_stops(m, ch, stops + 1);
    for (int i = 0; i < count; i++) {
        channel.consumer = stops[i + 1].actor;
        add_channel(m, channel, &stops[i]);
        channel.producer = channel.consumer;
        channel.rate_in = 1;
    }
    channel.consumer = consumer;
    channel.rate_out = c->rate_out * m->round_of[c->consumer->number];
    channel.initial_tokens = c->initial_tokens;
    channel.given *= c->inplace ? 2 : 1;
    add_channel(m, channel, &stops[count > 0 ? count : 0]);
    m->count_of[c->number] = m->graph.channel_count - m->first_of[c->number];
    return count < 0 ? count : DAL_OK;
}

/* ---- workers that wait ----------------------------------------------------------------------- */

/* Returns the wake time from the first other core of its node for which there is one. */
static double wake_of(const struct dal_model *m, const struct dal_plan_processor *to)
{
    for (size_t i = 0; i < m->plan->processor_count; i++) {
        const struct dal_plan_processor *from = &m->plan->processors[i];
        const struct dal_spec_cost *cost =
            from == to
                ? NULL
                : dal_spec_cost(m->plan->spec, DAL_COST_WAKE, from->processor, to->processor);
        if (cost)
            return cost->latency_ns;
    }
    return usual.wake_ns;
}

static int make_wakes(struct dal_model *m)
{
    m->wakes = dal_calloc(m->server_count + 1, sizeof(*m->wakes));
    for (size_t i = 0; m->wakes && i < m->plan->processor_count; i++)
        if (m->plan->processors[i].capability->kind == DAL_PROCESSOR_CORE)
            m->wakes[i] = wake_of(m, &m->plan->processors[i]);
    return m->wakes ? DAL_OK : DAL_ERR_NOMEM;
}

void dal_model_sim(const struct dal_model *m, struct dal_sim *sim)
{
    *sim = (struct dal_sim){.graph = &m->graph,
                            .actors = m->actors,
                            .server_count = m->server_count,
                            .wakes = m->wakes,
                            .rings = m->rings,
                            .patience_ns = usual.patience_ns,
                            .look_ns = usual.look_ns};
}

/* ---- all ------------------------------------------------------------------------------------- */

static int make_room(struct dal_model *m)
{
    size_t processes = m->plan->process_count, channels = m->plan->channel_count;
    size_t actors = processes + MOST_STOPS * channels, places = MOST_STOPS * channels;
    for (size_t i = 0; i < processes; i++)
        places += m->plan->processes[i].processor_count;
    m->actors = dal_calloc(actors + 1, sizeof(*m->actors));
    m->servers = dal_calloc(places + 1, sizeof(*m->servers));
    m->actor_of = dal_calloc(processes + 1, sizeof(*m->actor_of));
    m->spreads = dal_calloc(actors + 1, sizeof(*m->spreads));
    m->time_of = dal_calloc(processes + 1, sizeof(*m->time_of));
    m->round_of = dal_calloc(processes + 1, sizeof(*m->round_of));
    m->first_of = dal_calloc(channels + 1, sizeof(*m->first_of));
    m->count_of = dal_calloc(channels + 1, sizeof(*m->count_of));
    m->server_count = m->plan->processor_count * (1 + SERVER_KINDS);
    if (dal_sdf_graph_init(&m->graph, actors, (MOST_STOPS + 1) * channels))
        return DAL_ERR_NOMEM;
    return m->actors && m->servers && m->actor_of && m->spreads && m->time_of && m->round_of &&
                   m->first_of && m->count_of
               ? DAL_OK
               : DAL_ERR_NOMEM;
}

int dal_model_make(struct dal_model *m, const struct dal_plan *plan)
{
    int status;
    *m = (struct dal_model){.plan = plan};
    status = make_room(m);
    if (status == DAL_OK)
        status = dal__model_takes(m);
    if (status == DAL_OK)
        status = make_actors(m);
    for (size_t i = 0; status == DAL_OK && i < plan->channel_count; i++)
        status = make_channel(m, &plan->channels[i]);
    if (status == DAL_OK)
        status = make_wakes(m);
    if (status == DAL_OK)
        status = dal__model_rings(m);
    dal_sdf_graph_ends(&m->graph);
    return status;
}

void dal_model_finish(struct dal_model *m)
{
    for (size_t i = 0; m->takes && i < m->plan->processor_count; i++)
        dal_free(m->takes[i]);
    dal_spec_curves_finish(m->curves);
    dal_sdf_graph_finish(&m->graph);
    dal_free_all(m->actors, m->servers, m->wakes, m->rings, m->takes, m->alone, m->actor_of,
                 m->spreads, m->time_of, m->round_of, m->first_of, m->count_of);
    *m = (struct dal_model){0};
}
