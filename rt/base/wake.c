#define _GNU_SOURCE
#include "rt/base/wake.h"

#include "rt/base/clock.h"

#include <linux/futex.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Values of `waiting`. */
enum { NOBODY, THREAD, FILES };

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
    atomic_store_explicit(&wake->waiting, THREAD, memory_order_seq_cst);
    fence();
    return sequence;
}

void dal_wake_cancel(struct dal_wake *wake)
{
    atomic_store_explicit(&wake->waiting, NOBODY, memory_order_relaxed);
}

void dal_wake_wait(struct dal_wake *wake, uint32_t sequence, int64_t timeout_ns)
{
    struct timespec limit = {.tv_sec = timeout_ns / 1000000000, .tv_nsec = timeout_ns % 1000000000};
    if (atomic_load_explicit(&wake->sequence, memory_order_seq_cst) == sequence)
        syscall(SYS_futex, &wake->sequence, FUTEX_WAIT_PRIVATE, sequence,
                timeout_ns < 0 ? NULL : &limit, NULL, 0);
    dal_wake_cancel(wake);
}

/* ThreadSanitizer keeps a signal until its thread calls a function that it knows: a futex is none.
 * The thread that waits for the end of a run is the one that gets the signals of a terminal. */
static int64_t nap(int64_t left_ns)
{
#ifdef __SANITIZE_THREAD__
    enum { LONGEST_NS = 100000000 };
    usleep(0);
    return left_ns < LONGEST_NS ? left_ns : LONGEST_NS;
#else
    return left_ns == INT64_MAX ? -1 : left_ns;
#endif
}

int dal_wake_until(struct dal_wake *wake, int (*is_over)(const void *of), const void *of,
                   int64_t until_ns)
{
    int64_t now_ns;
    while (!is_over(of) && (now_ns = dal_now_ns()) < until_ns) {
        int64_t nap_ns = nap(until_ns == INT64_MAX ? INT64_MAX : until_ns - now_ns);
        uint32_t sequence = dal_wake_prepare(wake);
        if (is_over(of))
            dal_wake_cancel(wake);
        else
            dal_wake_wait(wake, sequence, nap_ns);
    }
    return is_over(of);
}

/* The file is emptied before `waiting` is stored and looks follow. A signal makes work visible,
 * clears `waiting` and then adds to the file. If the emptying takes that addition, it has seen the
 * signal: the work is seen by the looks, and the clearing comes before the store here. If not, the
 * file stays readable. A signal that does not see the store has its work seen, as with a thread. */
void dal_wake_arm(struct dal_wake *wake, int file)
{
    eventfd_t count;
    eventfd_read(file, &count);
    atomic_store_explicit(&wake->waiting, FILES + (uint32_t)file, memory_order_seq_cst);
    fence();
}

void dal_wake_show(int file)
{
    eventfd_write(file, 1);
}

int dal_wake_signal(struct dal_wake *wake)
{
    uint32_t waiting = atomic_load_explicit(&wake->waiting, memory_order_seq_cst);
    if (waiting == NOBODY)
        return 0;
    atomic_store_explicit(&wake->waiting, NOBODY, memory_order_relaxed);
    atomic_fetch_add_explicit(&wake->sequence, 1, memory_order_seq_cst);
    syscall(SYS_futex, &wake->sequence, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    if (waiting >= FILES)
        dal_wake_show((int)(waiting - FILES));
    return 1;
}
