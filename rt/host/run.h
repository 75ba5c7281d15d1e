/*
 * Runs the steps of an activation. A step is some firings of one process in one of its copies. A
 * group runs a block of each process in turn, and goes on with a block that was cut short
 * (rt/host/group.h). A process that is fired phase by phase, or has a thread of its own, runs
 * single steps.
 */
#pragma once

#include "rt/host/group.h"

/* Runs a step and measures it for statistics, and for a trace: `row` is the thread's row. */
void dal__step_timed(const struct dal_step *step, struct dal_trace_row *row);

/* Runs a step. The activation of its copy says how often to fire, and later how it fired. */
static inline __attribute__((always_inline)) void
dal__step_run(const struct dal_group *group, const struct dal_step *step, struct dal_trace_row *row)
{
    struct dal_copy *copy = step->copy;
    struct dal_process *process = copy->activation.process;
    dal_copy_turn(copy);
    if (group->actor.timed) {
        dal__step_timed(step, row);
    } else {
        dal_own_enter(process, &process->host.own);
        step->run(&copy->dal, &copy->activation);
        dal_own_leave(process, &process->host.own, "fire");
    }
    dal_copy_turn(copy);
}

/* Runs the only process and copy of a group by `run`, and counts its time. */
void dal__step_alone(struct dal_group *group, void (*run)(DALProcess *p, struct dal_activation *a),
                     struct dal_trace_row *row);

/* Runs a copy that was begun or resumed, and sets the pace by the time that it takes. For the
 * holder of the group's claim; where the group has other copies, it is given up meanwhile. `more`
 * says whether one of these may begin, too. */
void dal__group_run(struct dal_group *group, struct dal_group_copy *copy, int more,
                    struct dal_trace_row *row);
