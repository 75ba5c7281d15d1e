/* Time for measuring: monotonic, in nanoseconds. Any thread. */
#pragma once

#include <stdint.h>

/* Returns nanoseconds since a fixed moment of the past; never goes back. */
int64_t dal_now_ns(void);

/* Returns dal_now_ns() at the last tick of the system, 1 to 10 ms ago, at a quarter of the cost. */
int64_t dal_tick_ns(void);

/* Returns the processor time of the calling thread, in nanoseconds; a system call. */
int64_t dal_thread_ns(void);

/* Returns dal_now_ns() in so many nanoseconds: now if they are negative, INT64_MAX if it is so far
 * that it never comes. */
int64_t dal_until_ns(int64_t wait_ns);
