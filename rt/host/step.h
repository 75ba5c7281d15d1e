/*
 * A step: firings of one process, in one of its copies, by the thread that has it. All sorts of
 * processes are fired so: in blocks, phase by phase, or in a thread of their own.
 */
#ifndef DAL_RT_HOST_STEP_H
#define DAL_RT_HOST_STEP_H

#include "rt/host/group.h"

/* Runs a step and measures it, for statistics and for a trace, whose row is the thread's. */
void dal__step_timed(const struct dal_step *step, struct dal_trace_row *row);

/* Runs a step. The activation of its copy says how often it is to fire, and then, how it fired. */
static inline __attribute__((always_inline)) void
dal__step_run(const struct dal_group *group, const struct dal_step *step, struct dal_trace_row *row)
{
    struct dal_copy *copy = step->copy;
    struct dal_process *process = copy->activation.process;
    dal_copy_turn(copy);
    if (group->timed) {
        dal__step_timed(step, row);
    } else {
        dal_own_enter(process, &process->own);
        step->run(&copy->dal, &copy->activation);
        dal_own_leave(process, &process->own, "fire");
    }
    dal_copy_turn(copy);
}

/* Runs the only process and copy of a group by `run`, and counts its time. */
void dal__step_alone(struct dal_group *group, void (*run)(DALProcess *p, struct dal_activation *a),
                     struct dal_trace_row *row);

#endif
