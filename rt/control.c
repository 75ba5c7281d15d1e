#include "rt/control.h"

static void wake_all(struct dal_control *control)
{
    size_t i;
    for (i = 0; i < control->sleeper_count; i++)
        dal_wake_signal(control->sleepers[i]);
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
