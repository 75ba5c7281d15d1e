/* Inits of KPN processes run one after the other. */
#include "rt/kpn/kpn.h"

static int is_turn(const struct dal_process *process, unsigned turn)
{
    return atomic_load_explicit(&process->control->inits, memory_order_seq_cst) >= turn ||
           dal_control_broken(process->control);
}

void dal__kpn_wait_for_turn(const struct dal_process *process, unsigned turn)
{
    struct dal_wake *wake = process->pool->wakes[0];
    while (!is_turn(process, turn)) {
        uint32_t sequence;
        dal__kpn_rest(process);
        sequence = dal_wake_prepare(wake);
        if (is_turn(process, turn) || dal_control_paused(process->control))
            dal_wake_cancel(wake);
        else
            dal_wake_wait(wake, sequence, -1);
    }
}

void dal__kpn_give_turn(const struct dal_process *process)
{
    struct dal_control *control = process->control;
    struct dal_kpn *kpn = process->host.kpn;
    kpn->passed = 1;
    atomic_fetch_add_explicit(&control->inits, 1, memory_order_seq_cst);
    if (kpn->follower)
        dal_wake_signal(kpn->follower->pool->wakes[0]);
    for (size_t i = 0; !kpn->follower && i < control->sleeper_count; i++)
        dal_wake_signal(control->sleepers[i]);
}
