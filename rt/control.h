/*
 * The state of a running network as a whole: going on, stopping, or broken.
 *
 * Any thread may change it, every thread looks at it between firings; nothing blocks without
 * being woken by a change (dal_wake_signal on every sleeper).
 */
#ifndef DAL_RT_CONTROL_H
#define DAL_RT_CONTROL_H

#include "rt/base/error.h"
#include "rt/base/wake.h"

#include <stdatomic.h>
#include <stddef.h>

struct dal_control {
    _Atomic int stopping;       /* sources are not fired again; what was sent still arrives */
    _Atomic int broken;         /* everybody returns at once */
    _Atomic int error;          /* the first error, DAL_OK until then */
    struct dal_wake **sleepers; /* set before threads start, constant then */
    size_t sleeper_count;
};

/* Asks for an orderly end. Async-signal-safe. */
void dal_control_stop(struct dal_control *control);

/* Ends everything now; `error` (negative) is kept if it is the first. Async-signal-safe. */
void dal_control_break(struct dal_control *control, int error);

static inline int dal_control_broken(struct dal_control *control)
{
    return atomic_load_explicit(&control->broken, memory_order_acquire);
}

static inline int dal_control_stopping(struct dal_control *control)
{
    return atomic_load_explicit(&control->stopping, memory_order_acquire);
}

#endif
