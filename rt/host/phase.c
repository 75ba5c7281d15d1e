#include "rt/host/phase.h"

struct dal_end *dal_phase_lacks(const struct dal_process *process)
{
    int i;
    for (i = 0; i < process->desc->port_count; i++)
        if (!dal_end_has(process->ends[i], dal_phase_needs(process, i)))
            return process->ends[i];
    return NULL;
}

void dal_phase_take(struct dal_process *process, struct dal_activation *activation)
{
    int i;
    activation->phase = atomic_load_explicit(&process->phase, memory_order_relaxed);
    activation->firings = 1;
    for (i = 0; i < process->desc->port_count; i++)
        activation->windows[i].firing =
            dal_end_window(process->ends[i]) - dal_phase_port(process, activation->phase, i)->from;
}

int dal_phase_pass(struct dal_process *process, const struct dal_activation *activation)
{
    int i, next = activation->phase + 1;
    for (i = 0; i < process->desc->port_count; i++)
        dal_end_move(process->ends[i],
                     activation->windows[i].firing +
                         dal_phase_port(process, activation->phase, i)->from,
                     dal_phase_needs(process, i));
    next = next == process->desc->code->phases ? 0 : next;
    atomic_store_explicit(&process->phase, next, memory_order_release);
    return next == 0;
}
