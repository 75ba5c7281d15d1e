/* Declarations that the files of the scheduler share (schedule.h). Only the thread that runs
 * touches the data.
 */
#pragma once

#include "rt/base/schedule.h"

#include <stddef.h>

enum { DAL__THREADS = 128, DAL__PENDING = 16, DAL__PLANTS = 8 };

/* States of a thread. One that is joined gives its place, and its number, to the next thread. */
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

/* A vector clock: for each thread by number, how much of it happens before. */
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
    uintptr_t object;    /* the object that it waits for, when blocked */
    int64_t deadline_ns; /* of that wait; INT64_MAX: none */
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
    uintptr_t stack; /* address of its first frame: those that are newer lie below */
    /* The thread's last point. */
    enum dal__kind kind;
    uintptr_t pc, at;
};

/* An atomic object, or a mutex, with the clock that an acquiring thread takes over. */
struct dal__object {
    uintptr_t address;
    unsigned run;
    struct dal__thread *owner;        /* of a mutex */
    unsigned parties, waiting, round; /* of a barrier */
    struct dal__clock clock;
};

/* Habits of the scheduler that the seed has drawn for this run. */
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
    int stuck;               /* times that all ready threads were spinning */
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

/* Returns the calling thread, or NULL if it is not scheduled. */
struct dal__thread *dal__thread(void);

/* Draws a number from 0 to sides - 1, by the seed. */
uint64_t dal__draw(uint64_t sides);

int dal__is_planted(enum dal_schedule_plant plant, uintptr_t address, uint64_t value);

/* A point: another thread may get its turn here. */
void dal__point(struct dal__thread *me, enum dal__kind kind, uintptr_t at, uintptr_t pc);

/* ---- schedule_memory.c ----------------------------------------------------------------------- */

void dal__memory_begin(void);
struct dal__object *dal__object(uintptr_t address);
/* Makes all stores of a thread reach memory. */
void dal__flush(struct dal__thread *thread);
/* Makes one waiting store reach memory, now and then. */
void dal__drift(void);
void dal__join(struct dal__clock *clock, const struct dal__clock *other);
/* Forgets the past of memory: a new thread's stack has none. */
void dal__forget(uintptr_t address, size_t bytes);

/* ---- schedule_report.c ----------------------------------------------------------------------- */

void dal__fail(const char *what, const uintptr_t *pcs, int count) __attribute__((noreturn));
void dal__print(void);
