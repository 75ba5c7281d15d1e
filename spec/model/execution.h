/* How long a process takes, as a network or a file of times says it. Plain data. */
#pragma once

#include "spec/model/curve.h"

#include <stdint.h>

/* Time units of one firing, or of one cycle of a cyclo-static process; 0 or more. The user decides
 * what a unit is. */
struct dal_spec_execution_time {
    int is_given;
    int is_measured; /* a file of times has it: units are nanoseconds */
    uint64_t units;
    double mean_ns, p10_ns, median_ns, p99_ns; /* of a file of times; else 0 */
    /* What launches take, if it is on a device and was measured in several sizes; else NULL. */
    const struct dal_spec_curve *curve;
};

/* Returns the nanoseconds of a measured time. */
static inline double dal_spec_time_ns(const struct dal_spec_execution_time *time)
{
    return time->mean_ns > 0 ? time->mean_ns : (double)time->units;
}
