#include "spec/model/curve.h"

#include "rt/base/alloc.h"

#include <math.h>

void dal_spec_curves_finish(struct dal_spec_curve *list)
{
    while (list) {
        struct dal_spec_curve *next = list->next;
        dal_free(list);
        list = next;
    }
}

static double firings_at(const struct dal_spec_curve *curve, size_t i)
{
    return curve->of[i].firings / curve->of[i].launches;
}

static double ns_at(const struct dal_spec_curve *curve, size_t i)
{
    return curve->of[i].ns / curve->of[i].launches;
}

/* Pools neighbours until they ascend (Ayer et al. 1955). Those before `i` do; it joins as many of
 * them as are above it. */
static void level(struct dal_spec_curve *curve, size_t i)
{
    double launches = curve->of[i].launches, ns = curve->of[i].ns;
    size_t first = i;
    while (first > 0 && ns_at(curve, first - 1) > ns / launches) {
        first--;
        launches += curve->of[first].launches;
        ns += curve->of[first].ns;
    }
    for (size_t k = first; k <= i; k++)
        curve->of[k].ns = curve->of[k].launches * (ns / launches);
}

void dal_spec_curve_rise(struct dal_spec_curve *curve)
{
    for (size_t i = 1; i < curve->count; i++)
        level(curve, i);
}

static void add_size(struct dal_spec_curve *curve, double firings, double ns)
{
    curve->of[curve->count++] = (struct dal_spec_launches){1, firings, ns};
}

void dal_spec_curve_extend(struct dal_spec_curve *curve, double units)
{
    double last = firings_at(curve, curve->count - 1), twice_ns, end_ns;
    if (last < units)
        add_size(curve, units, dal_spec_curve_ns(curve, units));
    last = fmax(last, units);
    end_ns = ns_at(curve, curve->count - 1);
    twice_ns = fmax(dal_spec_curve_ns(curve, 2 * last), 2 * end_ns);
    add_size(curve, 2 * last, twice_ns);
}

/* Returns ns per firing between a size and the one before it. */
static double slope_at(const struct dal_spec_curve *curve, size_t i)
{
    return (ns_at(curve, i) - ns_at(curve, i - 1)) /
           (firings_at(curve, i) - firings_at(curve, i - 1));
}

double dal_spec_curve_ns(const struct dal_spec_curve *curve, double firings)
{
    size_t i = 1;
    if (curve->count == 1 || firings <= firings_at(curve, 0))
        return ns_at(curve, 0);
    while (i + 1 < curve->count && firings > firings_at(curve, i))
        i++;
    return ns_at(curve, i) + slope_at(curve, i) * (firings - firings_at(curve, i));
}

double dal_spec_curve_firings(const struct dal_spec_curve *curve, double ns)
{
    size_t i = 1;
    double slope;
    if (ns < ns_at(curve, 0))
        return 1;
    if (curve->count == 1)
        return INFINITY;
    while (i + 1 < curve->count && ns >= ns_at(curve, i))
        i++;
    slope = slope_at(curve, i);
    return slope > 0 ? firings_at(curve, i) + (ns - ns_at(curve, i)) / slope : INFINITY;
}
