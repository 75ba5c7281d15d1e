/*
 * A histogram of the times that many things take: counts in buckets, 32 for each factor of 2. So a
 * quantile is within 2 % of the true one for every distribution, and memory is fixed (Tene 2012).
 *
 * The first sample counts only where there is no other: it is the one with cold caches.
 *
 * One thread at a time adds, by loads and stores as dal_count_add() does. Any thread may look
 * meanwhile: each number is one of some moment, and those of different moments may stand together.
 * A quantile is that of the buckets as they were then.
 */
#pragma once

#include "rt/base/count.h"

#include <stdint.h>

enum {
    DAL_HISTOGRAM_LOW = -4, /* 2^LOW is the least value that differs from smaller ones */
    DAL_HISTOGRAM_HIGH = 40,
    DAL_HISTOGRAM_FINE = 32, /* buckets an octave */
    DAL_HISTOGRAM_BUCKETS = (DAL_HISTOGRAM_HIGH - DAL_HISTOGRAM_LOW) * DAL_HISTOGRAM_FINE,
};

/* An empty histogram is all zeros. */
struct dal_histogram {
    _Atomic uint64_t first_count, count; /* things in the first sample, and in all others */
    _Atomic double first_sum, sum;       /* total times of these */
    _Atomic double least, most;          /* of a thing, in all others */
    _Atomic uint64_t buckets[DAL_HISTOGRAM_BUCKETS]; /* things */
};

/* Adds a sample: `count` things took `sum` together, of any unit. Each counts with the average. 0
 * things add nothing; a negative sum is 0. The owner's thread. */
void dal_histogram_add(struct dal_histogram *histogram, double sum, uint64_t count);

/* Adds one thing. The first one counts as any other: it need not have been the slowest. The owner's
 * thread. */
void dal_histogram_add_one(struct dal_histogram *histogram, double value);

/* Adds the samples of another histogram. First samples stay first samples. The owner's thread; all
 * below may be called by any. */
void dal_histogram_merge(struct dal_histogram *histogram, const struct dal_histogram *other);

/* Returns the number of things that count; 0: the histogram is empty. */
uint64_t dal_histogram_count(const struct dal_histogram *histogram);

/* Returns the average; 0 when empty. */
double dal_histogram_mean(const struct dal_histogram *histogram);

/* Returns the value that `part` of all things, from 0 to 1, did not exceed: 0.5 gives the median.
 * Grows with `part`; 0 when empty. */
double dal_histogram_quantile(const struct dal_histogram *histogram, double part);

/* Return the least value of a bucket, and the number of things in buckets `first` to `end` - 1. */
double dal_histogram_from(int bucket);
uint64_t dal_histogram_between(const struct dal_histogram *histogram, int first, int end);
