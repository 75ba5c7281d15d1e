/*
 * dalinfo --measure: measures the costs of this machine, for <measured> of an architecture file.
 * spec/model/costs.h has the kinds of costs, spec/schemas/architecture.xsd their meaning.
 *
 * A measurement adds values until its share of the time is over or it has MEASURE_VALUES of them.
 * The median counts. Its spread is half the distance between the tenth and the ninetieth
 * percentile. It uses the runtime's own parts: their costs are what a program pays.
 *
 * Functions that can fail return DAL_OK or a negative code and have written why. Main thread.
 */
#pragma once

#include "rt/backend/backend.h"
#include "rt/base/cores.h"
#include "spec/model/costs.h"

#include <stdio.h>

enum { MEASURE_VALUES = 2048, MEASURE_LEAST = 9 };

struct measure_series {
    double values[MEASURE_VALUES];
    size_t count;
};

/* One measurement in progress. */
struct measure_run {
    int64_t until_ns;
    struct measure_series latency;   /* ns */
    struct measure_series bandwidth; /* bytes a second */
};

/* Adds a value; returns whether another one is wanted. Any thread, one at a time. */
int measure_add(const struct measure_run *run, struct measure_series *series, double value);

/* ---- cores: dalinfo_cores.c ------------------------------------------------------------------ */

/* Measure on a core, or from one core to another. Cores have the system's numbers. */
int measure_firing(struct measure_run *run, int core);
int measure_copy(struct measure_run *run, const struct dal_cores *cores, int core);
int measure_wake(struct measure_run *run, int from, int to);
int measure_token(struct measure_run *run, int from, int to);

/* ---- devices: dalinfo_devices.c -------------------------------------------------------------- */

struct measure_device;

/* Opens a device. The caller closes it on DAL_OK. `name` is the processor's, for messages, and
 * lives as long. */
int measure_device_open(struct measure_device **device, const struct dal_device_info *info,
                        const char *name);
void measure_device_close(struct measure_device *device); /* accepts NULL */

int measure_launch(struct measure_run *run, struct measure_device *device);
int measure_batch(struct measure_run *run, struct measure_device *device);
int measure_upload(struct measure_run *run, struct measure_device *device);
int measure_download(struct measure_run *run, struct measure_device *device);

/* ---- the whole: dalinfo_measure.c ------------------------------------------------------------ */

/* The results. */
struct measured;

/* From now on SIGINT, SIGTERM and SIGHUP end only the measuring, unless they are ignored. So a file
 * is written whole. A second signal ends the program. */
void measure_guard(void);

/*
 * Measures everything, in `seconds` and a little more, with a line of progress on a terminal.
 * Leaves out, with a warning, what cannot be measured. On DAL_OK the caller frees *measured with
 * measure_free(). Returns DAL_ERR_INTERRUPTED after a signal, not logged; *number is then the
 * signal, which is to take its usual effect.
 */
int measure_machine(struct measured **measured, const struct dal_cores *cores,
                    const struct dal_device_list *devices, double seconds, int *number);
void measure_free(struct measured *measured); /* accepts NULL */

/* Return the name and the number of the i-th device's processor: "device" and 0 for OpenCL, "cuda"
 * for CUDA. The number counts devices of that name. */
const char *device_kind(const struct dal_device_info *info);
size_t device_number(const struct dal_device_list *devices, size_t i);

/* Writes <measured>, for processors core_0.., device_0.. and cuda_0... */
void measure_write(FILE *out, const struct measured *measured);
