#include "spec/sdf/ratio.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <string.h>

/* Wide enough for sums of products: not ISO C, but of every compiler for 64 bits. */
__extension__ typedef __int128 wide;

#define NO_ARC UINT32_MAX
/* Values stay below this, so that the sum of two fits. */
#define MAX_VALUE ((wide)1 << 125)

/* Each node's policy is one arc from it, so that every walk ends in a cycle. A node's value is the
 * length of its walk to the anchor of the best cycle, less what the ratio allows for its height. */
struct howard {
    struct dal__arc *arcs; /* sorted by `from` */
    uint32_t *first;       /* by node, one more at the end: its arcs */
    uint32_t *in;          /* numbers of arcs, sorted by `to` */
    uint32_t *first_in;
    uint32_t *policy;
    uint32_t *mark, *queue; /* by node: scratch */
    wide *value;
    size_t nodes, arc_count;
    struct dal_sdf_budget *budget;
    uint32_t anchor;
    int64_t length, height; /* the ratio of the anchor's cycle, in lowest terms */
    int known, infinite;    /* there is an anchor; its cycle has no height */
    int lost;               /* a number does not fit */
};

static void howard_finish(struct howard *h)
{
    dal_free(h->arcs);
    dal_free(h->first);
    dal_free(h->in);
    dal_free(h->first_in);
    dal_free(h->policy);
    dal_free(h->mark);
    dal_free(h->queue);
    dal_free(h->value);
}

/* first[i + 1] has how many there are of i: makes first[i] where they begin. */
static void add_up(uint32_t *first, size_t count)
{
    for (size_t i = 0; i < count; i++)
        first[i + 1] += first[i];
}

static void sort_arcs(struct howard *h, const struct dal__arcs *arcs, int flat)
{
    for (size_t i = 0; i < arcs->count; i++) {
        h->first[arcs->list[i].from + 1]++;
        h->first_in[arcs->list[i].to + 1]++;
    }
    add_up(h->first, h->nodes);
    add_up(h->first_in, h->nodes);
    memcpy(h->mark, h->first, h->nodes * sizeof(*h->mark));
    for (size_t i = 0; i < arcs->count; i++) {
        struct dal__arc *arc = &h->arcs[h->mark[arcs->list[i].from]++];
        *arc = arcs->list[i];
        if (flat)
            arc->length = 1;
    }
    memcpy(h->mark, h->first_in, h->nodes * sizeof(*h->mark));
    for (size_t i = 0; i < arcs->count; i++)
        h->in[h->mark[h->arcs[i].to]++] = (uint32_t)i;
}

/* The longest arc first, and of those the lowest. */
static void choose_policy(struct howard *h)
{
    for (size_t i = 0; i < h->nodes; i++)
        h->policy[i] = h->first[i];
    for (size_t i = 0; i < h->arc_count; i++) {
        const struct dal__arc *arc = &h->arcs[i], *best = &h->arcs[h->policy[arc->from]];
        if (arc->length > best->length ||
            (arc->length == best->length && arc->height < best->height))
            h->policy[arc->from] = (uint32_t)i;
    }
}

static int howard_init(struct howard *h, const struct dal__arcs *arcs, int flat,
                       struct dal_sdf_budget *budget)
{
    size_t nodes = arcs->nodes + 1, count = arcs->count + 1;
    *h = (struct howard){
        .arcs = dal_calloc(count, sizeof(*h->arcs)),
        .first = dal_calloc(nodes, sizeof(*h->first)),
        .in = dal_calloc(count, sizeof(*h->in)),
        .first_in = dal_calloc(nodes, sizeof(*h->first_in)),
        .policy = dal_calloc(nodes, sizeof(*h->policy)),
        .mark = dal_calloc(nodes, sizeof(*h->mark)),
        .queue = dal_calloc(nodes, sizeof(*h->queue)),
        .value = dal_calloc(nodes, sizeof(*h->value)),
        .nodes = arcs->nodes,
        .arc_count = arcs->count,
        .budget = budget,
    };
    if (!h->arcs || !h->first || !h->in || !h->first_in || !h->policy || !h->mark || !h->queue ||
        !h->value)
        return DAL_ERR_NOMEM;
    sort_arcs(h, arcs, flat);
    choose_policy(h);
    return DAL_OK;
}

static const struct dal__arc *policy_arc(const struct howard *h, uint32_t node)
{
    return &h->arcs[h->policy[node]];
}

/* The cycle of the policies that `node` is on: takes it when it is the best so far. */
static void measure_cycle(struct howard *h, uint32_t node)
{
    int64_t length = 0, height = 0;
    uint32_t at = node;
    do {
        const struct dal__arc *arc = policy_arc(h, at);
        h->lost |= __builtin_add_overflow(length, arc->length, &length) ||
                   __builtin_add_overflow(height, arc->height, &height);
        at = arc->to;
    } while (at != node && !h->lost);
    if (h->lost)
        return;
    if (height > 0 && h->known && (wide)length * h->height <= (wide)h->length * height)
        return;
    h->known = 1;
    h->anchor = node;
    h->infinite = height <= 0;
    if (!h->infinite) {
        int64_t common = (int64_t)dal_gcd((uint64_t)length, (uint64_t)height);
        h->length = length / common;
        h->height = height / common;
    }
}

/* The best cycle of the policies, if it is better than the one that is known. */
static void find_cycles(struct howard *h)
{
    memset(h->mark, 0, h->nodes * sizeof(*h->mark));
    for (size_t i = 0; i < h->nodes && !h->lost && !h->infinite; i++) {
        uint32_t node = (uint32_t)i, walk = (uint32_t)i + 1;
        while (h->mark[node] == 0) {
            h->mark[node] = walk;
            node = policy_arc(h, node)->to;
        }
        if (h->mark[node] == walk)
            measure_cycle(h, node);
    }
}

static wide arc_value(const struct howard *h, const struct dal__arc *arc)
{
    return (wide)arc->length * h->height - (wide)arc->height * h->length + h->value[arc->to];
}

/* Walks back from the nodes in the queue behind `at`: along policies, or along all arcs, which
 * become policies. Returns how many are in the queue. */
static size_t walk_back(struct howard *h, size_t at, size_t count, int any)
{
    for (; at < count; at++) {
        uint32_t node = h->queue[at];
        for (uint32_t i = h->first_in[node]; i < h->first_in[node + 1]; i++) {
            uint32_t number = h->in[i], from = h->arcs[number].from;
            if (h->mark[from] || (!any && h->policy[from] != number))
                continue;
            h->policy[from] = number;
            h->mark[from] = 1;
            h->value[from] = arc_value(h, &h->arcs[number]);
            h->queue[count++] = from;
        }
    }
    return count;
}

/* Every node's value; those whose policies lead elsewhere are led to the best cycle. */
static void find_values(struct howard *h)
{
    size_t count;
    memset(h->mark, 0, h->nodes * sizeof(*h->mark));
    h->queue[0] = h->anchor;
    h->mark[h->anchor] = 1;
    h->value[h->anchor] = 0;
    count = walk_back(h, 0, 1, 0);
    if (count < h->nodes)
        count = walk_back(h, 0, count, 1);
    h->lost |= count < h->nodes;
}

/* Whether all values fit, whatever the walks. */
static int values_fit(const struct howard *h)
{
    wide longest = 0, highest = 0;
    for (size_t i = 0; i < h->arc_count; i++) {
        wide height = h->arcs[i].height < 0 ? -(wide)h->arcs[i].height : h->arcs[i].height;
        longest = h->arcs[i].length > longest ? h->arcs[i].length : longest;
        highest = height > highest ? height : highest;
    }
    return longest * h->height + highest * h->length < MAX_VALUE / ((wide)h->nodes + 1);
}

/* Takes better arcs. Returns whether there were any. */
static int improve_policies(struct howard *h)
{
    int better = 0;
    for (size_t i = 0; i < h->nodes; i++) {
        wide most = h->value[i];
        for (uint32_t k = h->first[i]; k < h->first[i + 1]; k++) {
            wide value = arc_value(h, &h->arcs[k]);
            if (value <= most)
                continue;
            most = value;
            h->policy[i] = k;
            better = 1;
        }
    }
    return better;
}

static int copy_cycle(const struct howard *h, struct dal__ratio *ratio)
{
    uint32_t at = h->anchor;
    size_t count = 0;
    do {
        at = policy_arc(h, at)->to;
        count++;
    } while (at != h->anchor);
    ratio->cycle = dal_calloc(count, sizeof(*ratio->cycle));
    for (; ratio->cycle && ratio->cycle_count < count; at = policy_arc(h, at)->to)
        ratio->cycle[ratio->cycle_count++] = *policy_arc(h, at);
    return ratio->cycle ? DAL_OK : DAL_ERR_NOMEM;
}

static int iterate_policies(struct howard *h, struct dal__ratio *ratio)
{
    int better = 1;
    while (better) {
        find_cycles(h);
        if (h->infinite)
            break;
        if (h->lost || !values_fit(h) || !dal_sdf_spend(h->budget, h->arc_count))
            return DAL_OK;
        find_values(h);
        if (h->lost)
            return DAL_OK;
        better = improve_policies(h);
    }
    ratio->kind = h->infinite ? DAL__RATIO_INFINITE : DAL__RATIO_FINITE;
    ratio->length = (uint64_t)h->length;
    ratio->height = (uint64_t)h->height;
    return copy_cycle(h, ratio);
}

int dal__ratio_find(const struct dal__arcs *arcs, int flat, struct dal_sdf_budget *budget,
                    struct dal__ratio *ratio)
{
    struct howard h;
    int status = howard_init(&h, arcs, flat, budget);
    *ratio = (struct dal__ratio){.kind = DAL__RATIO_UNKNOWN};
    if (!status)
        status = iterate_policies(&h, ratio);
    howard_finish(&h);
    return status;
}

void dal__ratio_finish(struct dal__ratio *ratio)
{
    dal_free(ratio->cycle);
    *ratio = (struct dal__ratio){0};
}
