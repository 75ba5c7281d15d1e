/*
 * dalinfo --measure: what this machine costs, for <measured> of an architecture file. The kinds of
 * costs are in spec/model/costs.h, what each means in spec/schemas/architecture.xsd.
 *
 * A measurement adds values until its share of the time is over or it has MEASURE_VALUES of them.
 * The median counts; its spread is half of what lies between the tenth and the ninetieth
 * percentile. It goes through the runtime's own parts: what they cost is what a program pays.
 *
 * Functions that can fail return DAL_OK or a negative code and have written why. Main thread.
 */
#ifndef DAL_TOOLS_INFO_DALINFO_MEASURE_H
#define DAL_TOOLS_INFO_DALINFO_MEASURE_H

#include "rt/backend/backend.h"
#include "rt/base/cores.h"
#include "spec/model/costs.h"

#include <stdio.h>

enum { MEASURE_VALUES = 2048, MEASURE_LEAST = 9 };

struct measure_series {
    double values[MEASURE_VALUES];
    size_t count;
};

/* One measurement while it goes on. */
struct measure_run {
    int64_t until_ns;
    struct measure_series latency;   /* ns */
    struct measure_series bandwidth; /* bytes a second */
};

/* Adds a value; returns whether another one is wanted. Any thread, one at a time. */
int measure_add(const struct measure_run *run, struct measure_series *series, double value);
/* Did a signal ask for the end? Any thread. */
int measure_is_over(void);

/* ---- cores: dalinfo_cores.c ------------------------------------------------------------------ */

/* On a core, or from one to another, by their numbers of the system. */
int measure_firing(struct measure_run *run, int core);
int measure_copy(struct measure_run *run, const struct dal_cores *cores, int core);
int measure_wake(struct measure_run *run, int from, int to);
int measure_token(struct measure_run *run, int from, int to);

/* ---- devices: dalinfo_devices.c -------------------------------------------------------------- */

struct measure_device;

/* The caller closes it on DAL_OK. `name` is that of the processor, for messages, and lives as long.
 */
int measure_device_open(struct measure_device **device, const struct dal_device_info *info,
                        const char *name);
void measure_device_close(struct measure_device *device); /* accepts NULL */

int measure_launch(struct measure_run *run, struct measure_device *device);
int measure_batch(struct measure_run *run, struct measure_device *device);
int measure_upload(struct measure_run *run, struct measure_device *device);
int measure_download(struct measure_run *run, struct measure_device *device);

/* ---- the whole: dalinfo_measure.c ------------------------------------------------------------ */

/* What was found. */
struct measured;

/* From now on SIGINT, SIGTERM and SIGHUP, unless they are ignored, end the measuring and nothing
 * else: a file that is being written is written whole. A second one ends the program. */
void measure_guard(void);

/*
 * Measures everything, in so many seconds and a little more; with a line of progress where standard
 * error is a terminal. What cannot be measured is left out, with a warning. DAL_ERR_INTERRUPTED
 * after a signal, not logged; *number is the signal then, which is to take its usual effect. On
 * DAL_OK *measured is given back with measure_free().
 */
int measure_machine(struct measured **measured, const struct dal_cores *cores,
                    const struct dal_device_list *devices, double seconds, int *number);
void measure_free(struct measured *measured); /* accepts NULL */

/* What the processor of the i-th device is called: "device" and "_0" for OpenCL's, counted among
 * those of one backend; "cuda" for CUDA's. */
const char *device_kind(const struct dal_device_info *info);
size_t device_number(const struct dal_device_list *devices, size_t i);

/* Writes <measured>, for processors core_0.., device_0.. and cuda_0... */
void measure_write(FILE *out, const struct measured *measured);

#endif
