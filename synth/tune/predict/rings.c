/* Rings whose end cuts activations. */
#include "synth/tune/predict/model.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "synth/plan/ring.h"

/* Is a port, by its first channel, written and read on cores alone, one process a firing, and not
 * by its own core only? Such a ring starts over whenever it is empty. */
static int may_cut(const struct dal_model *m, const struct dal_spec_channel *c)
{
    int other_cores = 0;
    for (; c; c = c->next_of_port) {
        enum dal_channel_kind kind = m->plan->channels[c->number].kind;
        if ((kind != DAL_CHANNEL_CORE && kind != DAL_CHANNEL_CORES) || c->inplace ||
            m->first_of[c->number] == SIZE_MAX || m->count_of[c->number] != 1 ||
            m->round_of[c->producer->number] != 1 || m->round_of[c->consumer->number] != 1)
            return 0;
        other_cores |= kind == DAL_CHANNEL_CORES || c->producer == c->consumer;
    }
    return other_cores;
}

/* Sets the rings of a port's channels. With a tail it is mapped twice, and cuts nothing. */
static void set_rings(struct dal_model *m, const struct dal_spec_channel *first,
                      struct dal_windows *readers)
{
    struct dal_shape shape = dal_plan_ring(m->plan, &m->plan->channels[first->number], readers);
    uint64_t most = 0;
    if (shape.slots == 0 || shape.tail > 0)
        return;
    for (const struct dal_spec_channel *c = first; c; c = c->next_of_port)
        most = c->initial_tokens > most ? c->initial_tokens : most;
    for (const struct dal_spec_channel *c = first; c; c = c->next_of_port)
        m->rings[m->first_of[c->number]] = (struct dal_sim_ring){
            .slots = shape.slots,
            .write_at = (shape.start + most) % shape.slots,
            .read_at = (shape.start + most - c->initial_tokens) % shape.slots};
}

int dal__model_rings(struct dal_model *m)
{
    struct dal_windows *readers = dal_calloc(m->plan->channel_count + 1, sizeof(*readers));
    m->rings = dal_calloc(m->graph.channel_count + 1, sizeof(*m->rings));
    for (size_t i = 0; readers && m->rings && i < m->plan->channel_count; i++) {
        const struct dal_spec_channel *c = m->plan->channels[i].channel;
        if (c->producer_port->channel == c && may_cut(m, c))
            set_rings(m, c, readers);
    }
    dal_free(readers);
    return readers && m->rings ? DAL_OK : DAL_ERR_NOMEM;
}
