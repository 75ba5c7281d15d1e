/*
 * Measures how long a thread's processor has worked for which processes, when they are timed.
 *
 * Reading a thread's processor time is a system call, so a thread does it at most every 100 us
 * while it fires. It shares the time since then among the processes it fired, by how long their
 * firings took. A process whose firings take longer than that is measured by itself. So time that
 * others took from the core, or that a process slept, counts for nobody.
 *
 * Thread: the one that fires. The processes' sums are atomic, since several threads may add to one.
 */
#pragma once

#include <stdint.h>

struct dal_process;

enum { DAL_METER_NS = 100 * 1000, DAL_METER_SHARES = 16 };

/* A zeroed meter is closed. */
struct dal_meter {
    int64_t since_ns;        /* when the firings began that go on; 0 without any */
    int64_t wall_ns, cpu_ns; /* at its last reading; 0: it is closed */
    struct dal_meter_share {
        struct dal_process *process;
        int64_t ns; /* of its firings since then */
    } shares[DAL_METER_SHARES];
    int count, next; /* `next`: the share that is likely to come next, as processes fire in turn */
};

/* Tells that firings begin at `begin_ns`. With `alone` they are likely to take long. */
void dal_meter_begin(struct dal_meter *meter, int64_t begin_ns, int alone);

/* Returns whether firings go on. */
static inline int dal_meter_runs(const struct dal_meter *meter)
{
    return meter->since_ns != 0;
}

/* Tells that firings have ended. Returns whether they took long. */
int dal_meter_end(struct dal_meter *meter, struct dal_process *process, int64_t end_ns);

/* Closes the meter, as the thread has nothing to fire: its time counts for nobody from now on. */
void dal_meter_close(struct dal_meter *meter);
