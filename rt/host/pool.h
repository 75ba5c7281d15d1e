/*
 * A pool: the threads that may fire the same processes, most often the workers of the same cores.
 *
 * Whoever makes work tells the pool. One of its threads that sleeps is woken, unless another one is
 * searching, which will find the work by itself. So one piece of work wakes one thread, however
 * many there are. A thread that stops searching because it has found something wakes another one,
 * if nobody else is searching: there may be more work. (Go's scheduler and Tokio's do it like
 * this.)
 *
 * Contract: work is made visible by a sequentially consistent store, then the pool is told. A
 * thread stops searching, then looks once more (DAL_PASS_LAST, rt/host/activate.h), then sleeps. So
 * either it sees the work, or the one who made it sees that nobody is searching. A thread that was
 * searching and has found something tells the pool once it does not count as searching any more.
 * pool.pml is a model.
 */
#pragma once

#include "rt/base/sync.h"
#include "rt/base/wake.h"

struct dal_pool {
    struct dal_wake **wakes; /* one a thread, in the order of the processors; owned */
    int count;
    int most;                           /* activations at once; more threads would find no work */
    _Atomic int parked;                 /* threads, the last ones; see dal_pool_park() */
    _Alignas(64) _Atomic int searching; /* threads; changes when one begins or stops */
};

/* Returns how many of its threads begin work. */
static inline int dal_pool_in_use(const struct dal_pool *pool)
{
    return pool->count - atomic_load_explicit(&pool->parked, memory_order_relaxed);
}

/* Parks the last `parked` threads from now on: they go on with what they have begun, begin nothing,
 * and are not told of work. Those parked no more are woken. One thread alone calls it. */
void dal_pool_park(struct dal_pool *pool, int parked);

/* Tells the pool that there may be work. Any thread; neither blocks nor allocates. */
void dal_pool_tell(struct dal_pool *pool);

/* Wakes all that sleep. */
void dal_pool_tell_all(const struct dal_pool *pool);

enum { DAL_POOLS_NOTED = 4 };

/* A thread's search for work in all pools that it shares with others. */
struct dal_search {
    struct dal_pool **pools; /* owned */
    int *numbers;            /* the thread's in each of them; owned */
    int count;
    int state; /* enum dal_search_state */
    /* While the thread holds what others wait for, it notes whom to tell: waking takes long. */
    int holds;
    struct dal_pool *noted[DAL_POOLS_NOTED];
    int noted_count;
};

enum dal_search_state {
    DAL_SEARCH_NONE,   /* it works */
    DAL_SEARCH_COUNTS, /* it searches, and counts as such */
    DAL_SEARCH_LAST,   /* it is about to sleep, or was woken */
};

/* The thread begins to search. Returns the most others that search in one of the pools. */
int dal_search_begin(struct dal_search *search);

/* It will look once more and then sleep, or has slept. */
void dal_search_last(struct dal_search *search);

/* That look was in vain. If the thread is parked in a pool, it tells that one: others may have
 * relied on it while it was told of work, or counted as searching (rt/host/park.pml). */
void dal_search_pass_on(const struct dal_search *search);

/* Tells a pool, or notes it if the thread holds something. Accepts NULL: tells it. */
void dal_search_tell(struct dal_search *search, struct dal_pool *pool);

/* The thread holds no more what others wait for: tells those that were noted. */
void dal_search_let_go(struct dal_search *search);

/* A thread that does not only work has found something, or ends. */
void dal__search_left(struct dal_search *search);

/* The same for any thread. Accepts NULL. */
static inline void dal_search_leave(struct dal_search *search)
{
    if (search && search->state != DAL_SEARCH_NONE)
        dal__search_left(search);
}
