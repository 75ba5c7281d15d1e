/* A port's end at work; how it is made is in create_ends.c. */
#include "channels/port.h"

static int is_closed(const struct dal_channel *channel)
{
    return atomic_load_explicit(&channel->consumer.closed, memory_order_acquire);
}

static int is_loop(const struct dal_channel *channel)
{
    return channel->desc->producer == channel->desc->consumer;
}

int dal__port_heeds(const struct dal_port *port, const struct dal_channel *reader)
{
    return reader != port->inplace && !is_closed(reader);
}

struct dal_channel *dal__port_slowest(const struct dal_port *port)
{
    struct dal_channel *slowest = NULL;
    uint64_t least = 0;
    int i;
    for (i = 0; i < port->count; i++) {
        struct dal_channel *channel = port->channels[i];
        uint64_t visible = atomic_load_explicit(&channel->consumer.visible, memory_order_acquire);
        if (!dal__port_heeds(port, channel) || (slowest && visible >= least))
            continue;
        least = visible;
        slowest = channel;
    }
    return slowest ? slowest : port->channels[0];
}

/* Nobody reads what is under way to a reader that has closed. But until it has arrived, a download
 * reads it on the device, and writes to the host's ring, which others may read. */
static uint64_t arrived_at_closed(const struct dal_channel *channel)
{
    const struct dal_end *moment = channel->consumer.peer;
    uint64_t visible = atomic_load_explicit(&moment->visible, memory_order_relaxed);
    return moment == channel->producer || visible == moment->taken ? UINT64_MAX : visible;
}

void dal__port_look(struct dal_end *end)
{
    const struct dal_port *port = end->port;
    uint64_t slowest = UINT64_MAX;
    int i;
    for (i = 0; i < port->count; i++) {
        const struct dal_channel *channel = port->channels[i];
        uint64_t visible = atomic_load_explicit(&channel->consumer.visible, memory_order_acquire);
        if (!dal__port_heeds(port, channel))
            visible = arrived_at_closed(channel);
        if (visible < slowest)
            slowest = visible;
    }
    end->seen = slowest == UINT64_MAX ? end->taken : slowest;
}

/* The process's own reader closes last: tokens that it sends to itself are no reason to go on. */
int dal__port_finished(const struct dal_port *port)
{
    int i;
    for (i = 0; i < port->count; i++)
        if (!is_closed(port->channels[i]) && (port->count == 1 || !is_loop(port->channels[i])))
            return 0;
    return 1;
}

uint64_t dal__port_furthest(const struct dal_port *port)
{
    uint64_t furthest = 0;
    int i;
    for (i = 0; i < port->count; i++) {
        const struct dal_end *consumer = &port->channels[i]->consumer;
        uint64_t visible = atomic_load_explicit(&consumer->visible, memory_order_acquire);
        if (visible > furthest)
            furthest = visible;
    }
    return furthest;
}

int dal__port_is_loop(const struct dal_port *port)
{
    int i;
    for (i = 0; i < port->count && is_loop(port->channels[i]); i++)
        ;
    return i == port->count;
}

int dal__port_settled(const struct dal_port *port)
{
    const struct dal_moment *moment;
    for (moment = port->moments; moment; moment = moment->next)
        if (!dal_end_settled(&moment->end))
            return 0;
    return 1;
}

void dal__port_close(struct dal_port *port)
{
    struct dal_moment *moment;
    for (moment = port->moments; moment; moment = moment->next)
        dal_end_close(&moment->end);
}

void dal__port_rewind(struct dal_port *port)
{
    int i;
    for (i = 0; i < port->count; i++)
        if (!dal__end_is_level(&port->channels[i]->consumer, &port->producer) &&
            !is_closed(port->channels[i]))
            return;
    if (!dal__end_is_level(&port->producer, &port->producer))
        return;
    port->producer.position = 0;
    for (i = 0; i < port->count; i++)
        port->channels[i]->consumer.position = 0;
}

/* ---- the port's end on a device -------------------------------------------------------------- */

dal_event dal__port_fence(const struct dal_port *port)
{
    const struct dal_moment *moment = port->moments;
    while (moment && !moment->end.device->fence)
        moment = moment->next;
    return moment ? moment->end.device->fence : NULL;
}

/* Makes the queue wait for all fences, and releases them. */
static int join_fences(struct dal_port *port)
{
    const struct dal_subject subject = dal__end_subject(&port->producer);
    const struct dal_queue *queue = port->producer.queue;
    struct dal_moment *moment;
    unsigned i, count = 0;
    int status;
    for (moment = port->moments; moment; moment = moment->next) {
        if (moment->end.device->fence)
            port->fences[count++] = moment->end.device->fence;
        moment->end.device->fence = NULL;
    }
    status = queue->backend->barrier(queue->commands, &subject, port->fences, count);
    for (i = 0; i < count; i++)
        queue->backend->release(port->fences[i]);
    return status;
}

/* Readers on other queues of the context may still be at work on the window. The launch waits for
 * one fence itself; for several, a barrier does. */
static int port_acquire(struct dal_end *end, uint64_t firings)
{
    const struct dal_moment *moment;
    int pending = 0;
    if (end->port->blocks.list)
        return dal__blocks_borrow(end, firings);
    for (moment = end->port->moments; moment; moment = moment->next)
        pending += moment->end.device->fence != NULL;
    return pending > 1 ? join_fences(end->port) : DAL_OK;
}

static int is_wanted(const struct dal_port *port, const struct dal_moment *moment)
{
    int i;
    for (i = 0; i < port->count; i++)
        if (port->channels[i]->consumer.peer == &moment->end && !is_closed(port->channels[i]))
            return 1;
    return 0;
}

/* Releases a window at one moment. Tokens that nobody reads any more are not moved, and their
 * moment stays where it is. */
static int release_at(const struct dal_end *end, struct dal_moment *moment, uint64_t firings)
{
    struct dal_end *out = &moment->end;
    if (!is_wanted(end->port, moment))
        return DAL_OK;
    dal__end_enter(out, &out->lanes[end->lane - end->lanes]);
    out->position = end->position;
    out->device->memory_at = end->device->memory_at;
    out->taken = end->taken + firings * end->rate;
    return out->ops->release(out, firings);
}

static int port_release(struct dal_end *end, uint64_t firings)
{
    struct dal_moment *moment;
    int status = end->port->mirrors ? dal__device_mirror(end, firings) : DAL_OK;
    for (moment = end->port->moments; status == DAL_OK && moment; moment = moment->next)
        status = release_at(end, moment, firings);
    if (status == DAL_OK)
        dal_end_publish(end, firings * end->rate); /* for reports: no reader looks at it */
    return status;
}

const struct dal_end_ops dal__port_ops = {port_acquire, port_release};
