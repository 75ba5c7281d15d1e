/* The memory of a group's work-groups: where the tokens of a round lie, and those that are kept. */
#include "synth/plan/group.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/overlay.h"

/* Memory of kernels is used from multiples of this on, which is enough for any type. */
enum { SLOT_ALIGNMENT = 128 };

size_t dal_plan_run_end(const struct dal_plan_group *group, size_t member)
{
    size_t run = group->members[member++]->run;
    while (run && member < group->member_count && group->members[member]->run == run)
        member++;
    return member;
}

/* Returns the last member that fires at once with this one. */
static int last_of_run(const struct dal_plan_group *group, int member)
{
    return (int)dal_plan_run_end(group, (size_t)member) - 1;
}

static int first_of_run(const struct dal_plan_group *group, int member)
{
    size_t run = group->members[member]->run;
    while (run && member && group->members[member - 1]->run == run)
        member--;
    return member;
}

/* Does a port have no reader in memory? */
static int is_in_registers(const struct dal_plan *plan, const struct dal_spec_port *port)
{
    const struct dal_spec_channel *c = port->channel;
    while (c && plan->channels[c->number].in_registers)
        c = c->next_of_port;
    return !c;
}

/* Describes the tokens of a port: from the firing that makes them to the last that reads them. All
 * channels of the port have one piece of memory; what is kept is copied at once. DAL_ERR_LIMIT
 * where it is too large. */
static int describe_piece(const struct dal_plan *plan, const struct dal_plan_group *group,
                          int member, const struct dal_spec_port *port,
                          struct dal_overlay_user *piece)
{
    const struct dal_spec_channel *c;
    uint64_t bytes = dal__plan_round_bytes(group->members[member], port);
    *piece = (struct dal_overlay_user){.from = first_of_run(group, member),
                                       .to = last_of_run(group, member)};
    for (c = port->channel; c; c = c->next_of_port) {
        int reader = plan->channels[c->number].kept
                         ? member
                         : dal__plan_place_in(group, dal_plan_consumer(plan, c));
        reader = last_of_run(group, reader);
        piece->to = reader > piece->to ? reader : piece->to;
    }
    if (bytes > INT64_MAX / 2 / (plan->channel_count + 1))
        return DAL_ERR_LIMIT;
    piece->firing_bytes = (bytes + SLOT_ALIGNMENT - 1) / SLOT_ALIGNMENT * SLOT_ALIGNMENT;
    return DAL_OK;
}

/* Lists the pieces of the ports whose tokens stay inside, in the order of the members. */
static int list_pieces(const struct dal_plan *plan, const struct dal_plan_group *group,
                       struct dal_overlay_user *pieces, const struct dal_spec_port **ports,
                       int *count)
{
    int status = DAL_OK;
    for (size_t i = 0; i < group->member_count && !status; i++)
        for (size_t k = 0; k < group->members[i]->process->port_count && !status; k++) {
            const struct dal_spec_port *port = &group->members[i]->process->ports[k];
            if (!port->output || dal_plan_is_outside(plan, port) || is_in_registers(plan, port))
                continue;
            ports[*count] = port;
            status = describe_piece(plan, group, (int)i, port, &pieces[(*count)++]);
        }
    return status;
}

/* A work-group does one round after the other, so a block is one firing of each. */
static int place_slots(const struct dal_plan *plan, struct dal_plan_group *group)
{
    size_t room = plan->channel_count + 1, bytes = 0;
    struct dal_overlay_user *pieces = dal_calloc(room, sizeof(*pieces));
    const struct dal_spec_port **ports = dal_calloc(room, sizeof(*ports));
    const struct dal_spec_channel *c;
    int count = 0, status = pieces && ports ? DAL_OK : DAL_ERR_NOMEM;
    if (!status)
        status = list_pieces(plan, group, pieces, ports, &count);
    if (!status)
        status = dal_overlays_place(pieces, count, 1, &bytes);
    for (int i = 0; i < count && !status; i++)
        for (c = ports[i]->channel; c; c = c->next_of_port)
            plan->channels[c->number].slot = pieces[i].place;
    group->slot_bytes = bytes;
    dal_free_all(pieces, ports);
    return status;
}

/* Places the tokens that a channel keeps, behind the slots: those of some rounds, until they are
 * moved to the front. */
static int place_kept(const struct dal_plan *plan, struct dal_plan_group *group,
                      struct dal_plan_channel *ch)
{
    const struct dal_spec_channel *c = ch->channel;
    uint64_t round = dal__plan_round_tokens(plan, c), bytes;
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

int dal_plan_place_tokens(const struct dal_plan *plan, struct dal_plan_group *group)
{
    int status = place_slots(plan, group);
    for (size_t i = 0; i < plan->channel_count && !status; i++)
        if (dal_plan_keeper(plan, &plan->channels[i]) == group)
            status = place_kept(plan, group, &plan->channels[i]);
    return status;
}
