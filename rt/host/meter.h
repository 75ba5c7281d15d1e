/*
 * How long a thread's processor has worked for which processes, when they are timed.
 *
 * To ask for a thread's processor time is a system call, so a thread asks at most every 100 us
 * while it fires. What it has got since is shared out among the processes that it has fired since,
 * by how long their firings took. A process whose firings take longer than that is asked for by
 * itself. So time that others have stolen of the core, or that a process has slept, is nobody's.
 *
 * Thread: the one that fires; the processes' sums are atomic, several threads may add to one.
 */
#ifndef DAL_RT_HOST_METER_H
#define DAL_RT_HOST_METER_H

#include <stdint.h>

struct dal_process;

enum { DAL_METER_NS = 100 * 1000, DAL_METER_SHARES = 16 };

/* Zeroed, it is closed. */
struct dal_meter {
    int64_t wall_ns, cpu_ns; /* when it was asked last; 0: it is closed */
    struct dal_meter_share {
        struct dal_process *process;
        int64_t ns; /* its firings since */
    } shares[DAL_METER_SHARES];
    int count, next; /* the one that is likely to be added to next: processes fire in turn */
};

/* Firings begin at `begin_ns`; `alone`: they are likely to take long. */
void dal_meter_begin(struct dal_meter *meter, int64_t begin_ns, int alone);

/* They have ended. Returns whether they took long. */
int dal_meter_end(struct dal_meter *meter, struct dal_process *process, int64_t begin_ns,
                  int64_t end_ns);

/* The thread has nothing to fire: what it does now is for nobody. Does nothing when closed. */
void dal_meter_close(struct dal_meter *meter);

#endif
