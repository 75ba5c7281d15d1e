#include "synth/plan/link.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/number.h"
#include "synth/plan/plan.h"

#include <inttypes.h>
#include <string.h>

/* The best way from one node to each, by Bellman and Ford. Links are taken forth and back in turn,
 * so that a line of nodes needs two rounds. */
struct reach {
    uint64_t latency_ns; /* UINT64_MAX: not reached */
    uint64_t bandwidth;
    const struct dal_spec_link *last;
};

static int is_better(const struct reach *a, const struct reach *b)
{
    return a->latency_ns < b->latency_ns ||
           (a->latency_ns == b->latency_ns && a->bandwidth > b->bandwidth);
}

static int take_link(struct reach *reach, const struct dal_spec_link *link, size_t from, size_t to)
{
    struct reach found = {.latency_ns = reach[from].latency_ns + link->latency_ns,
                          .bandwidth = dal_least(reach[from].bandwidth, link->bandwidth),
                          .last = link};
    if (reach[from].latency_ns == UINT64_MAX || !is_better(&found, &reach[to]))
        return 0;
    reach[to] = found;
    return 1;
}

static int take_both_ways(struct reach *reach, const struct dal_spec_link *link)
{
    return take_link(reach, link, link->ends[0], link->ends[1]) |
           take_link(reach, link, link->ends[1], link->ends[0]);
}

static void find_reach(const struct dal_spec_architecture *architecture, struct reach *reach)
{
    int changed = 1;
    while (changed) {
        changed = 0;
        for (size_t i = 0; i < architecture->link_count; i++)
            changed |= take_both_ways(reach, &architecture->links[i]);
        for (size_t i = architecture->link_count; i > 0; i--)
            changed |= take_both_ways(reach, &architecture->links[i - 1]);
    }
}

static size_t node_before(const struct reach *reach, size_t node)
{
    const struct dal_spec_link *link = reach[node].last;
    return link->ends[link->ends[0] == node];
}

/* The way is known from its end, so the text is filled in from there. */
static char *name_links(const struct reach *reach, size_t from, size_t to)
{
    static const char comma[] = {',', ' '};
    size_t bytes = 0;
    char *names, *at;
    for (size_t node = to; node != from; node = node_before(reach, node))
        bytes += strlen(reach[node].last->name) + sizeof(comma);
    names = dal_calloc(bytes + 1, 1);
    if (!names)
        return NULL;
    at = names + bytes;
    for (size_t node = to; node != from; node = node_before(reach, node)) {
        const char *name = reach[node].last->name;
        at -= sizeof(comma);
        if (node != to)
            memcpy(at, comma, sizeof(comma));
        at -= strlen(name);
        memcpy(at, name, strlen(name));
    }
    return names;
}

int dal_plan_find_way(const struct dal_spec_architecture *architecture, size_t from, size_t to,
                      struct dal_plan_way *way)
{
    struct reach *reach;
    int lost;
    *way = (struct dal_plan_way){0};
    if (!architecture->link_count)
        return DAL_OK;
    reach = dal_calloc(architecture->node_limit, sizeof(*reach));
    if (!reach)
        return DAL_ERR_NOMEM;
    for (size_t i = 0; i < architecture->node_limit; i++)
        reach[i].latency_ns = UINT64_MAX;
    reach[from] = (struct reach){.bandwidth = UINT64_MAX};
    find_reach(architecture, reach);
    if (reach[to].last) {
        way->latency_ns = reach[to].latency_ns;
        way->bandwidth = reach[to].bandwidth;
        way->names = name_links(reach, from, to);
    }
    lost = reach[to].last && !way->names;
    dal_free(reach);
    return lost ? DAL_ERR_NOMEM : DAL_OK;
}

void dal_plan_way_finish(struct dal_plan_way *way)
{
    dal_free(way->names);
    *way = (struct dal_plan_way){0};
}

/* ---- the model ------------------------------------------------------------------------------- */

uint64_t dal_plan_way_message(const struct dal_plan_way *way, uint64_t token_bytes)
{
    return way->bandwidth <= DAL_PLAN_SLOW_LINK ? DAL_PLAN_MESSAGE_BYTES / token_bytes : 0;
}

/* Seconds. The runtime looks again after an eighth of the time that nothing has come. */
static double find_turn(const struct dal_plan_way *way, int asks)
{
    double sent = asks ? 0 : (double)DAL_PLAN_MESSAGE_BYTES / (double)way->bandwidth;
    double latency = (asks ? 4 : 2) * (double)way->latency_ns * 9 / 8;
    return sent + 1e-9 * (latency + (double)DAL_PLAN_TURN_NS);
}

/* Half more than a turn's where messages follow each other, since they do not come evenly. */
double dal_plan_way_bytes(const struct dal_plan_way *way, uint64_t token_bytes)
{
    int asks = !dal_plan_way_message(way, token_bytes);
    return (asks ? 16 : 1.5) * find_turn(way, asks) * (double)way->bandwidth;
}

double dal_plan_way_rate(const struct dal_plan_way *way, uint64_t token_bytes, double bytes)
{
    int asks = !dal_plan_way_message(way, token_bytes);
    double turn = find_turn(way, asks), most = (double)way->bandwidth;
    if (asks)
        return 1 / (turn / bytes + 1 / most);
    return bytes / turn < most ? bytes / turn : most;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Up to three digits, with the largest prefix that leaves at least one in front of the point. */
static char *write_number(double number, const char *const *units)
{
    while (units[1] && number >= 999.5) {
        number /= 1000;
        units++;
    }
    return dal_format("%.3g %s", number, *units);
}

static char *write_rate(double rate)
{
    static const char *const units[] = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s", NULL};
    return write_number(rate, units);
}

/* "link up, down (1.5 ms, 12.5 MB/s)", and what it carries with so many bytes where that is less.
 */
static char *describe_way(const struct dal_plan_way *way, uint64_t token_bytes, double bytes)
{
    static const char *const units[] = {"ns", "us", "ms", "s", NULL};
    double carried = dal_plan_way_rate(way, token_bytes, bytes), most = (double)way->bandwidth;
    char *latency = write_number((double)way->latency_ns, units), *rate = write_rate(most);
    char *less = write_rate(carried), *text = NULL;
    int is_less = carried < 0.895 * most;
    if (latency && rate && less)
        text = dal_format("link %s (%s, %s)%s%s", way->names, latency, rate,
                          is_less ? ", which carries about " : "", is_less ? less : "");
    dal_free_all(latency, rate, less);
    return text;
}

/* ---- one channel ----------------------------------------------------------------------------- */

static const struct dal_spec_processor *first_processor(const struct dal_plan_process *p)
{
    return p->processors[0]->processor;
}

/* The way of a channel between nodes; none where the architecture says nothing of links. */
static int find_way(const struct dal_plan *plan, const struct dal_plan_channel *ch,
                    struct dal_plan_way *way)
{
    *way = (struct dal_plan_way){0};
    if (ch->kind != DAL_CHANNEL_REMOTE)
        return DAL_OK;
    return dal_plan_find_way(&plan->spec->architecture,
                             first_processor(dal_plan_producer(plan, ch->channel))->node_number,
                             first_processor(dal_plan_consumer(plan, ch->channel))->node_number,
                             way);
}

/* Takes `longer` over, which is NULL without memory. */
static int set_reason(struct dal_plan_channel *ch, char *longer)
{
    if (!longer)
        return DAL_ERR_NOMEM;
    dal_free(ch->capacity_reason);
    ch->capacity_reason = longer;
    return DAL_OK;
}

static int add_room(struct dal_plan_channel *ch, const struct dal_plan_way *way)
{
    double wanted = dal_plan_way_bytes(way, ch->channel->token_bytes);
    int is_limited = wanted > (double)DAL_PLAN_LINK_BYTES;
    uint64_t bytes = is_limited ? DAL_PLAN_LINK_BYTES : (uint64_t)wanted;
    uint64_t size = ch->channel->token_bytes, tokens = bytes / size + (bytes % size > 0);
    char *text = describe_way(way, size, (double)bytes + (double)ch->capacity * (double)size);
    char *limit = is_limited ? dal_format(" with %" PRIu64 " MB, the most without a size",
                                          DAL_PLAN_LINK_BYTES >> 20)
                             : dal_strdup("");
    char *reason = text && limit ? dal_format("%s + %" PRIu64 " for %s%s", ch->capacity_reason,
                                              tokens, text, limit)
                                 : NULL;
    dal_free_all(text, limit);
    ch->message = dal_plan_way_message(way, size);
    ch->extra += tokens;
    if (__builtin_add_overflow(ch->capacity, tokens, &ch->capacity))
        ch->capacity = UINT64_MAX; /* which is refused later */
    return set_reason(ch, reason);
}

int dal_plan_add_link(const struct dal_plan *plan, struct dal_plan_channel *ch)
{
    struct dal_plan_way way;
    int status = find_way(plan, ch, &way);
    if (!status && way.names)
        status = add_room(ch, &way);
    dal_plan_way_finish(&way);
    return status;
}

int dal_plan_judge_link(const struct dal_plan *plan, struct dal_plan_channel *ch)
{
    uint64_t size = ch->channel->token_bytes;
    struct dal_plan_way way;
    char *text = NULL;
    int status = find_way(plan, ch, &way);
    if (!status && way.names) {
        ch->message = dal_plan_way_message(&way, size);
        text = describe_way(&way, size, (double)ch->capacity * (double)size);
        status = set_reason(ch, text ? dal_format("%s; %s", ch->capacity_reason, text) : NULL);
    }
    dal_free(text);
    dal_plan_way_finish(&way);
    return status;
}
