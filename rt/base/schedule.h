/*
 * A scheduler under control, of a build with --enable-schedules: one thread runs at a time, and a
 * seed decides at each point who is next. A point is an atomic operation, or a call of
 * rt/base/sync.h. The same seed gives the same interleaving. Time is made up, and jumps where
 * everybody sleeps.
 *
 * Who is next: a random walk, or priorities with some points at which one falls (Burckhardt et al.
 * 2010). A thread that spins is left alone until something in memory has changed.
 *
 * Memory: relaxed and release stores wait in the thread's store buffer, and reach memory in their
 * order at a later point; at the latest with its next locked instruction, sequentially consistent
 * store, lock or system call. Some seeds let relaxed ones overtake. What happens before what is
 * C's, by vector clocks (Fidge 1988; Flanagan and Freund 2009): two accesses that are not ordered
 * by it, one of which writes and is not atomic, are a race.
 *
 * What fails (a race, a deadlock, threads that spin for ever) is told on standard error, with the
 * threads and the last points, and ends the program with DAL_SCHEDULE_FAILED. Threads that were not
 * made between begin and end, and calls outside, are the C library's.
 */
#ifndef DAL_RT_BASE_SCHEDULE_H
#define DAL_RT_BASE_SCHEDULE_H

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
    int depth;           /* PCT: points at which priorities fall, of a length drawn, and one more */
    uint64_t most_steps; /* more are no end; 0: 20 million */
    int print;           /* each point, at the end, on standard output */
};

struct dal_schedule_summary {
    uint64_t steps, switches;
    uint64_t hash; /* of the interleaving */
};

/* The calling thread is the first; it has no other threads that use what is scheduled. */
void dal_schedule_begin(const struct dal_schedule_options *options);

/* By the thread that began: waits until all others have ended. `summary` may be NULL. */
void dal_schedule_end(struct dal_schedule_summary *summary);

/* Faults that are planted in what is right, and a net under lost wakes that is taken away. */
enum dal_schedule_plant {
    DAL_SCHEDULE_LOST, /* a store of `value` to the object, or a wake of who sleeps on it, is not */
    DAL_SCHEDULE_WEAK, /* an exchange for `value` is a load and a store that waits in a buffer */
    DAL_SCHEDULE_FOR_EVER /* a sleep on it has no limit of time */
};

/* Until the next begin; a few of them. */
void dal_schedule_plant(enum dal_schedule_plant plant, const volatile void *object, uint64_t value);

/* Tells threads and points, as of a failure that the caller has found and named. */
void dal_schedule_fail(const char *what) __attribute__((noreturn));

/* In place of pthread_create() and so on; see there. */
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

/* In place of syscall(SYS_futex, ...) with these arguments. */
long dal_schedule_futex(long number, const void *word, int operation, uint32_t value,
                        const struct timespec *limit, void *none, int zero);

/* In place of those of the C library, by options of the compiler (SCHEDULE_FLAGS). Memory that is
 * given back is as if all of it were written; new memory has no past. */
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

#endif
