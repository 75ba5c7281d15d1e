#include "rt/host/activate.h"

#include "rt/base/clock.h"
#include "rt/base/number.h"
#include "rt/host/firing.h"
#include "rt/host/phase.h"
#include "rt/host/release.h"
#include "rt/host/run.h"

const struct dal_process_ops dal_process_c = {0};

/* ---- copies ---------------------------------------------------------------------------------- */

/* Can one activation more be under way, of a group with several copies? */
static int has_room(const struct dal_group *group)
{
    return group->begun - group->done < (uint64_t)group->held_count;
}

/* Returns the copy for the next activation, of several. A group of several processes gives each
 * worker its own copy. The copies of one process take turns and go round the workers; whose turn
 * it is has the first that is free. Returns NULL if the turn is another worker's. */
static struct dal_group_copy *next_copy(const struct dal_group *group, int number,
                                        enum dal_pass pass)
{
    int count = group->copy_count, turn = (int)(group->begun % (uint64_t)count), i = 0;
    if (group->actor.count > 1)
        return &group->copies[number];
    if (pass == DAL_PASS_OWN && turn % dal_pool_in_use(dal__member(group, 0)->pool) != number)
        return NULL;
    while (i + 1 < count && group->copies[(turn + i) % count].begun)
        i++;
    return &group->copies[(turn + i) % count];
}

/* Returns the copy for the next activation, or NULL if none is free now. */
static struct dal_group_copy *free_copy(const struct dal_group *group, int number,
                                        enum dal_pass pass)
{
    struct dal_group_copy *copy = group->copies;
    if (group->copy_count > 1) {
        if (!has_room(group))
            return NULL;
        copy = next_copy(group, number, pass);
    }
    return copy && !copy->begun ? copy : NULL;
}

/* ---- what can be done ------------------------------------------------------------------------ */

static int is_unwanted(const struct dal_group *group)
{
    for (int i = 0; i < group->actor.count; i++)
        if (dal_process_unwanted(dal__member(group, i)))
            return 1;
    return 0;
}

/* Is a process about to end? */
static int is_at_end(const struct dal_group *group)
{
    for (int i = 0; i < group->actor.count; i++)
        if (dal_process_starved(dal__member(group, i)))
            return 1;
    return is_unwanted(group);
}

/* Returns the firings that the pace, and the timer of a periodic process, allow now. Once the
 * network is to stop, nobody waits for a release. The process's init is called before its first
 * release. */
static uint64_t firings_due(const struct dal_group *group)
{
    struct dal_process *process = dal__member(group, 0);
    if (!process->host.timer)
        return group->pace.firings;
    if (dal_control_stopping(group->actor.control))
        dal_timer_stop(process->host.timer);
    dal__process_start(process);
    return dal_least(group->pace.firings, dal_timer_due(process->host.timer, dal_now_ns()));
}

/* Returns `firings` if there are newest tokens for one. What was taken from another end's look
 * until now may be old, and so may be what an init took. */
static uint64_t newest_ready(const struct dal_group *group, uint64_t firings)
{
    if (group->begun == 0 && !dal__group_start(group))
        return 0;
    return dal_actor_refresh(&group->actor) ? firings : 0;
}

static uint64_t firings_ready(const struct dal_group *group)
{
    uint64_t firings = group->actor.marked ? firings_due(group) : group->pace.firings;
    if (group->by_phase && dal_phase_is_within(dal__member(group, 0)))
        return 0;
    for (int i = 0; firings > 0 && i < group->actor.end_count; i++)
        firings = dal_end_ready(group->actor.ends[i], firings);
    return firings > 0 && group->actor.newest ? newest_ready(group, firings) : firings;
}

/* Is there enough for the next phase, but not for a whole cycle? */
static int is_phase_due(const struct dal_group *group)
{
    return group->begun == group->done && !is_unwanted(group) && firings_ready(group) == 0 &&
           !dal_phase_lacks(dal__member(group, 0));
}

/* ---- begin ----------------------------------------------------------------------------------- */

/* Acquires the outer windows, and before the first activation starts every process. Returns 0 when
 * the network broke. */
static inline __attribute__((always_inline)) int
begin_activation(struct dal_group *group, struct dal_group_copy *copy, uint64_t firings)
{
    atomic_store_explicit(&group->at_work, 1, memory_order_relaxed);
    if (group->begun == 0 && !dal__group_start(group))
        return 0;
    for (int i = 0; i < group->actor.end_count; i++)
        copy->windows[i]->firing = dal_end_acquire(group->actor.ends[i], firings);
    copy->asked = copy->goal = firings;
    copy->first = group->started;
    group->started += firings;
    copy->done = copy->blocks = 0;
    copy->last = -1;
    copy->begun = copy->running = 1;
    if (group->copy_count > 1)
        dal__group_held(group, group->begun)->copy = dal__group_copy_number(group, copy);
    copy->number = group->begun++;
    return 1;
}

/* Returns the suspended activation that the worker resumes, or NULL. Of several processes it is the
 * worker's own, of one process the oldest. */
static struct dal_group_copy *suspended_copy(const struct dal_group *group, int number)
{
    uint64_t activation = group->done;
    if (group->suspended == 0)
        return NULL;
    if (group->actor.count > 1)
        return group->copies[number].suspended ? &group->copies[number] : NULL;
    for (;; activation++) {
        struct dal_group_copy *copy = dal__group_copy_of(group, activation);
        if (copy && copy->suspended)
            return copy;
    }
}

/* Resumes a suspended activation. If nobody wants more firings, the oldest one ends the group. */
static int go_on(struct dal_group *group, struct dal_group_copy *copy)
{
    if (copy == dal__group_copy_of(group, group->done) && copy->partial == 0 &&
        is_unwanted(group)) {
        group->ending = 1;
        return 0;
    }
    copy->goal = dal_least(copy->asked, copy->done + group->pace.firings);
    copy->suspended = 0;
    copy->running = 1;
    group->suspended--;
    return 1;
}

static void look_for_wait(struct dal_group *group)
{
    if (group->by_phase)
        dal_waiter_set(&group->actor.waiter, dal_phase_lacks(dal__member(group, 0)));
    else
        dal_waiter_look(&group->actor.waiter, group->actor.ends, group->actor.end_count);
}

/* Begins or resumes an activation and returns its copy, or NULL if there is none. Then *active says
 * whether the group is over, or about to be. For the claim's holder. */
static struct dal_group_copy *begin_next(struct dal_group *group, int number, enum dal_pass pass,
                                         int *active)
{
    struct dal_group_copy *copy;
    uint64_t firings;
    if (group->ending)
        return NULL;
    copy = suspended_copy(group, number);
    if (copy) {
        *active = 1;
        return go_on(group, copy) ? copy : NULL;
    }
    copy = free_copy(group, number, pass);
    if (!copy)
        return NULL;
    firings = is_unwanted(group) ? 0 : firings_ready(group);
    if (firings == 0) {
        *active = group->begun == group->done && is_at_end(group);
        if (*active)
            dal__group_conclude(group);
        else if (group->actor.waits && group->begun == group->done)
            look_for_wait(group);
        return NULL;
    }
    *active = 1;
    if (group->actor.noted)
        firings = dal__note_begin(group, firings);
    return begin_activation(group, copy, firings) ? copy : NULL;
}

/* ---- the worker's ---------------------------------------------------------------------------- */

/* Activates each process of a group that is over, as a group of its own. */
static int activate_each(const struct dal_group *group, int number, enum dal_pass pass,
                         struct dal_trace_row *row)
{
    int active = 0, count = group->actor.count;
    for (int i = 0; count > 1 && i < count && !dal_control_broken(group->actor.control); i++)
        active |= dal_group_activate(dal__member(group, i)->host.alone, number, pass, row);
    return active;
}

/* Is there likely something that the worker's copy can begin? Those who hold the claim of copies
 * only begin or release, so the others soon have it. */
static int is_next(const struct dal_group *group, enum dal_pass pass)
{
    return (group->actor.count > 1 ? pass != DAL_PASS_LAST : pass == DAL_PASS_ALL) &&
           atomic_load_explicit(&group->more, memory_order_relaxed);
}

/* Claims the group. Only this worker can resume its suspended activation of several processes, so
 * it waits. Otherwise it passes by a claim that stays taken. */
static int claim_group(struct dal_group *group, int number, enum dal_pass pass)
{
    if (group->actor.count > 1 && group->claim.shared && group->copies[number].suspended) {
        dal_claim_wait(&group->claim);
        return 1;
    }
    if (is_next(group, pass))
        return dal_claim_try_for_long(&group->claim);
    return pass == DAL_PASS_LAST ? dal_claim_try_at_last(&group->claim)
                                 : dal_claim_try(&group->claim);
}

/* May another copy begin now? */
static int has_more(const struct dal_group *group)
{
    return group->copy_count > 1 && has_room(group) && firings_ready(group) > 0;
}

/* May the worker begin something, or resume something of its own? */
static int is_in_use(const struct dal_group *group, int number)
{
    return number < dal_pool_in_use(dal__member(group, 0)->pool) ||
           (group->actor.count > 1 && group->copies[number].suspended);
}

/* Fires what is ready next, and returns whether the group is active. For the claim's holder. */
static int fire_next(struct dal_group *group, int number, enum dal_pass pass,
                     struct dal_trace_row *row)
{
    struct dal_group_copy *copy;
    int active = 0, more;
    if (group->by_phase && is_phase_due(group)) {
        dal_search_leave(dal_here()->search);
        dal_phase_fire(group, row);
        return 1;
    }
    copy = begin_next(group, number, pass, &active);
    more = copy && has_more(group);
    atomic_store_explicit(&group->more, more, memory_order_relaxed);
    if (copy)
        dal__group_run(group, copy, more, row);
    return active;
}

int dal_group_activate(struct dal_group *group, int number, enum dal_pass pass,
                       struct dal_trace_row *row)
{
    struct dal_process *first = dal__member(group, 0);
    int active = 0, missed = 0;
    if (first->ops->activate)
        return first->ops->activate(first, row);
    if (dal_group_is_over(group))
        return activate_each(group, number, pass, row);
    if (!is_in_use(group, number) || !claim_group(group, number, pass))
        return 0;
    if (group->claim.shared)
        dal_here()->search->holds = 1;
    if (!dal_group_is_over(group))
        active = fire_next(group, number, pass, row);
    if (active && !dal_group_is_over(group) && !dal_control_broken(group->actor.control))
        dal__group_release(group);
    if (active && group->copy_count == 1)
        dal_claim_give_up(&group->claim);
    else
        missed = dal_claim_pass_on(&group->claim);
    if (group->claim.shared)
        dal_search_let_go(dal_here()->search);
    if (active && missed)
        dal_pool_tell(first->pool);
    return active | missed;
}
