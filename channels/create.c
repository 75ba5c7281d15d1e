/* Ports are made here, step by step, and given back. */
#include "channels/create.h"
#include "channels/grow.h"
#include "channels/newest.h"

#include <string.h>

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

/* Called when a channel is destroyed, or its maker is done. The last call frees what they share. */
static void leave_port(struct dal_port *port)
{
    if (--port->users > 0)
        return;
    finish_publications(port);
    finish_end(&port->producer);
    finish_buffers(port);
    dal__rings_finish(port);
    dal__newest_destroy(port->newest);
    dal__blocks_finish(&port->blocks);
    dal_storage_finish(&port->host);
    for (int i = 0; i < port->own_count; i++)
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
        leave_port(port);
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
static struct dal_port *begin_port(const struct dal_channel_desc *const *descs, int count)
{
    struct dal_port *port = dal_calloc_apart(1, sizeof(*port));
    if (!port)
        return NULL;
    port->users = 1; /* its maker */
    atomic_init(&port->capacity, descs[0]->capacity);
    port->channels = dal_calloc((size_t)count, sizeof(struct dal_channel *));
    if (descs[0]->kind == DAL_CHANNEL_NEWEST && !(port->newest = dal__newest_create()))
        return port;
    while (port->channels && port->count < count && add_channel(port, descs[port->count]))
        ;
    return port;
}

/* Returns a port with a channel for each description. The port's other members are zeros. NULL,
 * logged, without memory. */
static struct dal_port *new_port(const struct dal_channel_desc *const *descs, int count)
{
    struct dal_port *port = begin_port(descs, count);
    int made = port ? port->count : 0;
    if (made == count)
        return port;
    dal_log(DAL_LOG_ERROR, "channel %s: no memory", descs[0]->name);
    for (int i = 0; i < made; i++)
        dal_channel_destroy(port->channels[i]);
    if (port)
        leave_port(port);
    return NULL;
}

/* Makes all that a port has but its channels. */
static int build_port(const struct dal_port_request *of)
{
    struct dal_port_layout layout;
    struct dal_port_rings rings;
    struct dal_port_readers readers;
    int status = dal__port_layout(of, &layout);
    if (status == DAL_OK)
        status = dal__port_rings(&layout, &rings);
    if (status == DAL_OK)
        status = dal__port_readers(&rings, &readers);
    return status == DAL_OK ? dal__port_end(&readers) : status;
}

int dal_port_create(struct dal_channel **channels, const struct dal_channel_desc *const *descs,
                    int count, const struct dal_end_config *producer,
                    const struct dal_end_config *consumers)
{
    const struct dal_port_request of = {.port = new_port(descs, count),
                                        .descs = descs,
                                        .count = count,
                                        .producer = producer,
                                        .consumers = consumers};
    int status;
    memset(channels, 0, (size_t)count * sizeof(*channels));
    if (!of.port)
        return DAL_ERR_NOMEM;
    status = build_port(&of);
    for (int i = 0; i < count; i++)
        if (status == DAL_OK)
            channels[i] = of.port->channels[i];
        else
            dal_channel_destroy(of.port->channels[i]);
    leave_port(of.port);
    return status;
}
