#include "rt/control/control.h"

#include "rt/control/events.h"

enum { MOST_TOLD = 16 };

static void wake_all(struct dal_control *control)
{
    for (size_t i = 0; i < control->sleeper_count; i++)
        dal_wake_signal(control->sleepers[i]);
}

int dal_control_may_tell(struct dal_control *control)
{
    unsigned told = atomic_fetch_add_explicit(&control->told, 1, memory_order_relaxed);
    if (told == MOST_TOLD)
        dal_log(DAL_LOG_NOTE, "more messages of firings are not shown");
    return told < MOST_TOLD;
}

void dal_control_stop(struct dal_control *control)
{
    atomic_store_explicit(&control->stopping, 1, memory_order_seq_cst);
    wake_all(control);
}

void dal_control_break(struct dal_control *control, int error)
{
    int none = DAL_OK;
    atomic_compare_exchange_strong(&control->error, &none, error);
    atomic_store_explicit(&control->broken, 1, memory_order_seq_cst);
    wake_all(control);
}

static void add_resting(struct dal_control *control, int change)
{
    atomic_fetch_add_explicit(&control->resting, change, memory_order_seq_cst);
    if (control->events)
        dal_wake_signal(&control->events->wake);
}

void dal_control_pause(struct dal_control *control)
{
    atomic_store_explicit(&control->paused, 1, memory_order_seq_cst);
    wake_all(control);
}

void dal_control_resume(struct dal_control *control)
{
    atomic_store_explicit(&control->paused, 0, memory_order_seq_cst);
    wake_all(control);
}

int dal_control_still(struct dal_control *control)
{
    return atomic_load_explicit(&control->resting, memory_order_seq_cst) >=
           atomic_load_explicit(&control->threads, memory_order_seq_cst);
}

void dal_control_enter(struct dal_control *control)
{
    atomic_fetch_add_explicit(&control->threads, 1, memory_order_seq_cst);
}

void dal_control_leave(struct dal_control *control)
{
    add_resting(control, 1);
    atomic_fetch_add_explicit(&control->left, 1, memory_order_seq_cst);
    dal_wake_signal(&control->end);
}

void dal_control_rest(struct dal_control *control, struct dal_wake *wake)
{
    add_resting(control, 1);
    for (;;) {
        uint32_t sequence = dal_wake_prepare(wake);
        if (!dal_control_paused(control) || dal_control_broken(control))
            break;
        dal_wake_wait(wake, sequence, -1);
    }
    dal_wake_cancel(wake);
    add_resting(control, -1);
}
