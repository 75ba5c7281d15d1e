/*
 * One change of a mapping, and the result for the plan: its period and its bytes. The changed plan
 * is made anew, but the sources are not read again. So a process that stays apart from its group
 * does so here, too. One thread.
 */
#pragma once

#include "synth/tune/predict/ledger.h"
#include "synth/tune/predict/predict.h"

enum dal_mapping_move_kind {
    DAL_MAPPING_MOVE_BIND,     /* a process to other processors */
    DAL_MAPPING_MOVE_COPIES,   /* shadow copies of a process on a device */
    DAL_MAPPING_MOVE_CAPACITY, /* the size of a channel */
};

struct dal_mapping_move {
    enum dal_mapping_move_kind kind;
    const struct dal_spec_process *process; /* BIND, COPIES */
    struct dal_spec_processor **processors; /* BIND: not owned */
    size_t processor_count;
    enum dal_processor_kind capability;     /* BIND: the one that is used */
    struct dal_spec_source *source;         /* BIND: the source that they run */
    uint32_t copies;                        /* BIND: on several cores; COPIES */
    const struct dal_spec_channel *channel; /* CAPACITY */
    uint64_t capacity;                      /* CAPACITY: tokens */
};

/* The result of a changed plan. */
struct dal_move_value {
    int is_there;     /* the plan exists; its prediction, if asked for, keeps all promised
                         latencies */
    double period_ns; /* INFINITY: a deadlock */
    int settled;
    char *limit;                 /* as in struct dal_prediction */
    struct dal_ledger_entry all; /* bytes of all channels */
};

/* Tries a change, with a prediction or for the bytes alone. `seconds` limits the search of
 * capacities. Returns DAL_OK or DAL_ERR_NOMEM; dal_move_value_finish() on both. */
int dal_mapping_move_try(const struct dal_plan *plan, const struct dal_mapping_move *change,
                         int predicts, double seconds, struct dal_move_value *trial);
void dal_move_value_finish(struct dal_move_value *trial);

/* Adds "Work to core_1". */
void dal_mapping_move_describe(struct dal_text *text, const struct dal_mapping_move *change);

/* Adds the plan's mapping with that change, which may be NULL, as a file for dalsynth. DAL_OK or
 * DAL_ERR_NOMEM. */
int dal_mapping_move_write(const struct dal_plan *plan, const struct dal_mapping_move *change,
                           struct dal_text *text);
