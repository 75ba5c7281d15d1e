/*
 * Real-time mode of a program (DAL_REALTIME, or its mapping): threads that fire come before all
 * ordinary ones, and their memory is there before they need it. What the system does not allow is a
 * warning, once, and the program goes on without it. A program that is not ours is never changed.
 */
#pragma once

#include <stddef.h>

/* Priorities of SCHED_FIFO, below the usual one of the kernel's threads for interrupts. */
enum { DAL_REALTIME_MOST = 49 };

/* Reads DAL_REALTIME. *priority is `usual` without it, and 0 without the mode. Returns DAL_OK or
 * DAL_ERR_INVALID, logged. */
int dal_realtime_read(int usual, int *priority);

/* Gives the calling thread the priority, but not threads and programs that it starts. Touches the
 * stack that its firings will use. */
void dal_realtime_begin(int priority);

/* Touches memory, which others may write meanwhile: its pages are there, near the calling thread.
 */
void dal_realtime_touch(void *memory, size_t bytes);

/* Keeps all memory that the program has now, each page once it is there. */
void dal_realtime_lock(void);
