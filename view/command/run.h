/*
 * A run beside the picture of its network: who fired, who waited for whom, and what limits the
 * throughput. One thread.
 */
#ifndef DAL_VIEW_COMMAND_RUN_H
#define DAL_VIEW_COMMAND_RUN_H

#include "spec/read/stats.h"
#include "spec/base/text.h"

struct dal_run {
    const char *file;
    struct dal_stats stats;
};

/* Parts of the run, from 0 to 1: in firings, and processors or devices at work in them (both on
 * average of the shadow copies that may fire at once, or of the devices); waiting for tokens,
 * waiting for space. */
struct dal_run_shares {
    double firing, busy, starved, blocked;
};
struct dal_run_shares dal_run_process(const struct dal_spec *spec, const struct dal_stats *stats,
                                      size_t process);

/* What limits the throughput. */
enum dal_limit_kind {
    DAL_LIMIT_PROCESS,   /* it fires all the time */
    DAL_LIMIT_HELD,      /* it does, and its processor works for less than half of that */
    DAL_LIMIT_PROCESSOR, /* all that is on it does, together */
    DAL_LIMIT_PRESSURE,  /* its neighbours wait for it nearly all the time */
    DAL_LIMIT_CHANNEL,   /* its ends wait for each other in turns: it is too small */
    DAL_LIMIT_TRANSFER,  /* the same, where tokens are copied or sent */
    DAL_LIMIT_UNKNOWN,   /* nothing fired for most of the run */
};

struct dal_limit {
    enum dal_limit_kind kind;
    size_t number; /* of a channel; else of the process that fired longest (on the processor) */
    double share;  /* of the run: how long that was so */
};

/* Needs a mapping. Exact for one run: names what a run was limited by, not what would limit the
 * next. */
struct dal_limit dal_run_limit(const struct dal_spec *spec, const struct dal_stats *stats);

/* One JSON object of a run (doc/inside.md, "Pictures"). */
void dal_run_json(const struct dal_spec *spec, const struct dal_run *run, struct dal_text *json);

#endif
