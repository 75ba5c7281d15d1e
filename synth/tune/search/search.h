/*
 * The search for a mapping: all that differ where there are few, else from good beginnings to where
 * no change helps. The same input gives the same mapping, unless a time limit or a signal ends the
 * search. One thread.
 */
#ifndef DAL_SYNTH_TUNE_SEARCH_SEARCH_H
#define DAL_SYNTH_TUNE_SEARCH_SEARCH_H

#include "synth/tune/search/space.h"

/* Mappings that are all tried where there are no more, and mappings that are tried at most. */
#define DAL_SEARCH_EXACT      UINT64_C(2000)
#define DAL_SEARCH_MOST_TRIED ((size_t)100000)
/* Parts of the least period by which others may be longer, which count as good as it: for a choice
 * by processors (as the simulator has it), and by bytes. */
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

/* What is to be the least. INFINITY where the mapping cannot run; DAL_SEARCH_LATE_NS and more where
 * latencies that are promised are not kept, the less so the more it is. */
double dal_search_goal(enum dal_search_objective objective, const struct dal_search_value *value);

enum dal_search_end {
    DAL_SEARCH_ALL,         /* all others are no better, or all were tried */
    DAL_SEARCH_NO_HELP,     /* no change that was tried helps */
    DAL_SEARCH_TOO_MANY,    /* DAL_SEARCH_MOST_TRIED */
    DAL_SEARCH_TIME,        /* the deadline */
    DAL_SEARCH_INTERRUPTED, /* the caller wished it */
};

struct dal_search {
    const struct dal_search_space *space;
    enum dal_search_objective objective;
    uint64_t most_exact;
    int64_t deadline_ns; /* by dal_now_ns(); 0: none. One mapping is tried in any case */
    /* Called before each mapping but the first is tried, with how many were and the least goal so
     * far; returns 1 to end the search. NULL: none. */
    int (*look)(void *context, uint64_t tried, double least_ns);
    void *context;
};

/* Mappings that were tried and can run, the best first. Where none can, count is 0, and `places`
 * has the first that was tried, if any was. With several of them for throughput, the last is that
 * with all processes on all cores of a node, which was there before anything was searched. */
struct dal_search_result {
    uint16_t *places; /* of each, process_count */
    struct dal_search_value *values;
    size_t count;
    uint64_t tried;      /* in all */
    uint64_t possible;   /* mappings that differ; 0: more than most_exact */
    double beginning_ns; /* period of the mapping that balances load, which the search began with */
    enum dal_search_end end;
};

/* Keeps the best `most` mappings, and perhaps one beside them. DAL_OK, also when none can run, or
 * DAL_ERR_NOMEM; dal_search_result_finish() on both. */
int dal_search_run(const struct dal_search *search, size_t most, struct dal_search_result *result);
void dal_search_result_finish(struct dal_search_result *result);

#endif
