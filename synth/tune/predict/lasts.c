/* How long activations last. */
#include "synth/tune/predict/execute.h"

#include <math.h>

double dal__sim_work_ns(const struct dal_sim_actor *a, uint64_t firings)
{
    return a->curve ? dal_spec_curve_ns(a->curve, (double)firings) : (double)firings * a->firing_ns;
}

/* Launches deviate by the same part, whatever their size. */
double dal__sim_lasts_ns(struct dal__sim_state *s, const struct dal_sim_actor *a, uint64_t firings)
{
    double firing_ns;
    if (!s->draws || !a->spread)
        return a->fixed_ns + dal__sim_work_ns(a, firings);
    firing_ns = fmax(0, a->firing_ns + dal_spread_draw(a->spread, dal_spread_chance(&s->chance)));
    if (a->curve && a->firing_ns > 0)
        return a->fixed_ns + dal__sim_work_ns(a, firings) * (firing_ns / a->firing_ns);
    return a->fixed_ns + (double)firings * firing_ns;
}

double dal__sim_stall_ns(struct dal__sim_state *s, double lasts_ns)
{
    const struct dal_sim *sim = s->sim;
    if (!s->draws || sim->stall_ns <= 0)
        return 0;
    return dal_spread_chance(&s->chance) < 1 - exp(-lasts_ns / sim->between_ns) ? sim->stall_ns : 0;
}
