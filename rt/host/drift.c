#include "rt/host/drift.h"

void dal_drift_begin(struct dal_drift *drift, double nominal_per_s)
{
    drift->is_measured = 1;
    drift->nominal_per_s = nominal_per_s > 0 ? nominal_per_s : 0;
}

void dal_drift_add(struct dal_drift *drift, int64_t now_ns, uint64_t tokens)
{
    double from_s, from;
    if (drift->points == 0) {
        drift->first_ns = now_ns;
        drift->first = tokens;
    }
    drift->tokens = tokens;
    drift->last_ns = now_ns;
    drift->points++;
    from_s = 1e-9 * (double)(now_ns - drift->first_ns) - drift->mean_s;
    from = (double)(tokens - drift->first) - drift->mean;
    drift->mean_s += from_s / (double)drift->points;
    drift->mean += from / (double)drift->points;
    drift->square += from_s * from_s * (double)(drift->points - 1) / (double)drift->points;
    drift->cross += from_s * from * (double)(drift->points - 1) / (double)drift->points;
}

double dal_drift_per_s(const struct dal_drift *drift)
{
    return drift->square > 0 ? drift->cross / drift->square : 0;
}

double dal_drift_ppm(const struct dal_drift *drift)
{
    double per_s = dal_drift_per_s(drift);
    return per_s > 0 && drift->nominal_per_s > 0 ? 1e6 * (per_s / drift->nominal_per_s - 1) : 0;
}
