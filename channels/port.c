/* A port's memory: made empty, and given back with all that was made since. */
#include "channels/port.h"

#include "channels/grow.h"

static void finish_end(const struct dal_end *end)
{
    if (end->replica)
        dal_free(end->replica->all);
}

static void finish_publications(struct dal_port *port)
{
    while (port->publications) {
        struct dal_publication *publication = port->publications;
        port->publications = publication->next;
        finish_end(&publication->end);
        dal_free(publication->listeners.members);
        dal_free(publication);
    }
}

static void finish_buffers(struct dal_port *port)
{
    while (port->buffers) {
        struct dal_replica_buffer *buffer = port->buffers;
        port->buffers = buffer->next;
        if (buffer->fence)
            buffer->queue->backend->release(buffer->fence);
        if (buffer->uploaded)
            buffer->queue->backend->release(buffer->uploaded);
        dal_storage_finish(&buffer->bounce);
        dal_storage_finish(&buffer->ring);
        dal_free(buffer);
    }
}

void dal__port_leave(struct dal_port *port)
{
    int i;
    if (--port->users > 0)
        return;
    finish_publications(port);
    finish_end(&port->producer);
    finish_buffers(port);
    dal__rings_finish(port);
    dal__blocks_finish(&port->blocks);
    dal_storage_finish(&port->host);
    for (i = 0; i < port->own_count; i++)
        dal_storage_finish(&port->own[i]);
    dal_free(port->own);
    dal_free(port->listeners.members);
    dal_free(port->fences);
    dal_free(port->channels);
    dal_free(port);
}

void dal_channel_destroy(struct dal_channel *channel)
{
    struct dal_port *port = channel ? channel->port : NULL;
    if (channel)
        finish_end(&channel->consumer);
    dal_free(channel);
    if (port)
        dal__port_leave(port);
}

/* Adds the next channel. Returns 0 without memory. */
static int add_channel(struct dal_port *port, const struct dal_channel_desc *desc)
{
    struct dal_channel *channel = dal_calloc_apart(1, sizeof(*channel));
    if (!channel)
        return 0;
    channel->desc = desc;
    channel->port = port;
    channel->producer = &port->producer;
    port->channels[port->count++] = channel;
    port->users++;
    port->inplace = desc->inplace ? channel : port->inplace;
    return 1;
}

/* Returns a port with fewer channels than wanted where there is no memory for more. */
static struct dal_port *new_port(const struct dal_channel_desc *const *descs, int count)
{
    struct dal_port *port = dal_calloc_apart(1, sizeof(*port));
    if (!port)
        return NULL;
    port->users = 1; /* who makes it */
    atomic_init(&port->capacity, descs[0]->capacity);
    port->channels = dal_calloc((size_t)count, sizeof(struct dal_channel *));
    while (port->channels && port->count < count && add_channel(port, descs[port->count]))
        ;
    return port;
}

struct dal_port *dal__port_new(const struct dal_channel_desc *const *descs, int count)
{
    struct dal_port *port = new_port(descs, count);
    int i, made = port ? port->count : 0;
    if (made == count)
        return port;
    dal_log(DAL_LOG_ERROR, "channel %s: no memory", descs[0]->name);
    for (i = 0; i < made; i++)
        dal_channel_destroy(port->channels[i]);
    if (port)
        dal__port_leave(port);
    return NULL;
}
