/* Time for measuring: monotonic, in nanoseconds. Any thread. */
#ifndef DAL_RT_BASE_CLOCK_H
#define DAL_RT_BASE_CLOCK_H

#include <stdint.h>

/* Nanoseconds since a fixed moment of the past; never goes back. */
int64_t dal_now_ns(void);

/* The same, as of the last tick of the system, 1 to 10 ms ago: a quarter of the cost. */
int64_t dal_tick_ns(void);

/* Processor time that the calling thread has had; a system call. */
int64_t dal_thread_ns(void);

#endif
