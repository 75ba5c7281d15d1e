/*
 * Workers activate groups (rt/host/group.h): windows are acquired, a copy runs, and its firings are
 * released.
 */
#include "rt/host/group.h"

#include "rt/base/clock.h"
#include "rt/base/number.h"
#include "rt/host/changes.h"
#include "rt/host/firing.h"
#include "rt/host/overlay.h"
#include "rt/host/phase.h"
#include "rt/host/step.h"

const struct dal_process_ops dal_process_c = {0};

/* Nanoseconds for which the processes of a group of several, and its inner channels, may show old
 * counts. Updating them takes as long as some ten blocks of few bytes. */
enum { COUNTED_NS = 20 * 1000 * 1000 };

/* ---- copies ---------------------------------------------------------------------------------- */

static int number_of(const struct dal_group *group, const struct dal_group_copy *copy)
{
    return (int)(copy - group->copies);
}

/* Returns the copy for the next activation, of several. A group of several processes gives each
 * worker its own copy. The copies of one process take turns and are dealt to the workers. Returns
 * NULL if the turn is another worker's. */
static struct dal_group_copy *next_copy(const struct dal_group *group, int number,
                                        enum dal_pass pass)
{
    int turn = (int)(group->begun % (uint64_t)group->copy_count);
    if (group->count > 1)
        return &group->copies[number];
    if (pass == DAL_PASS_OWN && turn % group->processes[0]->wake_count != number)
        return NULL;
    return &group->copies[turn];
}

/* Returns the copy for the next activation, or NULL if none is free now. */
static struct dal_group_copy *free_copy(const struct dal_group *group, int number,
                                        enum dal_pass pass)
{
    struct dal_group_copy *copy =
        group->copy_count == 1 ? group->copies : next_copy(group, number, pass);
    return copy && !copy->begun ? copy : NULL;
}

static int any_running(const struct dal_group *group)
{
    int i, any = 0;
    for (i = 0; i < group->copy_count; i++)
        any |= group->copies[i].running;
    return any;
}

/* ---- what can be done ------------------------------------------------------------------------ */

static int is_unwanted(const struct dal_group *group)
{
    int i;
    for (i = 0; i < group->count; i++)
        if (dal_process_unwanted(group->processes[i]))
            return 1;
    return 0;
}

/* Is a process about to end? */
static int is_at_end(const struct dal_group *group)
{
    int i;
    for (i = 0; i < group->count; i++)
        if (dal_process_starved(group->processes[i]))
            return 1;
    return is_unwanted(group);
}

/* Returns the firings that a periodic process may begin now. Once the network is to stop, nobody
 * waits for a release. The process's init is called before its first release. */
static uint64_t firings_due(const struct dal_group *group)
{
    if (dal_control_stopping(group->control))
        dal_timer_stop(group->timer);
    dal__process_start(group->processes[0]);
    return dal_least(group->pace.firings, dal_timer_due(group->timer, dal_now_ns()));
}

static uint64_t firings_ready(const struct dal_group *group)
{
    uint64_t firings = group->timer ? firings_due(group) : group->pace.firings;
    int i;
    if (group->by_phase && dal_phase_is_within(group->processes[0]))
        return 0;
    for (i = 0; firings > 0 && i < group->outer_count; i++)
        firings = dal_end_ready(group->ends[i], firings);
    return firings;
}

/* ---- notes ----------------------------------------------------------------------------------- */

void dal__group_add_times(struct dal_group *group, int number)
{
    int i;
    for (i = 0; i < group->count; i++) {
        struct dal_process *process = group->processes[i];
        dal_count_add(process->wall_ns, process->copies[number].wall_ns);
        process->copies[number].wall_ns = 0;
    }
}

/* Notes the begin of an activation. The time of init does not count. */
static void note_begin(struct dal_group *group, uint64_t firings)
{
    int64_t now_ns;
    int i;
    if (group->timed)
        dal_waiter_end(&group->waiter);
    if (!group->marked)
        return;
    for (i = 0; group->begun == 0 && i < group->count; i++)
        dal__process_start(group->processes[i]);
    now_ns = dal_now_ns();
    if (group->timer)
        dal_timer_begun(group->timer, now_ns);
    for (i = 0; i < group->count; i++)
        if (group->processes[i]->marks)
            dal_marks_begin(group->processes[i]->marks, firings, now_ns);
}

/* A release is through: stores the time with the last trace event of this release. */
static void note_through(const struct dal_group *group, int64_t now_ns)
{
    struct dal_here *here = dal_here();
    if (here->timer == group->timer)
        dal_trace_through(here->row, here->event, now_ns);
    here->timer = NULL;
}

/* Notes that firings of all its processes have been released. Another worker that sleeps may be
 * needed at the next release. */
static void note_end(const struct dal_group *group, uint64_t firings)
{
    struct dal_listener *listener = &group->processes[0]->listener;
    int64_t now_ns = dal_now_ns();
    int i;
    for (i = 0; i < group->count; i++)
        if (group->processes[i]->marks)
            dal_marks_end(group->processes[i]->marks, firings, now_ns);
    if (!group->timer || !dal_timer_fired(group->timer, firings, now_ns))
        return;
    note_through(group, now_ns);
    if (group->claim.shared)
        listener->notify(listener);
}

static void note_released(struct dal_group *group, int number, uint64_t firings)
{
    if (group->timed)
        dal__group_add_times(group, number);
    if (group->marked)
        note_end(group, firings);
}

/* ---- begin ----------------------------------------------------------------------------------- */

/* Acquires the outer windows, and before the first activation starts every process. Returns 0 when
 * the network broke. */
static inline __attribute__((always_inline)) int
begin_activation(struct dal_group *group, struct dal_group_copy *copy, uint64_t firings)
{
    int i;
    atomic_store_explicit(&group->at_work, 1, memory_order_relaxed);
    for (i = 0; group->begun == 0 && i < group->count; i++)
        if (!dal__process_start(group->processes[i]))
            return 0;
    for (i = 0; i < group->outer_count; i++)
        copy->windows[i]->firing = dal_end_acquire(group->ends[i], firings);
    copy->asked = copy->goal = firings;
    copy->done = copy->blocks = 0;
    copy->last = -1;
    copy->begun = copy->running = 1;
    if (group->copy_count > 1)
        group->order[group->begun % (uint64_t)group->copy_count] = number_of(group, copy);
    group->begun++;
    return 1;
}

/* Returns the parked activation that the worker resumes, or NULL. Of several processes it is the
 * worker's own, of one process the oldest. */
static struct dal_group_copy *parked_copy(const struct dal_group *group, int number)
{
    uint64_t activation = group->done;
    if (group->parked == 0)
        return NULL;
    if (group->count > 1)
        return group->copies[number].parked ? &group->copies[number] : NULL;
    while (!dal__group_copy_of(group, activation)->parked)
        activation++;
    return dal__group_copy_of(group, activation);
}

/* Resumes a parked activation. If nobody wants more firings, the oldest one ends the group. */
static int go_on(struct dal_group *group, struct dal_group_copy *copy)
{
    if (copy == dal__group_copy_of(group, group->done) && copy->ragged == 0 && is_unwanted(group)) {
        group->ending = 1;
        return 0;
    }
    copy->goal = dal_least(copy->asked, copy->done + group->pace.firings);
    copy->parked = 0;
    copy->running = 1;
    group->parked--;
    return 1;
}

void dal__group_count_released(struct dal_group *group)
{
    uint64_t firings = group->uncounted, blocks = group->uncounted_blocks;
    int i;
    if (firings == 0)
        return;
    for (i = 0; i < group->between_count; i++)
        dal_channel_pass(group->between[i].channel,
                         firings * group->between[i].channel->consumer.rate);
    for (i = 0; i < group->count; i++) {
        dal_count_add(group->processes[i]->firings, firings);
        group->processes[i]->launches += blocks;
    }
    group->uncounted = group->uncounted_blocks = 0;
}

/* A cycle that ends early counts as a whole one. */
static void end_cycle(struct dal_group *group)
{
    struct dal_process *process = group->processes[0];
    if (!dal_phase_is_within(process))
        return;
    dal_count_add(process->firings, 1);
    if (group->marked)
        note_end(group, 1);
}

/* Ends the group: nothing is under way, and nothing more will be. */
static void conclude(struct dal_group *group)
{
    dal__group_count_released(group);
    if (group->by_phase)
        end_cycle(group);
    dal_waiter_end(&group->waiter);
    if (group->timer)
        dal_timer_stop(group->timer);
    if (group->count == 1)
        dal__process_end(group->processes[0]);
    atomic_store_explicit(&group->over, 1, memory_order_release);
}

static void look_for_wait(struct dal_group *group)
{
    if (group->by_phase)
        dal_waiter_set(&group->waiter, dal_phase_lacks(group->processes[0]));
    else
        dal_waiter_look(&group->waiter, group->ends, group->outer_count);
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
    copy = parked_copy(group, number);
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
            conclude(group);
        else if (group->timed && group->begun == group->done)
            look_for_wait(group);
        return NULL;
    }
    *active = 1;
    if (group->changes)
        firings = dal_changes_make(group->processes[0], firings);
    if (group->noted)
        note_begin(group, firings);
    return begin_activation(group, copy, firings) ? copy : NULL;
}

/* ---- run ------------------------------------------------------------------------------------- */

/* Fires a process; returns whether it fired as often as asked. */
static inline __attribute__((always_inline)) int fire_step(const struct dal_group *group,
                                                           const struct dal_step *step,
                                                           uint64_t firings,
                                                           struct dal_trace_row *row)
{
    struct dal_activation *activation = &step->copy->activation;
    activation->firings = firings;
    dal__step_run(group, step, row);
    return activation->fired == firings;
}

/* Returns whether the network broke before the turn of a process, which then has fired nothing. */
static int is_too_late(const struct dal_group *group, const struct dal_step *step)
{
    if (!dal_control_broken(group->control))
        return 0;
    step->copy->activation.fired = 0;
    step->copy->activation.early = 0;
    return 1;
}

/* Fires a block of each process. Returns -1, or the number of the process that did not finish its
 * block. If the network broke meanwhile, returns the number of the next process. */
static int fire_block(const struct dal_group *group, const struct dal_step *step, uint64_t firings,
                      struct dal_trace_row *row)
{
    int i;
    for (i = 0; i < group->count; i++, step++)
        if (is_too_late(group, step) || !fire_step(group, step, firings, row))
            return i;
    return -1;
}

/* Moves the windows of a process to its place in the block, or back. */
static void shift_windows(const struct dal_step *step, uint64_t firings, int back)
{
    const struct dal_activation *activation = &step->copy->activation;
    int i;
    for (i = 0; i < activation->process->desc->port_count; i++) {
        size_t bytes = firings * activation->windows[i].bytes;
        activation->windows[i].firing += back ? 0 - bytes : bytes;
    }
}

/* After a block was cut short, each process from number `i` on fires as often as the one before it
 * did. None fires more than `most` times. `i` is not 0. Returns as fire_block() does. */
static int catch_up(const struct dal_group *group, struct dal_group_copy *copy, int i,
                    uint64_t most, struct dal_trace_row *row)
{
    for (; i < group->count; i++) {
        struct dal_step *step = &copy->steps[i];
        const struct dal_activation *activation = &step->copy->activation;
        uint64_t before = step->done, firings = dal_least(most, step[-1].done - before);
        int through;
        if (dal_control_broken(group->control))
            return i;
        if (firings == 0)
            continue;
        shift_windows(step, before, 0);
        through = fire_step(group, step, firings, row);
        shift_windows(step, before, 1);
        step->done += activation->fired;
        if (!through && !activation->early)
            return i;
        copy->early |= !through;
    }
    return -1;
}

/* Moves the outer windows on: that many more firings have gone through all processes. */
static void pass_firings(const struct dal_group *group, struct dal_group_copy *copy,
                         uint64_t firings)
{
    int i;
    for (i = 0; i < group->outer_count; i++)
        copy->windows[i]->firing += firings * group->ends[i]->firing_bytes;
    copy->done += firings;
}

/* Moves the inner windows on, or back to the beginning of the block once it is whole. */
static void pass_between(const struct dal_group *group, struct dal_group_copy *copy,
                         uint64_t firings)
{
    uint64_t back = copy->into + firings;
    int i, whole = copy->ragged == firings;
    for (i = 0; i < 2 * group->between_count; i++) {
        struct dal_window *window = copy->windows[group->outer_count + i];
        window->firing += firings * window->bytes;
        window->firing -= whole ? back * window->bytes : 0;
    }
    copy->into = whole ? 0 : back;
}

/* In a block that was cut short, all processes have done what the last one has done. */
static void pass_ragged(const struct dal_group *group, struct dal_group_copy *copy)
{
    uint64_t firings = copy->steps[group->count - 1].done;
    int i;
    pass_firings(group, copy, firings);
    pass_between(group, copy, firings);
    for (i = 0; i < group->count; i++)
        copy->steps[i].done -= firings;
    copy->ragged -= firings;
    copy->blocks += copy->ragged == 0;
}

/* Process `number` did not finish a block of that many firings; those before it did. If it was
 * asked to end early, the others do as much as they can. If it is the first process, its firings
 * are the block. */
static void cut_short(const struct dal_group *group, struct dal_group_copy *copy, int number,
                      uint64_t firings, struct dal_trace_row *row)
{
    const struct dal_activation *activation = &copy->steps[number].copy->activation;
    int i;
    for (i = 0; i < group->count; i++)
        copy->steps[i].done = i < number ? firings : i == number ? activation->fired : 0;
    copy->last = number;
    if (!activation->early) {
        if (group->count == 1)
            pass_firings(group, copy, activation->fired);
        return;
    }
    copy->early = 1;
    copy->ragged = copy->steps[0].done;
    copy->last = catch_up(group, copy, number + 1, firings, row);
    if (copy->last < 0)
        pass_ragged(group, copy);
}

static void run_ragged(const struct dal_group *group, struct dal_group_copy *copy,
                       struct dal_trace_row *row)
{
    copy->last = catch_up(group, copy, 1, copy->goal - copy->done, row);
    if (copy->last < 0)
        pass_ragged(group, copy);
}

static void run_copy(struct dal_group *group, struct dal_group_copy *copy,
                     struct dal_trace_row *row)
{
    copy->early = 0;
    if (copy->ragged > 0) {
        run_ragged(group, copy, row);
        return;
    }
    while (copy->done < copy->goal) {
        uint64_t firings = dal_least(group->block, copy->goal - copy->done);
        int number = fire_block(group, copy->steps, firings, row);
        if (number >= 0) {
            cut_short(group, copy, number, firings, row);
            return;
        }
        pass_firings(group, copy, firings);
        copy->blocks++;
    }
}

/* Runs a copy and notes it as what this thread is in (rt/host/firing.h). */
static void run_here(struct dal_group *group, struct dal_group_copy *copy,
                     struct dal_trace_row *row)
{
    struct dal_here *here = dal_here();
    here->copy = copy;
    here->steps = group->count;
    run_copy(group, copy, row);
    here->copy = NULL;
}

/* Runs a copy side by side with others: the group is claimed only to begin and to release. */
static void run_unclaimed(struct dal_group *group, struct dal_group_copy *copy,
                          struct dal_trace_row *row)
{
    struct dal_listener *listener = &group->processes[0]->listener;
    dal_claim_give_up(&group->claim);
    listener->notify(listener); /* there may be work for another copy */
    run_here(group, copy, row);
    dal_claim_wait(&group->claim);
}

/* Runs a copy and sets the pace by the time that it takes. */
static void run_paced(struct dal_group *group, struct dal_group_copy *copy,
                      struct dal_trace_row *row)
{
    int64_t begin_ns = dal_pace_begin(&group->pace);
    if (group->copy_count > 1)
        run_unclaimed(group, copy, row);
    else
        run_here(group, copy, row);
    /* A single block may take as long as each process would by itself; more blocks, as long as one
     * process. */
    dal_pace_end(&group->pace, begin_ns, copy->goal <= group->block ? group->count : 1,
                 copy->early);
    copy->running = 0;
    copy->parked = copy->last < 0 && copy->done < copy->asked;
    group->parked += copy->parked;
}

/* ---- release --------------------------------------------------------------------------------- */

/* Releases the firings that all processes have done. */
static inline __attribute__((always_inline)) void release_done(struct dal_group *group,
                                                               struct dal_group_copy *copy)
{
    uint64_t done = copy->done;
    int i;
    if (group->count == 1) {
        dal_count_add(group->processes[0]->firings, done);
        group->processes[0]->launches += copy->blocks;
    } else {
        group->uncounted += done;
        group->uncounted_blocks += copy->blocks;
    }
    for (i = 0; i < group->outer_count; i++) {
        struct dal_end *end = group->ends[i];
        dal_end_release(end, copy->windows[i]->firing - done * end->firing_bytes, done);
    }
    copy->asked -= done;
    copy->done = copy->blocks = 0;
    if (group->noted)
        note_released(group, number_of(group, copy), done);
}

/* Returns the part of a port that fire owned in the firing where the activation stopped. It is the
 * whole window, or the part of one phase. */
static struct dal_unit_port last_port(const struct dal_activation *activation, int port)
{
    const struct dal_process_desc *desc = activation->process->desc;
    const struct dal_window *window = &activation->windows[port];
    if (desc->code->phases == 0)
        return (struct dal_unit_port){.bytes = window->bytes, .must = window->must};
    return desc->code->phase_ports[activation->phase * desc->port_count + port];
}

/* Writes "firing 3", counted from 1, or "phase 0 of cycle 3". */
static const char *name_firing(const struct dal_process *process,
                               const struct dal_activation *activation, char text[64])
{
    unsigned long long number = process->firings + 1;
    if (process->desc->code->phases == 0)
        snprintf(text, 64, "firing %llu", number);
    else
        snprintf(text, 64, "phase %d of cycle %llu", activation->phase, number);
    return text;
}

static void complain_unwritten(const struct dal_process *process,
                               const struct dal_activation *activation)
{
    const struct dal_process_desc *desc = process->desc;
    char firing[64];
    int i;
    name_firing(process, activation, firing);
    for (i = 0; i < desc->port_count; i++) {
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

/* Accounts for the firing in which a process ended or failed. */
static void release_last(struct dal_process *process, const struct dal_activation *activation)
{
    int i;
    process->launches++;
    process->by_itself = 1;
    if (activation->status == 0) {
        complain_unwritten(process, activation);
        dal_control_break(process->control, DAL_ERR_PROCESS);
        return;
    }
    for (i = 0; i < process->desc->port_count; i++) {
        const struct dal_unit_port last = last_port(activation, i);
        release_touched(process->ends[i], &activation->windows[i], &last,
                        dal_phase_is_within(process) ? 0 : last.from);
    }
    atomic_store_explicit(&process->phase, 0, memory_order_release);
    dal_count_add(process->firings, 1);
    if (process->alone->marked)
        note_end(process->alone, 1);
}

/* Reads how many tokens arrived in inner channels since the group last counted. */
static void look_again(struct dal_process *process)
{
    int i;
    for (i = 0; i < process->desc->port_count; i++) {
        struct dal_end *end = process->ends[i];
        if (!end->output)
            end->seen = atomic_load_explicit(&end->peer->visible, memory_order_acquire);
    }
}

/* Releases the firings of process `i` in a block that the others did not finish. Afterwards the
 * process fires alone, or is concluded if it has ended. */
static void hand_over(const struct dal_group *group, const struct dal_group_copy *copy, int i)
{
    struct dal_process *process = group->processes[i];
    const struct dal_activation *activation = &copy->steps[i].copy->activation;
    uint64_t fired = copy->steps[i].done;
    int k;
    look_again(process);
    for (k = 0; k < process->desc->port_count; k++) {
        struct dal_window *window = &activation->windows[k];
        dal_end_move(process->ends[k], window->firing, fired * process->ends[k]->rate);
        window->firing += fired * window->bytes;
    }
    dal_count_add(process->firings, fired);
    process->launches += i != copy->last;
    if (process->alone->noted)
        note_released(process->alone, number_of(group, copy), fired);
    if (i == copy->last) {
        release_last(process, activation);
        conclude(process->alone);
    }
}

static void part_group(const struct dal_group *group, const struct dal_group_copy *copy)
{
    int i;
    dal__overlays_leave(group, copy);
    for (i = 0; i < group->count; i++)
        if (copy->steps[i].done > 0 || i == copy->last)
            hand_over(group, copy, i);
}

/* Takes back, in the processes' marks, the firings that began and were not done in this copy. */
static void cut_marks(const struct dal_group *group, const struct dal_group_copy *copy)
{
    int i;
    for (i = 0; i < group->count; i++) {
        uint64_t done = copy->done + (group->count > 1 ? copy->steps[i].done : 0);
        if (group->processes[i]->marks)
            dal_marks_cut(group->processes[i]->marks, done + (i == copy->last));
    }
}

/* Returns the firings of an activation whose windows are given back, if the oldest activation is
 * the last. */
static uint64_t not_done(const struct dal_group *group, uint64_t activation)
{
    const struct dal_group_copy *copy = dal__group_copy_of(group, activation);
    return activation == group->done ? copy->asked - copy->done : copy->asked;
}

/* Ends the group: a process did not finish its block, or nobody wants another one. Activations that
 * began later are dropped. */
static void break_off(struct dal_group *group)
{
    struct dal_group_copy *copy = dal__group_copy_of(group, group->done);
    uint64_t n;
    int i;
    if (group->marked)
        cut_marks(group, copy);
    for (i = 0; i < group->outer_count; i++)
        for (n = group->done; n < group->begun; n++)
            dal_end_give_back(group->ends[i], not_done(group, n));
    release_done(group, copy);
    dal__group_count_released(group);
    if (group->count > 1)
        part_group(group, copy);
    else if (copy->last >= 0)
        release_last(group->processes[0], &copy->steps[0].copy->activation);
    group->done = group->begun;
    conclude(group);
}

static void count_if_due(struct dal_group *group)
{
    int64_t now_ns = dal_tick_ns();
    if (now_ns - group->counted_ns < COUNTED_NS)
        return;
    group->counted_ns = now_ns;
    dal__group_count_released(group);
}

/* Releases, in order, the activations that have run. */
static void release_all(struct dal_group *group)
{
    while (!group->ending && group->done < group->begun &&
           !dal__group_copy_of(group, group->done)->running) {
        struct dal_group_copy *copy = dal__group_copy_of(group, group->done);
        group->ending = copy->last >= 0;
        if (group->ending)
            break;
        release_done(group, copy);
        if (copy->asked > 0)
            break; /* it is parked */
        copy->begun = 0;
        group->done++;
    }
    if (group->ending && !any_running(group))
        break_off(group);
    else if (group->count > 1)
        count_if_due(group);
    if (group->done == group->begun)
        atomic_store_explicit(&group->at_work, 0, memory_order_release);
}

/* ---- phase by phase -------------------------------------------------------------------------- */

/* Is there enough for the next phase, but not for a whole cycle? */
static int is_phase_due(const struct dal_group *group)
{
    return group->begun == group->done && !is_unwanted(group) && firings_ready(group) == 0 &&
           !dal_phase_lacks(group->processes[0]);
}

static void begin_phase(struct dal_group *group)
{
    struct dal_process *process = group->processes[0];
    int within = dal_phase_is_within(process);
    if (group->changes && !within)
        dal_changes_make(process, 1);
    if (group->noted && !within)
        note_begin(group, 1);
    else if (group->timed)
        dal_waiter_end(&group->waiter);
    dal_phase_take(process, &process->copies[0].activation);
}

/* Fires one phase. The group stays at work until release_all(), which comes next. */
static void fire_phase(struct dal_group *group, struct dal_trace_row *row)
{
    struct dal_process *process = group->processes[0];
    const struct dal_activation *activation = &process->copies[0].activation;
    int whole;
    atomic_store_explicit(&group->at_work, 1, memory_order_relaxed);
    if (!dal__process_start(process))
        return;
    begin_phase(group);
    dal__step_alone(group, process->run_phase, row);
    if (activation->fired == 0) {
        release_last(process, activation);
        conclude(group);
        return;
    }
    whole = dal_phase_pass(process, activation);
    process->launches++;
    dal_count_add(process->firings, (uint64_t)whole);
    if (group->marked && whole)
        note_end(group, 1);
}

/* ---- the worker's ---------------------------------------------------------------------------- */

/* Activates each process of a group that is over, as a group of its own. */
static int activate_each(const struct dal_group *group, int number, enum dal_pass pass,
                         struct dal_trace_row *row)
{
    int active = 0, i;
    for (i = 0; group->count > 1 && i < group->count && !dal_control_broken(group->control); i++)
        active |= dal_group_activate(group->processes[i]->alone, number, pass, row);
    return active;
}

/* Claims the group. Only this worker can resume its parked activation of several processes, so it
 * waits; otherwise it passes by a taken claim. */
static int claim_group(struct dal_group *group, int number, enum dal_pass pass)
{
    if (group->count == 1 || !group->claim.shared || !group->copies[number].parked)
        return pass == DAL_PASS_LAST ? dal_claim_try_at_last(&group->claim)
                                     : dal_claim_try(&group->claim);
    dal_claim_wait(&group->claim);
    return 1;
}

/* Fires what is ready next, and returns whether the group is active. For the claim's holder. */
static int fire_next(struct dal_group *group, int number, enum dal_pass pass,
                     struct dal_trace_row *row)
{
    struct dal_group_copy *copy;
    int active = 0;
    if (group->by_phase && is_phase_due(group)) {
        fire_phase(group, row);
        return 1;
    }
    copy = begin_next(group, number, pass, &active);
    if (copy)
        run_paced(group, copy, row);
    return active;
}

int dal_group_activate(struct dal_group *group, int number, enum dal_pass pass,
                       struct dal_trace_row *row)
{
    int active = 0;
    if (group->processes[0]->ops->activate)
        return group->processes[0]->ops->activate(group->processes[0], row);
    if (dal_group_is_over(group))
        return activate_each(group, number, pass, row);
    if (!claim_group(group, number, pass))
        return 0;
    if (!dal_group_is_over(group))
        active = fire_next(group, number, pass, row);
    if (active && !dal_group_is_over(group) && !dal_control_broken(group->control))
        release_all(group);
    if (!active)
        return dal_claim_give_up_idle(&group->claim);
    dal_claim_give_up(&group->claim);
    return active;
}
