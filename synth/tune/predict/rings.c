/* Rings whose end cuts activations. */
#include "synth/tune/predict/model.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "synth/plan/ring.h"

/* Is a port written and read on cores alone, one process a firing, and not by its own core only?
 * Such a ring starts over whenever it is empty. */
static int may_cut(const struct dal_model *m, const struct dal_plan_channel *ch)
{
    const struct dal_spec_channel *c = ch->channel->producer_port->channel;
    int other_cores = 0;
    for (; c; c = c->next_of_port) {
        const struct dal_plan_channel *reader = &m->plan->channels[c->number];
        if ((reader->kind != DAL_CHANNEL_CORE && reader->kind != DAL_CHANNEL_CORES) || c->inplace ||
            m->first_of[c->number] == SIZE_MAX || m->count_of[c->number] != 1 ||
            m->round_of[c->producer->number] != 1 || m->round_of[c->consumer->number] != 1)
            return 0;
        other_cores |= reader->kind == DAL_CHANNEL_CORES || c->producer == c->consumer;
    }
    return other_cores;
}

/* With a tail it is mapped twice, and cuts nothing. */
static struct dal_sim_ring find_ring(const struct dal_model *m, const struct dal_plan_channel *ch,
                                     struct dal_windows *readers)
{
    const struct dal_spec_channel *c = ch->channel->producer_port->channel;
    struct dal_shape shape = dal_plan_ring(m->plan, ch, readers);
    uint64_t most = 0;
    if (shape.slots == 0 || shape.tail > 0)
        return (struct dal_sim_ring){0};
    for (; c; c = c->next_of_port)
        most = c->initial_tokens > most ? c->initial_tokens : most;
    return (struct dal_sim_ring){.slots = shape.slots,
                                 .write_at = (shape.start + most) % shape.slots,
                                 .read_at = (shape.start + most - ch->channel->initial_tokens) %
                                            shape.slots};
}

int dal__model_rings(struct dal_model *m)
{
    struct dal_windows *readers = dal_calloc(m->plan->channel_count + 1, sizeof(*readers));
    m->rings = dal_calloc(m->graph.channel_count + 1, sizeof(*m->rings));
    for (size_t i = 0; readers && m->rings && i < m->plan->channel_count; i++)
        if (may_cut(m, &m->plan->channels[i]))
            m->rings[m->first_of[i]] = find_ring(m, &m->plan->channels[i], readers);
    dal_free(readers);
    return readers && m->rings ? DAL_OK : DAL_ERR_NOMEM;
}
