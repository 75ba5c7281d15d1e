/*
 * The search for a mapping. It tries all that differ if they are few. Otherwise it climbs from
 * initial solutions until no move helps. The same input gives the same mapping, unless a time limit
 * or a signal ends the search. One thread.
 */
#pragma once

#include "synth/tune/search/space.h"

/* Up to DAL_SEARCH_EXACT mappings are all tried; of more, at most DAL_SEARCH_MOST_TRIED are. */
#define DAL_SEARCH_EXACT      UINT64_C(2000)
#define DAL_SEARCH_MOST_TRIED ((size_t)100000)
/* Periods count as equal within a part of the least period. SAME holds for a choice by processors
 * (the simulator is that exact), MARGIN for a choice by bytes. */
#define DAL_SEARCH_SAME   1e-4
#define DAL_SEARCH_MARGIN 0.05

enum dal_search_objective {
    DAL_SEARCH_THROUGHPUT, /* the least period; of those that are as good, the fewest processors,
                              then bytes */
    DAL_SEARCH_MEMORY,     /* of those whose period is within a margin, the fewest bytes */
    DAL_SEARCH_LATENCY,    /* the least time of an iteration on its longest way; then as
                              THROUGHPUT. The space has sizes then, and one firing at once */
    DAL_SEARCH_BYTES,      /* the fewest bytes, whatever the period; then as THROUGHPUT. No mapping
                              is left out for its load */
};

/* More than any goal that can be reached. */
#define DAL_SEARCH_LATE_NS 1e18

/* Returns the goal, which the search minimises. It is INFINITY if the mapping cannot run. It is
 * DAL_SEARCH_LATE_NS or more if promised latencies are not kept, and more the later they are. */
double dal_search_goal(enum dal_search_objective objective, const struct dal_search_value *value);

enum dal_search_end {
    DAL_SEARCH_ALL,         /* all others are no better, or all were tried */
    DAL_SEARCH_NO_HELP,     /* no move that was tried helps */
    DAL_SEARCH_TOO_MANY,    /* DAL_SEARCH_MOST_TRIED */
    DAL_SEARCH_TIME,        /* the deadline */
    DAL_SEARCH_INTERRUPTED, /* the caller wished it */
};

struct dal_search {
    const struct dal_search_space *space;
    enum dal_search_objective objective;
    uint64_t most_exact;
    int simple;          /* true if the result has simple mappings, too */
    int64_t deadline_ns; /* by dal_now_ns(); 0: none. One mapping is tried in any case */
    /* Called before each mapping but the first is tried, with how many were and the least goal so
     * far; returns 1 to end the search. NULL: none. */
    int (*look)(void *context, uint64_t tried, double least_ns);
    void *context;
};

/* Mappings that were tried and can run, the best first. If none can, count is 0, and `places` has
 * the first that was tried, if any was. If they are asked for, the simple ones follow the best:
 * all on one core, on all cores, and on each device what can be there. */
struct dal_search_result {
    uint16_t *places; /* of each, process_count */
    struct dal_search_value *values;
    size_t count;
    uint64_t tried;    /* all mappings that were tried */
    uint64_t possible; /* mappings that differ; 0: more than most_exact */
    double initial_ns; /* period of the mapping that balances load, which the search began with */
    enum dal_search_end end;
};

/* Keeps the best `most` mappings, and the simple ones beside them. DAL_OK, also when none can run,
 * or DAL_ERR_NOMEM; dal_search_result_finish() on both. */
int dal_search_run(const struct dal_search *search, size_t most, struct dal_search_result *result);
void dal_search_result_finish(struct dal_search_result *result);
