/*
 * Finds the greatest ratio of length to height among the cycles of a graph. It is Howard's policy
 * iteration (Cochet-Terrasson et al. 1998) in exact integers, so that it ends with a proof.
 * Internal to spec/sdf. One thread.
 */
#pragma once

#include "spec/sdf/time.h"

/* Lengths are less than this; so are heights, and more than its negative. */
#define DAL__ARC_LIMIT ((int64_t)1 << 61)

struct dal__arc {
    uint32_t from, to;      /* nodes */
    uint32_t tag;           /* the caller's */
    int64_t length, height; /* length >= 0 */
};

/* A strongly connected graph: each node has an arc to another, or to itself. */
struct dal__arcs {
    struct dal__arc *list;
    size_t count, room, nodes;
};

enum dal__ratio_kind {
    DAL__RATIO_FINITE,   /* no cycle has a greater one: length / height, height > 0 */
    DAL__RATIO_INFINITE, /* the cycle has no height */
    DAL__RATIO_UNKNOWN,  /* the budget ended, or a number does not fit */
};

struct dal__ratio {
    enum dal__ratio_kind kind;
    uint64_t length, height; /* of the cycle, in lowest terms; when it is FINITE */
    struct dal__arc *cycle;  /* each from where the one before leads to */
    size_t cycle_count;
};

/*
 * Finds it, with `flat` as if each length were 1. A cycle without height is found if it has any
 * length, or if its height is below 0 and another cycle has some length; `flat` finds them all.
 * Returns DAL_OK or DAL_ERR_NOMEM. The caller finishes the result in both cases.
 */
int dal__ratio_find(const struct dal__arcs *arcs, int flat, struct dal_sdf_budget *budget,
                    struct dal__ratio *ratio);
void dal__ratio_finish(struct dal__ratio *ratio);
