#include "rt/host/run.h"

#include "rt/base/number.h"
#include "rt/host/firing.h"
#include "rt/host/release.h"

/* ---- steps ----------------------------------------------------------------------------------- */

/* Remembers the row's next event as the last one of a periodic process. */
static void remember_event(struct dal_trace_row *row, const struct dal_timer *timer)
{
    dal_here()->timer = timer;
    dal_here()->row = row;
    dal_here()->event = row->count;
}

/* Is this a phase behind which the cycle goes on? The time of a cycle is that of its phases. */
static int is_part(const struct dal_step *step)
{
    const struct dal_activation *activation = &step->copy->activation;
    const struct dal_process *process = activation->process;
    return step->run == process->host.run_phase && activation->fired &&
           activation->phase + 1 < process->desc->code->phases;
}

static void add_time(const struct dal_step *step, int64_t time_ns)
{
    struct dal_copy *copy = step->copy;
    copy->wall_ns += time_ns;
    copy->part_ns += time_ns;
    if (is_part(step))
        return;
    if (copy->times)
        dal_histogram_add(copy->times, (double)copy->part_ns,
                          copy->activation.fired + (copy->activation.status != 0));
    copy->part_ns = 0;
}

/* Adds a point at the end of a firing. Windows are released later, so fixed rates count firings.
 * The firing in which a process ends is left out: what it gives is not known here. */
static void add_drift(const struct dal_step *step, int64_t now_ns)
{
    const struct dal_activation *activation = &step->copy->activation;
    struct dal_process *process = activation->process;
    const struct dal_end *end = dal_process_paced_end(process);
    struct dal_drift *drift = &process->time.drift;
    uint64_t tokens = drift->tokens + activation->fired * (end ? end->rate : 1);
    if (end && process->ops->has_thread)
        tokens = dal__end_visible(end) - end->first;
    if (tokens > drift->tokens && !is_part(step) &&
        !(process->host.timer && process->host.timer->stopped))
        dal_drift_add(drift, now_ns, tokens);
}

void dal__step_timed(const struct dal_step *step, struct dal_trace_row *row)
{
    struct dal_copy *copy = step->copy;
    struct dal_process *process = copy->activation.process;
    struct dal_here *here = dal_here();
    struct dal_trace_event event = {.name = process->desc->name, .begin_ns = dal_now_ns()};
    if (process->host.timer)
        event.release_ns = dal_timer_release_ns(process->host.timer);
    dal_meter_begin(&here->meter, event.begin_ns, copy->lengthy);
    here->tokens = here->made = 0;
    here->waited_ns = 0;
    dal_own_enter(process, &process->host.own);
    step->run(&copy->dal, &copy->activation);
    dal_own_leave(process, &process->host.own, "fire");
    event.end_ns = dal_now_ns();
    event.firings = copy->activation.fired + (copy->activation.status != 0);
    event.tokens = here->tokens;
    event.made = here->made;
    copy->lengthy = dal_meter_end(&here->meter, process, event.end_ns);
    dal_span_add(&copy->span, event.begin_ns, event.end_ns);
    add_time(step, event.end_ns - event.begin_ns - here->waited_ns);
    if (process->time.drift.is_measured)
        add_drift(step, event.end_ns);
    if (process->host.timer)
        remember_event(row, process->host.timer);
    dal_trace_add(row, event);
}

void dal__step_alone(struct dal_group *group, void (*run)(DALProcess *p, struct dal_activation *a),
                     struct dal_trace_row *row)
{
    const struct dal_step step = {.run = run, .copy = group->copies->steps->copy};
    struct dal_here *here = dal_here();
    here->alone = &step;
    dal__step_run(group, &step, row);
    here->alone = NULL;
    if (group->actor.timed)
        dal__note_times(group, 0);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

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
    if (!dal_control_broken(group->actor.control))
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
    for (int i = 0; i < group->actor.count; i++, step++)
        if (is_too_late(group, step) || !fire_step(group, step, firings, row))
            return i;
    return -1;
}

/* Moves the windows of a process to its place in the block, or back. */
static void shift_windows(const struct dal_step *step, uint64_t firings, int back)
{
    const struct dal_activation *activation = &step->copy->activation;
    for (int i = 0; i < activation->process->desc->port_count; i++) {
        size_t bytes = firings * activation->windows[i].bytes;
        activation->windows[i].firing += back ? 0 - bytes : bytes;
    }
}

/* After a block was cut short, each process from number `i` on fires as often as the one before it
 * did. None fires more than `most` times. `i` is not 0. Returns as fire_block() does. */
static int catch_up(const struct dal_group *group, struct dal_group_copy *copy, int i,
                    uint64_t most, struct dal_trace_row *row)
{
    for (; i < group->actor.count; i++) {
        struct dal_step *step = &copy->steps[i];
        const struct dal_activation *activation = &step->copy->activation;
        uint64_t before = step->done, firings = dal_least(most, step[-1].done - before);
        int through;
        if (dal_control_broken(group->actor.control))
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
    for (int i = 0; i < group->actor.end_count; i++)
        copy->windows[i]->firing += firings * group->actor.ends[i]->firing_bytes;
    copy->done += firings;
}

/* Moves the inner windows on, or back to the beginning of the block once it is whole. */
static void pass_between(const struct dal_group *group, struct dal_group_copy *copy,
                         uint64_t firings)
{
    uint64_t back = copy->into + firings;
    int whole = copy->partial == firings;
    for (int i = 0; i < 2 * group->overlays.count; i++) {
        struct dal_window *window = copy->windows[group->actor.end_count + i];
        window->firing += firings * window->bytes;
        window->firing -= whole ? back * window->bytes : 0;
    }
    copy->into = whole ? 0 : back;
}

/* In a block that was cut short, all processes have done what the last one has done. */
static void pass_partial(const struct dal_group *group, struct dal_group_copy *copy)
{
    uint64_t firings = copy->steps[group->actor.count - 1].done;
    pass_firings(group, copy, firings);
    pass_between(group, copy, firings);
    for (int i = 0; i < group->actor.count; i++)
        copy->steps[i].done -= firings;
    copy->partial -= firings;
    copy->blocks += copy->partial == 0;
}

/* Process `number` did not finish a block of that many firings; those before it did. If it was
 * asked to end early, the others do as much as they can. If it is the first process, its firings
 * are the block. */
static void cut_short(const struct dal_group *group, struct dal_group_copy *copy, int number,
                      uint64_t firings, struct dal_trace_row *row)
{
    const struct dal_activation *activation = &copy->steps[number].copy->activation;
    for (int i = 0; i < group->actor.count; i++)
        copy->steps[i].done = i < number ? firings : i == number ? activation->fired : 0;
    copy->last = number;
    if (!activation->early) {
        if (group->actor.count == 1)
            pass_firings(group, copy, activation->fired);
        return;
    }
    copy->early = 1;
    copy->partial = copy->steps[0].done;
    copy->last = catch_up(group, copy, number + 1, firings, row);
    if (copy->last < 0)
        pass_partial(group, copy);
}

static void run_partial(const struct dal_group *group, struct dal_group_copy *copy,
                        struct dal_trace_row *row)
{
    copy->last = catch_up(group, copy, 1, copy->goal - copy->done, row);
    if (copy->last < 0)
        pass_partial(group, copy);
}

static void run_copy(struct dal_group *group, struct dal_group_copy *copy,
                     struct dal_trace_row *row)
{
    copy->early = 0;
    if (copy->partial > 0) {
        run_partial(group, copy, row);
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
    here->steps = group->actor.count;
    run_copy(group, copy, row);
    here->copy = NULL;
}

/* Runs a copy side by side with others: the group is claimed only to begin and to release. */
static void run_unclaimed(struct dal_group *group, struct dal_group_copy *copy, int more,
                          struct dal_trace_row *row)
{
    struct dal_search *search = dal_here()->search;
    more |= dal_claim_pass_on(&group->claim);
    dal_search_let_go(search);
    dal_search_leave(search);
    if (more)
        dal_pool_tell(dal__member(group, 0)->pool);
    run_here(group, copy, row);
    dal_claim_wait(&group->claim);
    search->holds = 1;
}

/* Gives the copy back after an activation that has run as asked: what it did is held. */
static void hold(const struct dal_group *group, struct dal_group_copy *copy)
{
    struct dal_held *held = dal__group_held(group, copy->number);
    *held = (struct dal_held){
        .copy = -1, .firings = copy->done, .blocks = copy->blocks, .windows = held->windows};
    for (int i = 0; i < group->actor.end_count; i++)
        held->windows[i] =
            copy->windows[i]->firing - copy->done * group->actor.ends[i]->firing_bytes;
    if (group->actor.timed)
        dal__note_times(group, dal__group_copy_number(group, copy));
    copy->begun = 0;
}

void dal__group_run(struct dal_group *group, struct dal_group_copy *copy, int more,
                    struct dal_trace_row *row)
{
    int64_t begin_ns = dal_pace_begin(&group->pace, copy->goal - copy->done);
    uint64_t before = copy->done;
    if (group->copy_count > 1) {
        run_unclaimed(group, copy, more, row);
    } else {
        dal_search_leave(dal_here()->search);
        run_here(group, copy, row);
    }
    /* Without copies, a single block may take as long as each process would by itself. Everything
     * else may take as long as one process. */
    dal_pace_end(&group->pace, begin_ns, copy->done - before,
                 group->copy_count == 1 && copy->goal <= group->block ? group->actor.count : 1,
                 copy->early);
    copy->running = 0;
    copy->suspended = copy->last < 0 && copy->done < copy->asked;
    group->suspended += copy->suspended;
    if (group->copy_count > 1 && copy->last < 0 && copy->done == copy->asked)
        hold(group, copy);
}
