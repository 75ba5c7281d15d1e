#include "synth/tune/predict/spread.h"

#include <math.h>

/* Parts of the times that are below what a file has of them. */
static const double LOW = 0.1, MIDDLE = 0.5, HIGH = 0.99, END = 0.999;
static const double LEAST_BEND = 0.1;
enum { HALVINGS = 40 };

/* Adds a deviation to that of things which deviate each by itself. */
static double add_deviation(double sum_ns, double more_ns)
{
    double square = copysign(sum_ns * sum_ns, sum_ns) + copysign(more_ns * more_ns, more_ns);
    return copysign(sqrt(fabs(square)), square);
}

void dal_spread_add(struct dal_spread *spread, const struct dal_spec_execution_time *time,
                    double count)
{
    if (time->p99_ns <= time->p10_ns)
        return;
    spread->low_ns = add_deviation(spread->low_ns, count * (time->p10_ns - time->mean_ns));
    spread->middle_ns = add_deviation(spread->middle_ns, count * (time->median_ns - time->mean_ns));
    spread->high_ns = add_deviation(spread->high_ns, count * (time->p99_ns - time->mean_ns));
}

/* The steps from the median to a part, in those of an exponential distribution. */
static double steps(double part)
{
    return log((1 - MIDDLE) / (1 - part));
}

/* Returns the mean of all that is above the median, by the part of what lies between it and the
 * 99th percentile. The curve begins to rise after `start` steps: it is a Weibull distribution's. */
static double upper_mean(const struct dal_spread *s)
{
    return exp(-s->start) * tgamma(s->bend + 1) / pow(steps(HIGH) - s->start, s->bend);
}

static double mean_of(const struct dal_spread *s)
{
    double lower = LOW * s->low_ns + (MIDDLE - LOW) * (s->low_ns + s->middle_ns) / 2;
    return lower + (1 - MIDDLE) * (s->middle_ns + (s->high_ns - s->middle_ns) * upper_mean(s));
}

/* Finds where between two values the mean is 0; it falls from the first to the second. */
static void halve(const struct dal_spread *s, double *value, double least, double most)
{
    for (int i = 0; i < HALVINGS; i++) {
        *value = (least + most) / 2;
        *(mean_of(s) > 0 ? &least : &most) = *value;
    }
}

/* Times that differ less than an exponential distribution's bend the curve; a few long ones
 * begin it later. What they cannot give of the mean shifts all. */
void dal_spread_fit(struct dal_spread *s)
{
    s->start = 0;
    s->bend = 1;
    if (mean_of(s) > 0)
        halve(s, &s->start, 0, steps(HIGH) - 1);
    else
        halve(s, &s->bend, LEAST_BEND, 1);
    s->shift_ns = -mean_of(s);
}

int dal_spread_differs(const struct dal_spread *s)
{
    return s->high_ns > s->low_ns;
}

double dal_spread_draw(const struct dal_spread *s, double chance)
{
    double part = fmin(chance, END);
    if (part < LOW)
        return s->shift_ns + s->low_ns;
    if (part < MIDDLE)
        return s->shift_ns + s->low_ns + (s->middle_ns - s->low_ns) * (part - LOW) / (MIDDLE - LOW);
    return s->shift_ns + s->middle_ns +
           (s->high_ns - s->middle_ns) *
               pow(fmax(0, steps(part) - s->start) / (steps(HIGH) - s->start), s->bend);
}

double dal_spread_chance(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) / (double)(UINT64_C(1) << 53);
}
