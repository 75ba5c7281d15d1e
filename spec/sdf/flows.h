/*
 * Flows from firings of a part to other firings, for kperiodic.c: of tokens, of free space, and of
 * the right to fire. Internal to spec/sdf. One thread.
 */
#pragma once

#include "spec/sdf/ratio.h"
#include "spec/sdf/time.h"

/* A number of tokens must stay below this, so that sums fit. */
#define MAX_TOKENS (UINT64_C(1) << 61)

/* Amounts that one end of a flow moves. */
struct dal__amounts {
    size_t process;
    struct dal_sdf_phases phases;
    uint64_t each;  /* by a firing, where there are no phases */
    uint64_t cycle; /* by a cycle of the process; by a firing, if it is not cyclo-static */
};

/* A flow of tokens, free space, or the right to fire, from the ends of firings to the starts of
 * others. */
struct dal__flow {
    struct dal__amounts from, to;
    uint64_t tokens;
    size_t channel; /* in the part, or DAL_SDF_NONE */
    int is_space;
};

/* A place in a flow for which firings wait, with its node. It is counted in tokens, modulo what
 * both ends have in common. There is always one at the modulus, where the consumer's K ends. */
struct dal__place {
    uint64_t at; /* 1 to the modulus */
    uint32_t node;
};

struct dal__periodic {
    const struct dal_sdf_graph *part;
    struct dal__flow *flows;
    size_t flow_count;
    uint64_t common; /* gcd of all repetitions */
    /* Arrays by process. */
    uint64_t *phases, *repetitions; /* repetitions: of an iteration of the part alone */
    uint64_t *k;
    size_t *first;            /* node of the first firing; one more at the end */
    unsigned char *overtakes; /* a firing may end before one that has started earlier */
    uint64_t scale;           /* units of height that an iteration of the part has */
    struct dal__arcs arcs;
    struct dal__place *places;
    size_t place_room;
    struct dal_sdf_budget *budget;
    int lost; /* a number does not fit */
};

static inline uint64_t dal__amount_of(const struct dal__amounts *amounts, uint64_t phase)
{
    return dal_sdf_in_phase(&amounts->phases, phase, amounts->each);
}

static inline uint64_t dal__time_of(const struct dal_sdf_process *process, uint64_t phase)
{
    return dal_sdf_in_phase(&process->times, phase, process->time);
}

/* Finds the flows and what they hold; sets `lost` where a number does not fit. Returns DAL_OK or
 * DAL_ERR_NOMEM; dal__periodic_finish() on both. */
int dal__periodic_init(struct dal__periodic *p, const struct dal_sdf_graph *part,
                       const uint64_t *capacity, struct dal_sdf_budget *budget);
void dal__periodic_finish(struct dal__periodic *p);
/* Returns whether it is a flow from a process to itself that never lets it fire concurrently with
 * itself. */
int dal__flow_is_serial(const struct dal__periodic *p, const struct dal__flow *flow);
