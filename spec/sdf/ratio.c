#include "spec/sdf/ratio.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <string.h>

/* Wide enough for sums of products: not ISO C, but all compilers for 64 bits have it. */
__extension__ typedef __int128 wide;

/* So many updates a node are spread before cycles are looked at again. */
#define MAX_SPREAD 4
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

/* first[i + 1] counts the arcs of i; makes first[i] the place where they begin. */
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

/* Chooses the longest arc of each node, and of those the lowest. */
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

/* Measures the cycle of policies that `node` is on, and takes it when it is the best so far. */
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

/* Finds the best cycle of the policies, if it is better than the one that is known. */
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

enum { UNSEEN, LED_AWAY, VALUED, QUEUED };

/* Follows the policies from a node, and gives all on the way a value if they lead to the anchor. */
static void value_walk(struct howard *h, uint32_t node)
{
    size_t count = 0;
    for (; h->mark[node] == UNSEEN; node = policy_arc(h, node)->to) {
        h->mark[node] = LED_AWAY;
        h->queue[count++] = node;
    }
    while (h->mark[node] == VALUED && count > 0) {
        node = h->queue[--count];
        h->value[node] = arc_value(h, policy_arc(h, node));
        h->mark[node] = VALUED;
    }
}

/* Leads nodes without a value to those with one, the nearest first. Returns how many have one. */
static size_t lead_back(struct howard *h)
{
    size_t count = 0;
    for (size_t i = 0; i < h->nodes; i++)
        if (h->mark[i] == VALUED)
            h->queue[count++] = (uint32_t)i;
    for (size_t at = 0; at < count && count < h->nodes; at++) {
        uint32_t node = h->queue[at];
        for (uint32_t i = h->first_in[node]; i < h->first_in[node + 1]; i++) {
            uint32_t number = h->in[i], from = h->arcs[number].from;
            if (h->mark[from] == VALUED)
                continue;
            h->policy[from] = number;
            h->mark[from] = VALUED;
            h->value[from] = arc_value(h, &h->arcs[number]);
            h->queue[count++] = from;
        }
    }
    return count;
}

/* Finds every node's value. Nodes whose policies lead elsewhere are led to the best cycle. */
static void find_values(struct howard *h)
{
    int away = 0;
    memset(h->mark, 0, h->nodes * sizeof(*h->mark));
    h->mark[h->anchor] = VALUED;
    h->value[h->anchor] = 0;
    for (size_t i = 0; i < h->nodes; i++)
        value_walk(h, (uint32_t)i);
    for (size_t i = 0; i < h->nodes && !away; i++)
        away = h->mark[i] != VALUED;
    if (away)
        h->lost |= lead_back(h) < h->nodes;
}

/* Returns whether all values fit. A walk becomes longer with each better arc. */
static int values_fit(const struct howard *h)
{
    wide longest = 0, highest = 0;
    for (size_t i = 0; i < h->arc_count; i++) {
        wide height = h->arcs[i].height < 0 ? -(wide)h->arcs[i].height : h->arcs[i].height;
        longest = h->arcs[i].length > longest ? h->arcs[i].length : longest;
        highest = height > highest ? height : highest;
    }
    return longest * h->height + highest * h->length <
           MAX_VALUE / ((MAX_SPREAD + 2) * ((wide)h->nodes + 1));
}

/* Nodes whose value has become more, and has not been told to those before them. */
struct news {
    size_t head, count;
};

static void put_news(struct howard *h, struct news *news, size_t node)
{
    if (h->mark[node] == QUEUED)
        return;
    h->mark[node] = QUEUED;
    h->queue[(news->head + news->count++) % h->nodes] = (uint32_t)node;
}

/* Takes the best arc of each node. Later firings have higher numbers, and what is better for them
 * counts at once for those before. */
static void take_better(struct howard *h, struct news *news)
{
    for (size_t i = h->nodes; i-- > 0;) {
        wide before = h->value[i];
        for (uint32_t k = h->first[i]; k < h->first[i + 1]; k++) {
            wide value = arc_value(h, &h->arcs[k]);
            if (value <= h->value[i])
                continue;
            h->value[i] = value;
            h->policy[i] = k;
        }
        if (h->value[i] > before)
            put_news(h, news, i);
    }
}

/* Tells all nodes with an arc to this one. */
static void spread_news(struct howard *h, struct news *news, uint32_t node)
{
    for (uint32_t i = h->first_in[node]; i < h->first_in[node + 1]; i++) {
        uint32_t number = h->in[i], from = h->arcs[number].from;
        wide value = arc_value(h, &h->arcs[number]);
        if (value <= h->value[from])
            continue;
        h->value[from] = value;
        h->policy[from] = number;
        put_news(h, news, from);
    }
}

/* Takes better arcs until there are none, or for so long that it may be a better cycle that turns
 * round. Returns whether there may be more of them. */
static int improve_policies(struct howard *h)
{
    struct news news = {0};
    memset(h->mark, 0, h->nodes * sizeof(*h->mark));
    take_better(h, &news);
    for (size_t i = 0; i < MAX_SPREAD * h->nodes && news.count > 0; i++) {
        uint32_t node = h->queue[news.head];
        news.head = (news.head + 1) % h->nodes;
        news.count--;
        h->mark[node] = 0;
        spread_news(h, &news, node);
    }
    return news.count > 0;
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
    dal_free_all(h.arcs, h.first, h.in, h.first_in, h.policy, h.mark, h.queue, h.value);
    return status;
}

void dal__ratio_finish(struct dal__ratio *ratio)
{
    dal_free(ratio->cycle);
    *ratio = (struct dal__ratio){0};
}
