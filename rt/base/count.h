/*
 * What one thread counts and others look at while it does. Only the owner adds, so an addition is a
 * load and a store, and no locked instruction; a look is at some moment of the past (relaxed: a
 * count tells nothing of anything else).
 */
#ifndef DAL_RT_BASE_COUNT_H
#define DAL_RT_BASE_COUNT_H

#include "rt/base/sync.h"

/* Adds to an atomic counter, by its name. The owner's thread. */
#define dal_count_add(counter, number)                                                             \
    atomic_store_explicit(&(counter),                                                              \
                          atomic_load_explicit(&(counter), memory_order_relaxed) + (number),       \
                          memory_order_relaxed)

/* Any thread. */
#define dal_count_get(counter) atomic_load_explicit(&(counter), memory_order_relaxed)

#endif
