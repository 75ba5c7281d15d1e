/* All device ends, and a port's end on a device. */
#include "channels/device_end.h"

#include "channels/port.h"

#include <assert.h>

/* ---- the port's end on a device -------------------------------------------------------------- */

/* Returns the event that a launch with a window of the port must wait for, or NULL. */
static dal_event port_fence(const struct dal_port *port)
{
    const struct dal_publication *publication = port->publications;
    while (publication && !publication->end.replica->buffer->fence)
        publication = publication->next;
    return publication ? publication->end.replica->buffer->fence : NULL;
}

/* Readers on other queues of the context may still be at work on the window. The launch waits for
 * one fence itself; several become a barrier. */
static int join_fences(struct dal_port *port)
{
    const struct dal_subject subject = dal__end_subject(&port->producer);
    const struct dal_queue *queue = port->producer.replica->queue;
    struct dal_publication *publication;
    unsigned count = 0;
    int status;
    for (publication = port->publications; publication; publication = publication->next)
        if (publication->end.replica->buffer->fence)
            port->fences[count++] = publication->end.replica->buffer->fence;
    if (count < 2)
        return DAL_OK;
    for (publication = port->publications; publication; publication = publication->next)
        publication->end.replica->buffer->fence = NULL;
    status = queue->backend->barrier(queue->commands, &subject, port->fences, count);
    for (unsigned i = 0; i < count; i++)
        queue->backend->release(port->fences[i]);
    return status;
}

static int port_acquire(struct dal_end *end, uint64_t firings)
{
    return end->port->blocks.list ? dal__blocks_borrow(end, firings) : join_fences(end->port);
}

static int is_wanted(const struct dal_port *port, const struct dal_publication *publication)
{
    for (int i = 0; i < port->count; i++)
        if (port->channels[i]->consumer.peer == &publication->end &&
            !dal__end_is_closed(&port->channels[i]->consumer))
            return 1;
    return 0;
}

/* Releases a window at one publication. Tokens that nobody reads any more are not moved, and their
 * publication stays where it is. */
static int release_at(const struct dal_end *end, struct dal_publication *publication,
                      uint64_t firings)
{
    struct dal_end *out = &publication->end;
    if (!is_wanted(end->port, publication))
        return DAL_OK;
    out->replica = &out->replica->all->list[end->replica - end->replica->all->list];
    out->position = end->position;
    out->replica->buffer->memory_at = end->replica->buffer->memory_at;
    out->taken = end->taken + firings * end->rate;
    return out->ops->release(out, firings);
}

static int port_release(struct dal_end *end, uint64_t firings)
{
    struct dal_publication *publication;
    int status = end->port->mirrored ? dal__device_mirror(end, firings) : DAL_OK;
    for (publication = end->port->publications; status == DAL_OK && publication;
         publication = publication->next)
        status = release_at(end, publication, firings);
    if (status == DAL_OK)
        dal_end_publish(end, firings * end->rate); /* for reports: no reader looks at it */
    return status;
}

const struct dal_end_ops dal__port_ops = {port_acquire, port_release};

/* ---- all device ends ------------------------------------------------------------------------- */

int dal_device_end_acquire(struct dal_end *end, uint64_t firings, struct dal_argument *argument)
{
    int status;
    assert(end->ops && firings > 0 && firings * end->rate <= dal__block_left(end));
    dal__replica_enter(end);
    status = end->ops->acquire ? end->ops->acquire(end, firings) : DAL_OK;
    *argument = (struct dal_argument){.memory = end->replica->buffer->memory,
                                      .offset = end->position - end->replica->buffer->memory_at};
    return status;
}

void dal_device_end_fences(const struct dal_end *end, dal_event fences[2])
{
    fences[0] = end->output ? port_fence(end->port) : end->replica->buffer->fence;
    fences[1] = end->replica->buffer->uploaded;
}

int dal_device_end_release(struct dal_end *end, uint64_t firings)
{
    int status = end->ops->release(end, firings);
    if (status < 0)
        return status;
    dal__end_advance(end, firings);
    if (end->port->blocks.list)
        end->ring.contiguous_bytes = dal__block_end(end);
    return DAL_OK;
}
