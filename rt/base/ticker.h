/*
 * A thread that looks at something again and again, until it is stopped. One thread starts and
 * stops it.
 */
#pragma once

#include "rt/base/wake.h"

struct dal_ticker { /* starts as zeros */
    struct dal_wake wake;
    _Atomic int stopping; /* see dal_wake_signal() */
    pthread_t thread;
    int runs;
};

/* Starts a thread that calls run(of). `what` stands before a message of failure. Returns DAL_OK or
 * DAL_ERR_SYSTEM, logged. */
int dal_ticker_start(struct dal_ticker *ticker, const char *what, void *(*run)(void *), void *of);

/* Wakes the thread and waits for its end. Accepts one that was not started. */
void dal_ticker_stop(struct dal_ticker *ticker);

/* Returns whether the thread is to end. */
static inline int dal_ticker_stops(const struct dal_ticker *ticker)
{
    return atomic_load_explicit(&ticker->stopping, memory_order_seq_cst);
}

/* Sleeps until a moment (dal_now_ns()) or the stop. Returns whether the thread goes on. The
 * thread alone calls it. */
int dal_ticker_sleep(struct dal_ticker *ticker, int64_t until_ns);
