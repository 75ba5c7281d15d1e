#include "rt/host/phase.h"

#include "rt/host/release.h"
#include "rt/host/run.h"

/* Sets up the next phase; its windows are those of the cycle. */
static void take_phase(struct dal_process *process, struct dal_activation *activation)
{
    activation->phase = atomic_load_explicit(&process->host.phase, memory_order_relaxed);
    activation->firings = 1;
    for (int i = 0; i < process->desc->port_count; i++)
        activation->windows[i].firing =
            dal_end_window(process->ends[i]) - dal_phase_port(process, activation->phase, i)->from;
}

struct dal_end *dal_phase_lacks(const struct dal_process *process)
{
    for (int i = 0; i < process->desc->port_count; i++)
        if (!dal_end_has(process->ends[i], dal_phase_needs(process, i)))
            return process->ends[i];
    return NULL;
}

/* Releases the tokens of a phase that is done. Returns whether it was the last of its cycle. */
static int pass_phase(struct dal_process *process, const struct dal_activation *activation)
{
    int next = activation->phase + 1;
    for (int i = 0; i < process->desc->port_count; i++)
        dal_end_move(process->ends[i],
                     activation->windows[i].firing +
                         dal_phase_port(process, activation->phase, i)->from,
                     dal_phase_needs(process, i));
    next = next == process->desc->code->phases ? 0 : next;
    atomic_store_explicit(&process->host.phase, next, memory_order_release);
    return next == 0;
}

void dal_phase_fire(struct dal_group *group, struct dal_trace_row *row)
{
    struct dal_process *process = dal__member(group, 0);
    struct dal_activation *activation = &process->host.copies[0].activation;
    int whole;
    atomic_store_explicit(&group->at_work, 1, memory_order_relaxed);
    if (!dal__process_start(process))
        return;
    if (dal_phase_is_within(process))
        dal_waiter_end(&group->actor.waiter);
    else
        dal__note_begin(group, 1);
    take_phase(process, activation);
    dal__step_alone(group, process->host.run_phase, row);
    if (activation->fired == 0) {
        dal__process_release_last(process, activation);
        dal__group_conclude(group);
        return;
    }
    whole = pass_phase(process, activation);
    process->launches++;
    dal_count_add(process->firings, (uint64_t)whole);
    if (group->actor.marked && whole)
        dal__note_end(group, 1);
}
