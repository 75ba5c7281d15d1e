/* Checks that all groups can make a round, with the capacities that there are. */
#include "spec/analyse/graph.h"
#include "spec/sdf/live.h"
#include "synth/plan/group.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/number.h"

/* The network with each group as one process. */
struct contraction {
    const struct dal_plan *plan;
    struct dal_sdf_graph graph;
    size_t *numbers; /* by process: in the graph */
    uint64_t *capacity;
};

static int is_head(const struct dal_plan_process *p)
{
    return !p->group || p->group->members[0] == p;
}

static void add_processes(struct contraction *c)
{
    const struct dal_plan *plan = c->plan;

    for (size_t i = 0; i < plan->process_count; i++) {
        const struct dal_plan_process *p = dal__plan_in_order(plan, i);
        size_t number = p->process->number;
        if (p->process->kpn)
            continue;
        if (!is_head(p)) {
            c->numbers[number] = c->numbers[p->group->members[0]->process->number];
            continue;
        }
        c->numbers[number] = c->graph.process_count;
        c->graph.processes[c->graph.process_count] =
            (struct dal_sdf_process){.repetitions = p->process->repetitions,
                                     .phases = p->process->by_phase ? p->process->phases : 0,
                                     .number = c->graph.process_count,
                                     .origin = number,
                                     .name = p->process->name};
        c->graph.process_count++;
    }
}

/* A process that is fired phase by phase is in no group. */
static struct dal_sdf_phases phases_of(const struct contraction *c, size_t process,
                                       const struct dal_spec_port *port)
{
    if (!dal_sdf_is_cyclic(&c->graph.processes[process]))
        return (struct dal_sdf_phases){0};
    return (struct dal_sdf_phases){.of = port->phases.of, .count = port->phases.count};
}

static void add_channel(struct contraction *c, const struct dal_plan_channel *ch)
{
    const struct dal_spec_channel *channel = ch->channel;
    uint64_t in = channel->rate_in * dal_plan_producer(c->plan, channel)->round;
    uint64_t out = channel->rate_out * dal_plan_consumer(c->plan, channel)->round;
    size_t number = c->graph.channel_count;
    size_t from = c->numbers[channel->producer->number];
    size_t to = c->numbers[channel->consumer->number];

    if (ch->inside || channel->producer->kpn || channel->consumer->kpn)
        return;
    c->graph.channels[number] = (struct dal_sdf_channel){
        .producer = from,
        .consumer = to,
        .phases_in = phases_of(c, from, channel->producer_port),
        .phases_out = phases_of(c, to, channel->consumer_port),
        .rate_in = in,
        .rate_out = out,
        .initial_tokens = channel->initial_tokens,
        .least = dal_sdf_least_capacity(in, out, channel->initial_tokens, from == to),
        .step = dal_gcd(in, out),
        .number = number,
        .origin = channel->number,
        .first_of_port = number,
        .next_of_port = DAL_SDF_NONE,
        .name = channel->name};
    c->capacity[number] = dal_spec_limit(channel, ch->capacity);
    c->graph.channel_count++;
}

static void add_ends(struct contraction *c)
{
    struct dal_sdf_graph *graph = &c->graph;
    size_t ends = 0;

    for (size_t i = 0; i < graph->process_count; i++) {
        struct dal_sdf_process *p = &graph->processes[i];
        p->first = ends;
        for (size_t k = 0; k < graph->channel_count; k++) {
            const struct dal_sdf_channel *ch = &graph->channels[k];
            if (ch->producer == i)
                graph->ends[ends++] = (struct dal_sdf_end){
                    .channel = k, .rate = ch->rate_in, .phases = ch->phases_in, .output = 1};
            if (ch->consumer == i)
                graph->ends[ends++] = (struct dal_sdf_end){
                    .channel = k, .rate = ch->rate_out, .phases = ch->phases_out};
        }
        p->count = ends - p->first;
    }
}

/* Without groups the network is live, so one of them is blocked. */
static int dissolve_blocked(struct dal_plan *plan, const struct contraction *c,
                            const struct dal_sdf_deadlock *deadlock)
{
    int error = DAL_OK;

    for (size_t i = 0; i < deadlock->blocked_count && !error; i++) {
        size_t origin = c->graph.processes[deadlock->blocked[i]].origin;
        struct dal_plan_group *group = plan->processes[origin].group;
        if (group)
            error = dal__plan_dissolve(
                group, "the channels around both have no room for a whole round, or "
                       "not the tokens that it waits for");
    }
    return error;
}

/* Tokens that are kept take room in a ring that others read. */
static int check_kept(struct dal_plan *plan)
{
    for (size_t i = 0; i < plan->channel_count; i++) {
        const struct dal_plan_channel *ch = &plan->channels[i];
        uint64_t round = dal__plan_round_tokens(plan, ch->channel);
        if (!ch->kept || ch->kind == DAL_CHANNEL_GROUP ||
            ch->capacity - ch->channel->initial_tokens >= round)
            continue;
        return dal__plan_dissolve(dal_plan_consumer(plan, ch->channel)->group,
                                  "the channels around both have no room for a whole round")
                   ? DAL_ERR_NOMEM
                   : DAL_ERR_LIMIT;
    }
    return DAL_OK;
}

/* Returns DAL_ERR_LIMIT where groups have been taken apart. */
static int check_contraction(struct dal_plan *plan, struct contraction *c)
{
    struct dal_sdf_budget budget = {.work = 0, .expired = 1};
    struct dal_sdf_deadlock deadlock = {0};
    int known = 0, error, dead;

    add_processes(c);
    for (size_t i = 0; i < plan->channel_count; i++)
        add_channel(c, &plan->channels[i]);
    add_ends(c);
    error = check_kept(plan);
    if (!error)
        error = dal_sdf_deadlock_find(&deadlock, &c->graph, c->capacity, &budget, &known);
    dead = deadlock.dead;
    if (!error && known && dead)
        error = dissolve_blocked(plan, c, &deadlock);
    for (size_t i = 0; i < plan->device_group_count && !error && !known; i++)
        error = dal__plan_dissolve(&plan->device_groups[i],
                                   "an iteration has too many firings to find out "
                                   "whether rounds can be made");
    dal_sdf_deadlock_finish(&deadlock);
    return error ? error : known && !dead ? DAL_OK : DAL_ERR_LIMIT;
}

/* Returns what check_contraction() returns. */
static int check_once(struct dal_plan *plan)
{
    struct contraction c = {
        .plan = plan,
        .numbers = dal_calloc(plan->process_count + 1, sizeof(*c.numbers)),
        .capacity = dal_calloc(plan->channel_count + 1, sizeof(*c.capacity)),
    };
    int error = DAL_ERR_NOMEM;

    if (c.numbers && c.capacity)
        error = dal_sdf_graph_init(&c.graph, plan->process_count, plan->channel_count);
    if (!error)
        error = check_contraction(plan, &c);
    dal_sdf_graph_finish(&c.graph);
    dal_free(c.numbers);
    dal_free(c.capacity);
    return error;
}

int dal_plan_check_groups(struct dal_plan *plan)
{
    int error = plan->device_group_count ? check_once(plan) : DAL_OK;
    size_t apart = 0;

    while (error == DAL_ERR_LIMIT) {
        error = dal__plan_fewer_groups(plan, &apart);
        if (!error)
            error = dal_plan_groups(plan);
        if (!error && plan->device_group_count)
            error = check_once(plan);
    }
    return error;
}
