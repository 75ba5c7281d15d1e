/*
 * Adds a run to the picture of its network: who fired, who waited for whom, and what limits the
 * throughput. One thread.
 */
#ifndef DAL_VIEW_COMMAND_RUN_H
#define DAL_VIEW_COMMAND_RUN_H

#include "spec/base/text.h"
#include "spec/read/stats.h"

struct dal_run {
    const char *file;
    struct dal_stats stats;
};

/* Parts of the run, from 0 to 1: firing, processors or devices at work in firings, waiting for
 * tokens, waiting for space. The first two are averages over the shadow copies that may fire at
 * once, or over the devices. */
struct dal_run_shares {
    double firing, busy, starved, blocked;
};
struct dal_run_shares dal_run_process(const struct dal_spec *spec, const struct dal_stats *stats,
                                      size_t process);

/* The limit of the throughput. */
enum dal_run_limit_kind {
    DAL_RUN_LIMIT_PROCESS,   /* a process fires all the time */
    DAL_RUN_LIMIT_HELD,      /* the same, but its processor works less than half of that */
    DAL_RUN_LIMIT_PROCESSOR, /* all processes on a processor together fire all the time */
    DAL_RUN_LIMIT_PRESSURE,  /* a process's neighbours wait for it nearly all the time */
    DAL_RUN_LIMIT_CHANNEL,   /* a channel's ends wait for each other in turns: it is too small */
    DAL_RUN_LIMIT_TRANSFER,  /* the same, and its tokens are copied or sent */
    DAL_RUN_LIMIT_UNKNOWN,   /* nothing fired for most of the run */
};

struct dal_limit {
    enum dal_run_limit_kind kind;
    size_t number; /* channel; else the process that fired longest (on the processor) */
    double share;  /* part of the run in which that was so */
};

/* Returns the limit of one run; needs a mapping. The limit is exact for this run and does not tell
 * what would limit the next. */
struct dal_limit dal_run_limit(const struct dal_spec *spec, const struct dal_stats *stats);

/* Adds one JSON object of a run (doc/explanation/observing.md, "Pictures"). */
void dal_run_json(const struct dal_spec *spec, const struct dal_run *run, struct dal_text *json);

#endif
