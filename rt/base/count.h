/*
 * Counters of one thread that others look at while it counts. Only the owner adds, so an addition
 * is a load and a store, and no locked instruction. A look gives a value of some moment of the
 * past. All are relaxed: a count tells nothing of anything else.
 */
#pragma once

#include "rt/base/sync.h"

/* Adds to an atomic counter, by its name. The owner's thread. */
#define dal_count_add(counter, number)                                                             \
    atomic_store_explicit(&(counter),                                                              \
                          atomic_load_explicit(&(counter), memory_order_relaxed) + (number),       \
                          memory_order_relaxed)

/* Gives an atomic counter, by its name, another value. The owner's thread. */
#define dal_count_set(counter, number)                                                             \
    atomic_store_explicit(&(counter), (number), memory_order_relaxed)

/* Returns an atomic counter's value, by its name. Any thread. */
#define dal_count_get(counter) atomic_load_explicit(&(counter), memory_order_relaxed)
