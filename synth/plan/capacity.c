/* Capacities that the network leaves open, and how many firings one activation may take. */
#include "spec/analyse/graph.h"
#include "synth/plan/plan.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/number.h"
#include "rt/base/pace.h"

#include <inttypes.h>

/* Firings of a C process whose windows have so many bytes. */
static uint64_t firings_in(const struct dal_plan *plan, const struct dal_spec_process *process,
                           uint64_t room)
{
    uint64_t bytes = dal_plan_window_bytes(process), most = DAL_PLAN_BLOCK_FIRINGS;
    uint64_t count = bytes ? room / bytes : 1;
    if (plan->most_firings)
        most = dal_least(most, plan->most_firings);
    return count < 1 ? 1 : dal_least(count, most);
}

/* Firings of a C process whose windows stay within the cache. */
static uint64_t cached_firings(const struct dal_plan *plan, const struct dal_spec_process *process)
{
    return firings_in(plan, process, DAL_PLAN_BLOCK_BYTES);
}

/* Firings of an activation of copies, where their time is measured: what is too long for one is of
 * no use (rt/base/pace.h). */
static uint64_t timely_firings(const struct dal_plan_process *p)
{
    const struct dal_spec_execution_time *time = dal_plan_time(p);
    uint64_t at_once = dal_least(p->shadow_copies, p->processor_count);
    double firings = (double)(DAL_PACE_RANGE * dal_pace_short(at_once));
    if (!time->is_measured || dal_spec_time_ns(time) <= 0)
        return DAL_PLAN_BLOCK_FIRINGS;
    firings /= dal_spec_time_ns(time);
    return firings < DAL_PLAN_BLOCK_FIRINGS ? 1 + (uint64_t)firings : DAL_PLAN_BLOCK_FIRINGS;
}

static int has_copies(const struct dal_plan_process *p)
{
    return !dal_plan_on_device(p) && p->shadow_copies > 1;
}

/* A channel inside a group has a ring only where the group is not launched as one. */
static int is_inside(const struct dal_plan *plan, const struct dal_spec_channel *channel)
{
    return plan->channels[channel->number].kind == DAL_CHANNEL_GROUP;
}

/* Firings that one end makes at once; of a KPN process, tokens that it may be ahead. */
static uint64_t end_firings(const struct dal_plan *plan, const struct dal_plan_process *p,
                            const struct dal_spec_channel *channel)
{
    if (dal_spec_is_open(p->process))
        return 1 + DAL_PLAN_OPEN_BYTES / channel->token_bytes;
    if (p->process->kpn)
        return 1 + DAL_PLAN_KPN_BYTES / channel->token_bytes;
    if (has_copies(p))
        return dal_least(firings_in(plan, p->process, DAL_PLAN_COPY_BYTES), timely_firings(p));
    if (!dal_plan_on_device(p))
        return cached_firings(plan, p->process);
    return is_inside(plan, channel) ? p->shadow_copies : dal_plan_launch_firings(p);
}

/* Do tokens go from a device through the host's ring to a device? Between processes that are
 * distributed alike, only tokens that initial tokens shift do. */
static int is_moved_twice(const struct dal_plan *plan, const struct dal_spec_channel *c)
{
    const struct dal_plan_process *from = dal_plan_producer(plan, c);
    int moved = !dal_channel_traits(plan->channels[c->number].kind)->in_place ||
                (from->processor_count > 1 && c->initial_tokens);
    return moved && dal_plan_on_device(from) && dal_plan_on_device(dal_plan_consumer(plan, c));
}

/* Activations of all copies: fewer where tokens are large, but one more than there are copies. */
static uint64_t copy_moves(const struct dal_plan *plan, const struct dal_plan_process *p,
                           const struct dal_spec_channel *c)
{
    uint64_t copies = p->shadow_copies, bytes = 0, fit = 0;
    uint64_t rate = c->producer == p->process ? c->rate_in : c->rate_out;
    if (!__builtin_mul_overflow(end_firings(plan, p, c) * rate, c->token_bytes, &bytes) && bytes)
        fit = DAL_PLAN_COPY_ROOM * copies / bytes;
    if (fit <= copies)
        return copies + 1;
    return dal_least(fit, DAL_PACE_ACTIVATIONS * copies);
}

/* Returns how many blocks an end moves at once. Each device has a launch in flight and fills the
 * next one; two transfers in a row hold two launches more. Of several cores, one must come by
 * before the process fires again; so it has one activation more. A single core has one. */
static uint64_t end_moves(const struct dal_plan *plan, const struct dal_plan_process *p,
                          const struct dal_spec_channel *c)
{
    if (dal_plan_on_device(p))
        return (is_moved_twice(plan, c) ? 4 : 2) * p->processor_count;
    if (has_copies(p))
        return copy_moves(plan, p, c);
    return p->processor_count > 1 ? 2 : 1;
}

/* Tokens that an end moves at once. */
static int end_room(const struct dal_plan *plan, const struct dal_plan_process *p,
                    const struct dal_spec_channel *channel, uint64_t rate, uint64_t *room)
{
    uint64_t moves = end_moves(plan, p, channel);
    return __builtin_mul_overflow(end_firings(plan, p, channel) * moves, rate, room);
}

static int too_large(struct dal_diags *diags, const struct dal_spec_channel *c)
{
    return dal_error(diags, c->place, "size-too-large",
                     "channel '%s' has no size, and the one computed for it is too large; give one",
                     c->name);
}

static char *describe_sum(const struct dal_plan *plan, const struct dal_plan_channel *ch)
{
    const struct dal_spec_channel *c = ch->channel;
    const struct dal_plan_process *from = dal_plan_producer(plan, c),
                                  *to = dal_plan_consumer(plan, c);
    return dal_format("%s %" PRIu64 " + %s %" PRIu64 " x %" PRIu64 " firings x rate %" PRIu64
                      " + %s %" PRIu64 " x %" PRIu64 " firings x rate %" PRIu64 "%s",
                      ch->fastest ? "least fastest" : "least live",
                      ch->fastest ? ch->fastest : dal_spec_least_capacity(c), from->process->name,
                      end_moves(plan, from, c), end_firings(plan, from, c), c->rate_in,
                      to->process->name, end_moves(plan, to, c), end_firings(plan, to, c),
                      c->rate_out, ch->fastest ? " - one firing of each" : "");
}

/* Sets capacity and extra. With execution times, the base is what the least period needs; it
 * includes one firing at each end, so extra leaves that out. Without, the base is the least live
 * capacity. */
static int compute_capacity(struct dal_diags *diags, const struct dal_plan *plan,
                            struct dal_plan_channel *ch)
{
    const struct dal_spec_channel *c = ch->channel;
    uint64_t base = ch->fastest ? ch->fastest : dal_spec_least_capacity(c), in, out;
    if (end_room(plan, dal_plan_producer(plan, c), c, c->rate_in, &in) ||
        end_room(plan, dal_plan_consumer(plan, c), c, c->rate_out, &out) ||
        __builtin_add_overflow(in, out, &ch->extra) ||
        __builtin_add_overflow(base, ch->extra, &ch->capacity))
        return too_large(diags, c);
    if (ch->fastest) {
        ch->extra -= c->rate_in + c->rate_out;
        ch->capacity -= c->rate_in + c->rate_out;
    }
    ch->capacity_reason = describe_sum(plan, ch);
    return ch->capacity_reason ? DAL_OK : DAL_ERR_NOMEM;
}

/* Takes a size that was chosen to keep latencies. */
static int take_size(struct dal_plan_channel *ch, uint64_t size)
{
    ch->capacity = size;
    ch->capacity_reason = dal_strdup("no more, so that latencies are kept");
    return ch->capacity_reason ? DAL_OK : DAL_ERR_NOMEM;
}

static int set_capacity(struct dal_diags *diags, const struct dal_plan *plan,
                        struct dal_plan_channel *ch)
{
    struct dal_spec_place place = ch->channel->size_place;
    const struct dal_spec_channel *inplace = dal_spec_inplace(ch->channel->producer_port);
    int status;
    if (dal_plan_is_open(ch) && plan->sizes && plan->sizes[ch->channel->number])
        return take_size(ch, plan->sizes[ch->channel->number]);
    if (dal_plan_is_open(ch)) {
        status = compute_capacity(diags, plan, ch);
        return status ? status : dal_plan_add_link(plan, ch);
    }
    ch->capacity = ch->channel->capacity;
    if (ch->size) {
        ch->capacity = ch->size->capacity;
        place = ch->size->place;
    }
    ch->capacity_reason =
        ch->channel->newest.is_given ? dal_strdup("the newest token alone")
        : inplace ? dal_format("the initial tokens of channel %s, which a firing changes in place",
                               inplace->name)
                  : dal_format("size given in %s:%d", dal_path_base(place.file), place.line);
    return ch->capacity_reason ? dal_plan_judge_link(plan, ch) : DAL_ERR_NOMEM;
}

static int check_bytes(struct dal_diags *diags, const struct dal_plan_channel *ch)
{
    uint64_t bytes;
    if (__builtin_mul_overflow(ch->capacity, ch->channel->token_bytes, &bytes) || bytes > INT64_MAX)
        return too_large(diags, ch->channel);
    return DAL_OK;
}

static int check_live(struct dal_diags *diags, const struct dal_plan *plan)
{
    uint64_t *capacity = dal_calloc(plan->channel_count + 1, sizeof(*capacity));
    int status;
    if (!capacity)
        return DAL_ERR_NOMEM;
    for (size_t i = 0; i < plan->channel_count; i++)
        capacity[i] = plan->channels[i].capacity;
    status = dal_spec_live(diags, &plan->spec->network, capacity);
    dal_free(capacity);
    return status;
}

/* Returns how many activations share the channels of a port: one of each end when both can work at
 * once, and each shadow copy of a C process. No activation must take it all. */
static uint64_t sharing_activations(const struct dal_plan *plan, const struct dal_plan_process *p,
                                    const struct dal_spec_port *port)
{
    const struct dal_spec_channel *c;
    int one_core = 1;
    for (c = port->channel; c; c = dal_port_next(port, c))
        one_core &= plan->channels[c->number].kind == DAL_CHANNEL_CORE;
    return (one_core ? 1 : 2) * (uint64_t)p->shadow_copies;
}

static void count_channels(struct dal_plan *plan)
{
    for (size_t i = 0; i < plan->channel_count; i++)
        if (plan->channels[i].kind == DAL_CHANNEL_CORE)
            dal_plan_producer(plan, plan->channels[i].channel)->processors[0]->channels++;
}

/* Firings whose tokens in a channel within one core leave room in the cache for the others. */
static uint64_t sharing_firings(const struct dal_plan *plan, const struct dal_spec_port *port)
{
    const struct dal_spec_channel *c = port->channel;
    uint64_t share = DAL_PLAN_CORE_BYTES, bytes;
    if (plan->channels[c->number].kind != DAL_CHANNEL_CORE)
        return UINT64_MAX;
    share /= dal_plan_producer(plan, c)->processors[0]->channels;
    if (share < DAL_PLAN_CHANNEL_BYTES)
        share = DAL_PLAN_CHANNEL_BYTES;
    if (__builtin_mul_overflow(port->rate, c->token_bytes, &bytes) || bytes > share)
        return 1;
    return share / bytes;
}

static char *block_reason(const struct dal_plan *plan, const struct dal_plan_process *p,
                          const struct dal_spec_port *limit, int cache)
{
    uint64_t bytes = dal_plan_window_bytes(p->process);
    if (cache)
        return dal_format("cache of %s, shared by its %zu channels",
                          p->processors[0]->processor->name, p->processors[0]->channels);
    if (limit)
        return dal_format("capacity %" PRIu64 " of channel %s, shared by %" PRIu64,
                          plan->channels[limit->channel->number].capacity, limit->channel->name,
                          sharing_activations(plan, p, limit));
    if (plan->most_firings && p->block == plan->most_firings)
        return dal_format("at most %" PRIu64 ", so that latencies are kept", plan->most_firings);
    if (!bytes || DAL_PLAN_BLOCK_BYTES / bytes > DAL_PLAN_BLOCK_FIRINGS)
        return dal_format("at most %u", DAL_PLAN_BLOCK_FIRINGS);
    return dal_format("%" PRIu64 " bytes of windows a firing, %u bytes at once", bytes,
                      DAL_PLAN_BLOCK_BYTES);
}

static int set_block(const struct dal_plan *plan, struct dal_plan_process *p)
{
    const struct dal_spec_port *limit = NULL;
    int cache = 0;
    if (dal_plan_on_device(p) || p->process->kpn) {
        p->block = 1;
        if (dal_plan_on_device(p) && p->processor_count > 1)
            p->block_reason =
                dal_format("blocks go to %zu devices by their speed", p->processor_count);
        else
            p->block_reason = dal_strdup(p->process->kpn ? "a thread of its own"
                                                         : "launches take up to S firings");
        return p->block_reason ? DAL_OK : DAL_ERR_NOMEM;
    }
    p->block = cached_firings(plan, p->process);
    for (size_t i = 0; i < p->process->port_count; i++) {
        const struct dal_spec_port *port = &p->process->ports[i];
        uint64_t cached = sharing_firings(plan, port);
        uint64_t fits = plan->channels[port->channel->number].capacity / port->rate /
                        sharing_activations(plan, p, port);
        if (cached < p->block) {
            p->block = cached;
            cache = 1;
        }
        if (fits < p->block) {
            p->block = fits < 1 ? 1 : fits;
            limit = port;
            cache = 0;
        }
    }
    p->block_reason = block_reason(plan, p, limit, cache);
    return p->block_reason ? DAL_OK : DAL_ERR_NOMEM;
}

static int set_blocks(const struct dal_plan *plan, struct dal_plan_process *p)
{
    int status = set_block(plan, p);
    return status || !p->fallback ? status : set_block(plan, p->fallback);
}

static void forget_block(struct dal_plan_process *p)
{
    dal_free(p->block_reason);
    p->block_reason = NULL;
    if (p->fallback)
        forget_block(p->fallback);
}

/* Forgets what was found for other groups. */
static void forget_capacities(struct dal_plan *plan)
{
    for (size_t i = 0; i < plan->channel_count; i++) {
        dal_free(plan->channels[i].capacity_reason);
        plan->channels[i].capacity_reason = NULL;
    }
    for (size_t i = 0; i < plan->processor_count; i++)
        plan->processors[i].channels = 0;
    for (size_t i = 0; i < plan->process_count; i++)
        forget_block(&plan->processes[i]);
}

int dal_plan_capacities(struct dal_diags *diags, struct dal_plan *plan)
{
    int status, result = DAL_OK;
    forget_capacities(plan);
    status = dal_plan_fastest(diags, plan);
    if (status)
        return status;
    for (size_t i = 0; i < plan->channel_count; i++) {
        status = set_capacity(diags, plan, &plan->channels[i]);
        if (status == DAL_ERR_NOMEM)
            return status;
        if (status)
            result = status;
    }
    dal_plan_share_capacities(plan);
    if (!result && !plan->sizes)
        result = dal_plan_balance(plan);
    dal_plan_share_capacities(plan);
    if (!result)
        result = dal_plan_explain_capacities(plan);
    for (size_t i = 0; i < plan->channel_count && !result; i++)
        result = check_bytes(diags, &plan->channels[i]);
    if (!result)
        result = check_live(diags, plan);
    if (!result)
        result = dal_plan_check_groups(plan);
    count_channels(plan);
    for (size_t i = 0; i < plan->process_count && !result; i++)
        result = set_blocks(plan, &plan->processes[i]);
    return result;
}
