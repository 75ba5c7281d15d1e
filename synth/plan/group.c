/*
 * Groups on devices: connected processes of one device that are launched as one (include/net.h).
 *
 * A process joins the group of what it reads from if that is all that it reads, and if one firing
 * of the group's first process makes whole firings of it. So nothing is left behind in a group when
 * its stream ends, and it ends where the processes would by themselves: the bytes are the same.
 */
#include "spec/graph.h"
#include "spec/sdf/live.h"
#include "synth/plan/plan.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/number.h"
#include "rt/base/overlay.h"

#include <inttypes.h>
#include <string.h>

/* Memory of kernels is used from multiples of this on, which is enough for any type. */
enum { SLOT_ALIGNMENT = 128 };

/* ---- who joins whom -------------------------------------------------------------------------- */

/* The first process of the group that one is in; of its own, if that is all there is. */
static struct dal_plan_process *first_of(const struct dal_plan *plan, const size_t *heads,
                                         const struct dal_plan_process *p)
{
    return &plan->processes[heads[p->process->number]];
}

static int is_loop(const struct dal_spec_channel *c)
{
    return c->producer == c->consumer;
}

/* Its tokens are there from one round to the next. */
static int has_tokens(const struct dal_spec_channel *c)
{
    return c->initial_tokens > 0;
}

/* A process on a device that one reads from: any, if there are several; through initial tokens, or
 * not. */
static struct dal_plan_process *find_source(const struct dal_plan *plan,
                                            const struct dal_plan_process *p, int initial)
{
    size_t i;

    for (i = 0; i < p->process->port_count && dal_plan_on_device(p); i++) {
        const struct dal_spec_port *port = &p->process->ports[i];
        struct dal_plan_process *from;
        if (port->output || is_loop(port->channel) || has_tokens(port->channel) != initial)
            continue;
        from = dal_plan_producer(plan, port->channel);
        if (dal_plan_on_device(from))
            return from;
    }
    return NULL;
}

/* Does it read a channel without initial tokens? Then it ends where that does, and what is left in
 * the others is read by nobody. */
static int is_bounded(const struct dal_plan_process *p)
{
    size_t i;

    for (i = 0; i < p->process->port_count; i++)
        if (!p->process->ports[i].output && !has_tokens(p->process->ports[i].channel))
            return 1;
    return 0;
}

static int is_asked(const struct dal_plan_process *p)
{
    return p->binding->group == DAL_GROUP_YES;
}

/* Why a channel cannot be within a group; NULL where it can. */
static char *find_obstacle(const struct dal_plan *plan, const size_t *heads,
                           const struct dal_plan_process *head, const struct dal_spec_channel *c)
{
    const struct dal_plan_channel *ch = &plan->channels[c->number];
    const struct dal_plan_process *from = dal_plan_producer(plan, c);

    if (ch->wish)
        return dal_format("the mapping asks for another kind of channel %s (%s:%d)", c->name,
                          dal_path_base(ch->wish->place.file), ch->wish->place.line);
    if (has_tokens(c)) /* more is known when all have joined */
        return is_asked(from) && is_asked(dal_plan_consumer(plan, c))
                   ? NULL
                   : dal_format("channel %s %s, and the mapping does not ask for a group", c->name,
                                is_loop(c) ? "keeps state from one firing to the next"
                                           : "has initial tokens");
    if (first_of(plan, heads, from) != head)
        return dal_format("it also reads from %s", c->producer->name);
    return NULL;
}

/* How the processes themselves differ. */
static char *find_difference(const struct dal_plan_process *from, const struct dal_plan_process *p)
{
    const struct dal_spec_process *first = from->process, *own = p->process;

    if (p->processor_count > 1 || from->processor_count > 1)
        return dal_format("%s runs on several devices",
                          (p->processor_count > 1 ? own : first)->name);
    if (p->processors[0] != from->processors[0])
        return dal_format("%s runs on %s", first->name, from->processors[0]->processor->name);
    if (own->io || first->io)
        return dal_format("%s has effects outside of the network", (own->io ? own : first)->name);
    if (p->priority != from->priority)
        return dal_format("%s has another priority", first->name);
    if (!dal_plan_is_shaped_alike(from, p))
        return dal_format("%s has its work-items in other dimensions", first->name);
    return NULL;
}

int dal_plan_is_shaped_alike(const struct dal_plan_process *a, const struct dal_plan_process *b)
{
    return memcmp(a->work_shape, b->work_shape, sizeof(a->work_shape)) == 0;
}

/* Whether a firing of a group's first process makes whole firings of one. */
static char *find_remainder(const struct dal_plan_process *head, const struct dal_plan_process *p)
{
    const struct dal_spec_process *first = head->process;
    uint64_t round = p->process->repetitions / first->repetitions;

    if (p->process->repetitions % first->repetitions)
        return dal_format("one firing of %s does not make whole firings of it", first->name);
    if (round <= DAL_PLAN_ROUND_FIRINGS)
        return NULL;
    return dal_format("it fires %" PRIu64 " times for each firing of %s, and a group does no more "
                      "than %u one after the other",
                      round, first->name, DAL_PLAN_ROUND_FIRINGS);
}

static char *find_wish(const struct dal_plan_process *from, const struct dal_plan_process *p)
{
    const struct dal_plan_process *barred = from->binding->group == DAL_GROUP_NO ? from : p;

    if (barred->binding->group != DAL_GROUP_NO)
        return NULL;
    return dal_format("the mapping keeps %s apart (%s:%d)", barred->process->name,
                      dal_path_base(barred->binding->place.file), barred->binding->place.line);
}

/* Where nobody asks, no barrier comes between the processes. */
static char *find_unasked(const struct dal_plan_process *from, const struct dal_plan_process *p)
{
    const struct dal_plan_process *wide = from->work_items > p->work_items ? from : p;

    if (wide->work_items == 1 || (is_asked(from) && is_asked(p)))
        return NULL;
    return dal_format("%s has %" PRIu32 " work-items, and the mapping does not ask for a group",
                      wide->process->name, wide->work_items);
}

/* In the plan's order. */
static int is_behind(const struct dal_plan *plan, const struct dal_plan_process *p,
                     const struct dal_plan_process *other)
{
    size_t i;

    for (i = 0; plan->order[i] != p->process->number && plan->order[i] != other->process->number;)
        i++;
    return plan->order[i] == other->process->number;
}

static char *find_reason(const struct dal_plan *plan, const size_t *heads,
                         const struct dal_plan_process *from, const struct dal_plan_process *p)
{
    const struct dal_plan_process *head = first_of(plan, heads, from);
    char *reason = find_wish(from, p);
    size_t i;

    if (!reason && !is_bounded(p))
        reason = dal_strdup("all that it reads has initial tokens, and what is left of them at the "
                            "end would be lost");
    if (!reason && is_behind(plan, from, p))
        reason = dal_format("it comes before %s in its cycle", from->process->name);
    if (!reason)
        reason = find_difference(from, p);
    if (!reason)
        reason = find_unasked(from, p);
    for (i = 0; i < p->process->port_count && !reason; i++)
        if (!p->process->ports[i].output)
            reason = find_obstacle(plan, heads, head, p->process->ports[i].channel);
    return reason ? reason : find_remainder(head, p);
}

int dal_plan_stay_apart(struct dal_plan_process *p, char *reason)
{
    dal_free(p->apart);
    p->apart = reason;
    p->stays_apart = 1;
    return reason ? DAL_OK : DAL_ERR_NOMEM;
}

/* Memory that is exhausted looks like no reason; whoever makes the group finds out. */
static void join_group(const struct dal_plan *plan, size_t *heads, struct dal_plan_process *p)
{
    const struct dal_plan_process *from = find_source(plan, p, 0);

    if (!from && !is_bounded(p))
        from = find_source(plan, p, 1);
    if (!from || p->stays_apart)
        return;
    dal_free(p->apart);
    p->apart = find_reason(plan, heads, from, p);
    if (!p->apart)
        heads[p->process->number] = heads[from->process->number];
}

/* ---- groups ---------------------------------------------------------------------------------- */

static struct dal_plan_process *in_order(const struct dal_plan *plan, size_t place)
{
    return &plan->processes[plan->order[place]];
}

static int add_member(struct dal_plan_group *group, struct dal_plan_process *p)
{
    group->members[group->member_count++] = p;
    p->group = group;
    p->round = p->process->repetitions / group->members[0]->process->repetitions;
    return DAL_OK;
}

static int make_group(struct dal_plan *plan, const size_t *heads, size_t head)
{
    struct dal_plan_group *group = &plan->device_groups[plan->device_group_count];
    size_t i, count = 0;

    for (i = 0; i < plan->process_count; i++)
        count += heads[i] == head;
    if (count < 2)
        return DAL_OK;
    plan->device_group_count++;
    group->members = dal_calloc(count, sizeof(*group->members));
    group->symbol = dal_format("%s", plan->processes[head].symbol);
    if (!group->members || !group->symbol)
        return DAL_ERR_NOMEM;
    for (i = 0; i < plan->process_count; i++)
        if (heads[in_order(plan, i)->process->number] == head)
            add_member(group, in_order(plan, i));
    return DAL_OK;
}

void dal__plan_groups_finish(struct dal_plan *plan)
{
    size_t i;

    for (i = 0; i < plan->device_group_count; i++) {
        dal_free(plan->device_groups[i].members);
        dal_free(plan->device_groups[i].rounds_reason);
        dal_free(plan->device_groups[i].symbol);
    }
    dal_free(plan->device_groups);
    plan->device_groups = NULL;
    plan->device_group_count = 0;
}

static int find_groups(struct dal_plan *plan, size_t *heads)
{
    int error = DAL_OK;
    size_t i;

    for (i = 0; i < plan->process_count; i++)
        heads[i] = i;
    for (i = 0; i < plan->process_count; i++)
        join_group(plan, heads, in_order(plan, i));
    for (i = 0; i < plan->process_count && !error; i++)
        error = make_group(plan, heads, plan->order[i]);
    return error;
}

/* ---- what is kept from one round to the next ------------------------------------------------- */

static int place_of(const struct dal_plan_group *group, const struct dal_plan_process *p)
{
    int i;

    for (i = 0; group->members[i] != p; i++)
        ;
    return i;
}

/* Tokens that a round makes. */
static uint64_t round_tokens(const struct dal_plan *plan, const struct dal_spec_channel *c)
{
    return c->rate_in * dal_plan_producer(plan, c)->round;
}

static const struct dal_plan_process *find_unasking(const struct dal_plan_group *group)
{
    size_t i;

    for (i = 0; i < group->member_count; i++)
        if (!is_asked(group->members[i]))
            return group->members[i];
    return NULL;
}

/* One that is fired before the producer needs the tokens of a round, or of a firing. */
static int has_enough(const struct dal_plan *plan, const struct dal_spec_channel *c)
{
    const struct dal_plan_process *from = dal_plan_producer(plan, c);
    const struct dal_plan_process *to = dal_plan_consumer(plan, c);

    if (is_loop(c))
        return c->initial_tokens >= c->rate_out;
    return place_of(from->group, from) < place_of(to->group, to) ||
           c->initial_tokens >= round_tokens(plan, c);
}

/* What comes back to the first process may as well come from outside, and does so where there is
 * enough for many work-groups. */
static int comes_back(const struct dal_plan *plan, const struct dal_spec_channel *c)
{
    const struct dal_plan_process *to = dal_plan_consumer(plan, c);

    return is_bounded(to) && !find_unasking(to->group) && has_enough(plan, c) &&
           !plan->channels[c->number].wish &&
           c->initial_tokens / DAL_PLAN_GROUP_ROUNDS < round_tokens(plan, c);
}

static int is_kept(const struct dal_plan *plan, const struct dal_spec_channel *c)
{
    const struct dal_plan_process *to = dal_plan_consumer(plan, c);

    if (!has_tokens(c) || !to->group || dal_plan_producer(plan, c)->group != to->group)
        return 0;
    return to != to->group->members[0] || comes_back(plan, c);
}

/* Why a process cannot be in its group, now that this is known. */
static char *find_fault(const struct dal_plan *plan, const struct dal_plan_process *p,
                        const struct dal_spec_channel *c)
{
    const struct dal_plan_process *from = dal_plan_producer(plan, c);
    const struct dal_plan_process *unasking = find_unasking(p->group);

    if (from->group != p->group)
        return dal_format("it also reads from %s", from->process->name);
    if (unasking)
        return dal_format("channel %s has initial tokens, and the mapping does not ask for a group "
                          "of %s",
                          c->name, unasking->process->name);
    if (!has_enough(plan, c))
        return dal_format("channel %s has not the initial tokens for a whole round", c->name);
    return NULL;
}

/* DAL_ERR_LIMIT where one is not in it any more. */
static int check_member(const struct dal_plan *plan, struct dal_plan_process *p)
{
    int error = DAL_OK;
    size_t i;

    for (i = 0; i < p->process->port_count && !error; i++) {
        const struct dal_spec_port *port = &p->process->ports[i];
        char *fault;
        if (port->output || !has_tokens(port->channel))
            continue;
        fault = find_fault(plan, p, port->channel);
        if (fault)
            error = dal_plan_stay_apart(p, fault) ? DAL_ERR_NOMEM : DAL_ERR_LIMIT;
    }
    return error;
}

static int check_members(struct dal_plan *plan)
{
    int error = DAL_OK;
    size_t i, k;

    for (i = 0; i < plan->device_group_count; i++)
        for (k = 1; k < plan->device_groups[i].member_count && !error; k++)
            error = check_member(plan, plan->device_groups[i].members[k]);
    return error;
}

/* ---- channels inside ------------------------------------------------------------------------- */

/* The first of a group reads what comes from outside, also where that comes from the group; but for
 * what is kept from one round to the next. */
static int is_inside(const struct dal_plan *plan, const struct dal_spec_channel *c)
{
    const struct dal_plan_process *to = dal_plan_consumer(plan, c);

    return to->group && (plan->channels[c->number].kept || to != to->group->members[0]) &&
           dal_plan_producer(plan, c)->group == to->group;
}

int dal_plan_is_outside(const struct dal_plan *plan, const struct dal_spec_port *port)
{
    const struct dal_spec_channel *c;

    for (c = port->channel; c; c = dal_port_next(port, c))
        if (!plan->channels[c->number].inside)
            return 1;
    return 0;
}

static int set_channel(struct dal_plan_channel *ch, enum dal_channel_kind kind, char *reason)
{
    dal_free(ch->reason);
    ch->kind = kind;
    ch->reason = reason;
    return reason ? DAL_OK : DAL_ERR_NOMEM;
}

/* One whose port has other readers, too, is read from the ring that those have. */
static int set_kind(const struct dal_plan *plan, struct dal_plan_channel *ch)
{
    const struct dal_spec_channel *c = ch->channel;
    const char *device = dal_plan_producer(plan, c)->processors[0]->processor->name;

    if (ch->kept && !dal_plan_is_outside(plan, c->producer_port))
        return set_channel(
            ch, DAL_CHANNEL_GROUP,
            dal_format("both ends in one group on %s: its work-group keeps the tokens from one "
                       "round to the next",
                       device));
    if (ch->inside && !dal_plan_is_outside(plan, c->producer_port))
        return set_channel(
            ch, DAL_CHANNEL_GROUP,
            dal_format("both ends in one group on %s: a work-group keeps the tokens", device));
    if (ch->kind == DAL_CHANNEL_GROUP)
        return set_channel(ch, DAL_CHANNEL_DEVICE,
                           dal_format("both ends on %s: the host never sees the tokens", device));
    return DAL_OK;
}

static int set_kinds(struct dal_plan *plan)
{
    int error = DAL_OK;
    size_t i;

    for (i = 0; i < plan->channel_count; i++) {
        plan->channels[i].kept = is_kept(plan, plan->channels[i].channel);
        plan->channels[i].inside = is_inside(plan, plan->channels[i].channel);
    }
    for (i = 0; i < plan->channel_count && !error; i++)
        error = set_kind(plan, &plan->channels[i]);
    return error;
}

/* ---- how much in a launch -------------------------------------------------------------------- */

/* Saturates. */
static uint64_t round_bytes(const struct dal_plan_process *p, const struct dal_spec_port *port)
{
    uint64_t bytes;

    if (__builtin_mul_overflow(port->rate, port->channel->token_bytes, &bytes) ||
        __builtin_mul_overflow(bytes, p->round, &bytes))
        return UINT64_MAX;
    return bytes;
}

/* Bytes that a round moves into the group and out of it. */
static uint64_t outside_bytes(const struct dal_plan *plan, const struct dal_plan_group *group)
{
    uint64_t sum = 0;
    size_t i, k;

    for (i = 0; i < group->member_count; i++)
        for (k = 0; k < group->members[i]->process->port_count; k++) {
            const struct dal_spec_port *port = &group->members[i]->process->ports[k];
            if (dal_plan_is_outside(plan, port) &&
                __builtin_add_overflow(sum, round_bytes(group->members[i], port), &sum))
                return UINT64_MAX;
        }
    return sum ? sum : 1;
}

/* What the user has given for S counts for every process of the group; 0 without. */
static uint64_t given_rounds(const struct dal_plan_group *group)
{
    uint64_t least = 0;
    size_t i;

    for (i = 0; i < group->member_count; i++) {
        const struct dal_plan_process *p = group->members[i];
        uint64_t rounds = p->shadow_copies / p->round;
        if (p->copies_open)
            continue;
        rounds = rounds ? rounds : 1;
        least = least && least < rounds ? least : rounds;
    }
    return least;
}

/* Most rounds for which there may be a work-group each, as there must be where work-items wait for
 * each other: that the sources tell, later. */
static uint64_t most_work_groups(const struct dal_plan_group *group)
{
    uint64_t fit = group->slot_bytes ? DAL_PLAN_SLOTS_LIMIT / group->slot_bytes : UINT64_MAX;
    int may_wait = 0;
    size_t i;

    for (i = 0; i < group->member_count; i++)
        may_wait |=
            group->members[i]->work_items > 1 || group->members[i]->items_open != DAL_ITEMS_GIVEN;
    return may_wait && !group->in_order ? (fit ? fit : 1) : UINT64_MAX;
}

static int set_rounds(const struct dal_plan *plan, struct dal_plan_group *group)
{
    uint64_t bytes = outside_bytes(plan, group), most = most_work_groups(group);
    uint64_t rounds = DAL_PLAN_GROUP_BYTES / bytes, given = given_rounds(group);

    if (rounds < DAL_PLAN_GROUP_ROUNDS)
        rounds = DAL_PLAN_GROUP_ROUNDS;
    rounds = dal_least(rounds, DAL_PLAN_MOST_ROUNDS);
    rounds = dal_least(rounds, DAL_PLAN_GROUP_LIMIT / bytes);
    group->rounds = given ? given : rounds ? rounds : 1;
    if (group->rounds > most) {
        group->rounds = most;
        group->rounds_reason = dal_format("with a work-group each, %u bytes are enough for no more",
                                          DAL_PLAN_SLOTS_LIMIT);
    } else
        group->rounds_reason =
            given ? dal_strdup("by the S of its processes")
                  : dal_format("a round moves %" PRIu64 " bytes in and out, a launch about %u",
                               bytes, DAL_PLAN_GROUP_BYTES);
    return group->rounds_reason ? DAL_OK : DAL_ERR_NOMEM;
}

uint64_t dal_plan_launch_firings(const struct dal_plan_process *p)
{
    return p->group ? p->group->rounds * p->round : p->shadow_copies;
}

/* ---- a work-group's memory ------------------------------------------------------------------- */

/* The tokens of a port: from the firing that makes them to the last that reads them. All channels
 * of the port have one piece of memory; what is kept is copied at once. DAL_ERR_LIMIT where it is
 * too large. */
static int describe_piece(const struct dal_plan *plan, const struct dal_plan_group *group,
                          int member, const struct dal_spec_port *port,
                          struct dal_overlay_user *piece)
{
    const struct dal_spec_channel *c;
    uint64_t bytes = round_bytes(group->members[member], port);

    *piece = (struct dal_overlay_user){.from = member, .to = member};
    for (c = port->channel; c; c = c->next_of_port) {
        int reader =
            plan->channels[c->number].kept ? member : place_of(group, dal_plan_consumer(plan, c));
        piece->to = reader > piece->to ? reader : piece->to;
    }
    if (bytes > INT64_MAX / 2 / (plan->channel_count + 1))
        return DAL_ERR_LIMIT;
    piece->firing_bytes = (bytes + SLOT_ALIGNMENT - 1) / SLOT_ALIGNMENT * SLOT_ALIGNMENT;
    return DAL_OK;
}

/* Those of the ports whose tokens stay inside, in the order of the members. */
static int list_pieces(const struct dal_plan *plan, const struct dal_plan_group *group,
                       struct dal_overlay_user *pieces, const struct dal_spec_port **ports,
                       int *count)
{
    int error = DAL_OK;
    size_t i, k;

    for (i = 0; i < group->member_count && !error; i++)
        for (k = 0; k < group->members[i]->process->port_count && !error; k++) {
            const struct dal_spec_port *port = &group->members[i]->process->ports[k];
            if (!port->output || dal_plan_is_outside(plan, port))
                continue;
            ports[*count] = port;
            error = describe_piece(plan, group, (int)i, port, &pieces[(*count)++]);
        }
    return error;
}

/* A work-group does one round after the other, so a block is one firing of each. */
static int place_slots(const struct dal_plan *plan, struct dal_plan_group *group)
{
    size_t room = plan->channel_count + 1, bytes = 0;
    struct dal_overlay_user *pieces = dal_calloc(room, sizeof(*pieces));
    const struct dal_spec_port **ports = dal_calloc(room, sizeof(*ports));
    const struct dal_spec_channel *c;
    int i, count = 0, error = pieces && ports ? DAL_OK : DAL_ERR_NOMEM;

    if (!error)
        error = list_pieces(plan, group, pieces, ports, &count);
    if (!error)
        error = dal_overlays_place(pieces, count, 1, &bytes);
    for (i = 0; i < count && !error; i++)
        for (c = ports[i]->channel; c; c = c->next_of_port)
            plan->channels[c->number].slot = pieces[i].place;
    group->slot_bytes = bytes;
    dal_free(pieces);
    dal_free(ports);
    return error;
}

/* Behind the slots: what is kept of a channel, and rounds of it until that is moved to the front.
 */
static int place_kept(const struct dal_plan *plan, struct dal_plan_group *group,
                      struct dal_plan_channel *ch)
{
    const struct dal_spec_channel *c = ch->channel;
    uint64_t round = round_tokens(plan, c), bytes;

    ch->kept_rounds = (c->initial_tokens + round - 1) / round;
    if (ch->kept_rounds < DAL_PLAN_KEPT_ROUNDS)
        ch->kept_rounds = DAL_PLAN_KEPT_ROUNDS;
    if (__builtin_mul_overflow(round, ch->kept_rounds, &bytes) ||
        __builtin_add_overflow(bytes, c->initial_tokens, &bytes) ||
        __builtin_mul_overflow(bytes, c->token_bytes, &bytes) || bytes > DAL_PLAN_SLOTS_LIMIT)
        return DAL_ERR_LIMIT;
    ch->kept_at = group->slot_bytes;
    group->slot_bytes += (bytes + SLOT_ALIGNMENT - 1) / SLOT_ALIGNMENT * SLOT_ALIGNMENT;
    group->in_order = 1;
    return DAL_OK;
}

static int place_all_kept(const struct dal_plan *plan, struct dal_plan_group *group)
{
    int error = DAL_OK;
    size_t i;

    for (i = 0; i < plan->channel_count && !error; i++)
        if (plan->channels[i].kept &&
            dal_plan_consumer(plan, plan->channels[i].channel)->group == group)
            error = place_kept(plan, group, &plan->channels[i]);
    return error;
}

/* ---- the pass -------------------------------------------------------------------------------- */

/* Takes a group apart for good. */
static int dissolve(struct dal_plan_group *group, const char *why)
{
    int error = DAL_OK;
    size_t i;

    for (i = 1; i < group->member_count && !error; i++)
        error = dal_plan_stay_apart(group->members[i], dal_strdup(why));
    return error;
}

static int make_groups(struct dal_plan *plan, size_t *heads)
{
    int error = find_groups(plan, heads);
    size_t i;

    if (!error)
        error = check_members(plan);
    if (!error)
        error = set_kinds(plan);
    for (i = 0; i < plan->device_group_count && !error; i++) {
        struct dal_plan_group *group = &plan->device_groups[i];
        error = place_slots(plan, group);
        if (!error)
            error = place_all_kept(plan, group);
        if (!error)
            error = set_rounds(plan, group);
        if (error == DAL_ERR_LIMIT) {
            error = dissolve(group, "its tokens are too large to be kept by a work-group");
            return error ? error : DAL_ERR_LIMIT;
        }
    }
    return error;
}

int dal_plan_groups(struct dal_plan *plan)
{
    size_t *heads = dal_calloc(plan->process_count + 1, sizeof(*heads));
    int error;
    size_t i;

    do {
        dal__plan_groups_finish(plan);
        for (i = 0; i < plan->process_count; i++) {
            plan->processes[i].group = NULL;
            plan->processes[i].round = 1;
        }
        plan->device_groups = dal_calloc(plan->process_count + 1, sizeof(*plan->device_groups));
        error = heads && plan->device_groups ? make_groups(plan, heads) : DAL_ERR_NOMEM;
    } while (error == DAL_ERR_LIMIT);
    dal_free(heads);
    return error;
}

/* ---- can it make a round? -------------------------------------------------------------------- */

/* The network with each group as one process. */
struct contraction {
    const struct dal_plan *plan;
    struct dal_sdf_graph graph;
    size_t *numbers; /* by process: in the graph */
    uint64_t *capacity;
};

static int is_head(const struct dal_plan_process *p)
{
    return !p->group || p->group->members[0] == p;
}

static void add_processes(struct contraction *c)
{
    const struct dal_plan *plan = c->plan;
    size_t i;

    for (i = 0; i < plan->process_count; i++) {
        const struct dal_plan_process *p = in_order(plan, i);
        size_t number = p->process->number;
        if (p->process->kpn)
            continue;
        if (!is_head(p)) {
            c->numbers[number] = c->numbers[p->group->members[0]->process->number];
            continue;
        }
        c->numbers[number] = c->graph.process_count;
        c->graph.processes[c->graph.process_count] =
            (struct dal_sdf_process){.repetitions = p->process->repetitions,
                                     .number = c->graph.process_count,
                                     .origin = number,
                                     .name = p->process->name};
        c->graph.process_count++;
    }
}

static void add_channel(struct contraction *c, const struct dal_plan_channel *ch)
{
    const struct dal_spec_channel *channel = ch->channel;
    uint64_t in = channel->rate_in * dal_plan_producer(c->plan, channel)->round;
    uint64_t out = channel->rate_out * dal_plan_consumer(c->plan, channel)->round;
    size_t number = c->graph.channel_count;
    size_t from = c->numbers[channel->producer->number];
    size_t to = c->numbers[channel->consumer->number];

    if (ch->inside || channel->producer->kpn || channel->consumer->kpn)
        return;
    c->graph.channels[number] = (struct dal_sdf_channel){
        .producer = from,
        .consumer = to,
        .rate_in = in,
        .rate_out = out,
        .initial_tokens = channel->initial_tokens,
        .least = dal_sdf_least_capacity(in, out, channel->initial_tokens, from == to),
        .step = dal_gcd(in, out),
        .number = number,
        .origin = channel->number,
        .first_of_port = number,
        .next_of_port = DAL_SDF_NONE,
        .name = channel->name};
    c->capacity[number] = ch->capacity;
    c->graph.channel_count++;
}

static void add_ends(struct contraction *c)
{
    struct dal_sdf_graph *graph = &c->graph;
    size_t i, k, ends = 0;

    for (i = 0; i < graph->process_count; i++) {
        struct dal_sdf_process *p = &graph->processes[i];
        p->first = ends;
        for (k = 0; k < graph->channel_count; k++) {
            const struct dal_sdf_channel *ch = &graph->channels[k];
            if (ch->producer == i)
                graph->ends[ends++] =
                    (struct dal_sdf_end){.channel = k, .rate = ch->rate_in, .output = 1};
            if (ch->consumer == i)
                graph->ends[ends++] = (struct dal_sdf_end){.channel = k, .rate = ch->rate_out};
        }
        p->count = ends - p->first;
    }
}

/* Without groups the network is live, so one of them is blocked. */
static int dissolve_blocked(struct dal_plan *plan, const struct contraction *c,
                            const struct dal_sdf_deadlock *deadlock)
{
    int error = DAL_OK;
    size_t i;

    for (i = 0; i < deadlock->blocked_count && !error; i++) {
        size_t origin = c->graph.processes[deadlock->blocked[i]].origin;
        struct dal_plan_group *group = plan->processes[origin].group;
        if (group)
            error = dissolve(group, "the channels around both have no room for a whole round, or "
                                    "not the tokens that it waits for");
    }
    return error;
}

/* Tokens that are kept take room in a ring that others read. */
static int check_kept(struct dal_plan *plan)
{
    size_t i;

    for (i = 0; i < plan->channel_count; i++) {
        const struct dal_plan_channel *ch = &plan->channels[i];
        uint64_t round = round_tokens(plan, ch->channel);
        if (!ch->kept || ch->kind == DAL_CHANNEL_GROUP ||
            ch->capacity - ch->channel->initial_tokens >= round)
            continue;
        return dissolve(dal_plan_consumer(plan, ch->channel)->group,
                        "the channels around both have no room for a whole round")
                   ? DAL_ERR_NOMEM
                   : DAL_ERR_LIMIT;
    }
    return DAL_OK;
}

/* DAL_ERR_LIMIT where groups have been taken apart. */
static int check_contraction(struct dal_plan *plan, struct contraction *c)
{
    struct dal_sdf_budget budget = {.work = 0, .expired = 1};
    struct dal_sdf_deadlock deadlock = {0};
    int known = 0, error, dead;
    size_t i;

    add_processes(c);
    for (i = 0; i < plan->channel_count; i++)
        add_channel(c, &plan->channels[i]);
    add_ends(c);
    error = check_kept(plan);
    if (!error)
        error = dal_sdf_deadlock_find(&deadlock, &c->graph, c->capacity, &budget, &known);
    dead = deadlock.dead;
    if (!error && known && dead)
        error = dissolve_blocked(plan, c, &deadlock);
    for (i = 0; i < plan->device_group_count && !error && !known; i++)
        error = dissolve(&plan->device_groups[i], "an iteration has too many firings to find out "
                                                  "whether rounds can be made");
    dal_sdf_deadlock_finish(&deadlock);
    return error ? error : known && !dead ? DAL_OK : DAL_ERR_LIMIT;
}

int dal_plan_check_groups(struct dal_plan *plan)
{
    int error = DAL_OK;

    while (!error && plan->device_group_count) {
        struct contraction c = {
            .plan = plan,
            .numbers = dal_calloc(plan->process_count + 1, sizeof(*c.numbers)),
            .capacity = dal_calloc(plan->channel_count + 1, sizeof(*c.capacity)),
        };
        error = c.numbers && c.capacity
                    ? dal_sdf_graph_init(&c.graph, plan->process_count, plan->channel_count)
                    : DAL_ERR_NOMEM;
        if (!error)
            error = check_contraction(plan, &c);
        dal_sdf_graph_finish(&c.graph);
        dal_free(c.numbers);
        dal_free(c.capacity);
        if (!error)
            return DAL_OK;
        if (error == DAL_ERR_LIMIT)
            error = dal_plan_groups(plan);
    }
    return error;
}
