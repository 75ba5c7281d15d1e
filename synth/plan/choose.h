/*
 * Shadow copies (S) and work-items (I) of processes on devices, where the specification leaves them
 * to dalsynth. Pure numbers: what a device is, what a firing does, and what follows from that. One
 * thread.
 */
#pragma once

#include "synth/plan/plan.h"

/* Bytes that a launch should move, or the time that it should take. Then its own cost (4 us on a
 * GPU, up to 27 on PoCL) does not matter. A CPU has smaller caches and less bandwidth. The last is
 * the time that no launch should exceed, as tokens wait for it. */
#define DAL_PLAN_LAUNCH_BYTES     (UINT64_C(1) << 20)
#define DAL_PLAN_CPU_LAUNCH_BYTES (UINT64_C(512) << 10)
#define DAL_PLAN_LAUNCH_NS        UINT64_C(100000)
#define DAL_PLAN_LONG_LAUNCH_NS   UINT64_C(10000000)
/* Firings for each compute unit: one that waits for memory leaves a GPU's unit to another; a CPU's
 * unit that is done early has one more. */
#define DAL_PLAN_FIRINGS_A_UNIT     4
#define DAL_PLAN_CPU_FIRINGS_A_UNIT 2
/* Bytes that one ring may have for more than one firing a unit, and at all. */
#define DAL_PLAN_RING_BYTES      (UINT64_C(256) << 20)
#define DAL_PLAN_CPU_RING_BYTES  (UINT64_C(32) << 20)
#define DAL_PLAN_MOST_RING_BYTES (UINT64_C(1) << 30)
/* Most work-items that are chosen: more of them share a compute unit no better. */
#define DAL_PLAN_GPU_ITEMS 256
#define DAL_PLAN_CPU_ITEMS 1

/* A device, as the architecture describes it, or as devices of its type usually are. */
struct dal_plan_device {
    const char *name;
    int is_cpu;
    int is_known; /* the architecture has its compute units */
    uint64_t compute_units;
    uint64_t work_group;   /* most work-items of one */
    uint64_t buffer_bytes; /* the largest buffer */
    uint64_t rings;        /* rings that share its memory; at least 1 */
};

/* The work of one firing. */
struct dal_plan_work {
    uint64_t window_bytes; /* of all ports */
    uint64_t port_bytes;   /* of the largest window of one */
    uint64_t time_ns;      /* measured; 0 when not */
    uint64_t most;         /* firings at once that given capacities and loops allow; UINT64_MAX */
    const char *limit;     /* name of the channel that `most` is of */
    uint64_t items;        /* work-items that find something to do: words, or blocks */
    const struct dal_spec_curve *curve; /* what launches take by their firings, or NULL */
};

/* Texts are for people, in lower case and without a period. */
struct dal_plan_choice {
    uint64_t copies; /* S */
    uint64_t least;  /* S that keeps all compute units at work, as far as `most` allows */
    uint64_t most;   /* S that memory and capacities allow */
    uint32_t items;  /* I of a source that is right for any number */
    char copies_reason[200];
    char items_reason[100];
};

struct dal_plan_device dal_plan_device_of(const struct dal_plan *plan,
                                          const struct dal_plan_processor *processor);
struct dal_plan_work dal_plan_work_of(const struct dal_plan *plan,
                                      const struct dal_plan_process *process);

/* In choose_time.c: the fewest firings whose launch is not too short, and the most whose launch is
 * not too long, at least one a unit. 1 and UINT64_MAX where nothing is measured. */
uint64_t dal_plan_quick_copies(const struct dal_plan_work *work, uint64_t units);
uint64_t dal_plan_slow_copies(const struct dal_plan_work *work, uint64_t units);

/* Chooses the copies for a process on a device. */
void dal_plan_suggest(const struct dal_plan_work *work, const struct dal_plan_device *device,
                      struct dal_plan_choice *choice);

/* Percent of a device that launches of `copies` firings leave idle, at least. */
unsigned dal_plan_idle(const struct dal_plan_device *device, uint64_t copies);
