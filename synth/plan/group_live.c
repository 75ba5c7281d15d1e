/* Checks that all groups can make a round, with the capacities that there are. */
#include "spec/analyse/graph.h"
#include "spec/sdf/live.h"
#include "synth/plan/group.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

/* The network with each group as one process. */
struct contraction {
    struct dal_sdf_graph graph;
    uint64_t *capacity;
};

static int is_head(const struct dal_plan_process *p)
{
    return !p->group || p->group->members[0] == p;
}

/* Leaves the first process of each group in the graph. Notes where each process is then. */
static void contract_processes(struct dal_sdf_graph *graph, const struct dal_plan *plan,
                               size_t *numbers)
{
    size_t count = 0;
    for (size_t i = 0; i < graph->process_count; i++) {
        size_t origin = graph->processes[i].origin;
        if (!is_head(&plan->processes[origin]))
            continue;
        numbers[origin] = count;
        graph->processes[count] = graph->processes[i];
        graph->processes[count].number = count;
        count++;
    }
    graph->process_count = count;
    for (size_t i = 0; i < plan->process_count; i++)
        if (!is_head(&plan->processes[i]))
            numbers[i] = numbers[plan->processes[i].group->members[0]->process->number];
}

/* Leaves out channels inside of groups; those around them carry what a round does. */
static void contract_channels(struct contraction *c, const struct dal_plan *plan,
                              const size_t *numbers)
{
    size_t count = 0;
    for (size_t i = 0; i < c->graph.channel_count; i++) {
        struct dal_sdf_channel channel = c->graph.channels[i];
        const struct dal_plan_channel *ch = &plan->channels[channel.origin];
        if (ch->inside)
            continue;
        channel.producer = numbers[ch->channel->producer->number];
        channel.consumer = numbers[ch->channel->consumer->number];
        channel.rate_in *= dal_plan_producer(plan, ch->channel)->round;
        channel.rate_out *= dal_plan_consumer(plan, ch->channel)->round;
        channel.number = channel.first_of_port = count;
        channel.next_of_port = DAL_SDF_NONE; /* a port has one channel here, as it were */
        c->capacity[count] = dal_spec_limit(ch->channel, ch->capacity);
        c->graph.channels[count++] = channel;
    }
    c->graph.channel_count = count;
}

static int make_contraction(struct contraction *c, const struct dal_plan *plan)
{
    size_t *numbers = dal_calloc(plan->process_count + 1, sizeof(*numbers));
    int status = numbers ? DAL_OK : DAL_ERR_NOMEM;
    if (!status)
        status = dal_spec_graph_init(&c->graph, &plan->spec->network, NULL);
    if (!status)
        c->capacity = dal_calloc(plan->channel_count + 1, sizeof(*c->capacity));
    if (c->capacity) {
        contract_processes(&c->graph, plan, numbers);
        contract_channels(c, plan, numbers);
        dal_sdf_graph_ends(&c->graph);
    }
    dal_free(numbers);
    return c->capacity ? status : DAL_ERR_NOMEM;
}

/* Without groups the network is live, so one of them is blocked. */
static int dissolve_blocked(struct dal_plan *plan, const struct contraction *c,
                            const struct dal_sdf_deadlock *deadlock)
{
    int status = DAL_OK;
    for (size_t i = 0; i < deadlock->blocked_count && !status; i++) {
        size_t origin = c->graph.processes[deadlock->blocked[i]].origin;
        struct dal_plan_group *group = plan->processes[origin].group;
        if (group)
            status = dal__plan_dissolve(
                group, "the channels around both have no room for a whole round, or "
                       "not the tokens that it waits for");
    }
    return status;
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
    int known = 0, status, dead;
    status = check_kept(plan);
    if (!status)
        status = dal_sdf_deadlock_find(&deadlock, &c->graph, c->capacity, &budget, &known);
    dead = deadlock.dead;
    if (!status && known && dead)
        status = dissolve_blocked(plan, c, &deadlock);
    for (size_t i = 0; i < plan->device_group_count && !status && !known; i++)
        status = dal__plan_dissolve(&plan->device_groups[i],
                                    "an iteration has too many firings to find out "
                                    "whether rounds can be made");
    dal_sdf_deadlock_finish(&deadlock);
    return status ? status : known && !dead ? DAL_OK : DAL_ERR_LIMIT;
}

/* Returns what check_contraction() returns. */
static int check_once(struct dal_plan *plan)
{
    struct contraction c = {0};
    int status = make_contraction(&c, plan);
    if (!status)
        status = check_contraction(plan, &c);
    dal_sdf_graph_finish(&c.graph);
    dal_free(c.capacity);
    return status;
}

int dal_plan_check_groups(struct dal_plan *plan)
{
    int status = plan->device_group_count ? check_once(plan) : DAL_OK;
    size_t apart = 0;
    while (status == DAL_ERR_LIMIT) {
        status = dal__plan_fewer_groups(plan, &apart);
        if (!status)
            status = dal_plan_groups(plan);
        if (!status && plan->device_group_count)
            status = check_once(plan);
    }
    return status;
}
