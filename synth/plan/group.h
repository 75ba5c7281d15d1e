/*
 * Groups on devices: connected processes of one device, or of the same several, that are launched
 * as one (include/net.h). This header is for the files that make them. Each fills in its part of
 * the plan's processes, channels and groups:
 *
 *     group_join.c     who joins whom: the members
 *     group_keep.c     which channels keep tokens from one round to the next
 *     group_inside.c   which channels are within a group, and their kinds
 *     group_memory.c   the memory of a work-group
 *     group_rounds.c   how many rounds a launch has
 *     group_live.c     later, with the capacities: can all of them make a round?
 *
 * group.c calls them in order. A file that finds a process that cannot be in its group calls
 * dal_plan_stay_apart() and returns DAL_ERR_LIMIT; then all groups are made anew without it.
 *
 * One thread. Functions that return int have DAL_OK, DAL_ERR_NOMEM or DAL_ERR_LIMIT, unless they
 * say something else.
 */
#pragma once

#include "synth/plan/plan.h"

static inline int dal__plan_is_loop(const struct dal_spec_channel *c)
{
    return c->producer == c->consumer;
}

/* Initial tokens are there from one round to the next. */
static inline int dal__plan_has_tokens(const struct dal_spec_channel *c)
{
    return c->initial_tokens > 0;
}

static inline int dal__plan_is_asked(const struct dal_plan_process *p)
{
    return p->binding->group == DAL_GROUP_YES;
}

/* Returns the place of a member in its group. */
static inline int dal__plan_place_in(const struct dal_plan_group *group,
                                     const struct dal_plan_process *p)
{
    int i;
    for (i = 0; group->members[i] != p; i++)
        ;
    return i;
}

/* Tokens that a round makes. */
static inline uint64_t dal__plan_round_tokens(const struct dal_plan *plan,
                                              const struct dal_spec_channel *c)
{
    return c->rate_in * dal_plan_producer(plan, c)->round;
}

/* ---- members (group_join.c) ------------------------------------------------------------------ */

/* Does the process read a channel without initial tokens? Then it ends where that does, and nobody
 * reads what is left in the others. */
int dal__plan_is_bounded(const struct dal_plan_process *p);

/* Lets a process join the group of what it reads from, or notes why not. heads[i] is the first
 * process of the i-th one's group. Called in the plan's order. Exhausted memory looks like no
 * reason; making the group then finds out. */
void dal__plan_join(const struct dal_plan *plan, size_t *heads, struct dal_plan_process *p);

/* Takes a group apart for good. DAL_OK or DAL_ERR_NOMEM. (group.c) */
int dal__plan_dissolve(struct dal_plan_group *group, const char *why);

/* Prepares another try to make groups. More processes must stay apart than *apart, which then gets
 * their number; else no group is left. So there are no more tries than processes. DAL_OK or
 * DAL_ERR_NOMEM. (group.c) */
int dal__plan_fewer_groups(struct dal_plan *plan, size_t *apart);

/* ---- channels (group_keep.c, group_inside.c) ------------------------------------------------- */

int dal__plan_is_kept(const struct dal_plan *plan, const struct dal_spec_channel *c);
/* Can all members stay, now that all have joined? */
int dal__plan_check_members(struct dal_plan *plan);
/* Sets `kept`, `inside` and the kinds of all channels. DAL_OK or DAL_ERR_NOMEM. */
int dal__plan_set_inside(struct dal_plan *plan);

/* ---- a group's memory and its launches (group_memory.c, group_rounds.c) ---------------------- */

/* Bytes at a port in one round. Saturates. */
uint64_t dal__plan_round_bytes(const struct dal_plan_process *p, const struct dal_spec_port *port);
/* Needs the memory. DAL_OK or DAL_ERR_NOMEM. */
int dal__plan_set_rounds(const struct dal_plan *plan, struct dal_plan_group *group);
