/*
 * Adds a run to the picture of its network: who fired, who waited for whom, and what limits the
 * throughput. One thread.
 */
#pragma once

#include "spec/base/text.h"
#include "spec/read/stats.h"

struct dal_run {
    const char *file;
    struct dal_stats stats;
};

/* Adds one JSON object of a run (doc/explanation/observing.md, "Pictures"). */
void dal_run_json(const struct dal_spec *spec, const struct dal_run *run, struct dal_text *json);
