/* Sets how many rounds a launch of a group has. */
#include "synth/plan/group.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/number.h"

#include <inttypes.h>

uint64_t dal__plan_round_bytes(const struct dal_plan_process *p, const struct dal_spec_port *port)
{
    uint64_t bytes;
    if (__builtin_mul_overflow(port->rate, port->channel->token_bytes, &bytes) ||
        __builtin_mul_overflow(bytes, p->round, &bytes))
        return UINT64_MAX;
    return bytes;
}

/* Bytes that a round moves into the group and out of it. */
static uint64_t outside_bytes(const struct dal_plan *plan, const struct dal_plan_group *group)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < group->member_count; i++)
        for (size_t k = 0; k < group->members[i]->process->port_count; k++) {
            const struct dal_spec_port *port = &group->members[i]->process->ports[k];
            if (dal_plan_is_outside(plan, port) &&
                __builtin_add_overflow(sum, dal__plan_round_bytes(group->members[i], port), &sum))
                return UINT64_MAX;
        }
    return sum ? sum : 1;
}

/* Do tokens go to a process of the same several devices, or come from one? They may stay there only
 * if a launch of both has as many. */
static int has_distributed_neighbour(const struct dal_plan *plan,
                                     const struct dal_plan_group *group)
{
    const struct dal_plan_process *head = group->members[0];
    for (size_t i = 0; i < plan->channel_count && head->processor_count > 1; i++) {
        const struct dal_plan_process *from = dal_plan_producer(plan, plan->channels[i].channel);
        const struct dal_plan_process *to = dal_plan_consumer(plan, plan->channels[i].channel);
        if ((from->group == group) != (to->group == group) && dal_plan_on_device(from) &&
            dal_plan_is_bound_alike(from, to))
            return 1;
    }
    return 0;
}

/* Returns the rounds of a launch that has S firings of a member. */
static uint64_t rounds_of(const struct dal_plan_process *p)
{
    uint64_t rounds = p->shadow_copies / p->round;
    return rounds ? rounds : 1;
}

/* Returns the least rounds that follow from S, or 0. An S from the user always counts; a chosen S
 * counts only where neighbours have it, too. */
static uint64_t given_rounds(const struct dal_plan *plan, const struct dal_plan_group *group)
{
    int all = has_distributed_neighbour(plan, group);
    uint64_t least = 0;
    for (size_t i = 0; i < group->member_count; i++) {
        const struct dal_plan_process *p = group->members[i];
        if (all || !p->copies_open)
            least = least ? dal_least(least, rounds_of(p)) : rounds_of(p);
    }
    return least;
}

/* Returns the rounds that fill the device, where a round is the work of several work-items: the
 * least S that was chosen. */
static uint64_t wide_rounds(const struct dal_plan_group *group)
{
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < group->member_count; i++)
        if (group->members[i]->work_items > 1)
            least = dal_least(least, rounds_of(group->members[i]));
    return least < UINT64_MAX ? least : 0;
}

int dal__plan_set_rounds(const struct dal_plan *plan, struct dal_plan_group *group)
{
    uint64_t bytes = outside_bytes(plan, group), wide = wide_rounds(group);
    uint64_t rounds = DAL_PLAN_GROUP_BYTES / bytes, given = given_rounds(plan, group);
    if (rounds < DAL_PLAN_GROUP_ROUNDS)
        rounds = DAL_PLAN_GROUP_ROUNDS;
    rounds = dal_least(rounds, DAL_PLAN_MOST_ROUNDS);
    rounds = dal_least(rounds, DAL_PLAN_GROUP_LIMIT / bytes);
    if (!given && wide > rounds)
        given = wide;
    if (plan->most_firings)
        rounds = dal_least(rounds, plan->most_firings);
    group->rounds = given ? given : rounds ? rounds : 1;
    group->rounds_reason =
        given ? dal_strdup("by the S of its processes")
              : dal_format("a round moves %" PRIu64 " bytes in and out, a launch about %u", bytes,
                           DAL_PLAN_GROUP_BYTES);
    return group->rounds_reason ? DAL_OK : DAL_ERR_NOMEM;
}

int dal_plan_limit_rounds(struct dal_plan_group *group)
{
    uint64_t most = group->slot_bytes ? DAL_PLAN_SLOTS_LIMIT / group->slot_bytes : UINT64_MAX;
    most = most ? most : 1;
    if (group->rounds <= most)
        return DAL_OK;
    dal_free(group->rounds_reason);
    group->rounds = most;
    group->rounds_reason =
        dal_format("with a work-group each, %u bytes are enough for no more", DAL_PLAN_SLOTS_LIMIT);
    return group->rounds_reason ? DAL_OK : DAL_ERR_NOMEM;
}

uint64_t dal_plan_launch_firings(const struct dal_plan_process *p)
{
    return p->group ? p->group->rounds * p->round : p->shadow_copies;
}
