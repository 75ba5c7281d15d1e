/*
 * Lets a thread sleep until there may be work: an eventcount on a futex.
 *
 * Lock contract: one thread waits, any thread signals. The waiter calls dal_wake_prepare(), looks
 * for work once more, and then either dal_wake_cancel() or dal_wake_wait(). A signaller makes its
 * work visible with a sequentially consistent store and then calls dal_wake_signal(). That store
 * and the load of `waiting` in dal_wake_signal() pair with two operations of the waiter: its store
 * of `waiting`, and its fence before the second look (Dekker, in Dijkstra 1965). So no work is
 * missed. wake.pml is a model.
 *
 * In the waiter's place a file may wait, an eventfd (2). dal_wake_arm() announces that instead of
 * dal_wake_prepare(). A signal then adds 1 to the file, so that poll() wakes whoever looks at it.
 * wake_file.pml is a model.
 */
#pragma once

#include "rt/base/sync.h"

#include <stdint.h>

struct dal_wake {
    _Atomic uint32_t sequence; /* the futex word: changes with every signal that finds a waiter */
    _Atomic uint32_t waiting;  /* 0: nobody, 1: a thread, more: a file, and 2 */
};

/* Announces the intention to sleep. Returns the argument for dal_wake_wait(). */
uint32_t dal_wake_prepare(struct dal_wake *wake);
void dal_wake_cancel(struct dal_wake *wake);

/* Sleeps until a signal that came after dal_wake_prepare(), or `timeout_ns` (negative: for ever).
 */
void dal_wake_wait(struct dal_wake *wake, uint32_t sequence, int64_t timeout_ns);

/* Sleeps until is_over(of), which looks at what comes before a signal, or until a moment of
 * dal_now_ns(); INT64_MAX: none. Returns whether it is over. */
int dal_wake_until(struct dal_wake *wake, int (*is_over)(const void *of), const void *of,
                   int64_t until_ns);

/* Empties a file that does not block, and announces that it waits. The waiter then looks for work
 * once more. If there is some, it calls dal_wake_cancel() and dal_wake_show(). A file that was
 * armed before may be shown once without work: a signal for the earlier time was under way. */
void dal_wake_arm(struct dal_wake *wake, int file);

/* Makes a file readable until it is armed. */
void dal_wake_show(int file);

/* Wakes the waiter, or shows the file, if there is one. Returns 1 when there was.
 * Async-signal-safe. */
int dal_wake_signal(struct dal_wake *wake);
