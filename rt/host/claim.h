/*
 * A claim to what several workers may use, one at a time. Pairs: giving it up (release) hands all
 * that was done under it to who takes it next (acquire).
 *
 * Who finds it taken passes by. Of two who look for work while some comes, one may have looked too
 * early and the other, whom the news has woken, pass by the first: then both would sleep. So who is
 * about to sleep leaves word, and who has found nothing looks for word behind the claim's end
 * (`missed` and `taken`, sequentially consistent: either the one sees the word, or the other the
 * claim free).
 */
#ifndef DAL_RT_HOST_CLAIM_H
#define DAL_RT_HOST_CLAIM_H

#include "rt/base/sync.h"

struct dal_claim {
    int shared; /* there are several workers; without, it costs nothing */
    _Atomic int taken;
    _Atomic int missed; /* the word: somebody relies on another look */
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

/* By who sleeps if there is nothing: takes it, or leaves word. */
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

/* By who has found nothing to do. Returns whether there was word: then it looks once more. */
static inline int dal_claim_give_up_idle(struct dal_claim *claim)
{
    if (!claim->shared)
        return 0;
    atomic_store_explicit(&claim->taken, 0, memory_order_seq_cst);
    return atomic_load_explicit(&claim->missed, memory_order_seq_cst) &&
           atomic_exchange_explicit(&claim->missed, 0, memory_order_seq_cst);
}

#endif
