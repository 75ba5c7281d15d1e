/*
 * What launches take on a device, by their rounds: a few numbers for each power of two. A device
 * with many units takes as long for a few rounds as for one, so one number a round is not enough.
 *
 * While sizes are tried (DAL_LAUNCH_SIZES), every third launch has 1, 2, 4, ... rounds at most, up
 * to the usual ones. Then the numbers are known for sizes that the network does not have by itself.
 *
 * The handler writes. Others read after it is joined.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

enum { DAL_CURVE_SIZES = 24 };

/* All launches of at least 2^i rounds, and of less than twice as many; of the last, any more. */
struct dal_curve_size {
    uint64_t launches, rounds;
    int64_t ns;
};

struct dal_curve {
    struct dal_curve_size sizes[DAL_CURVE_SIZES];
    uint64_t ended; /* launches; the first has cold caches, and is in no size */
    int tries;      /* true if sizes are tried */
};

/* Returns the most rounds that launch number `launch` of a replica may have, from 0. UINT64_MAX: as
 * usual, as are the first two. S is `copies`. Without a curve, all are as usual. */
uint64_t dal_curve_most(const struct dal_curve *curve, uint64_t launch, uint64_t copies);

/* Adds a launch that has ended. Launches of a replica end in their order. */
void dal_curve_add(struct dal_curve *curve, uint64_t rounds, int64_t ns);

/* Adds the launches of another curve. */
void dal_curve_merge(struct dal_curve *curve, const struct dal_curve *other);

/* Prints the member "curve" of JSON, behind `before`: [LAUNCHES, FIRINGS, NS, ...], the sums of
 * each size. A round has so many firings of the process, and its time is of `together` processes.
 * Prints nothing where there is no launch. */
void dal_curve_print(FILE *file, const char *before, const struct dal_curve *curve,
                     uint64_t firings, int together);
