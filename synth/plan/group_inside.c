/* Finds the channels within a group, and the kinds that follow from that. */
#include "synth/plan/group.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

/* Is the channel read inside its group? The first process reads what comes from outside, also from
 * the group itself; but not what is kept from one round to the next. */
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

/* Describes where a process runs, for a reason. */
static char *describe_devices(const struct dal_plan_process *p)
{
    return p->processor_count > 1 ? dal_format("%zu devices", p->processor_count)
                                  : dal_strdup(p->processors[0]->processor->name);
}

/* Why a channel between processes of the same devices has this kind. */
static char *describe_tokens(const struct dal_plan *plan, const struct dal_plan_channel *ch,
                             enum dal_channel_kind kind)
{
    char *devices = describe_devices(dal_plan_producer(plan, ch->channel)), *reason = NULL;
    if (devices && kind == DAL_CHANNEL_GROUP)
        reason = dal_format("both ends in one group on %s: %s", devices,
                            ch->kept ? "its work-group keeps the tokens from one round to the next"
                                     : "a work-group keeps the tokens");
    else if (devices && kind == DAL_CHANNEL_DEVICE)
        reason = dal_format("both ends on %s: the host never sees the tokens", devices);
    else if (devices)
        reason = dal_format("both ends take turns on %s in different ways: the host's ring lies "
                            "between",
                            devices);
    dal_free(devices);
    return reason;
}

/* Sets a channel's kind. If its port has readers outside as well, it is read from the ring that
 * those have. */
static int set_kind(const struct dal_plan *plan, struct dal_plan_channel *ch)
{
    enum dal_channel_kind kind = ch->placed;
    if (ch->inside)
        kind = dal_plan_is_outside(plan, ch->channel->producer_port) ? DAL_CHANNEL_DEVICE
                                                                     : DAL_CHANNEL_GROUP;
    if (kind == ch->kind && kind != DAL_CHANNEL_GROUP)
        return DAL_OK;
    return set_channel(ch, kind, describe_tokens(plan, ch, kind));
}

int dal__plan_set_inside(struct dal_plan *plan)
{
    int status = DAL_OK;
    for (size_t i = 0; i < plan->channel_count; i++) {
        plan->channels[i].kept = dal__plan_is_kept(plan, plan->channels[i].channel);
        plan->channels[i].inside = is_inside(plan, plan->channels[i].channel);
        plan->channels[i].in_registers = 0;
    }
    for (size_t i = 0; i < plan->channel_count && !status; i++)
        status = set_kind(plan, &plan->channels[i]);
    return status;
}
