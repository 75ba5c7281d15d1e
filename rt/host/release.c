#include "rt/host/release.h"

#include "rt/base/clock.h"
#include "rt/host/changes.h"
#include "rt/host/firing.h"
#include "rt/host/overlay.h"
#include "rt/host/phase.h"

#include <stdio.h>

/* Nanoseconds for which the processes of a group of several, and its inner channels, may show old
 * counts. Updating them takes as long as some ten blocks of few bytes. */
enum { COUNTED_NS = 20 * 1000 * 1000 };

/* ---- notes ----------------------------------------------------------------------------------- */

int dal__group_start(const struct dal_group *group)
{
    for (int i = 0; i < group->actor.count; i++)
        if (!dal__process_start(dal__member(group, i)))
            return 0;
    return 1;
}

uint64_t dal__note_begin(struct dal_group *group, uint64_t firings)
{
    struct dal_process *first = dal__member(group, 0);
    int64_t now_ns;
    if (first->host.changes)
        firings = dal_changes_make(first, firings);
    if (group->actor.waits)
        dal_actor_end_wait(&group->actor);
    if (group->actor.newest)
        dal_actor_begin_newest(&group->actor);
    if (!group->actor.marked)
        return firings;
    if (group->begun == 0)
        dal__group_start(group);
    now_ns = dal_now_ns();
    if (first->host.timer)
        dal_timer_begun(first->host.timer, now_ns);
    dal_actor_mark(&group->actor, firings, now_ns, dal_probe_begin);
    return firings;
}

void dal__note_times(const struct dal_group *group, int number)
{
    for (int i = 0; i < group->actor.count; i++) {
        struct dal_process *process = dal__member(group, i);
        dal_count_add(process->time.wall_ns, process->host.copies[number].wall_ns);
        process->host.copies[number].wall_ns = 0;
    }
}

/* A release is through: stores the time with the last trace event of this release. */
static void note_through(const struct dal_timer *timer, int64_t now_ns)
{
    struct dal_here *here = dal_here();
    if (here->timer == timer)
        dal_trace_through(here->row, here->event, now_ns);
    here->timer = NULL;
}

void dal__note_end(const struct dal_group *group, uint64_t firings)
{
    struct dal_process *first = dal__member(group, 0);
    int64_t now_ns = dal_now_ns();
    dal_actor_mark(&group->actor, firings, now_ns, dal_probe_end);
    if (!first->host.timer || !dal_timer_fired(first->host.timer, firings, now_ns))
        return;
    note_through(first->host.timer, now_ns);
    if (group->claim.shared)
        first->listener.notify(&first->listener);
}

/* ---- counts ---------------------------------------------------------------------------------- */

static void note_released(const struct dal_group *group, int number, uint64_t firings)
{
    if (group->actor.timed)
        dal__note_times(group, number);
    if (group->actor.marked)
        dal__note_end(group, firings);
}

/* Counts the released firings for the processes and the inner channels. */
static void count_released(struct dal_group *group)
{
    struct dal_uncounted *uncounted = &group->uncounted;
    if (uncounted->firings == 0)
        return;
    dal__overlays_pass(&group->overlays, uncounted->firings);
    for (int i = 0; i < group->actor.count; i++) {
        dal_count_add(dal__member(group, i)->firings, uncounted->firings);
        dal__member(group, i)->launches += uncounted->blocks;
    }
    uncounted->firings = uncounted->blocks = 0;
}

static void count_if_due(struct dal_group *group)
{
    int64_t now_ns = dal_tick_ns();
    if (now_ns - group->uncounted.since_ns < COUNTED_NS)
        return;
    group->uncounted.since_ns = now_ns;
    count_released(group);
}

/* ---- the firings that were done -------------------------------------------------------------- */

static inline __attribute__((always_inline)) void count_done(struct dal_group *group,
                                                             uint64_t firings, uint64_t blocks)
{
    dal_count_add(group->released, firings);
    if (group->actor.count == 1) {
        dal_count_add(dal__member(group, 0)->firings, firings);
        dal__member(group, 0)->launches += blocks;
    } else {
        group->uncounted.firings += firings;
        group->uncounted.blocks += blocks;
    }
}

static inline __attribute__((always_inline)) void release_done(struct dal_group *group,
                                                               struct dal_group_copy *copy)
{
    uint64_t done = copy->done;
    count_done(group, done, copy->blocks);
    for (int i = 0; i < group->actor.end_count; i++) {
        struct dal_end *end = group->actor.ends[i];
        dal_end_release(end, copy->windows[i]->firing - done * end->firing_bytes, done);
    }
    copy->asked -= done;
    copy->first += done;
    copy->done = copy->blocks = 0;
    if (group->actor.noted)
        note_released(group, dal__group_copy_number(group, copy), done);
}

/* Releases an activation that has given its copy back. */
static void release_held(struct dal_group *group, const struct dal_held *held)
{
    count_done(group, held->firings, held->blocks);
    for (int i = 0; i < group->actor.end_count; i++)
        dal_end_release(group->actor.ends[i], held->windows[i], held->firings);
    if (group->actor.marked)
        dal__note_end(group, held->firings);
}

/* Returns the firings that an activation holds windows for. */
static uint64_t firings_of(const struct dal_group *group, uint64_t activation)
{
    const struct dal_group_copy *copy = dal__group_copy_of(group, activation);
    return copy ? copy->asked : dal__group_held(group, activation)->firings;
}

/* Gives back the windows of the firings that no activation does any more. The first `kept` of the
 * oldest one are released after that. */
static void give_back(const struct dal_group *group, uint64_t kept)
{
    for (int i = 0; i < group->actor.end_count; i++)
        for (uint64_t n = group->done; n < group->begun; n++)
            dal_end_give_back(group->actor.ends[i],
                              firings_of(group, n) - (n == group->done ? kept : 0));
}

/* ---- the last firing ------------------------------------------------------------------------- */

/* Returns the part of a port that fire owned in the firing where the activation stopped. It is the
 * whole window, or the part of one phase. */
static struct dal_unit_port last_port(const struct dal_activation *activation, int port)
{
    const struct dal_window *window = &activation->windows[port];
    if (activation->process->desc->code->phases == 0)
        return (struct dal_unit_port){.bytes = window->bytes, .must = window->must};
    return *dal_phase_port(activation->process, activation->phase, port);
}

/* Reports the outputs that the firing did not write as it must. */
static void complain_unwritten(const struct dal_process *process,
                               const struct dal_activation *activation)
{
    const struct dal_process_desc *desc = process->desc;
    unsigned long long number = process->firings + 1;
    char firing[64];
    if (desc->code->phases == 0)
        snprintf(firing, sizeof(firing), "firing %llu", number);
    else
        snprintf(firing, sizeof(firing), "phase %d of cycle %llu", activation->phase, number);
    for (int i = 0; i < desc->port_count; i++) {
        const struct dal_window *window = &activation->windows[i];
        size_t must = last_port(activation, i).must;
        if (must == 0)
            continue;
        if (window->done > must || (window->done == must && window->astray))
            dal_process_refuse(process, "%s ended a block of port %s more than once", firing,
                               desc->ports[i].name);
        else if (!dal_window_is_whole(window, must))
            dal_process_refuse(process, "%s wrote %zu of %zu bytes to port %s", firing,
                               window->done, must, desc->ports[i].name);
    }
}

/* Releases, of the firing in which a process ended, only the ports it touched (dal.h). Also
 * releases the `before` bytes that earlier phases of the cycle moved and did not release. */
static void release_touched(struct dal_end *end, const struct dal_window *window,
                            const struct dal_unit_port *last, size_t before)
{
    int touched = end->output ? dal_window_is_whole(window, last->bytes) : window->done > 0;
    size_t bytes = before + (touched ? last->bytes : 0);
    dal_end_move(end, window->firing + last->from - before,
                 bytes / end->channel->desc->token_bytes);
}

void dal__process_release_last(struct dal_process *process, const struct dal_activation *activation)
{
    process->launches++;
    process->host.by_itself = 1;
    if (activation->status == 0) {
        complain_unwritten(process, activation);
        dal_control_break(process->control, DAL_ERR_PROCESS);
        return;
    }
    for (int i = 0; i < process->desc->port_count; i++) {
        const struct dal_unit_port last = last_port(activation, i);
        release_touched(process->ends[i], &activation->windows[i], &last,
                        dal_phase_is_within(process) ? 0 : last.from);
    }
    atomic_store_explicit(&process->host.phase, 0, memory_order_release);
    dal_count_add(process->firings, 1);
    if (process->host.alone->actor.marked)
        dal__note_end(process->host.alone, 1);
}

/* ---- the end of a group ---------------------------------------------------------------------- */

/* A cycle that ends early counts as a whole one. */
static void end_cycle(struct dal_group *group)
{
    struct dal_process *process = dal__member(group, 0);
    if (!dal_phase_is_within(process))
        return;
    dal_count_add(process->firings, 1);
    if (group->actor.marked)
        dal__note_end(group, 1);
}

void dal__group_conclude(struct dal_group *group)
{
    struct dal_process *first = dal__member(group, 0);
    count_released(group);
    if (group->by_phase)
        end_cycle(group);
    dal_waiter_end(&group->actor.waiter);
    if (first->host.timer)
        dal_timer_stop(first->host.timer);
    if (group->actor.count == 1)
        dal__process_end(first);
    for (int i = 0; i < group->actor.count; i++)
        dal__member(group, i)->host.alone->started = dal_count_get(dal__member(group, i)->firings);
    atomic_store_explicit(&group->over, 1, memory_order_release);
}

/* Reads how many tokens arrived in inner channels since the group last counted. */
static void look_again(const struct dal_process *process)
{
    for (int i = 0; i < process->desc->port_count; i++) {
        struct dal_end *end = process->ends[i];
        if (!end->output)
            end->seen = atomic_load_explicit(&end->peer->visible, memory_order_acquire);
    }
}

/* Releases the firings of process `i` in a block that the others did not finish. Afterwards the
 * process fires alone, or is concluded if it has ended. */
static void hand_over(const struct dal_group *group, const struct dal_group_copy *copy, int i)
{
    struct dal_process *process = dal__member(group, i);
    const struct dal_activation *activation = &copy->steps[i].copy->activation;
    uint64_t fired = copy->steps[i].done;
    look_again(process);
    for (int k = 0; k < process->desc->port_count; k++) {
        struct dal_window *window = &activation->windows[k];
        dal_end_move(process->ends[k], window->firing, fired * process->ends[k]->rate);
        window->firing += fired * window->bytes;
    }
    dal_count_add(process->firings, fired);
    process->launches += i != copy->last;
    note_released(process->host.alone, dal__group_copy_number(group, copy), fired);
    if (i == copy->last) {
        dal__process_release_last(process, activation);
        dal__group_conclude(process->host.alone);
    }
}

static void part_group(const struct dal_group *group, const struct dal_group_copy *copy)
{
    dal__overlays_leave(group, copy);
    for (int i = 0; i < group->actor.count; i++)
        if (copy->steps[i].done > 0 || i == copy->last)
            hand_over(group, copy, i);
}

/* Returns the firings of process `i` in a copy that are not released. */
static uint64_t done_by(const struct dal_group *group, const struct dal_group_copy *copy, int i)
{
    return copy->done + (group->actor.count > 1 ? copy->steps[i].done : 0);
}

/* Takes back, in the processes' marks, the firings that began and were not done in this copy. */
static void cut_marks(const struct dal_group *group, const struct dal_group_copy *copy)
{
    for (int i = 0; i < group->actor.count; i++)
        if (dal__member(group, i)->marks)
            dal_probe_cut(dal__member(group, i)->marks,
                          done_by(group, copy, i) + (i == copy->last));
}

/* Ends the group: a process did not finish its block, or nobody wants another one. Activations that
 * began later are dropped. */
static void break_off(struct dal_group *group)
{
    struct dal_group_copy *copy = dal__group_copy_of(group, group->done);
    if (group->actor.marked)
        cut_marks(group, copy);
    give_back(group, copy->done);
    release_done(group, copy);
    count_released(group);
    if (group->actor.count > 1)
        part_group(group, copy);
    else if (copy->last >= 0)
        dal__process_release_last(dal__member(group, 0), &copy->steps[0].copy->activation);
    group->done = group->begun;
    dal__group_conclude(group);
}

static int any_running(const struct dal_group *group)
{
    int any = 0;
    for (int i = 0; i < group->copy_count; i++)
        any |= group->copies[i].running;
    return any;
}

/* Releases what the oldest activation has done. Returns whether it is over. */
static int release_oldest(struct dal_group *group)
{
    struct dal_group_copy *copy = dal__group_copy_of(group, group->done);
    if (!copy) {
        release_held(group, dal__group_held(group, group->done));
        return 1;
    }
    group->ending = !copy->running && copy->last >= 0;
    if (copy->running || group->ending)
        return 0;
    release_done(group, copy);
    copy->begun = copy->asked > 0; /* then it is suspended */
    return !copy->begun;
}

void dal__group_release(struct dal_group *group)
{
    while (!group->ending && group->done < group->begun && release_oldest(group))
        group->done++;
    if (group->ending && !any_running(group))
        break_off(group);
    else if (group->actor.count > 1)
        count_if_due(group);
    if (group->done == group->begun)
        atomic_store_explicit(&group->at_work, 0, memory_order_release);
}

/* ---- after the network broke ----------------------------------------------------------------- */

/* Counts firings of a process, with their tokens, which nobody gets. Its windows are all closed. */
static void pass_firings(struct dal_process *process, uint64_t firings)
{
    dal_count_add(process->firings, firings);
    process->launches += firings > 0;
    for (int i = 0; i < process->desc->port_count; i++)
        dal_end_pass(process->ends[i], firings * process->ends[i]->rate);
}

/* Returns the firings of process `i` in a copy whose thread has crashed, or does not come back. */
static uint64_t under_way(const struct dal_group *group, const struct dal_group_copy *copy, int i)
{
    int crashed = group->actor.count - 1;
    while (crashed >= 0 && !dal_copy_runs(copy->steps[crashed].copy))
        crashed--;
    return i == crashed || (i < crashed && !copy->partial) ? copy->steps[i].copy->activation.fired
                                                           : 0;
}

/* Counts each activation as far as it came. Nobody reads tokens any more, so their order does not
 * matter. */
void dal_group_settle(struct dal_group *group)
{
    if (group->actor.count == 0)
        return; /* workers do not fire its process */
    for (int i = 0; group->actor.timed && i < group->copy_count; i++)
        dal__note_times(group, i);
    if (dal_group_is_over(group) || !dal_control_broken(group->actor.control))
        return;
    count_released(group);
    give_back(group, 0);
    for (; group->done < group->begun; group->done++) {
        const struct dal_group_copy *copy = dal__group_copy_of(group, group->done);
        for (int i = 0; i < group->actor.count; i++)
            pass_firings(dal__member(group, i),
                         copy ? done_by(group, copy, i) + under_way(group, copy, i)
                              : firings_of(group, group->done));
    }
    if (group->by_phase && dal_phase_is_within(dal__member(group, 0)))
        dal_count_add(dal__member(group, 0)->firings, 1); /* a cycle that ended early */
}
