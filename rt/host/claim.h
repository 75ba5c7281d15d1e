/*
 * A claim lets one worker at a time use what several share. Giving it up (release) pairs with
 * taking it (acquire), which hands over all that was done under it.
 *
 * A worker that finds the claim taken passes by. Suppose worker A holds the claim and looks just
 * before work comes. Worker B, which the work woke, finds the claim taken and passes by: both would
 * sleep. So a worker about to sleep sets `missed`, and a worker that found nothing reads it after
 * it has given up the claim. `missed` and `taken` are sequentially consistent: either A sees
 * `missed`, or B finds the claim free.
 */
#pragma once

#include "rt/base/sync.h"

struct dal_claim {
    int shared; /* True when there are several workers; otherwise the claim costs nothing. */
    _Atomic int taken;
    _Atomic int missed; /* True when somebody relies on another look. */
};

enum { DAL_LOOKS_AT_CLAIM = 64 };

/* Waits for the claim, which workers with other copies hold for a short time. Those that wait only
 * read. */
static inline void dal_claim_wait(struct dal_claim *claim)
{
    while (atomic_exchange_explicit(&claim->taken, 1, memory_order_acquire))
        while (atomic_load_explicit(&claim->taken, memory_order_relaxed))
            dal_pause();
}

/* Takes the claim if it is free. It reads first, so that workers which pass by leave the cache line
 * alone. */
static inline int dal_claim_try(struct dal_claim *claim)
{
    return !claim->shared || (!atomic_load_explicit(&claim->taken, memory_order_relaxed) &&
                              !atomic_exchange_explicit(&claim->taken, 1, memory_order_acquire));
}

/* Takes the claim if it becomes free within some microseconds. For a worker that knows of work. */
static inline int dal_claim_try_for_long(struct dal_claim *claim)
{
    for (int i = 0; i < DAL_LOOKS_AT_CLAIM; i++) {
        if (dal_claim_try(claim))
            return 1;
        dal_pause();
    }
    return 0;
}

/* Takes the claim or sets `missed`. For a worker that will sleep if there is nothing to do. */
static inline int dal_claim_try_at_last(struct dal_claim *claim)
{
    if (dal_claim_try(claim))
        return 1;
    atomic_store_explicit(&claim->missed, 1, memory_order_seq_cst);
    return !atomic_load_explicit(&claim->taken, memory_order_seq_cst) &&
           !atomic_exchange_explicit(&claim->taken, 1, memory_order_acquire);
}

static inline void dal_claim_give_up(struct dal_claim *claim)
{
    if (claim->shared)
        atomic_store_explicit(&claim->taken, 0, memory_order_release);
}

/* Gives up the claim where others may go on at once: after nothing was found to do, or when the
 * rest of the work needs no claim. Returns whether `missed` was set: then this worker, or another
 * one, must look once more. */
static inline int dal_claim_pass_on(struct dal_claim *claim)
{
    if (!claim->shared)
        return 0;
    atomic_store_explicit(&claim->taken, 0, memory_order_seq_cst);
    return atomic_load_explicit(&claim->missed, memory_order_seq_cst) &&
           atomic_exchange_explicit(&claim->missed, 0, memory_order_seq_cst);
}
