#include "spec/sdf/kperiodic.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/sdf/flows.h"

#include <stdlib.h>
#include <string.h>

/* Most arcs of one graph; larger ones are given up. */
#define MAX_ARCS ((size_t)1 << 23)
/* K becomes a whole iteration when it has this part of its firings. */
#define WHOLE_FROM 4
/* Most units of height of an iteration. */
#define MAX_SCALE (UINT64_C(1) << 59)
/* Heights. An iteration is p->scale units. A period of K firings of a process is a fraction of it:
 * 1 / rest_of(). */

static uint64_t rest_of(const struct dal__periodic *p, size_t process)
{
    return p->repetitions[process] / p->k[process];
}

static uint64_t least_multiple(struct dal__periodic *p, uint64_t a, uint64_t b)
{
    uint64_t result;
    if (__builtin_mul_overflow(a / dal_gcd(a, b), b, &result) || result > MAX_SCALE)
        p->lost = 1;
    return p->lost ? 1 : result;
}

/* Returns the process with the fewest firings whose K is not a whole iteration, or DAL_SDF_NONE. */
static size_t find_smallest(const struct dal__periodic *p)
{
    size_t found = DAL_SDF_NONE;
    for (size_t i = 0; i < p->part->process_count; i++)
        if (rest_of(p, i) > 1 &&
            (found == DAL_SDF_NONE || p->repetitions[i] < p->repetitions[found]))
            found = i;
    return found;
}

/* Finds the scale; where it does not fit, small processes get all of their K. */
static void find_scale(struct dal__periodic *p)
{
    size_t small = 0;
    do {
        p->lost = 0;
        p->scale = 1;
        for (size_t i = 0; i < p->part->process_count && !p->lost; i++)
            p->scale = least_multiple(p, p->scale, rest_of(p, i));
        if (p->lost)
            small = find_smallest(p);
        if (p->lost && small != DAL_SDF_NONE)
            p->k[small] = p->repetitions[small];
    } while (p->lost && small != DAL_SDF_NONE);
}

/* Arcs */

static int add_arc(struct dal__periodic *p, size_t from, size_t to, uint64_t length, int64_t height,
                   size_t tag)
{
    if (p->lost || p->arcs.count == MAX_ARCS || height >= DAL__ARC_LIMIT ||
        height <= -DAL__ARC_LIMIT) {
        p->lost = 1;
        return DAL_OK;
    }
    if (dal_grow(&p->arcs.list, p->arcs.count, &p->arcs.room, sizeof(*p->arcs.list)))
        return DAL_ERR_NOMEM;
    p->arcs.list[p->arcs.count++] = (struct dal__arc){.from = (uint32_t)from,
                                                      .to = (uint32_t)to,
                                                      .length = (int64_t)length,
                                                      .height = height,
                                                      .tag = (uint32_t)tag};
    return DAL_OK;
}

/* Returns a * b as a height. */
static int64_t height_of(struct dal__periodic *p, uint64_t a, uint64_t b)
{
    int64_t height = 0;
    p->lost |= __builtin_mul_overflow(a, b, &height);
    return height;
}

/* Makes a node for each of a process's K firings, and arcs that make them start in order. */
static int add_process(struct dal__periodic *p, size_t process)
{
    uint64_t count;
    size_t first = p->arcs.nodes;
    int status = DAL_OK;
    p->first[process] = first;
    if (__builtin_mul_overflow(p->k[process], p->phases[process], &count) ||
        count > MAX_ARCS - first) {
        p->lost = 1;
        return DAL_OK;
    }
    p->arcs.nodes += count;
    for (size_t i = 1; i < count && !status; i++)
        status = add_arc(p, first + i - 1, first + i, 0, 0, 0);
    if (count > 1 && !status)
        status =
            add_arc(p, first + count - 1, first, 0, (int64_t)(p->scale / rest_of(p, process)), 0);
    return status;
}

/* One flow while its arcs are made. Both ends are in step again after `modulus` tokens, which are
 * `unit` units of height. */
struct laying {
    const struct dal__flow *flow;
    uint64_t modulus, unit, tag;
    size_t places;
};

static int put_place(struct dal__periodic *p, struct laying *laying, uint64_t at, size_t node)
{
    if (dal_grow(&p->places, laying->places, &p->place_room, sizeof(*p->places)))
        return DAL_ERR_NOMEM;
    p->places[laying->places++] = (struct dal__place){.at = at, .node = (uint32_t)node};
    return DAL_OK;
}

static int compare_places(const void *a, const void *b)
{
    const struct dal__place *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

/* Calls `visit` for each firing of a side, with the tokens before and with it; not for those that
 * move none, unless it is for `all`. */
static int walk_side(struct dal__periodic *p, struct laying *laying,
                     const struct dal__amounts *side, int all,
                     int (*visit)(struct dal__periodic *p, struct laying *laying, size_t firing,
                                  uint64_t before, uint64_t after))
{
    uint64_t count = p->k[side->process] * p->phases[side->process], tokens = 0;
    int status = DAL_OK;
    for (uint64_t i = 0; i < count && !status && !p->lost; i++) {
        uint64_t amount = dal__amount_of(side, i % p->phases[side->process]);
        if (amount || all)
            status = visit(p, laying, i, tokens, tokens + amount);
        tokens += amount;
    }
    return status;
}

/* Notes the last token that a firing needs, as a place. */
static int note_place(struct dal__periodic *p, struct laying *laying, size_t firing,
                      uint64_t before, uint64_t after)
{
    (void)before;
    return put_place(p, laying, (after - 1) % laying->modulus + 1,
                     p->first[laying->flow->to.process] + firing);
}

static size_t find_place(const struct dal__periodic *p, const struct laying *laying, uint64_t at)
{
    size_t low = 0, high = laying->places;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p->places[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds an arc from a firing to the first place behind the tokens before it. All consumers from
 * there on wait for this firing. */
static int lay_producer(struct dal__periodic *p, struct laying *laying, size_t firing,
                        uint64_t before, uint64_t after)
{
    const struct dal__amounts *from = &laying->flow->from;
    uint64_t at = laying->flow->tokens + before, turns = at / laying->modulus;
    size_t place = find_place(p, laying, at % laying->modulus + 1);
    (void)after;
    return add_arc(
        p, p->first[from->process] + firing, p->places[place].node,
        dal__time_of(&p->part->processes[from->process], firing % p->phases[from->process]),
        height_of(p, turns, laying->unit), laying->tag);
}

static int lay_consumer(struct dal__periodic *p, struct laying *laying, size_t firing,
                        uint64_t before, uint64_t after)
{
    size_t place = find_place(p, laying, (after - 1) % laying->modulus + 1);
    (void)before;
    return add_arc(p, p->places[place].node, p->first[laying->flow->to.process] + firing, 0,
                   -height_of(p, (after - 1) / laying->modulus, laying->unit), 0);
}

/* Gives the places nodes of their own, each of which comes after the one before. */
static int make_places(struct dal__periodic *p, struct laying *laying)
{
    size_t count = 0, first = p->arcs.nodes;
    int status = DAL_OK;
    qsort(p->places, laying->places, sizeof(*p->places), compare_places);
    for (size_t i = 0; i < laying->places; i++)
        if (count == 0 || p->places[count - 1].at != p->places[i].at)
            p->places[count++].at = p->places[i].at;
    for (size_t i = 0; i < count; i++)
        p->places[i].node = (uint32_t)(first + i);
    laying->places = count;
    p->arcs.nodes += count;
    for (size_t i = 1; i < count && !status; i++)
        status = add_arc(p, first + i - 1, first + i, 0, 0, 0);
    if (count > 1 && !status)
        status = add_arc(p, first + count - 1, first, 0, (int64_t)laying->unit, 0);
    return status ? status : walk_side(p, laying, &laying->flow->to, 0, lay_consumer);
}

static int add_flow(struct dal__periodic *p, size_t number)
{
    const struct dal__flow *flow = &p->flows[number];
    uint64_t from = rest_of(p, flow->from.process), to = rest_of(p, flow->to.process);
    uint64_t given, taken;
    struct laying laying = {.flow = flow, .tag = number + 1};
    int status;
    if (__builtin_mul_overflow(p->k[flow->from.process], flow->from.cycle, &given) ||
        __builtin_mul_overflow(p->k[flow->to.process], flow->to.cycle, &taken) ||
        given >= MAX_TOKENS || taken >= MAX_TOKENS) {
        p->lost = 1;
        return DAL_OK;
    }
    laying.modulus = dal_gcd(given, taken);
    laying.unit = p->scale / least_multiple(p, from, to);
    status = walk_side(p, &laying, &flow->to, 0, note_place);
    /* If one turn is all of the consumer's K, its firings are the places. */
    if (!status && taken != laying.modulus)
        status = make_places(p, &laying);
    if (!status)
        status = walk_side(p, &laying, &flow->from, p->overtakes[flow->from.process], lay_producer);
    return status;
}

/* Pays for the arcs that have come since there were `before`. */
static void pay_arcs(struct dal__periodic *p, size_t before)
{
    if (!dal_sdf_spend(p->budget, p->arcs.count - before))
        p->lost = 1;
}

static int make_arcs(struct dal__periodic *p)
{
    int status = DAL_OK;
    p->arcs.count = p->arcs.nodes = 0;
    find_scale(p);
    for (size_t i = 0; i < p->part->process_count && !status && !p->lost; i++)
        status = add_process(p, i);
    p->first[p->part->process_count] = p->arcs.nodes;
    pay_arcs(p, 0);
    for (size_t i = 0; i < p->flow_count && !status && !p->lost; i++) {
        size_t before = p->arcs.count;
        status = add_flow(p, i);
        pay_arcs(p, before);
    }
    return status;
}

/* Returns whether there may be cycles in which no time passes. */
static int has_no_time(const struct dal__periodic *p)
{
    for (size_t i = 0; i < p->part->process_count; i++)
        for (uint64_t k = 0; k < p->phases[i]; k++)
            if (dal__time_of(&p->part->processes[i], k) == 0)
                return 1;
    return 0;
}

/* Finds the slowest cycle; before that, one that deadlocks without taking time. */
static int find_cycle(struct dal__periodic *p, struct dal__ratio *ratio)
{
    int status = DAL_OK;
    *ratio = (struct dal__ratio){.kind = DAL__RATIO_FINITE};
    if (has_no_time(p))
        status = dal__ratio_find(&p->arcs, 1, p->budget, ratio);
    if (status || ratio->kind != DAL__RATIO_FINITE)
        return status;
    dal__ratio_finish(ratio);
    return dal__ratio_find(&p->arcs, 0, p->budget, ratio);
}

/* K */

/* Returns the process whose firing a node is, or DAL_SDF_NONE. */
static size_t process_at(const struct dal__periodic *p, size_t node)
{
    size_t low = 0, high = p->part->process_count;
    if (node >= p->first[high])
        return DAL_SDF_NONE;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (p->first[middle] <= node)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Lets K cover the processes of a cycle. Returns whether it did already: then the schedule of
 * these processes alone can be no faster, and the cycle says what the period is. */
static int cover_cycle(struct dal__periodic *p, const struct dal__ratio *ratio)
{
    uint64_t common = 0;
    int covered = 1;
    for (size_t i = 0; i < ratio->cycle_count; i++) {
        size_t process = process_at(p, ratio->cycle[i].from);
        if (process != DAL_SDF_NONE)
            common = dal_gcd(common, p->repetitions[process]);
    }
    for (size_t i = 0; i < ratio->cycle_count; i++) {
        size_t process = process_at(p, ratio->cycle[i].from);
        uint64_t k, least;
        if (process == DAL_SDF_NONE)
            continue;
        k = p->k[process];
        least = p->repetitions[process] / common;
        if (k % least == 0)
            continue;
        p->k[process] = k / dal_gcd(k, least) * least;
        covered = 0;
    }
    return covered;
}

/* Counts the firings of so many K, and the arcs of the graph with them. */
static double count_firings(const struct dal__periodic *p, const uint64_t *k, double *arcs)
{
    double firings = 0;
    for (size_t i = 0; i < p->part->process_count; i++)
        firings += (double)k[i] * (double)p->phases[i];
    *arcs = firings;
    for (size_t i = 0; i < p->flow_count; i++) {
        size_t process = p->flows[i].from.process;
        *arcs += (double)k[process] * (double)p->phases[process];
    }
    return firings;
}

/* Once K has most of an iteration, it may as well have all of it: that is the last step. */
static void round_up(struct dal__periodic *p)
{
    double arcs, firings = count_firings(p, p->k, &arcs);
    double whole = count_firings(p, p->repetitions, &arcs);
    if (firings < whole / WHOLE_FROM || arcs > (double)MAX_ARCS)
        return;
    memcpy(p->k, p->repetitions, p->part->process_count * sizeof(*p->k));
}

/* Returns the time units of a whole iteration; length / height is the time of a unit of height. */
static struct dal_sdf_period period_of_ratio(const struct dal__periodic *p,
                                             const struct dal__ratio *ratio)
{
    struct dal_sdf_period period = {.verdict = DAL_SDF_PERIODIC, .under = ratio->height};
    uint64_t factors[] = {ratio->length, p->scale, p->common};
    period.over = 1;
    for (size_t i = 0; i < sizeof(factors) / sizeof(factors[0]); i++) {
        uint64_t common = dal_gcd(factors[i], period.under);
        period.under /= common;
        if (__builtin_mul_overflow(period.over, factors[i] / common, &period.over))
            return (struct dal_sdf_period){.verdict = DAL_SDF_UNKNOWN};
    }
    return period;
}

static void note_space(const struct dal__periodic *p, const struct dal__ratio *ratio,
                       unsigned char *space)
{
    for (size_t i = 0; i < ratio->cycle_count && space; i++) {
        uint32_t tag = ratio->cycle[i].tag;
        if (tag && p->flows[tag - 1].is_space)
            space[p->flows[tag - 1].channel] = 1;
    }
}

/* Finds the period with the present K. Returns 1 when it is known, or never will be. */
static int try_k(struct dal__periodic *p, struct dal_sdf_period *period, unsigned char *space)
{
    struct dal__ratio ratio = {0};
    int status = make_arcs(p), done = 1;
    if (!status && !p->lost)
        status = find_cycle(p, &ratio);
    if (status || p->lost || ratio.kind == DAL__RATIO_UNKNOWN) {
        dal__ratio_finish(&ratio);
        return status ? status : 1;
    }
    if (ratio.kind == DAL__RATIO_FINITE && ratio.length == 0) {
        period->verdict = DAL_SDF_UNBOUNDED;
    } else if (!cover_cycle(p, &ratio)) {
        round_up(p);
        done = 0;
    } else {
        note_space(p, &ratio, space);
        *period = ratio.kind == DAL__RATIO_FINITE
                      ? period_of_ratio(p, &ratio)
                      : (struct dal_sdf_period){.verdict = DAL_SDF_DEADLOCK};
    }
    dal__ratio_finish(&ratio);
    return done;
}

int dal__kperiodic(const struct dal_sdf_graph *part, const uint64_t *capacity,
                   struct dal_sdf_budget *budget, struct dal_sdf_period *period,
                   unsigned char *space)
{
    struct dal__periodic p;
    int status = dal__periodic_init(&p, part, capacity, budget);
    *period = (struct dal_sdf_period){.verdict = DAL_SDF_UNKNOWN};
    while (!status && !p.lost && !budget->expired)
        status = try_k(&p, period, space);
    dal__periodic_finish(&p);
    return status < 0 ? status : DAL_OK;
}
