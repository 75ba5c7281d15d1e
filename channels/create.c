/* Ports are made here, step by step, and given back. */
#include "channels/create.h"

#include "channels/grow.h"
#include "rt/base/alloc.h"

#include <string.h>

static void *complain_memory(const char *name)
{
    dal_log(DAL_LOG_ERROR, "channel %s: no memory", name);
    return NULL;
}

void *dal__port_alloc(const struct dal_port *port, size_t count, size_t bytes)
{
    void *memory = dal_calloc_apart(count, bytes);
    return memory ? memory : complain_memory(port->channels[0]->desc->name);
}

static int build_port(struct dal_port_plan *plan)
{
    int i, status = dal__init_listeners(plan->port, &plan->port->listeners);
    if (status == DAL_OK)
        status = dal__choose_kinds(plan);
    if (status == DAL_OK)
        status = dal__choose_shape(plan);
    if (status < 0)
        return status;
    dal__choose_blocks(plan);
    dal__choose_margin(plan);
    dal__count_kinds(plan);
    status = dal__make_rings(plan);
    for (i = 0; status == DAL_OK && i < plan->port->count; i++)
        status = dal__make_reader(plan, i);
    if (status == DAL_OK)
        status = dal__make_producer(plan);
    return status == DAL_OK ? dal__fill_rings(plan) : status;
}

static void finish_device_end(struct dal_device_end *device, const struct dal_queue *queue)
{
    if (device->fence)
        queue->backend->release(device->fence);
    if (device->uploaded)
        queue->backend->release(device->uploaded);
    dal_storage_finish(&device->bounce);
    dal_storage_finish(&device->ring);
}

static void finish_lanes(struct dal_end *end)
{
    int i;
    for (i = 0; i < end->lane_count; i++)
        finish_device_end(&end->lanes[i].mine, end->lanes[i].queue);
    dal_free(end->lanes);
}

static void finish_moments(struct dal_port *port)
{
    while (port->moments) {
        struct dal_moment *moment = port->moments;
        port->moments = moment->next;
        finish_lanes(&moment->end);
        dal_free(moment->listeners.members);
        dal_free(moment);
    }
}

/* Called when a channel is destroyed, or its maker is done. The last call frees what they share. */
static void leave_port(struct dal_port *port)
{
    int i;
    if (--port->users > 0)
        return;
    finish_moments(port);
    finish_lanes(&port->producer);
    while (port->places) {
        struct dal_place *place = port->places;
        port->places = place->next;
        finish_device_end(&place->device, place->queue);
        dal_free(place);
    }
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
        finish_lanes(&channel->consumer);
    dal_free(channel);
    if (port)
        leave_port(port);
}

/* Returns a port with fewer channels than wanted where there is no memory for more. */
static struct dal_port *new_port(const struct dal_channel_desc *const *descs, int count)
{
    struct dal_port *port = dal_calloc_apart(1, sizeof(*port));
    if (!port)
        return NULL;
    port->users = 1; /* who makes it */
    port->channels = dal_calloc((size_t)count, sizeof(struct dal_channel *));
    for (; port->channels && port->count < count; port->count++, port->users++) {
        struct dal_channel *channel = dal_calloc_apart(1, sizeof(*channel));
        if (!channel)
            break;
        channel->desc = descs[port->count];
        channel->port = port;
        channel->producer = &port->producer;
        port->channels[port->count] = channel;
        port->inplace = channel->desc->inplace ? channel : port->inplace;
    }
    return port;
}

int dal_port_create(struct dal_channel **channels, const struct dal_channel_desc *const *descs,
                    int count, const struct dal_end_config *producer,
                    const struct dal_end_config *consumers)
{
    struct dal_port *port = new_port(descs, count);
    struct dal_port_plan plan = {
        .port = port, .producer = producer, .consumers = consumers, .from = producer->queue};
    int i, made, status = DAL_ERR_NOMEM;
    memset(channels, 0, (size_t)count * sizeof(*channels));
    if (!port || port->count < count)
        complain_memory(descs[0]->name);
    if (!port)
        return DAL_ERR_NOMEM;
    if (port->count == count)
        status = build_port(&plan);
    for (i = 0, made = port->count; i < made; i++)
        if (status == DAL_OK)
            channels[i] = port->channels[i];
        else
            dal_channel_destroy(port->channels[i]);
    leave_port(port);
    return status;
}
