#include "spec/sdf/change.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/read/raw.h"
#include "spec/sdf/ratio.h"
#include "spec/sdf/search.h"

#include <string.h>

/* One process in a forest of the channels that keep their rates. */
struct visit {
    struct dal__ratio firings; /* for one firing of the root */
    size_t via, parent, depth; /* via: channel from the parent */
    int seen;
};

/* `changed`, by channel, is a vector of the search: 1 where a channel is to get other rates. */
struct finder {
    const struct dal_spec_network *network;
    struct dal_sdf_budget *budget;
    struct visit *visits; /* by process */
    size_t *order;        /* processes, as they were reached */
    size_t count;
    int unfit;       /* a number of firings does not fit */
    int shared;      /* several channels of a port had to be changed for one */
    uint64_t *best;  /* the best known */
    uint64_t *spent; /* room for a vector */
};

/* The forest */

static void enter(struct finder *f, size_t number, const struct dal_spec_channel *channel,
                  int output)
{
    const struct dal_spec_process *from = output ? channel->producer : channel->consumer;
    const struct visit *here = &f->visits[from->number];
    struct visit *there = &f->visits[number];
    if (there->seen)
        return;
    *there = (struct visit){
        .via = channel->number, .parent = from->number, .depth = here->depth + 1, .seen = 1};
    f->unfit |= dal__scale(here->firings, output ? channel->rate_in : channel->rate_out,
                           output ? channel->rate_out : channel->rate_in, &there->firings);
    f->order[f->count++] = number;
}

/* Goes on from what has been reached, over channels that keep their rates. */
static void reach(struct finder *f, const uint64_t *changed, size_t first)
{
    for (size_t i = first; i < f->count && !f->unfit; i++) {
        const struct dal_spec_process *process = &f->network->processes[f->order[i]];
        for (size_t k = 0; k < process->port_count; k++) {
            const struct dal_spec_port *port = &process->ports[k];
            const struct dal_spec_channel *c = port->channel;
            for (; c && !f->unfit; c = dal_port_next(port, c))
                if (!changed[c->number])
                    enter(f, (port->output ? c->consumer : c->producer)->number, c, port->output);
        }
    }
}

/* A channel to be changed that nothing else joins to what has been reached: it may stay as it is,
 * but for a rate in that it shares. */
static int join(struct finder *f, const uint64_t *changed)
{
    for (size_t i = 0; i < f->network->channel_count; i++) {
        const struct dal_spec_channel *c = &f->network->channels[i];
        int from = f->visits[c->producer->number].seen, to = f->visits[c->consumer->number].seen;
        if (!changed[i] || from == to)
            continue;
        enter(f, (from ? c->consumer : c->producer)->number, c, from);
        return 1;
    }
    return 0;
}

/* Returns 0 when a number does not fit or the budget has ended. */
static int plant(struct finder *f, const uint64_t *changed)
{
    size_t processes = f->network->process_count, changes = 0;
    memset(f->visits, 0, processes * sizeof(*f->visits));
    f->count = 0;
    for (size_t i = 0; i < f->network->channel_count; i++)
        changes += changed[i] != 0;
    for (size_t root = 0; root < processes && !f->unfit; root++) {
        size_t first = f->count;
        if (f->visits[root].seen)
            continue;
        f->visits[root] = (struct visit){.firings = {.over = 1, .under = 1}, .seen = 1};
        f->order[f->count++] = root;
        do {
            reach(f, changed, first);
            first = f->count;
        } while (!f->unfit && changes && f->count < processes &&
                 dal_sdf_spend(f->budget, f->network->channel_count) && join(f, changed));
    }
    return dal_sdf_spend(f->budget, processes + f->network->channel_count) && !f->unfit;
}

/* tokenrateout for one tokenratein, as the forest has it. */
static int ratio_of(const struct finder *f, const struct dal_spec_channel *c,
                    struct dal__ratio *ratio)
{
    struct dal__ratio from = f->visits[c->producer->number].firings;
    struct dal__ratio to = f->visits[c->consumer->number].firings;
    return dal__scale(from, to.under, to.over, ratio);
}

static int contradicts(const struct finder *f, const struct dal_spec_channel *c)
{
    struct dal__ratio now = {.over = 1, .under = 1}, wanted;
    dal__scale(now, c->rate_out, c->rate_in, &now);
    return ratio_of(f, c, &wanted) || now.over != wanted.over || now.under != wanted.under;
}

/* Cycles */

/* The channels on the way between two processes in the forest, in `branches` unless that is
 * NULL. */
static size_t way(const struct finder *f, size_t a, size_t b, struct dal__branch *branches)
{
    size_t count = 0;
    while (a != b) {
        size_t *lower = f->visits[a].depth < f->visits[b].depth ? &b : &a;
        if (branches)
            branches[count] = (struct dal__branch){.at = f->visits[*lower].via, .more = 1};
        *lower = f->visits[*lower].parent;
        count++;
    }
    return count;
}

static size_t cycle_of(const struct finder *f, const struct dal_spec_channel *c,
                       struct dal__branch *branches)
{
    size_t count = way(f, c->producer->number, c->consumer->number, branches);
    if (branches)
        branches[count] = (struct dal__branch){.at = c->number, .more = 1};
    return count + 1;
}

/* The shortest of the cycles of the forest that contradict themselves; 0 without one. */
static size_t find_cycle(struct finder *f, const uint64_t *changed, struct dal__branch *branches)
{
    const struct dal_spec_channel *shortest = NULL;
    size_t least = 0;
    for (size_t i = 0; i < f->network->channel_count; i++) {
        const struct dal_spec_channel *c = &f->network->channels[i];
        size_t length;
        if (changed[i] || !contradicts(f, c))
            continue;
        length = cycle_of(f, c, NULL);
        dal_sdf_spend(f->budget, length);
        if (!shortest || length < least) {
            shortest = c;
            least = length;
        }
    }
    return shortest ? cycle_of(f, shortest, branches) : 0;
}

/* Rates */

static int is_shared(const struct dal_spec_channel *c)
{
    return c->producer_port->channel->next_of_port != NULL;
}

/* Another channel of its port, one that keeps its rates; NULL without. */
static const struct dal_spec_channel *unchanged_peer(const uint64_t *changed,
                                                     const struct dal_spec_channel *c)
{
    const struct dal_spec_channel *peer = c->producer_port->channel;
    while (peer && changed[peer->number])
        peer = peer->next_of_port;
    return peer;
}

/* A channel that must be changed at its rate in, which another one shares that is not; NULL without
 * one. */
static const struct dal_spec_channel *find_torn(struct finder *f, const uint64_t *changed)
{
    for (size_t i = 0; i < f->network->channel_count; i++) {
        const struct dal_spec_channel *c = &f->network->channels[i];
        struct dal__ratio ratio;
        if (!changed[i] || !is_shared(c))
            continue;
        if (ratio_of(f, c, &ratio))
            f->unfit = 1;
        else if (c->rate_in % ratio.under && unchanged_peer(changed, c))
            return c;
    }
    return NULL;
}

/* The rate in of a port all of whose channels are changed: a multiple of what it is that all of
 * them can have. 0 when it does not fit. */
static uint64_t shared_rate(const struct finder *f, const struct dal_spec_channel *c)
{
    uint64_t rate = c->rate_in;
    for (c = c->producer_port->channel; c; c = c->next_of_port) {
        struct dal__ratio ratio;
        if (ratio_of(f, c, &ratio) ||
            __builtin_mul_overflow(rate, ratio.under / dal_gcd(rate, ratio.under), &rate))
            return 0;
    }
    return rate;
}

/* One of the rates as it is if possible. */
static uint64_t find_rate_in(const struct finder *f, const uint64_t *changed,
                             const struct dal_spec_channel *c, struct dal__ratio ratio)
{
    if (is_shared(c))
        return unchanged_peer(changed, c) ? c->rate_in : shared_rate(f, c);
    if (c->rate_in % ratio.under == 0)
        return c->rate_in;
    return c->rate_out % ratio.over ? ratio.under : c->rate_out / ratio.over * ratio.under;
}

/* Returns 0 when they do not fit. */
static int set_rates(const struct finder *f, const uint64_t *changed, size_t number,
                     struct dal_sdf_change *change)
{
    const struct dal_spec_channel *c = &f->network->channels[number];
    uint64_t in, out;
    struct dal__ratio ratio;
    if (ratio_of(f, c, &ratio))
        return 0;
    in = find_rate_in(f, changed, c, ratio);
    if (!in || in % ratio.under || __builtin_mul_overflow(in / ratio.under, ratio.over, &out))
        return 0;
    change->rate_in[number] = in;
    change->rate_out[number] = out;
    change->count += in != c->rate_in || out != c->rate_out;
    return in <= DAL__MAX_RATE && out <= DAL__MAX_RATE;
}

static int set_all_rates(struct finder *f, struct dal_sdf_change *change)
{
    if (!plant(f, f->best))
        return 0;
    change->count = 0;
    for (size_t i = 0; i < f->network->channel_count; i++)
        if (f->best[i] && !set_rates(f, f->best, i, change))
            return 0;
    return 1;
}

/* The search */

static uint64_t sum(const uint64_t *vector, size_t size)
{
    uint64_t total = 0;
    for (size_t i = 0; i < size; i++)
        total += vector[i];
    return total;
}

/* Changes that do, in f->best: whatever closes a contradictory cycle of a forest. */
static int find_any(struct finder *f)
{
    size_t grown = 1;
    while (grown > 0) {
        const struct dal_spec_channel *torn;
        grown = 0;
        if (!plant(f, f->best))
            return 0;
        for (size_t i = 0; i < f->network->channel_count; i++)
            if (!f->best[i] && contradicts(f, &f->network->channels[i]))
                f->best[i] = ++grown > 0;
        torn = grown ? NULL : find_torn(f, f->best);
        if (torn) {
            f->best[unchanged_peer(f->best, torn)->number] = 1;
            f->shared = 1;
            grown = 1;
        }
    }
    return !f->unfit;
}

/* How many contradictory cycles there are that share no channel: as many changes are needed. */
static uint64_t count_apart(struct finder *f, struct dal__branch *branches)
{
    uint64_t count = 0;
    size_t length;
    memset(f->spent, 0, f->network->channel_count * sizeof(*f->spent));
    while (plant(f, f->spent) && (length = find_cycle(f, f->spent, branches)) > 0) {
        while (length > 0)
            f->spent[branches[--length].at] = 1;
        count++;
    }
    return count;
}

static int look(void *context, const uint64_t *vector, uint64_t total, struct dal__branch *branches,
                size_t *count)
{
    struct finder *f = context;
    const struct dal_spec_channel *torn;
    (void)total;
    if (!plant(f, vector))
        return DAL_OK;
    *count = find_cycle(f, vector, branches);
    if (*count)
        return DAL_OK;
    torn = find_torn(f, vector);
    if (torn) {
        f->shared = 1;
        *count = way(f, torn->producer->number, torn->consumer->number, branches);
        branches[(*count)++] =
            (struct dal__branch){.at = unchanged_peer(vector, torn)->number, .more = 1};
        return DAL_OK;
    }
    memcpy(f->best, vector, f->network->channel_count * sizeof(*vector));
    return 1;
}

/* Fewer changes than f->best has, when there are. Returns DAL_OK or DAL_ERR_NOMEM. */
static int prove(struct finder *f, struct dal_sdf_change *change, struct dal__branch *branches)
{
    size_t size = f->network->channel_count;
    uint64_t *weight = dal_calloc(size + 1, sizeof(*weight));
    uint64_t *start = dal_calloc(size + 1, sizeof(*start));
    struct dal__search search = {.size = size,
                                 .weight = weight,
                                 .limit = sum(f->best, size),
                                 .budget = f->budget,
                                 .context = f,
                                 .look = look};
    int status = weight && start ? DAL_OK : DAL_ERR_NOMEM;
    for (size_t i = 0; !status && i < size; i++)
        weight[i] = 1;
    if (!status && search.limit == count_apart(f, branches))
        change->is_smallest = !f->shared;
    else if (!status) {
        status = dal__search_run(&search, start, 0);
        change->is_smallest = search.complete && !f->budget->expired && !f->unfit && !f->shared;
    }
    dal_free(weight);
    dal_free(start);
    f->unfit = 0;
    return status < 0 ? status : DAL_OK;
}

static int find(struct finder *f, struct dal_sdf_change *change, struct dal__branch *branches)
{
    struct dal_sdf_budget rest = {.work = UINT64_MAX}, *whole = f->budget;
    int status;
    for (size_t i = 0; i < f->network->channel_count; i++) {
        change->rate_in[i] = f->network->channels[i].rate_in;
        change->rate_out[i] = f->network->channels[i].rate_out;
    }
    if (!find_any(f))
        return DAL_OK;
    status = prove(f, change, branches);
    f->budget = &rest; /* for one more forest */
    if (!status)
        change->found = set_all_rates(f, change);
    f->budget = whole;
    change->is_smallest &= change->found;
    return status;
}

int dal__change_find(struct dal_sdf_change *change, const struct dal_spec_network *network,
                     struct dal_sdf_budget *budget)
{
    size_t channels = network->channel_count + 1, processes = network->process_count + 1;
    struct dal__branch *branches = dal_calloc(2 * channels, sizeof(*branches));
    struct finder f = {.network = network,
                       .budget = budget,
                       .visits = dal_calloc(processes, sizeof(*f.visits)),
                       .order = dal_calloc(processes, sizeof(*f.order)),
                       .best = dal_calloc(channels, sizeof(*f.best)),
                       .spent = dal_calloc(channels, sizeof(*f.spent))};
    int status = DAL_ERR_NOMEM;
    *change = (struct dal_sdf_change){
        .rate_in = dal_calloc(channels, sizeof(*change->rate_in)),
        .rate_out = dal_calloc(channels, sizeof(*change->rate_out)),
    };
    if (branches && f.visits && f.order && f.best && f.spent && change->rate_in && change->rate_out)
        status = find(&f, change, branches);
    dal_free(branches);
    dal_free(f.visits);
    dal_free(f.order);
    dal_free(f.best);
    dal_free(f.spent);
    return status;
}

void dal_sdf_change_finish(struct dal_sdf_change *change)
{
    dal_free(change->rate_in);
    dal_free(change->rate_out);
    *change = (struct dal_sdf_change){0};
}
