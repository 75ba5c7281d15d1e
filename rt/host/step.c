#include "rt/host/step.h"

#include "rt/base/clock.h"
#include "rt/host/firing.h"

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
    return step->run == process->run_phase && activation->fired &&
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

void dal__step_timed(const struct dal_step *step, struct dal_trace_row *row)
{
    struct dal_copy *copy = step->copy;
    struct dal_process *process = copy->activation.process;
    struct dal_here *here = dal_here();
    struct dal_trace_event event = {.name = process->desc->name, .begin_ns = dal_now_ns()};
    if (process->timer)
        event.release_ns = dal_timer_release_ns(process->timer);
    dal_meter_begin(&here->meter, event.begin_ns, copy->lengthy);
    here->tokens = here->made = 0;
    here->waited_ns = 0;
    dal_own_enter(process, &process->own);
    step->run(&copy->dal, &copy->activation);
    dal_own_leave(process, &process->own, "fire");
    event.end_ns = dal_now_ns();
    event.firings = copy->activation.fired + (copy->activation.status != 0);
    event.tokens = here->tokens;
    event.made = here->made;
    copy->lengthy = dal_meter_end(&here->meter, process, event.end_ns);
    dal_span_add(&copy->span, event.begin_ns, event.end_ns);
    add_time(step, event.end_ns - event.begin_ns - here->waited_ns);
    if (process->timer)
        remember_event(row, process->timer);
    dal_trace_add(row, event);
}

void dal__step_alone(struct dal_group *group, void (*run)(DALProcess *p, struct dal_activation *a),
                     struct dal_trace_row *row)
{
    const struct dal_step step = {.run = run, .copy = group->copies->steps->copy};
    struct dal_here *here = dal_here();
    here->copy = group->copies;
    here->steps = 1;
    dal__step_run(group, &step, row);
    here->copy = NULL;
    if (group->timed)
        dal__group_add_times(group, 0);
}
