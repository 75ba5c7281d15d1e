/* Finds the smallest change that makes inconsistent rates consistent. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/limits.h"
#include "spec/sdf/forest.h"
#include "spec/sdf/search.h"

#include <string.h>

/* A forest of the channels that keep their rates. `changed`, by channel, is a vector of the search:
 * 1 for channels that get other rates. */
struct finder {
    const struct dal_sdf_graph *graph;
    struct dal_sdf_budget *budget;
    struct dal__forest forest;
    int unfit;       /* a number of firings does not fit */
    int shared;      /* several channels of a port had to be changed for one */
    uint64_t *best;  /* the best known */
    uint64_t *spent; /* room for a vector */
};

/* The forest */

static void enter_once(struct finder *f, const struct dal_sdf_end *end)
{
    struct dal__ratio firings = {0};
    if (f->forest.visits[dal_sdf_other_end(f->graph, end)].seen)
        return;
    f->unfit |= dal__forest_across(&f->forest, end, &firings);
    dal__forest_enter(&f->forest, end, firings);
}

/* Goes on from the processes that were reached, over channels that keep their rates. */
static void reach_all(struct finder *f, const uint64_t *changed, size_t first)
{
    for (size_t i = first; i < f->forest.count && !f->unfit; i++) {
        const struct dal_sdf_process *p = &f->graph->processes[f->forest.order[i]];
        for (size_t k = p->first; k < p->first + p->count && !f->unfit; k++)
            if (!changed[f->graph->ends[k].channel])
                enter_once(f, &f->graph->ends[k]);
    }
}

/* Enters a process over a channel to be changed, when no other channel reaches it. Then the channel
 * may stay as it is, except for a rate in that it shares. */
static int join_changed(struct finder *f, const uint64_t *changed)
{
    for (size_t i = 0; i < f->graph->channel_count; i++) {
        const struct dal_sdf_channel *c = &f->graph->channels[i];
        int from = f->forest.visits[c->producer].seen, to = f->forest.visits[c->consumer].seen;
        const struct dal_sdf_end end = {
            .channel = i, .rate = from ? c->rate_in : c->rate_out, .output = from};
        if (!changed[i] || from == to)
            continue;
        enter_once(f, &end);
        return 1;
    }
    return 0;
}

/* Returns 0 when a number does not fit or the budget has ended. */
static int plant_forest(struct finder *f, const uint64_t *changed)
{
    size_t processes = f->graph->process_count, channels = f->graph->channel_count, changes = 0;
    memset(f->forest.visits, 0, processes * sizeof(*f->forest.visits));
    f->forest.count = 0;
    for (size_t i = 0; i < channels; i++)
        changes += changed[i] != 0;
    for (size_t root = 0; root < processes && !f->unfit; root++) {
        size_t first = f->forest.count;
        if (f->forest.visits[root].seen)
            continue;
        dal__forest_plant(&f->forest, root);
        do {
            reach_all(f, changed, first);
            first = f->forest.count;
        } while (!f->unfit && changes && first < processes && dal_sdf_spend(f->budget, channels) &&
                 join_changed(f, changed));
    }
    return dal_sdf_spend(f->budget, processes + channels) && !f->unfit;
}

/* Computes tokenrateout for one tokenratein, by the forest. */
static int wanted_ratio(const struct finder *f, const struct dal_sdf_channel *c,
                        struct dal__ratio *ratio)
{
    struct dal__ratio from = f->forest.visits[c->producer].firings;
    struct dal__ratio to = f->forest.visits[c->consumer].firings;
    return dal__scale(from, to.under, to.over, ratio);
}

static int is_contradictory(const struct finder *f, const struct dal_sdf_channel *c)
{
    struct dal__ratio now = {.over = 1, .under = 1}, wanted;
    dal__scale(now, c->rate_out, c->rate_in, &now);
    return wanted_ratio(f, c, &wanted) || now.over != wanted.over || now.under != wanted.under;
}

/* Cycles */

/* Counts the channels on the way between two processes in the forest, and lists them in `branches`
 * unless that is NULL. */
static size_t find_way(const struct finder *f, size_t a, size_t b, struct dal__branch *branches)
{
    size_t count = 0;
    while (a != b) {
        size_t *lower = f->forest.visits[a].depth < f->forest.visits[b].depth ? &b : &a;
        if (branches)
            branches[count] = (struct dal__branch){.at = f->forest.visits[*lower].via, .more = 1};
        *lower = f->forest.visits[*lower].parent;
        count++;
    }
    return count;
}

static size_t close_cycle(const struct finder *f, const struct dal_sdf_channel *c,
                          struct dal__branch *branches)
{
    size_t count = find_way(f, c->producer, c->consumer, branches);
    if (branches)
        branches[count] = (struct dal__branch){.at = c->number, .more = 1};
    return count + 1;
}

/* Finds the shortest contradictory cycle of the forest; 0 without one. */
static size_t find_cycle(struct finder *f, const uint64_t *changed, struct dal__branch *branches)
{
    const struct dal_sdf_channel *shortest = NULL;
    size_t least = 0;
    for (size_t i = 0; i < f->graph->channel_count; i++) {
        const struct dal_sdf_channel *c = &f->graph->channels[i];
        size_t length;
        if (changed[i] || !is_contradictory(f, c))
            continue;
        length = close_cycle(f, c, NULL);
        dal_sdf_spend(f->budget, length);
        if (!shortest || length < least) {
            shortest = c;
            least = length;
        }
    }
    return shortest ? close_cycle(f, shortest, branches) : 0;
}

/* Rates */

static int is_shared(const struct finder *f, const struct dal_sdf_channel *c)
{
    return f->graph->channels[c->first_of_port].next_of_port != DAL_SDF_NONE;
}

/* Returns the first channel of the same port that keeps its rates, or DAL_SDF_NONE. */
static size_t unchanged_peer(const struct finder *f, const uint64_t *changed,
                             const struct dal_sdf_channel *c)
{
    size_t peer = c->first_of_port;
    while (peer != DAL_SDF_NONE && changed[peer])
        peer = f->graph->channels[peer].next_of_port;
    return peer;
}

static int has_unchanged_peer(const struct finder *f, const uint64_t *changed,
                              const struct dal_sdf_channel *c)
{
    return unchanged_peer(f, changed, c) != DAL_SDF_NONE;
}

/* Returns a channel whose rate in must change, although a channel that keeps its rates shares it;
 * NULL without one. */
static const struct dal_sdf_channel *find_torn(struct finder *f, const uint64_t *changed)
{
    for (size_t i = 0; i < f->graph->channel_count; i++) {
        const struct dal_sdf_channel *c = &f->graph->channels[i];
        struct dal__ratio ratio;
        if (!changed[i] || !is_shared(f, c))
            continue;
        if (wanted_ratio(f, c, &ratio))
            f->unfit = 1;
        else if (c->rate_in % ratio.under && has_unchanged_peer(f, changed, c))
            return c;
    }
    return NULL;
}

/* Returns the rate in of a port whose channels all change: the least multiple of the present one
 * that fits all of them. 0 when it does not fit. */
static uint64_t shared_rate(const struct finder *f, const struct dal_sdf_channel *c)
{
    uint64_t rate = c->rate_in;
    for (size_t i = c->first_of_port; i != DAL_SDF_NONE; i = f->graph->channels[i].next_of_port) {
        struct dal__ratio ratio;
        if (wanted_ratio(f, &f->graph->channels[i], &ratio) ||
            __builtin_mul_overflow(rate, ratio.under / dal_gcd(rate, ratio.under), &rate))
            return 0;
    }
    return rate;
}

/* Returns the rate in; keeps one of the two rates as it is, if possible. */
static uint64_t find_rate_in(const struct finder *f, const uint64_t *changed,
                             const struct dal_sdf_channel *c, struct dal__ratio ratio)
{
    if (is_shared(f, c))
        return has_unchanged_peer(f, changed, c) ? c->rate_in : shared_rate(f, c);
    if (c->rate_in % ratio.under == 0)
        return c->rate_in;
    return c->rate_out % ratio.over ? ratio.under : c->rate_out / ratio.over * ratio.under;
}

/* Returns 0 when they do not fit. */
static int set_rate(const struct finder *f, const uint64_t *changed, size_t number,
                    struct dal_sdf_change *change)
{
    const struct dal_sdf_channel *c = &f->graph->channels[number];
    uint64_t in, out;
    struct dal__ratio ratio;
    if (wanted_ratio(f, c, &ratio))
        return 0;
    in = find_rate_in(f, changed, c, ratio);
    if (!in || in % ratio.under || __builtin_mul_overflow(in / ratio.under, ratio.over, &out))
        return 0;
    change->rate_in[number] = in;
    change->rate_out[number] = out;
    change->count += in != c->rate_in || out != c->rate_out;
    return in <= DAL_MAX_RATE && out <= DAL_MAX_RATE;
}

static int set_all_rates(struct finder *f, struct dal_sdf_change *change)
{
    if (!plant_forest(f, f->best))
        return 0;
    change->count = 0;
    for (size_t i = 0; i < f->graph->channel_count; i++)
        if (f->best[i] && !set_rate(f, f->best, i, change))
            return 0;
    return 1;
}

/* The search */

static uint64_t sum_entries(const uint64_t *vector, size_t size)
{
    uint64_t total = 0;
    for (size_t i = 0; i < size; i++)
        total += vector[i];
    return total;
}

/* Marks enough changes in f->best: all channels that close a contradictory cycle of a forest. */
static int mark_enough(struct finder *f)
{
    size_t grown = 1;
    while (grown > 0) {
        const struct dal_sdf_channel *torn;
        grown = 0;
        if (!plant_forest(f, f->best))
            return 0;
        for (size_t i = 0; i < f->graph->channel_count; i++)
            if (!f->best[i] && is_contradictory(f, &f->graph->channels[i]))
                f->best[i] = ++grown > 0;
        torn = grown ? NULL : find_torn(f, f->best);
        if (torn) {
            f->best[unchanged_peer(f, f->best, torn)] = 1;
            f->shared = 1;
            grown = 1;
        }
    }
    return !f->unfit;
}

/* Counts contradictory cycles that share no channel: as many changes are needed. */
static uint64_t count_separate_cycles(struct finder *f, struct dal__branch *branches)
{
    uint64_t count = 0;
    size_t length;
    memset(f->spent, 0, f->graph->channel_count * sizeof(*f->spent));
    while (plant_forest(f, f->spent) && (length = find_cycle(f, f->spent, branches)) > 0) {
        while (length > 0)
            f->spent[branches[--length].at] = 1;
        count++;
    }
    return count;
}

static int look_at_changes(void *context, const uint64_t *vector, uint64_t total,
                           struct dal__branch *branches, size_t *count)
{
    struct finder *f = context;
    const struct dal_sdf_channel *torn;
    (void)total;
    if (!plant_forest(f, vector))
        return DAL_OK;
    *count = find_cycle(f, vector, branches);
    if (*count)
        return DAL_OK;
    torn = find_torn(f, vector);
    if (torn) {
        f->shared = 1;
        *count = find_way(f, torn->producer, torn->consumer, branches);
        branches[(*count)++] =
            (struct dal__branch){.at = unchanged_peer(f, vector, torn), .more = 1};
        return DAL_OK;
    }
    memcpy(f->best, vector, f->graph->channel_count * sizeof(*vector));
    return 1;
}

/* Searches for fewer changes than f->best has. Returns DAL_OK or DAL_ERR_NOMEM. */
static int find_fewer(struct finder *f, struct dal_sdf_change *change, struct dal__branch *branches)
{
    size_t size = f->graph->channel_count;
    uint64_t *weight = dal_calloc(size + 1, sizeof(*weight));
    uint64_t *start = dal_calloc(size + 1, sizeof(*start));
    struct dal__search search = {.size = size,
                                 .weight = weight,
                                 .limit = sum_entries(f->best, size),
                                 .budget = f->budget,
                                 .context = f,
                                 .look = look_at_changes};
    int status = weight && start ? DAL_OK : DAL_ERR_NOMEM;
    for (size_t i = 0; !status && i < size; i++)
        weight[i] = 1;
    if (!status && search.limit == count_separate_cycles(f, branches))
        change->is_smallest = !f->shared;
    else if (!status) {
        status = dal__search_run(&search, start, 0);
        change->is_smallest = search.complete && !f->budget->expired && !f->unfit && !f->shared;
    }
    dal_free_all(weight, start);
    f->unfit = 0;
    return status < 0 ? status : DAL_OK;
}

static int find_change(struct finder *f, struct dal_sdf_change *change,
                       struct dal__branch *branches)
{
    struct dal_sdf_budget rest = {.work = UINT64_MAX}, *whole = f->budget;
    int status;
    for (size_t i = 0; i < f->graph->channel_count; i++) {
        change->rate_in[i] = f->graph->channels[i].rate_in;
        change->rate_out[i] = f->graph->channels[i].rate_out;
    }
    if (!mark_enough(f))
        return DAL_OK;
    status = find_fewer(f, change, branches);
    f->budget = &rest; /* for one more forest */
    if (!status)
        change->found = set_all_rates(f, change);
    f->budget = whole;
    change->is_smallest &= change->found;
    return status;
}

int dal__change_find(struct dal_sdf_change *change, const struct dal_sdf_graph *graph,
                     struct dal_sdf_budget *budget)
{
    size_t channels = graph->channel_count + 1;
    struct dal__branch *branches = dal_calloc(2 * channels, sizeof(*branches));
    struct finder f = {.graph = graph,
                       .budget = budget,
                       .best = dal_calloc(channels, sizeof(*f.best)),
                       .spent = dal_calloc(channels, sizeof(*f.spent))};
    int status = dal__forest_init(&f.forest, graph);
    *change = (struct dal_sdf_change){
        .rate_in = dal_calloc(channels, sizeof(*change->rate_in)),
        .rate_out = dal_calloc(channels, sizeof(*change->rate_out)),
    };
    if (!branches || !f.best || !f.spent || !change->rate_in || !change->rate_out)
        status = DAL_ERR_NOMEM;
    if (!status)
        status = find_change(&f, change, branches);
    dal__forest_finish(&f.forest);
    dal_free_all(branches, f.best, f.spent);
    return status;
}

void dal__change_finish(struct dal_sdf_change *change)
{
    dal_free_all(change->rate_in, change->rate_out);
    *change = (struct dal_sdf_change){0};
}
