#define _GNU_SOURCE
#include "rt/base/wake.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Keeps the looks that follow behind the store of `waiting`. They are acquire loads, which may come
 * before it: ldapr of ARMv8.3 does. ThreadSanitizer knows no fences; where it runs, the store is
 * one. */
static void fence(void)
{
#ifndef __SANITIZE_THREAD__
    atomic_thread_fence(memory_order_seq_cst);
#endif
}

uint32_t dal_wake_prepare(struct dal_wake *wake)
{
    /* Pairs with the addition of a signal that is under way. That has cleared `waiting` before,
     * which must not come after the store here. */
    uint32_t sequence = atomic_load_explicit(&wake->sequence, memory_order_acquire);
    atomic_store_explicit(&wake->waiting, 1, memory_order_seq_cst);
    fence();
    return sequence;
}

void dal_wake_cancel(struct dal_wake *wake)
{
    atomic_store_explicit(&wake->waiting, 0, memory_order_relaxed);
}

void dal_wake_wait(struct dal_wake *wake, uint32_t sequence, int64_t timeout_ns)
{
    struct timespec limit = {.tv_sec = timeout_ns / 1000000000, .tv_nsec = timeout_ns % 1000000000};
    if (atomic_load_explicit(&wake->sequence, memory_order_seq_cst) == sequence)
        syscall(SYS_futex, &wake->sequence, FUTEX_WAIT_PRIVATE, sequence,
                timeout_ns < 0 ? NULL : &limit, NULL, 0);
    dal_wake_cancel(wake);
}

int dal_wake_signal(struct dal_wake *wake)
{
    if (!atomic_load_explicit(&wake->waiting, memory_order_seq_cst))
        return 0;
    atomic_store_explicit(&wake->waiting, 0, memory_order_relaxed);
    atomic_fetch_add_explicit(&wake->sequence, 1, memory_order_seq_cst);
    syscall(SYS_futex, &wake->sequence, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return 1;
}
