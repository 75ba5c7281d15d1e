/* Which of several mappings that were run is taken. */
#include "synth/tune/map/job.h"

#include <stdlib.h>
#include <string.h>

/* Chance at most of a mistake, where the runs are enough to tell. */
static const double most_chance = 0.05;

/* Counts the orders of so many runs of two mappings in which those of the first are behind one of
 * the second `behind` times at most. */
static double count_orders(size_t first, size_t second, size_t behind)
{
    double count;
    if (!first || !second)
        return 1;
    count = count_orders(first, second - 1, behind);
    if (behind >= second)
        count += count_orders(first - 1, second, behind - second);
    return count;
}

/* Mann and Whitney's rank test, of one side. */
int dal_map_runs_win(const struct dal_map_runs *runs, const struct dal_map_runs *others)
{
    size_t behind = 0, all = runs->count * others->count;
    for (size_t i = 0; i < runs->count; i++)
        for (size_t k = 0; k < others->count; k++)
            behind += runs->ns[i] >= others->ns[k];
    if (!behind || !all)
        return all > 0;
    return count_orders(runs->count, others->count, behind) <=
           most_chance * count_orders(runs->count, others->count, all);
}

static int compare_ns(const void *one, const void *other)
{
    const double *a = one, *b = other;
    return (*a > *b) - (*a < *b);
}

double dal_map_runs_median(const struct dal_map_runs *runs)
{
    double sorted[DAL_MAP_RUNS];
    size_t half = runs->count / 2;
    if (!runs->count)
        return 0;
    memcpy(sorted, runs->ns, runs->count * sizeof(*sorted));
    qsort(sorted, runs->count, sizeof(*sorted), compare_ns);
    return runs->count % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/* Is one tried before another? The simpler one is, and of two that are alike the faster one. */
static int comes_before(const struct dal__finalist *a, const struct dal__finalist *b)
{
    if (a->devices != b->devices)
        return a->devices < b->devices;
    if (a->processors != b->processors)
        return a->processors < b->processors;
    if (a->simple != b->simple)
        return a->simple;
    if (a->copies != b->copies)
        return a->copies < b->copies;
    if (a->measured_ns < b->measured_ns || a->measured_ns > b->measured_ns)
        return a->measured_ns < b->measured_ns;
    return a < b;
}

static int was_measured(const struct dal__finalist *f)
{
    return f->runs.count > 0;
}

static int has_program(const struct dal__finalist *f)
{
    return f->path != NULL;
}

/* Returns the next that fits, from the simplest on; NULL behind the last. */
static const struct dal__finalist *next_of(const struct dal__finalist *list, size_t count,
                                           const struct dal__finalist *last,
                                           int (*fits)(const struct dal__finalist *f))
{
    const struct dal__finalist *next = NULL;
    for (const struct dal__finalist *f = list; f < list + count; f++)
        if (fits(f) && (!last || comes_before(last, f)) && (!next || comes_before(f, next)))
            next = f;
    return next;
}

/* Returns a simple one instead that needs no more, if the best is slower. */
static const struct dal__finalist *no_worse_than_simple(const struct dal__finalist *list,
                                                        size_t count,
                                                        const struct dal__finalist *best)
{
    for (const struct dal__finalist *f = list; f < list + count; f++)
        if (was_measured(f) && f->simple && f->devices <= best->devices &&
            f->processors <= best->processors && f->measured_ns < best->measured_ns)
            best = f;
    return best;
}

size_t dal__map_pick(const struct dal__finalist *list, size_t count)
{
    const struct dal__finalist *best = next_of(list, count, NULL, was_measured), *other = best;
    while (other && (other = next_of(list, count, other, was_measured)))
        if (dal_map_runs_win(&other->runs, &best->runs))
            best = other;
    best = best ? no_worse_than_simple(list, count, best) : NULL;
    return best ? (size_t)(best - list) : count;
}

size_t dal__map_simplest(const struct dal__finalist *list, size_t count)
{
    const struct dal__finalist *f = next_of(list, count, NULL, has_program);
    return f ? (size_t)(f - list) : count;
}
