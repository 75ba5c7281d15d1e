/*
 * How long iterations are on their way from one process to another (net.h, struct
 * dal_latency_desc). Iteration k begins with the activation, or launch, that has firing k * (its
 * repetitions) of the first process, and ends when that with its last firing of the other process
 * has been released, or has completed.
 *
 * Activations of a process begin in order and are released in order, one thread at a time: that
 * which has its group's claim, or the handler. So firings are counted, and that is their number.
 * Each process that is asked about has marks. They are that thread's, and it writes the begins of
 * iterations into rings, one a latency. The thread of the other process reads them. A process that
 * nobody asks about has none, and costs nothing.
 *
 * The ring's contract: a slot is written by the first process's thread and read by the other's. The
 * writer stores `started`, then `begin_ns`, then `number` (both release). The reader loads
 * `number`, then `begin_ns` (both acquire), then `started`: a slot that is written over meanwhile
 * has another number there. Usually tokens have come all the way by then, and all is there. With
 * initial tokens on the way the other process may be ahead: an iteration that has not begun took no
 * time. One that was written over, as more are on their way than a ring has slots, is lost.
 *
 * All times are nanoseconds of dal_now_ns(). What is counted is read when all threads have been
 * joined.
 */
#ifndef DAL_RT_HOST_LATENCY_H
#define DAL_RT_HOST_LATENCY_H

#include "include/net.h"
#include "rt/base/histogram.h"
#include "rt/base/sync.h"

enum { DAL_LATENCY_SLOTS = 4096 };

/* Iteration plus one; 0: none yet. */
struct dal_latency_slot {
    _Atomic uint64_t started, number;
    _Atomic int64_t begin_ns;
};

struct dal_latency {
    const struct dal_latency_desc *desc;
    struct dal_latency_slot *slots;            /* owned */
    struct dal_latency *next_begin, *next_end; /* of the same process */
    /* The second process's thread's. */
    _Alignas(64) struct dal_histogram times;
    uint64_t misses; /* iterations that took longer than is allowed */
    uint64_t lost;   /* that are not in `times` */
};

/* Of a process. */
struct dal_marks {
    uint64_t repetitions;
    uint64_t begun, ended; /* firings */
    struct dal_latency *begins, *ends;
};

/* Makes a latency between the processes that have these marks, which it is added to; they may be
 * the same. DAL_OK or DAL_ERR_NOMEM; it is finished either way. Before anything fires. */
int dal_latency_init(struct dal_latency *latency, const struct dal_latency_desc *desc,
                     struct dal_marks *from, struct dal_marks *to);
/* Accepts a zeroed one. */
void dal_latency_finish(struct dal_latency *latency);

/* So many firings more have begun, or ended. */
void dal_marks_begin(struct dal_marks *marks, uint64_t firings, int64_t now_ns);
void dal_marks_end(struct dal_marks *marks, uint64_t firings, int64_t now_ns);

/* Of the firings that have begun and not ended, only the first `most` will end: the others are as
 * if they had not begun, and may begin once more. */
void dal_marks_cut(struct dal_marks *marks, uint64_t most);

#endif
