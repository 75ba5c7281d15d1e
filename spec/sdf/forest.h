/*
 * Numbers of firings along a spanning forest, and what rate.c and change.c share. Internal to
 * spec/sdf. One thread.
 */
#pragma once

#include "spec/sdf/rate.h"
#include "spec/sdf/time.h"

/* An exact ratio of firings, in lowest terms, never 0. */
struct dal__ratio {
    uint64_t over, under;
};

/* One process in the forest. */
struct dal__visit {
    struct dal__ratio firings; /* for one firing of the root */
    size_t via, parent, depth; /* via: the channel from the parent, DAL_SDF_NONE at a root */
    int seen;
};

struct dal__forest {
    const struct dal_sdf_graph *graph;
    struct dal__visit *visits; /* by process */
    size_t *order;             /* processes, as they were reached */
    size_t count;
};

/* Returns DAL_OK or DAL_ERR_NOMEM; the caller finishes it in any case. */
int dal__forest_init(struct dal__forest *forest, const struct dal_sdf_graph *graph);
void dal__forest_finish(struct dal__forest *forest);

/* Begins a tree. */
void dal__forest_plant(struct dal__forest *forest, size_t root);
/* Computes the firings at the other side of an end from those at the end, whose process has been
 * seen. Returns non-zero when they do not fit 64 bits. */
int dal__forest_across(const struct dal__forest *forest, const struct dal_sdf_end *end,
                       struct dal__ratio *firings);
/* Enters the process at the other side of an end. */
void dal__forest_enter(struct dal__forest *forest, const struct dal_sdf_end *end,
                       struct dal__ratio firings);

/* Computes q * over / under. Returns non-zero when that does not fit 64 bits. */
int dal__scale(struct dal__ratio q, uint64_t over, uint64_t under, struct dal__ratio *result);

/*
 * Finds the smallest change that makes inconsistent rates consistent. Every contradictory cycle has
 * a channel that is changed; the search tries those of one cycle after the other, fewest channels
 * first. The channels of one output port keep one rate in. `found` is 0 when the budget ended
 * before there was any change, or when a rate does not fit. `is_smallest` is 0 when the search was
 * cut off, or when a port with several channels made a difference to it. Returns DAL_OK or
 * DAL_ERR_NOMEM; the caller finishes the result in both cases.
 */
int dal__change_find(struct dal_sdf_change *change, const struct dal_sdf_graph *graph,
                     struct dal_sdf_budget *budget);
void dal__change_finish(struct dal_sdf_change *change);
