/* What the files of the scheduler share (schedule.h). Only the thread that runs touches any of it.
 */
#ifndef DAL_TEST_SCHEDULES_SCHEDULER_SCHEDULE_OWN_H
#define DAL_TEST_SCHEDULES_SCHEDULER_SCHEDULE_OWN_H

#include "rt/base/schedule.h"

#include <stddef.h>

enum { DAL__THREADS = 128, DAL__PENDING = 16, DAL__PLANTS = 8 };

/* One that has been joined gives its place, and its number, to the next thread. */
enum dal__state { DAL__READY, DAL__SPINNING, DAL__BLOCKED, DAL__ENDED, DAL__JOINED };

enum dal__kind {
    DAL__LOAD,
    DAL__STORE,
    DAL__EXCHANGE,
    DAL__LOCK,
    DAL__UNLOCK,
    DAL__WAIT,
    DAL__WAKE,
    DAL__YIELD,
    DAL__NAP,
    DAL__CLOCK,
    DAL__CREATE,
    DAL__JOIN,
    DAL__END,
};

/* What of each thread happens before; by number of threads. */
struct dal__clock {
    uint32_t of[DAL__THREADS];
};

/* A store that has not reached memory. */
struct dal__pending {
    uintptr_t address;
    uint64_t value, step;
    int bytes, releases;
    struct dal__clock clock;
};

struct dal__thread {
    int number;
    enum dal__state state;
    uintptr_t object;    /* that it waits for, when blocked */
    int64_t deadline_ns; /* of that; INT64_MAX: none */
    int timed_out;
    int64_t priority;
    int turn;         /* points since another one ran */
    int quiet;        /* points in a row at which it has changed nothing */
    uint64_t version; /* of memory, when it was found spinning */
    uint64_t steps;
    uint64_t ran; /* step at which it had its turn last */
    struct dal__clock clock;
    struct dal__pending pending[DAL__PENDING];
    int pending_count;
    uint32_t baton; /* futex word: it may run */
    pthread_t handle;
    int detached;
    void *(*function)(void *);
    void *argument;
    /* Its last point. */
    enum dal__kind kind;
    uintptr_t pc, at;
};

/* An atomic object, or a mutex: what happens before who acquires it. */
struct dal__object {
    uintptr_t address;
    unsigned run;
    struct dal__thread *owner;        /* of a mutex */
    unsigned parties, waiting, round; /* of a barrier */
    struct dal__clock clock;
};

/* What the seed has drawn for this run. */
struct dal__habits {
    int keep;      /* walk: steps between switches, about */
    int drain;     /* steps between stores that reach memory, about */
    int overtakes; /* relaxed stores overtake others */
    int jump;      /* steps between jumps of time, about; 0: only when all sleep */
    int spurious;  /* waits that end by themselves, one of so many; 0: none */
    int64_t step_ns;
};

struct dal__planted {
    enum dal_schedule_plant plant;
    uintptr_t address;
    uint64_t value;
};

struct dal__event {
    uint64_t step;
    int thread;
    enum dal__kind kind;
    uintptr_t pc, at;
};

struct dal__schedule {
    struct dal_schedule_options options;
    struct dal__habits habits;
    unsigned run;
    uint64_t random, steps, switches, hash;
    uint64_t version; /* of memory: moves with every change */
    int64_t now_ns;
    int64_t lowest, highest; /* priorities */
    uint64_t jumped;         /* step of the last jump of time */
    int stuck;               /* times that only spinning threads were there */
    uint64_t changes[64];
    struct dal__thread threads[DAL__THREADS];
    int count;
    struct dal__planted planted[DAL__PLANTS];
    int planted_count;
    struct dal__thread *current;
    struct dal__event *events; /* a ring */
    uint64_t event_count;
};

enum { DAL__EVENTS = 1 << 17, DAL__QUIET = 200, DAL__OLD = 2000, DAL__TURN = 10000 };

extern struct dal__schedule dal__schedule;

/* The calling thread, NULL of one that is not scheduled. */
struct dal__thread *dal__thread(void);

/* 0 .. sides - 1, of the seed */
uint64_t dal__draw(uint64_t sides);

int dal__is_planted(enum dal_schedule_plant plant, uintptr_t address, uint64_t value);

/* Where another thread may get its turn. */
void dal__point(struct dal__thread *me, enum dal__kind kind, uintptr_t at, uintptr_t pc);

/* ---- schedule_memory.c ----------------------------------------------------------------------- */

void dal__memory_begin(void);
struct dal__object *dal__object(uintptr_t address);
/* All stores of a thread reach memory. */
void dal__flush(struct dal__thread *thread);
/* Now and then one of them does. */
void dal__drift(void);
void dal__join(struct dal__clock *clock, const struct dal__clock *other);
/* Memory without a past: a new thread's stack. */
void dal__forget(uintptr_t address, size_t bytes);

/* ---- schedule_report.c ----------------------------------------------------------------------- */

void dal__fail(const char *what, const uintptr_t *pcs, int count) __attribute__((noreturn));
void dal__print(void);

#endif
