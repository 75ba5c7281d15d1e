/*
 * How long each of many things takes: counts in buckets, 32 for each factor of 2. So a quantile is
 * within 2 % of the true one, whatever the distribution is, and memory is fixed. (Tene
 * 2012.)
 *
 * The first sample counts only where there is no other: it is the one with cold caches. One thread
 * at a time.
 */
#ifndef DAL_RT_BASE_HISTOGRAM_H
#define DAL_RT_BASE_HISTOGRAM_H

#include <stdint.h>

enum {
    DAL_HISTOGRAM_LOW = -4, /* the least value that is told from smaller ones is 2^LOW */
    DAL_HISTOGRAM_HIGH = 40,
    DAL_HISTOGRAM_FINE = 32, /* buckets an octave */
    DAL_HISTOGRAM_BUCKETS = (DAL_HISTOGRAM_HIGH - DAL_HISTOGRAM_LOW) * DAL_HISTOGRAM_FINE,
};

/* Zeroed, it is empty. */
struct dal_histogram {
    uint64_t first_count, count;             /* of things: in the first sample, in all others */
    double first_sum, sum;                   /* what they took together */
    double least, most;                      /* of a thing, in all others */
    uint64_t buckets[DAL_HISTOGRAM_BUCKETS]; /* things */
};

/* A sample: so many things took `sum` together, of any unit; it counts for each of them. Nothing
 * happens for 0 things; less than 0 is 0. */
void dal_histogram_add(struct dal_histogram *histogram, double sum, uint64_t count);

/* One thing. The first one counts as any other: it need not have been the slowest. */
void dal_histogram_add_one(struct dal_histogram *histogram, double value);

/* Adds what another one has. First samples stay first samples. */
void dal_histogram_merge(struct dal_histogram *histogram, const struct dal_histogram *other);

/* Things that count; 0: there is nothing to ask for. */
uint64_t dal_histogram_count(const struct dal_histogram *histogram);

/* What things took on average; 0 when empty. */
double dal_histogram_mean(const struct dal_histogram *histogram);

/* What a part of all things, from 0 to 1, did not exceed: 0.5 is the median. Grows with `part`; 0
 * when empty. */
double dal_histogram_quantile(const struct dal_histogram *histogram, double part);

/* What the least value of a bucket is, and how many things are in those from `first` to the one
 * before `end`. */
double dal_histogram_from(int bucket);
uint64_t dal_histogram_between(const struct dal_histogram *histogram, int first, int end);

#endif
