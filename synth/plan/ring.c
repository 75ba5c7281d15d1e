#include "synth/plan/ring.h"

static struct dal_windows windows_of(const struct dal_plan_process *p, uint64_t rate,
                                     uint64_t initial)
{
    struct dal_windows windows = {.rate = p->process->kpn ? 1 : rate, .initial = initial};
    if (p->device) {
        windows.rate *= p->round;
        windows.firings = p->group ? p->group->rounds : p->shadow_copies;
    }
    return windows;
}

struct dal_shape dal_plan_ring(const struct dal_plan *plan, const struct dal_plan_channel *ch,
                               struct dal_windows *readers)
{
    const struct dal_spec_channel *c = ch->channel;
    struct dal_windows producer = windows_of(dal_plan_producer(plan, c), c->rate_in, 0);
    uint64_t most_slots = DAL_SHAPE_MOST_BYTES / c->token_bytes;
    int count = 0, inplace = 0, fits = ch->capacity >= producer.rate;
    for (c = c->producer_port->channel; c; c = c->next_of_port) {
        readers[count] = windows_of(dal_plan_consumer(plan, c), c->rate_out, c->initial_tokens);
        fits &= ch->capacity >= readers[count].rate && ch->capacity >= c->initial_tokens;
        inplace |= c->inplace;
        count++;
    }
    if (!fits)
        return (struct dal_shape){0};
    return inplace ? dal_shape_exactly(producer, readers, count, ch->capacity)
                   : dal_shape_for(producer, readers, count, ch->capacity, most_slots);
}
