/*
 * Specifications of random networks, with times and machines, as files in the working folder. What
 * fails ends the program. One thread.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { RANDOM_PROCESSES = 4, RANDOM_MACHINES = 4 };

/* To be written, and closed. */
FILE *random_file(const char *name);

/* Machines of a few processors, of which some are alike; the first has cores alone. */
extern const char *const random_machines[RANDOM_MACHINES];

/* Channel c<number> from port o<number> of process p<from> to i<number> of p<to>, which fire
 * q[from] and q[to] times in an iteration. */
void random_channel(FILE *file, size_t number, size_t from, size_t to, const uint64_t *q);
/* network.xml: of three processes or four, p0 the first; all can be reached from it. `promise` are
 * elements in front of them, or "". Returns how many processes. */
size_t random_network(const char *promise);
/* times.json: of each as C on a core, and on a device. */
void random_times(size_t processes);
/* machine.xml */
void random_machine(const char *text);
