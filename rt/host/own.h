/*
 * What of its thread's state a process has by itself, as if it had a thread of its own: control and
 * exceptions of floating point, the locale of the thread, and the mask of signals. What its init or
 * a firing leaves is what its next firing begins with, on whichever worker that is, and what finish
 * begins with. Each process begins with what dal_thread_begin() says, and with the worker's mask.
 *
 * The first two are looked at behind each activation. A mask is asked of the system, so it is
 * looked at behind init, finish and the first activation, and behind each one of a process that has
 * a mask of its own. So are cores that the thread is bound to and the working folder: these are put
 * back with a warning, as is the program's locale.
 *
 * Copies of a process that fire side by side begin with what init has left, and a change that one
 * of them leaves is an error: no firing comes behind another.
 */
#ifndef DAL_RT_HOST_OWN_H
#define DAL_RT_HOST_OWN_H

#include "rt/base/thread.h"

#include <signal.h>

struct dal_process;

struct dal_own {
    struct dal_float floating; /* `raised` is in `control`; 0 */
    uint32_t minded;           /* bits of `control` that count: of several copies no exceptions */
    int odd;                   /* DAL_OWN_...; 0: nothing but `control` */
    locale_t locale;           /* that of users, or the runtime's */
    sigset_t mask;
};

enum { DAL_OWN_LOOK = 1, DAL_OWN_MASK = 2, DAL_OWN_REST = 4 };

/* Once the number of copies is known, before init. */
void dal_own_init(struct dal_process *process);

/* What dal_own_enter() and dal_own_leave() do where there is more than `control`. `now` is what was
 * found. */
void dal__own_enter(const struct dal_own *own);
void dal__own_leave(struct dal_process *process, struct dal_own *own, struct dal_float now,
                    const char *role);

/* Around what users run, in its thread; `role` is "init", "finish" or "fire". */
static inline void dal_own_enter(const struct dal_own *own)
{
    if (own->odd)
        dal__own_enter(own);
    else if (own->floating.control != DAL_FLOAT_PLAIN.control)
        dal_float_set_control(own->floating.control);
}

static inline void dal_own_leave(struct dal_process *process, struct dal_own *own, const char *role)
{
    struct dal_float now = dal_float_get();
    if (own->odd || ((now.control ^ own->floating.control) & own->minded) || now.raised ||
        now.x87 != DAL_FLOAT_PLAIN.x87 || uselocale((locale_t)0) != own->locale)
        dal__own_leave(process, own, now, role);
    else if (now.control != DAL_FLOAT_PLAIN.control)
        dal_float_set_control(DAL_FLOAT_PLAIN.control);
}

/* Around init and finish as well, outside of the other two. */
struct dal_own_call {
    int folder;
    char locale[256];
};
void dal_own_begin_call(struct dal_own *own, struct dal_own_call *call);
void dal_own_end_call(struct dal_process *process, const char *role, struct dal_own_call *call);

#endif
