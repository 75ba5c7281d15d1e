/* Finds the channels of a group that keep tokens from one round to the next. Finds the processes
 * that cannot be in the group for that. */
#include "synth/plan/group.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

static const struct dal_plan_process *find_unasking(const struct dal_plan_group *group)
{
    for (size_t i = 0; i < group->member_count; i++)
        if (!dal__plan_is_asked(group->members[i]))
            return group->members[i];
    return NULL;
}

/* Are there enough initial tokens? A loop needs those of a firing; a consumer that fires before its
 * producer needs those of a round. */
static int has_enough(const struct dal_plan *plan, const struct dal_spec_channel *c)
{
    const struct dal_plan_process *from = dal_plan_producer(plan, c);
    const struct dal_plan_process *to = dal_plan_consumer(plan, c);
    if (dal__plan_is_loop(c))
        return c->initial_tokens >= c->rate_out;
    return dal__plan_place_in(from->group, from) < dal__plan_place_in(to->group, to) ||
           c->initial_tokens >= dal__plan_round_tokens(plan, c);
}

/* A channel back to the first process may stay outside of the group, and does where its tokens are
 * enough for many work-groups. */
static int comes_back(const struct dal_plan *plan, const struct dal_spec_channel *c)
{
    const struct dal_plan_process *to = dal_plan_consumer(plan, c);
    return dal__plan_is_bounded(to) && to->processor_count == 1 && !find_unasking(to->group) &&
           has_enough(plan, c) && !plan->channels[c->number].wish &&
           c->initial_tokens / DAL_PLAN_GROUP_ROUNDS < dal__plan_round_tokens(plan, c);
}

int dal__plan_is_kept(const struct dal_plan *plan, const struct dal_spec_channel *c)
{
    const struct dal_plan_process *to = dal_plan_consumer(plan, c);
    if (!dal__plan_has_tokens(c) || !to->group || dal_plan_producer(plan, c)->group != to->group)
        return 0;
    return to != to->group->members[0] || comes_back(plan, c);
}

/* Why a process cannot be in its group, now that this is known. */
static char *find_fault(const struct dal_plan *plan, const struct dal_plan_process *p,
                        const struct dal_spec_channel *c)
{
    const struct dal_plan_process *from = dal_plan_producer(plan, c);
    const struct dal_plan_process *unasking = find_unasking(p->group);
    if (from->group != p->group)
        return dal_format("it also reads from %s", from->process->name);
    if (unasking)
        return dal_format("channel %s has initial tokens, and the mapping does not ask for a group "
                          "of %s",
                          c->name, unasking->process->name);
    if (!has_enough(plan, c))
        return dal_format("channel %s has not the initial tokens for a whole round", c->name);
    return NULL;
}

/* Returns DAL_ERR_LIMIT where a member is not in its group any more. */
static int check_member(const struct dal_plan *plan, struct dal_plan_process *p)
{
    int status = DAL_OK;
    for (size_t i = 0; i < p->process->port_count && !status; i++) {
        const struct dal_spec_port *port = &p->process->ports[i];
        char *fault;
        if (port->output || !dal__plan_has_tokens(port->channel))
            continue;
        fault = find_fault(plan, p, port->channel);
        if (fault)
            status = dal_plan_stay_apart(p, fault) ? DAL_ERR_NOMEM : DAL_ERR_LIMIT;
    }
    return status;
}

int dal__plan_check_members(struct dal_plan *plan)
{
    int status = DAL_OK;
    for (size_t i = 0; i < plan->device_group_count; i++)
        for (size_t k = 1; k < plan->device_groups[i].member_count && !status; k++)
            status = check_member(plan, plan->device_groups[i].members[k]);
    return status;
}
