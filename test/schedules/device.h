/*
 * Devices of a backend for schedules: a thread for each queue carries commands out, late and as the
 * seed has it, in memory of the device's own. Nothing that is not flushed begins. Events complete
 * there, and callbacks come from there. A kernel is a function in C. What the host does to memory
 * that a command still uses is a race, which the scheduler finds.
 */
#pragma once

#include "rt/backend/backend.h"

enum { LATE_DEVICES = 2, LATE_PORTS = 24 };

/* What the devices of a network are like: the same for both. */
struct late_traits {
    int unified, fine_svm; /* as in struct dal_device_info; mapping moves bytes all the same */
    int one_context;       /* of both: their queues wait for each other's events, ... */
    int share_memory;      /* ... and one buffer is for both */
    int calls_back, on_cores;
};

/* For what is opened from now on; `chance` draws how late commands are. */
void late_draw(const struct late_traits *traits, uint64_t chance);
/* By their numbers. */
extern char *const late_names[LATE_DEVICES];
extern const struct dal_backend late_backend;

/* Of the tests: a firing of the kernel that is called `name`. Of its windows, the first bytes in
 * this launch; it is the `firing`-th there. */
void late_kernel(const char *name, unsigned char *const *windows, uint64_t firing);
