/*
 * Measures how long iterations take from one process to another (net.h, struct dal_latency_desc).
 * Iteration k begins with the activation or launch of firing k * (its repetitions) of the first
 * process. It ends when its last firing of the other process was released or has completed.
 *
 * Activations of a process begin and are released in order, one thread at a time. That thread holds
 * its group's claim, or is the handler. So a count of firings is the number of a firing. Each
 * process with latencies has marks, which belong to that thread. It writes the begins of iterations
 * into rings, one for each latency; the thread of the other process reads them. A process without
 * latencies has no marks and costs nothing.
 *
 * The ring's contract: the first process's thread writes a slot, the other's reads it. The writer
 * stores `started`, then `begin_ns`, then `number` (both release). The reader loads `number`, then
 * `begin_ns` (both acquire), then `started`: a slot that is overwritten meanwhile has another
 * number there. Usually the tokens of an iteration have come all the way by then. With initial
 * tokens on the way, the other process may be ahead: an iteration that has not begun took no time.
 * An iteration is lost if its slot was overwritten, as more are on their way than a ring has slots.
 *
 * All times are nanoseconds of dal_now_ns(). Times, misses and lost ones are counted as in
 * rt/base/count.h: any thread may look while iterations end. `longest` is read when all threads
 * have been joined.
 */
#pragma once

#include "include/net.h"
#include "rt/base/histogram.h"
#include "rt/base/sync.h"

enum { DAL_LATENCY_SLOTS = 4096 };

struct dal_waits;

/* A wait of a process of a core: at which channel's end, or NULL for none (rt/host/waiter.h). */
struct dal_probe_wait {
    const struct dal_waits *at;
    int64_t ns;
};

/* A slot holds the iteration plus one; 0: none yet. */
struct dal_latency_slot {
    _Atomic uint64_t started, number;
    _Atomic int64_t begin_ns;
};

struct dal_latency {
    const struct dal_latency_desc *desc;
    struct dal_latency_slot *slots;            /* owned */
    struct dal_latency *next_begin, *next_end; /* next ones of the same process */
    /* Belong to the second process's thread. */
    _Alignas(64) struct dal_histogram times;
    _Atomic uint64_t misses; /* iterations that took longer than is allowed */
    _Atomic uint64_t lost;   /* iterations not in `times` */
    /* The wait of the second process before its last activation that began by the end of the
     * iteration that took longest. */
    struct dal_probe_wait longest;
};

/* The marks of a process. */
struct dal_probe {
    uint64_t repetitions;
    uint64_t begun, ended; /* firings */
    struct dal_latency *begins, *ends;
    struct dal_probe_wait wait; /* before its last activation */
};

/* Makes a latency between the processes of these marks, which may be the same, and adds it to them.
 * Returns DAL_OK or DAL_ERR_NOMEM; the caller finishes it either way. Call it before anything
 * fires. */
int dal_latency_init(struct dal_latency *latency, const struct dal_latency_desc *desc,
                     struct dal_probe *from, struct dal_probe *to);
/* Accepts a zeroed one. */
void dal_latency_finish(struct dal_latency *latency);

/* Have as many iterations been in time as were promised? Any thread. */
int dal_latency_is_kept(const struct dal_latency *latency);

/* So many more firings have begun, or ended. */
void dal_probe_begin(struct dal_probe *marks, uint64_t firings, int64_t now_ns);
void dal_probe_end(struct dal_probe *marks, uint64_t firings, int64_t now_ns);

/* Takes back firings that have begun and not ended, apart from the first `most`. They may begin
 * once more. */
void dal_probe_cut(struct dal_probe *marks, uint64_t most);
