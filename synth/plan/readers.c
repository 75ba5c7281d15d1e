/* Several readers: channels of one port have one capacity, and share a ring wherever they end
 * together. */
#include "synth/plan/plan.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <inttypes.h>

static int is_first(const struct dal_spec_channel *c)
{
    return c->next_of_port && c->producer_port->channel == c;
}

static int add_words(char **reason, char *longer)
{
    if (!longer)
        return DAL_ERR_NOMEM;
    dal_free(*reason);
    *reason = longer;
    return DAL_OK;
}

/* ---- capacities ------------------------------------------------------------------------------ */

static void share_capacity(struct dal_plan *plan, const struct dal_spec_channel *first)
{
    struct dal_plan_channel *largest = &plan->channels[first->number];
    const struct dal_spec_channel *c;
    for (c = first; c; c = c->next_of_port)
        if (plan->channels[c->number].capacity > largest->capacity)
            largest = &plan->channels[c->number];
    for (c = first; c; c = c->next_of_port) {
        struct dal_plan_channel *ch = &plan->channels[c->number];
        if (ch->capacity == largest->capacity)
            continue;
        ch->capacity = largest->capacity;
        ch->larger = largest;
        largest->larger = NULL;
    }
}

void dal_plan_share_capacities(struct dal_plan *plan)
{
    for (size_t i = 0; i < plan->channel_count; i++)
        if (is_first(plan->channels[i].channel))
            share_capacity(plan, plan->channels[i].channel);
}

int dal_plan_explain_capacities(struct dal_plan *plan)
{
    int status = DAL_OK;
    for (size_t i = 0; i < plan->channel_count && !status; i++) {
        struct dal_plan_channel *ch = &plan->channels[i];
        if (ch->larger)
            status =
                add_words(&ch->capacity_reason,
                          dal_format("%s; made %" PRIu64 " as channel %s of the same port",
                                     ch->capacity_reason, ch->capacity, ch->larger->channel->name));
    }
    return status;
}

/* ---- rings ----------------------------------------------------------------------------------- */

/* The place of the consumer's window: in the producer's own ring, in the host's, or on a device. */
struct location {
    int own;
    const struct dal_plan_processor *device; /* NULL: the host */
    const struct dal_plan_process *several;  /* the process on several devices; else NULL */
    enum dal_channel_kind kind;              /* on a device, each way of moving has a ring */
};

static struct location locate_window(const struct dal_plan *plan, const struct dal_spec_channel *c)
{
    const struct dal_plan_channel *ch = &plan->channels[c->number];
    const struct dal_plan_process *to = dal_plan_consumer(plan, c);
    if (dal_channel_traits(ch->kind)->in_place)
        return (struct location){.own = 1};
    if (dal_plan_on_device(to))
        return (struct location){.device = to->processors[0],
                                 .several = to->processor_count > 1 ? to : NULL,
                                 .kind = ch->kind};
    return (struct location){.own = 0};
}

static int same_location(struct location a, struct location b)
{
    return a.own == b.own && a.device == b.device && a.several == b.several && a.kind == b.kind;
}

static int share_ring(struct dal_plan *plan, const struct dal_spec_channel *c)
{
    struct dal_plan_channel *ch = &plan->channels[c->number];
    const struct dal_spec_channel *first = c->producer_port->channel, *other = first;
    struct location place = locate_window(plan, c);
    while (other != c && !same_location(locate_window(plan, other), place))
        other = other->next_of_port;
    if (other != c)
        return add_words(&ch->reason,
                         dal_format("%s; shares the ring of channel %s", ch->reason, other->name));
    return add_words(&ch->reason,
                     dal_format("%s; same port as channel %s", ch->reason, first->name));
}

int dal_plan_share_rings(struct dal_plan *plan)
{
    const struct dal_spec_channel *c;
    int status = DAL_OK;
    for (size_t i = 0; i < plan->channel_count && !status; i++) {
        c = plan->channels[i].channel;
        if (!is_first(c))
            continue;
        while (!status && (c = c->next_of_port))
            status = share_ring(plan, c);
    }
    return status;
}
