/*
 * Compares a run with its prediction: each process's period, firings and part of the time, each
 * channel's bytes, and the most likely reason where they differ. One thread.
 */
#pragma once

#include "spec/read/stats.h"
#include "synth/tune/predict/ledger.h"
#include "synth/tune/predict/predict.h"

struct dal_comparison {
    const struct dal_plan *plan;
    const struct dal_prediction *prediction; /* perhaps unknown, or NULL */
    const struct dal_ledger *ledger;
    const struct dal_stats *stats; /* of this plan's network and mapping */
};

/* Prints for people. Returns DAL_OK or DAL_ERR_NOMEM. */
int dal_compare_print(const struct dal_comparison *c, FILE *out);
