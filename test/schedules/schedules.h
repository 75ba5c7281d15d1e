/* What is run under the scheduler: small programs for a protocol each, and random networks. */
#pragma once

#include <stdint.h>

/* A program of its own, run once under each schedule. A failure is dal_schedule_fail(). */
struct protocol {
    const char *name;
    void (*run)(void);
    const char *fault; /* of one that is wrong: in what the scheduler says of it */
};

extern const struct protocol protocols[];
extern const int protocol_count;

/* Those that are wrong: one of a few schedules finds it. */
extern const struct protocol broken[];
extern const int broken_count;

/* What is wrong with the handler of devices. */
enum handler_fault {
    HANDLER_IS_RIGHT,
    HANDLER_CLEARS_LATE, /* `posted`, by a store */
    HANDLER_IS_NOT_IDLE,
    HANDLER_IS_NOT_WOKEN,
};
void handler_serves(enum handler_fault fault);

/* Draws the network of a seed, and what its sinks have to read. */
void network_draw(uint64_t seed);

/* Runs it once, under the schedule that has begun. `chance` draws what is done to it meanwhile. */
void network_run(uint64_t chance);

/* A line: processes, channels, cores, and what is special. */
void network_describe(void);
