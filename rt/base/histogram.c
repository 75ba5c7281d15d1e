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
        sum += histogram->buckets[first];
    return sum;
}

void dal_histogram_add(struct dal_histogram *histogram, double sum, uint64_t count)
{
    double value;
    if (count == 0)
        return;
    sum = sum > 0 ? sum : 0;
    if (histogram->first_count == 0) {
        histogram->first_count = count;
        histogram->first_sum = sum;
        return;
    }
    value = sum / (double)count;
    if (histogram->count == 0 || value < histogram->least)
        histogram->least = value;
    if (value > histogram->most)
        histogram->most = value;
    histogram->count += count;
    histogram->sum += sum;
    histogram->buckets[bucket_of(value)] += count;
}

void dal_histogram_add_one(struct dal_histogram *histogram, double value)
{
    histogram->first_count = 1; /* there is no first sample */
    dal_histogram_add(histogram, value, 1);
}

void dal_histogram_merge(struct dal_histogram *histogram, const struct dal_histogram *other)
{
    histogram->first_count += other->first_count;
    histogram->first_sum += other->first_sum;
    if (other->count == 0)
        return;
    if (histogram->count == 0 || other->least < histogram->least)
        histogram->least = other->least;
    if (other->most > histogram->most)
        histogram->most = other->most;
    histogram->count += other->count;
    histogram->sum += other->sum;
    for (int i = 0; i < DAL_HISTOGRAM_BUCKETS; i++)
        histogram->buckets[i] += other->buckets[i];
}

uint64_t dal_histogram_count(const struct dal_histogram *histogram)
{
    return histogram->count ? histogram->count : histogram->first_count;
}

double dal_histogram_mean(const struct dal_histogram *histogram)
{
    if (histogram->count)
        return histogram->sum / (double)histogram->count;
    return histogram->first_count ? histogram->first_sum / (double)histogram->first_count : 0;
}

double dal_histogram_quantile(const struct dal_histogram *histogram, double part)
{
    double wanted = part * (double)histogram->count, passed = 0, value;
    int i = 0;
    if (histogram->count == 0)
        return dal_histogram_mean(histogram);
    for (passed = (double)histogram->buckets[0]; passed < wanted && i < DAL_HISTOGRAM_BUCKETS - 1;)
        passed += (double)histogram->buckets[++i];
    value = within(i, 0.5);
    if (value < histogram->least)
        return histogram->least;
    return value < histogram->most ? value : histogram->most;
}
