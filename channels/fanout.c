/* The port's end of a fan-out at work; how it is made is in fanout_create.c. */
#include "channels/fanout.h"

static int is_closed(const struct dal_channel *channel)
{
    return atomic_load_explicit(&channel->consumer.closed, memory_order_acquire);
}

static int is_loop(const struct dal_channel *channel)
{
    return channel->desc->producer == channel->desc->consumer;
}

void dal__fanout_look(struct dal_end *end)
{
    const struct dal_fanout *fanout = end->fanout;
    uint64_t slowest = UINT64_MAX;
    int i;
    for (i = 0; i < fanout->count; i++) {
        const struct dal_channel *channel = fanout->channels[i];
        uint64_t visible = atomic_load_explicit(&channel->consumer.visible, memory_order_acquire);
        if (visible < slowest && !is_closed(channel))
            slowest = visible;
    }
    end->seen = slowest == UINT64_MAX ? end->taken : slowest;
}

struct dal_channel *dal__fanout_slowest(const struct dal_fanout *fanout)
{
    struct dal_channel *slowest = fanout->channels[0];
    uint64_t least = UINT64_MAX;
    int i;
    for (i = 0; i < fanout->count; i++) {
        struct dal_channel *channel = fanout->channels[i];
        uint64_t visible = atomic_load_explicit(&channel->consumer.visible, memory_order_acquire);
        if (visible >= least || is_closed(channel))
            continue;
        least = visible;
        slowest = channel;
    }
    return slowest;
}

/* The process itself closes last; what it sends to itself is no reason to go on. */
int dal__fanout_finished(const struct dal_fanout *fanout)
{
    int i;
    for (i = 0; i < fanout->count; i++)
        if (!is_loop(fanout->channels[i]) && !is_closed(fanout->channels[i]))
            return 0;
    return 1;
}

int dal__fanout_is_loop(const struct dal_fanout *fanout)
{
    int i;
    for (i = 0; i < fanout->count && is_loop(fanout->channels[i]); i++)
        ;
    return i == fanout->count;
}

int dal__fanout_settled(const struct dal_fanout *fanout)
{
    const struct dal_outlet *outlet;
    for (outlet = fanout->outlets; outlet; outlet = outlet->next)
        if (!dal_end_settled(&outlet->end))
            return 0;
    return 1;
}

void dal__fanout_close(struct dal_fanout *fanout)
{
    struct dal_outlet *outlet;
    for (outlet = fanout->outlets; outlet; outlet = outlet->next)
        dal_end_close(&outlet->end);
}

void dal__fanout_rewind(struct dal_fanout *fanout)
{
    struct dal_end *producer = &fanout->channels[0]->producer;
    int i;
    for (i = 0; i < fanout->count; i++)
        if (!dal__end_is_level(&fanout->channels[i]->consumer, producer) &&
            !is_closed(fanout->channels[i]))
            return;
    if (!dal__end_is_level(producer, producer))
        return;
    producer->position = 0;
    for (i = 0; i < fanout->count; i++)
        fanout->channels[i]->consumer.position = 0;
}

/* ---- the port's end on a device -------------------------------------------------------------- */

/* Readers on other queues of the context may still be at work on the window: one command that waits
 * for all of them, so that a launch needs no more fences than with one peer. */
static int fan_acquire(struct dal_end *end, uint64_t firings)
{
    struct dal_fanout *fanout = end->fanout;
    struct dal_outlet *outlet;
    cl_uint i, count = 0;
    int status = DAL_OK;
    (void)firings;
    for (outlet = fanout->outlets; outlet; outlet = outlet->next) {
        if (!outlet->end.device->fence)
            continue;
        fanout->fences[count++] = outlet->end.device->fence;
        outlet->end.device->fence = NULL;
    }
    if (count)
        status = DAL_CL(end->channel->desc->name, clEnqueueBarrierWithWaitList,
                        (end->queue->commands, count, fanout->fences, NULL));
    for (i = 0; i < count; i++)
        clReleaseEvent(fanout->fences[i]);
    return status;
}

static int is_wanted(const struct dal_fanout *fanout, const struct dal_outlet *outlet)
{
    int i;
    for (i = 0; i < fanout->count; i++)
        if (fanout->channels[i]->consumer.peer == &outlet->end && !is_closed(fanout->channels[i]))
            return 1;
    return 0;
}

/* Passes a window on to one outlet; what nobody reads any more is not moved. */
static int let_out(const struct dal_end *end, struct dal_outlet *outlet, uint64_t firings)
{
    struct dal_end *out = &outlet->end;
    out->position = end->position;
    out->taken = end->taken + firings * end->rate;
    if (is_wanted(end->fanout, outlet))
        return out->ops->release(out, firings);
    end->queue->dirty = 1;
    dal_end_publish(out, firings * end->rate);
    return DAL_OK;
}

static int fan_release(struct dal_end *end, uint64_t firings)
{
    struct dal_outlet *outlet;
    int status = end->fanout->mirrors ? dal__device_mirror(end, firings) : DAL_OK;
    for (outlet = end->fanout->outlets; status == DAL_OK && outlet; outlet = outlet->next)
        status = let_out(end, outlet, firings);
    if (status == DAL_OK)
        dal_end_publish(end, firings * end->rate); /* for reports: no peer looks at it */
    return status;
}

const struct dal_end_ops dal__fan_ops = {fan_acquire, fan_release};
