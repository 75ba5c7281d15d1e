#include "rt/base/histogram.h"

#include <string.h>

enum { MANTISSA_BITS = 52, FINE_BITS = 5, EXPONENT_BIAS = 1023 };

_Static_assert(1 << FINE_BITS == DAL_HISTOGRAM_FINE, "the buckets of an octave");

/* Returns a value's bucket. Its number is made of the exponent and the first bits of the mantissa,
 * which IEEE 754 has side by side. */
static int bucket_of(double value)
{
    const int64_t lowest = (int64_t)(EXPONENT_BIAS + DAL_HISTOGRAM_LOW) << FINE_BITS;
    int64_t number;
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    number = (int64_t)(bits >> (MANTISSA_BITS - FINE_BITS)) - lowest;
    if (number < 0)
        return 0;
    return number < DAL_HISTOGRAM_BUCKETS ? (int)number : DAL_HISTOGRAM_BUCKETS - 1;
}

/* Returns the value at a part, 0 to 1, of the way from the lower to the upper bound of a bucket. */
static double within(int bucket, double part)
{
    double fine = DAL_HISTOGRAM_FINE, octave = 1;
    int exponent = DAL_HISTOGRAM_LOW + bucket / DAL_HISTOGRAM_FINE;
    for (int i = 0; i < exponent; i++)
        octave *= 2;
    for (int i = 0; i > exponent; i--)
        octave /= 2;
    return octave * (1 + (bucket % DAL_HISTOGRAM_FINE + part) / fine);
}

double dal_histogram_from(int bucket)
{
    return within(bucket, 0);
}

uint64_t dal_histogram_between(const struct dal_histogram *histogram, int first, int end)
{
    uint64_t sum = 0;
    for (; first < end; first++)
        sum += dal_count_get(histogram->buckets[first]);
    return sum;
}

static void widen_range(struct dal_histogram *histogram, double least, double most)
{
    if (dal_count_get(histogram->count) == 0 || least < dal_count_get(histogram->least))
        dal_count_set(histogram->least, least);
    if (most > dal_count_get(histogram->most))
        dal_count_set(histogram->most, most);
}

void dal_histogram_add(struct dal_histogram *histogram, double sum, uint64_t count)
{
    double value;
    if (count == 0)
        return;
    sum = sum > 0 ? sum : 0;
    if (dal_count_get(histogram->first_count) == 0) {
        dal_count_set(histogram->first_count, count);
        dal_count_set(histogram->first_sum, sum);
        return;
    }
    value = sum / (double)count;
    widen_range(histogram, value, value);
    dal_count_add(histogram->count, count);
    dal_count_add(histogram->sum, sum);
    dal_count_add(histogram->buckets[bucket_of(value)], count);
}

void dal_histogram_add_one(struct dal_histogram *histogram, double value)
{
    dal_count_set(histogram->first_count, 1); /* there is no first sample */
    dal_histogram_add(histogram, value, 1);
}

void dal_histogram_merge(struct dal_histogram *histogram, const struct dal_histogram *other)
{
    uint64_t count = dal_count_get(other->count);
    dal_count_add(histogram->first_count, dal_count_get(other->first_count));
    dal_count_add(histogram->first_sum, dal_count_get(other->first_sum));
    if (count == 0)
        return;
    widen_range(histogram, dal_count_get(other->least), dal_count_get(other->most));
    dal_count_add(histogram->count, count);
    dal_count_add(histogram->sum, dal_count_get(other->sum));
    for (int i = 0; i < DAL_HISTOGRAM_BUCKETS; i++)
        dal_count_add(histogram->buckets[i], dal_count_get(other->buckets[i]));
}

uint64_t dal_histogram_count(const struct dal_histogram *histogram)
{
    uint64_t count = dal_count_get(histogram->count);
    return count ? count : dal_count_get(histogram->first_count);
}

double dal_histogram_mean(const struct dal_histogram *histogram)
{
    uint64_t count = dal_count_get(histogram->count);
    uint64_t first_count = dal_count_get(histogram->first_count);
    if (count)
        return dal_count_get(histogram->sum) / (double)count;
    return first_count ? dal_count_get(histogram->first_sum) / (double)first_count : 0;
}

/* The owner may add between the first look at the buckets and the second. So the second one finds
 * as many as are wanted, or more. */
double dal_histogram_quantile(const struct dal_histogram *histogram, double part)
{
    double wanted = part * (double)dal_histogram_between(histogram, 0, DAL_HISTOGRAM_BUCKETS);
    double passed = (double)dal_count_get(histogram->buckets[0]), value, least, most;
    int i = 0;
    if (dal_count_get(histogram->count) == 0)
        return dal_histogram_mean(histogram);
    while (passed < wanted && i < DAL_HISTOGRAM_BUCKETS - 1)
        passed += (double)dal_count_get(histogram->buckets[++i]);
    value = within(i, 0.5);
    most = dal_count_get(histogram->most);
    least = dal_count_get(histogram->least);
    if (value < least)
        return least;
    return value < most ? value : most;
}
