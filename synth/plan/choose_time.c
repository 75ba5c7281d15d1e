/* How many firings a launch may have by the time that it takes. */
#include "synth/plan/choose.h"

#include <math.h>

/* Returns the most firings that take so long at most, of a process with a curve. */
static double firings_within(const struct dal_plan_work *work, uint64_t units, double ns)
{
    struct dal_spec_curve curve = *work->curve;
    dal_spec_curve_extend(&curve, (double)units);
    return fmin(dal_spec_curve_firings(&curve, ns), (double)UINT32_MAX);
}

uint64_t dal_plan_quick_copies(const struct dal_plan_work *work, uint64_t units)
{
    if (work->curve && dal_spec_curve_ns(work->curve, 1) >= DAL_PLAN_LAUNCH_NS)
        return 1;
    if (work->curve)
        return (uint64_t)ceil(firings_within(work, units, DAL_PLAN_LAUNCH_NS));
    return work->time_ns ? 1 + (DAL_PLAN_LAUNCH_NS - 1) / work->time_ns : 1;
}

uint64_t dal_plan_slow_copies(const struct dal_plan_work *work, uint64_t units)
{
    uint64_t slow = UINT64_MAX;
    if (work->curve)
        slow = (uint64_t)firings_within(work, units, DAL_PLAN_LONG_LAUNCH_NS);
    else if (work->time_ns)
        slow = DAL_PLAN_LONG_LAUNCH_NS / work->time_ns;
    return slow < units ? units : slow;
}
