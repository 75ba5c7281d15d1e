/*
 * A claim to what several workers may use, one at a time. Pairs: giving it up (release) hands all
 * that was done under it to who takes it next (acquire).
 */
#ifndef DAL_RT_HOST_CLAIM_H
#define DAL_RT_HOST_CLAIM_H

#include <stdatomic.h>

struct dal_claim {
    int shared; /* there are several workers; without, it costs nothing */
    _Atomic int taken;
};

/* Waits for it, with others that have copies of what is claimed: they hold it for short. */
static inline void dal_claim_wait(struct dal_claim *claim)
{
    while (atomic_exchange_explicit(&claim->taken, 1, memory_order_acquire))
        ;
}

/* Takes it if it is free. Looks before: workers that pass by leave the cache line alone. */
static inline int dal_claim_try(struct dal_claim *claim)
{
    return !claim->shared || (!atomic_load_explicit(&claim->taken, memory_order_relaxed) &&
                              !atomic_exchange_explicit(&claim->taken, 1, memory_order_acquire));
}

static inline void dal_claim_give_up(struct dal_claim *claim)
{
    if (claim->shared)
        atomic_store_explicit(&claim->taken, 0, memory_order_release);
}

#endif
