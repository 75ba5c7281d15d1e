/*
 * State of a thread that each process has for itself, as if it had its own thread: floating-point
 * control and exceptions, the thread's locale, and the signal mask. A process keeps it from init to
 * firing, from firing to firing, and to finish, on whichever worker these run. It begins with what
 * dal_thread_begin() sets, and with the worker's mask.
 *
 * Floating point and locale are checked after each activation. Reading a mask is a system call. So
 * it is checked after init, finish and the first activation, and after each one of a process with
 * its own mask. The thread's cores and the working folder are checked at the same times. These are
 * put back with a warning, as is the program's locale.
 *
 * Copies of a process that fire side by side begin with what init left. A change that a firing
 * leaves is an error there, since these firings have no order.
 */
#pragma once

#include "rt/base/thread.h"

#include <signal.h>

struct dal_process;

struct dal_own {
    struct dal_float floating; /* `control` includes `raised`, which is 0 */
    uint32_t minded;           /* bits of `control` to compare; no exceptions for several copies */
    int odd;                   /* bits DAL_OWN_...; 0: dal_own_enter() sets only `control` */
    locale_t locale;           /* the locale of users' functions; at first the runtime's */
    sigset_t mask;
};

enum { DAL_OWN_LOOK = 1, DAL_OWN_MASK = 2, DAL_OWN_REST = 4, DAL_OWN_TEAM = 8 };

/* Call it once the number of copies is known, before init. */
void dal_own_init(struct dal_process *process);

/* Do what dal_own_enter() and dal_own_leave() do where `control` is not enough. `now` is the state
 * that was found. */
void dal__own_enter(const struct dal_process *process, const struct dal_own *own);
void dal__own_leave(struct dal_process *process, struct dal_own *own, struct dal_float now,
                    const char *role);

/* Call them around users' functions, in their thread; `role` is "init", "finish" or "fire". If the
 * process has threads, its next parallel regions have as many. */
static inline void dal_own_enter(const struct dal_process *process, const struct dal_own *own)
{
    if (own->odd)
        dal__own_enter(process, own);
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

/* Call these around init and finish, outside of dal_own_enter() and dal_own_leave(). */
struct dal_own_call {
    int folder;
    char locale[256];
};
void dal_own_begin_call(struct dal_own *own, struct dal_own_call *call);
void dal_own_end_call(struct dal_process *process, const char *role, struct dal_own_call *call);
