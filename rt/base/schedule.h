/*
 * A controlled scheduler, for a build with --enable-schedules: one thread runs at a time, and a
 * seed decides at each point who is next. A point is an atomic operation, or a call of
 * rt/base/sync.h. The same seed gives the same interleaving. Time is made up, and jumps where
 * everybody sleeps.
 *
 * The next thread comes from a random walk, or from priorities that fall at some points (Burckhardt
 * et al. 2010). A thread that spins does not run until something in memory has changed.
 *
 * Memory: relaxed and release stores wait in the thread's store buffer, and reach memory in their
 * order at a later point. That is its next locked instruction, sequentially consistent store, lock
 * or system call at the latest. Some seeds let relaxed stores overtake. The order "happens before"
 * is C's, kept by vector clocks (Fidge 1988; Flanagan and Freund 2009). Two accesses without that
 * order, one of which writes and is not atomic, are a race.
 *
 * A race, a deadlock, or threads that spin for ever end the program with DAL_SCHEDULE_FAILED.
 * Standard error then tells the threads and the last points. Threads that were not made between
 * begin and end, and calls outside, are the C library's.
 */
#pragma once

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

enum { DAL_SCHEDULE_FAILED = 3 }; /* exit status */

enum dal_schedule_policy { DAL_SCHEDULE_WALK, DAL_SCHEDULE_PCT };

struct dal_schedule_options {
    uint64_t seed;
    enum dal_schedule_policy policy;
    int depth;           /* PCT: one more than the points at which priorities fall */
    uint64_t most_steps; /* with more, the run counts as endless; 0: 20 million */
    int print;           /* prints each point on standard output at the end */
};

struct dal_schedule_summary {
    uint64_t steps, switches;
    uint64_t hash; /* of the interleaving */
};

/* Begins a run. The calling thread is the first; no other thread may use what is scheduled. */
void dal_schedule_begin(const struct dal_schedule_options *options);

/* Ends a run, after waiting until all other threads have ended. Called by the thread that began it.
 * `summary` may be NULL. */
void dal_schedule_end(struct dal_schedule_summary *summary);

/* Faults that tests plant in correct code. The last one takes away a safety net under lost
 * wakes. */
enum dal_schedule_plant {
    DAL_SCHEDULE_LOST,    /* a store of `value` to the object, or a wake on it, is lost */
    DAL_SCHEDULE_WEAK,    /* an exchange for `value` is a load and a store that waits in a buffer */
    DAL_SCHEDULE_FOR_EVER /* a sleep on it has no limit of time */
};

/* Plants a fault until the next begin. There is room for a few. */
void dal_schedule_plant(enum dal_schedule_plant plant, const volatile void *object, uint64_t value);

/* Reports a failure that the caller has found and named, with threads and points. */
void dal_schedule_fail(const char *what) __attribute__((noreturn));

/* Stand in for pthread_create() and so on, with the same arguments and results. */
int dal_schedule_create(pthread_t *thread, const pthread_attr_t *attributes,
                        void *(*function)(void *), void *argument);
int dal_schedule_join(pthread_t thread, void **result);
int dal_schedule_detach(pthread_t thread);
int dal_schedule_lock(pthread_mutex_t *mutex);
int dal_schedule_trylock(pthread_mutex_t *mutex);
int dal_schedule_unlock(pthread_mutex_t *mutex);
int dal_schedule_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes,
                              unsigned parties);
int dal_schedule_barrier_wait(pthread_barrier_t *barrier);
int dal_schedule_yield(void);
int dal_schedule_nanosleep(const struct timespec *time, struct timespec *left);
int dal_schedule_clock(clockid_t clock, struct timespec *now);

/* Stands in for syscall(SYS_futex, ...) with these arguments. */
long dal_schedule_futex(long number, const void *word, int operation, uint32_t value,
                        const struct timespec *limit, void *none, int zero);

/* Stand in for those of the C library, by options of the compiler (SCHEDULE_FLAGS). Freeing memory
 * counts as writing all of it; new memory has no past. */
void *dal_schedule_memcpy(void *to, const void *from, size_t bytes);
void *dal_schedule_memmove(void *to, const void *from, size_t bytes);
void *dal_schedule_memset(void *to, int byte, size_t bytes);
void *dal_schedule_mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset);
int dal_schedule_munmap(void *memory, size_t bytes);
void *dal_schedule_malloc(size_t bytes);
void *dal_schedule_calloc(size_t count, size_t bytes);
int dal_schedule_posix_memalign(void **memory, size_t alignment, size_t bytes);
void *dal_schedule_malloc(size_t bytes);
void *dal_schedule_calloc(size_t count, size_t bytes);
int dal_schedule_posix_memalign(void **memory, size_t alignment, size_t bytes);
void *dal_schedule_realloc(void *old, size_t bytes);
void dal_schedule_free(void *memory);
