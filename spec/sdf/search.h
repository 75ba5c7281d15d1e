/*
 * Best-first search for the cheapest vector of numbers that is good enough. A vector that is not
 * good says which of its entries have to grow, and by how much at least: any good vector above it
 * has grown that far in one of them. The search is exact, and complete unless the budget or memory
 * ends it. Internal to spec/sdf. One thread.
 */
#pragma once

#include "spec/sdf/time.h"

struct dal__branch {
    size_t at;
    uint64_t more;
};

struct dal__search {
    size_t size;            /* of a vector */
    const uint64_t *weight; /* cost of one more, by entry */
    uint64_t limit;         /* vectors that cost this or more are of no interest */
    struct dal_sdf_budget *budget;
    void *context;
    /*
     * Looks at a vector; vectors come in the order of their totals, none twice. Returns 1 to end
     * the search here, DAL_OK to go on with *count branches (there is room for 2 * size), or a
     * negative code.
     */
    int (*look)(void *context, const uint64_t *vector, uint64_t total, struct dal__branch *branches,
                size_t *count);
    /* Results. All vectors of a smaller total have been looked at or ruled out. */
    uint64_t reached;
    int complete; /* nothing is left below the limit: reached is UINT64_MAX or the end's total */
};

/* Searches from `start`, whose total cost is `total`. Returns 1 when look() ended it, DAL_OK when
 * nothing is left or the budget ended, or a negative code. */
int dal__search_run(struct dal__search *search, const uint64_t *start, uint64_t total);
