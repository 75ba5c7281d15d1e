/*
 * Analysis of a synchronous dataflow network (Lee and Messerschmitt, "Static scheduling of
 * synchronous data flow programs for digital signal processing", IEEE ToC 1987).
 */
#ifndef DAL_SPEC_SDF_SDF_H
#define DAL_SPEC_SDF_SDF_H

#include "spec/diag.h"
#include "spec/model.h"

/*
 * Consistency and repetition vector: the smallest positive integers q with
 * q[producer] * rate_in == q[consumer] * rate_out for every channel, per connected component.
 * Exact: products are checked for overflow, which is an error of its own. Fills in
 * process.repetitions. An inconsistent network is an error whose notes are the cycle that has no
 * solution, with the rates along it and their products, and the smallest change that makes the
 * network consistent. Returns DAL_OK or DAL_ERR_INVALID.
 */
int dal_sdf_repetitions(struct dal_diags *diags, struct dal_spec_network *network);

/* One channel of a contradictory cycle, walked from `from` to `to`. */
struct dal_sdf_step {
    const struct dal_spec_process *from, *to;
    const struct dal_spec_channel *channel;
};

/* Other rates, for as few channels as possible, with which all of a network is consistent. */
struct dal_sdf_change {
    int found;                    /* 0: none within half a second, or a rate does not fit */
    int is_smallest;              /* no fewer channels are enough */
    size_t count;                 /* channels with other rates */
    uint64_t *rate_in, *rate_out; /* by channel, as they are where nothing changes */
};

/* Why a network is inconsistent: the first cycle that contradicts itself. */
struct dal_sdf_contradiction {
    struct dal_sdf_step *steps; /* NULL: no contradiction */
    size_t count;
    uint64_t near, far; /* products of the rates, as in the message; 0 when they do not fit */
    struct dal_sdf_change change;
};

/* The same, with the witness; the caller finishes it whatever is returned. */
int dal_sdf_repetitions_or(struct dal_diags *diags, struct dal_spec_network *network,
                           struct dal_sdf_contradiction *contradiction);
void dal_sdf_contradiction_finish(struct dal_sdf_contradiction *contradiction);
void dal_sdf_change_finish(struct dal_sdf_change *change);

/* Least capacity of a channel with these rates and initial tokens that can be live on its own:
 * p + c - g + d mod g, and at least d (Murthy, Bhattacharyya; DESIGN section 6). */
uint64_t dal_sdf_least_capacity(const struct dal_spec_channel *channel);

/*
 * Deadlock by executing one iteration with the given capacities (`capacity[channel.number]`).
 * A deadlock is an error whose notes name the blocked processes and, for each, the channel it
 * waits for, with the tokens or the space there are and that it needs.
 * Returns DAL_OK or DAL_ERR_INVALID. Needs dal_sdf_repetitions().
 */
int dal_sdf_live(struct dal_diags *diags, const struct dal_spec_network *network,
                 const uint64_t *capacity);

#endif
