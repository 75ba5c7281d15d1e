/* What a launch takes by its rounds: the curves of its processes, added up. */
#include "synth/tune/predict/model.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "synth/plan/choose.h"

#include <string.h>

/* Two sizes are the same if they differ by less than such a part. */
static const double NEAR = 1e-6;

static const struct dal_spec_curve *curve_of(const struct dal_plan_process *p)
{
    return p->device ? dal_plan_time(p)->curve : NULL;
}

/* Returns what so many rounds take of a process. */
static double process_ns(const struct dal_model *m, size_t number, double rounds)
{
    const struct dal_spec_curve *curve = curve_of(&m->plan->processes[number]);
    double firings = rounds * (double)m->round_of[number];
    return curve ? dal_spec_curve_ns(curve, firings) : firings * m->time_of[number];
}

/* Adds a size, in its order, unless it is there or no more are kept. */
static void add_rounds(struct dal_spec_curve *curve, double rounds)
{
    size_t i = 0;
    while (i < curve->count && curve->of[i].firings < rounds * (1 - NEAR))
        i++;
    if (curve->count == DAL_CURVE_MOST ||
        (i < curve->count && curve->of[i].firings <= rounds * (1 + NEAR)))
        return;
    memmove(&curve->of[i + 1], &curve->of[i], (curve->count - i) * sizeof(curve->of[0]));
    curve->of[i] = (struct dal_spec_launches){.launches = 1, .firings = rounds};
    curve->count++;
}

/* Gives an actor the sizes of one of its processes. */
static int add_sizes(struct dal_model *m, size_t number, struct dal_spec_curve **own)
{
    const struct dal_spec_curve *from = curve_of(&m->plan->processes[number]);
    if (!from)
        return DAL_OK;
    if (!*own) {
        *own = dal_calloc(1, sizeof(**own));
        if (!*own)
            return DAL_ERR_NOMEM;
        (*own)->next = m->curves;
        m->curves = *own;
    }
    for (size_t i = 0; i < from->count; i++)
        add_rounds(*own, from->of[i].firings / from->of[i].launches / (double)m->round_of[number]);
    return DAL_OK;
}

static void add_times(const struct dal_model *m, size_t number, struct dal_spec_curve *own)
{
    for (size_t i = 0; own && i < own->count; i++)
        own->of[i].ns += process_ns(m, number, own->of[i].firings);
}

static double units_of(const struct dal_plan *plan, const struct dal_plan_process *p)
{
    return (double)dal_plan_device_of(plan, p->processors[0]).compute_units;
}

/* An actor's curve goes on beyond what was measured once all of its processes are in it. */
static void give_curve(struct dal_model *m, size_t number, struct dal_spec_curve *own)
{
    struct dal_sim_actor *actor = &m->actors[m->actor_of[number]];
    if (!own || actor->curve)
        return;
    dal_spec_curve_extend(own, units_of(m->plan, &m->plan->processes[number]));
    actor->curve = own;
}

int dal__model_curves(struct dal_model *m)
{
    struct dal_spec_curve **own =
        dal_calloc(m->graph.process_count + 1, sizeof(struct dal_spec_curve *));
    size_t count = m->plan->process_count;
    int status = own ? DAL_OK : DAL_ERR_NOMEM;
    for (size_t i = 0; !status && i < count; i++)
        status = add_sizes(m, i, &own[m->actor_of[i]]);
    for (size_t i = 0; !status && i < count; i++)
        add_times(m, i, own[m->actor_of[i]]);
    for (size_t i = 0; !status && i < count; i++)
        give_curve(m, i, own[m->actor_of[i]]);
    dal_free(own);
    return status;
}

double dal_model_launched(const struct dal_plan *plan, const struct dal_plan_process *p,
                          const struct dal_spec_curve *launches)
{
    const struct dal_spec_curve *measured = curve_of(p);
    struct dal_spec_curve curve;
    double ns = 0, firings = 0;
    if (!measured || !launches)
        return -1;
    curve = *measured;
    dal_spec_curve_extend(&curve, units_of(plan, p));
    for (size_t i = 0; i < launches->count; i++) {
        const struct dal_spec_launches *size = &launches->of[i];
        ns += size->launches * dal_spec_curve_ns(&curve, size->firings / size->launches);
        firings += size->firings;
    }
    return ns / firings;
}
