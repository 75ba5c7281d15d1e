/*
 * Lets a thread sleep until there may be work: an eventcount on a futex.
 *
 * Lock contract: one thread waits, any thread signals. The waiter calls dal_wake_prepare(), looks
 * for work once more, and then either dal_wake_cancel() or dal_wake_wait(). A signaller makes its
 * work visible with a sequentially consistent store and then calls dal_wake_signal(). That store
 * and the load of `waiting` in dal_wake_signal() pair with two operations of the waiter: its store
 * of `waiting`, and its fence before the second look (Dekker, in Dijkstra 1965). So no work is
 * missed. wake.pml is a model.
 */
#pragma once

#include "rt/base/sync.h"

#include <stdint.h>

struct dal_wake {
    _Atomic uint32_t sequence; /* the futex word: changes with every signal that finds a waiter */
    _Atomic uint32_t waiting;
};

/* Announces the intention to sleep. Returns the argument for dal_wake_wait(). */
uint32_t dal_wake_prepare(struct dal_wake *wake);
void dal_wake_cancel(struct dal_wake *wake);

/* Sleeps until a signal that came after dal_wake_prepare(), or `timeout_ns` (negative: for ever).
 */
void dal_wake_wait(struct dal_wake *wake, uint32_t sequence, int64_t timeout_ns);

/* Wakes the waiter if there is one. Returns 1 when there was. Async-signal-safe. */
int dal_wake_signal(struct dal_wake *wake);
