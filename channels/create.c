/* Channels are made here: which storage, which ends, where the initial tokens lie. */
#include "channels/create.h"

#include "channels/device_end.h"
#include "channels/fanout.h"
#include "channels/grow.h"
#include "rt/base/alloc.h"

#include <string.h>

/* What a kind becomes on the devices that are really there. */
static enum dal_channel_kind resolve(const struct dal_channel_desc *desc,
                                     enum dal_channel_kind kind, const struct dal_queue *p,
                                     const struct dal_queue *c)
{
    const struct dal_queue *device = p ? p : c;
    switch (kind) {
    case DAL_CHANNEL_DEVICE:
    case DAL_CHANNEL_CONTEXT:
        if (p == c)
            return DAL_CHANNEL_DEVICE;
        if (p->device->context == c->device->context)
            return DAL_CHANNEL_CONTEXT;
        dal_log(DAL_LOG_NOTE, "channel %s: %s and %s share no context; staged instead", desc->name,
                p->device->info.name, c->device->info.name);
        return DAL_CHANNEL_STAGED;
    case DAL_CHANNEL_UNIFIED:
        if (device->device->info.fine_svm)
            return DAL_CHANNEL_UNIFIED;
        dal_log(DAL_LOG_NOTE,
                "channel %s: %s has no fine-grained shared virtual memory; staged instead",
                desc->name, device->device->info.name);
        return DAL_CHANNEL_STAGED;
    default:
        return kind;
    }
}

/* The kind when a process was planned for a device and runs on a core. */
static enum dal_channel_kind refit(const struct dal_channel_desc *desc,
                                   const struct dal_end_config *producer,
                                   const struct dal_end_config *consumer)
{
    const struct dal_queue *device = producer->queue ? producer->queue : consumer->queue;
    if (!device)
        return producer->core >= 0 && producer->core == consumer->core ? DAL_CHANNEL_CORE
                                                                       : DAL_CHANNEL_CORES;
    if (desc->kind != DAL_CHANNEL_DEVICE && desc->kind != DAL_CHANNEL_CONTEXT)
        return desc->kind;
    return device->device->info.unified ? DAL_CHANNEL_UNIFIED : DAL_CHANNEL_STAGED;
}

/* Which ends a kind takes: 0 host only, 1 at least one device, 2 two devices. */
static int ends_fit(enum dal_channel_kind kind, int devices)
{
    switch (kind) {
    case DAL_CHANNEL_CORE:
    case DAL_CHANNEL_CORES:
        return devices == 0;
    case DAL_CHANNEL_DEVICE:
    case DAL_CHANNEL_CONTEXT:
        return devices == 2;
    case DAL_CHANNEL_UNIFIED:
        return devices == 1;
    default:
        return devices >= 1;
    }
}

int dal__channel_resolve(struct dal_channel *channel, const struct dal_end_config *producer,
                         const struct dal_end_config *consumer)
{
    const struct dal_channel_desc *desc = channel->desc;
    enum dal_channel_kind kind =
        producer->moved || consumer->moved ? refit(desc, producer, consumer) : desc->kind;
    int devices = (producer->queue != NULL) + (consumer->queue != NULL);
    if (!ends_fit(kind, devices)) {
        dal_log(DAL_LOG_ERROR, "channel %s: kind %s does not fit %d device ends", desc->name,
                dal_channel_kind_name(kind), devices);
        return DAL_ERR_UNSUPPORTED;
    }
    channel->kind = resolve(desc, kind, producer->queue, consumer->queue);
    return DAL_OK;
}

/* Bytes that a ring may have for the sake of large launches, but no more than a part of what a
 * device takes in one piece. */
enum { MOST_RING_BYTES = 64 << 20, ALLOCATION_PART = 8 };

static uint64_t most_ring_bytes(const struct dal_end_config *end)
{
    uint64_t part =
        end->queue ? end->queue->device->info.max_alloc_bytes / ALLOCATION_PART : MOST_RING_BYTES;
    return part < MOST_RING_BYTES ? part : MOST_RING_BYTES;
}

static struct dal_shape choose_shape(const struct dal_channel *channel,
                                     const struct dal_end_config *producer,
                                     const struct dal_end_config *consumer)
{
    const struct dal_channel_desc *desc = channel->desc;
    uint64_t p = most_ring_bytes(producer), c = most_ring_bytes(consumer);
    struct dal_windows windows = {.producer = producer->firings,
                                  .consumer = consumer->firings,
                                  .most_slots = (p < c ? p : c) / desc->token_bytes};
    return dal_shape_elastic(desc->rate_in, desc->rate_out, desc->initial_tokens, desc->capacity,
                             windows);
}

/* Between devices of two contexts, one that shares memory with the host needs no ring of its own:
 * its kernels work in the ring that the other one's transfers reach. NULL without such a device. */
static const struct dal_queue *sharing_queue(const struct dal_queue *p, const struct dal_queue *c)
{
    if (!p || !c || p->device->context == c->device->context)
        return NULL;
    if (p->device->info.fine_svm && p->device->info.unified)
        return p;
    return c->device->info.fine_svm && c->device->info.unified ? c : NULL;
}

/* Whether the host's ring of a staged channel is memory that this end's kernels share. */
static int works_in_host_ring(const struct dal_channel *channel, const struct dal_end *end)
{
    return channel->kind == DAL_CHANNEL_STAGED &&
           channel->storage->context == end->queue->device->context;
}

static int make_storage(struct dal_channel *channel, const struct dal_queue *p,
                        const struct dal_queue *c)
{
    const struct dal_channel_desc *desc = channel->desc;
    const struct dal_queue *queue = p ? p : c;
    size_t bytes = (channel->shape.slots + channel->shape.tail) * desc->token_bytes;
    switch (channel->kind) {
    case DAL_CHANNEL_CORE:
    case DAL_CHANNEL_CORES:
        if (channel->shape.tail)
            return dal_storage_twice(channel->storage, desc->name,
                                     channel->shape.slots * desc->token_bytes);
        return dal_storage_host(channel->storage, desc->name, bytes);
    case DAL_CHANNEL_DEVICE:
    case DAL_CHANNEL_CONTEXT:
        return dal_storage_device(channel->storage, desc->name, queue->device, bytes, 0);
    case DAL_CHANNEL_UNIFIED:
        return dal_storage_shared(channel->storage, desc->name, queue->device, bytes);
    case DAL_CHANNEL_STAGED:
        if (sharing_queue(p, c))
            return dal_storage_shared(channel->storage, desc->name, sharing_queue(p, c)->device,
                                      bytes);
        if (p && c && p->device->info.unified)
            queue = c;
        return dal_storage_pinned(channel->storage, desc->name, queue->device, queue->commands,
                                  bytes);
    case DAL_CHANNEL_NAIVE:
        return dal_storage_host(channel->storage, desc->name, bytes);
    }
    return DAL_ERR_UNSUPPORTED;
}

static int make_device_end(struct dal_channel *channel, struct dal_end *end)
{
    const char *name = channel->desc->name;
    size_t bytes = channel->storage->bytes;
    struct dal_device_end *device;
    int status;
    if (!end->queue)
        return DAL_OK;
    device = end->device = dal_calloc(1, sizeof(*device));
    if (!device)
        return DAL_ERR_NOMEM;
    device->counted = channel;
    if ((channel->kind != DAL_CHANNEL_STAGED && channel->kind != DAL_CHANNEL_NAIVE) ||
        works_in_host_ring(channel, end)) {
        end->ops = &dal__direct_ops;
        device->memory = channel->storage->memory;
        return DAL_OK;
    }
    end->ops = end->output ? &dal__download_ops : &dal__upload_ops;
    status = dal_storage_device(&device->ring, name, end->queue->device, bytes, 1);
    if (status == DAL_OK && channel->kind == DAL_CHANNEL_NAIVE)
        status = dal_storage_host(&device->bounce, name, bytes);
    device->memory = device->ring.memory;
    return status;
}

void dal__end_init(struct dal_channel *channel, struct dal_end *end, int output,
                   const struct dal_end_config *config, const struct dal_end_config *peer)
{
    const struct dal_channel_desc *desc = channel->desc;
    end->channel = channel;
    end->peer = output ? &channel->consumer : &channel->producer;
    end->output = output;
    end->rate = output ? desc->rate_in : desc->rate_out;
    end->firing_bytes = end->rate * desc->token_bytes;
    end->credit = output ? desc->capacity : 0;
    end->taken = output ? desc->initial_tokens : 0;
    end->seen = output ? 0 : desc->initial_tokens;
    atomic_init(&end->visible, end->taken);
    atomic_init(&end->closed, 0);
    end->queue = config->queue;
    end->listener = channel->kind == DAL_CHANNEL_CORE ? NULL : peer->listener;
}

/* Windows of single-token firings may end with the ring, and those of a KPN process have to: it
 * gives them back piece by piece and goes on where it is, while what is written after the ring's
 * end has its place at the beginning. */
static int needs_tail(const struct dal_end *end)
{
    return end->queue || end->rate > 1;
}

void dal__end_limits(const struct dal_channel *channel, struct dal_end *end, size_t doubly)
{
    size_t token = channel->desc->token_bytes, ring = channel->shape.slots * token;
    size_t tail = needs_tail(end) ? channel->shape.tail * token : 0;
    end->wrap_bytes = doubly ? doubly : ring;
    end->contiguous_bytes = doubly ? SIZE_MAX : ring + tail;
    end->position = (channel->shape.start + end->taken) * token % end->wrap_bytes;
}

int dal__initial_tokens(const struct dal_channel *channel, const struct dal_storage *storage)
{
    const struct dal_channel_desc *desc = channel->desc;
    const struct dal_queue *queue = channel->producer.queue;
    size_t offset = channel->consumer.position, token = desc->token_bytes;
    size_t bytes = desc->initial_tokens * token, ring = channel->producer.wrap_bytes, part;
    unsigned char *image;
    int status;
    if (bytes == 0)
        return DAL_OK;
    image = storage->host ? storage->host : dal_calloc(1, storage->bytes);
    if (!image)
        return DAL_ERR_NOMEM;
    part = bytes < ring - offset ? bytes : ring - offset;
    if (desc->initial_data) {
        memcpy(image + offset, desc->initial_data, part);
        memcpy(image, (const unsigned char *)desc->initial_data + part, bytes - part);
    }
    if (channel->shape.tail) {
        size_t tail = channel->shape.tail * token;
        memcpy(image + ring, image, tail < ring ? tail : ring);
    }
    if (storage->host)
        return DAL_OK;
    status = DAL_CL(
        desc->name, clEnqueueWriteBuffer,
        (queue->commands, storage->memory, CL_TRUE, 0, storage->bytes, image, 0, NULL, NULL));
    dal_free(image);
    return status;
}

static int build(struct dal_channel *channel, const struct dal_end_config *producer,
                 const struct dal_end_config *consumer)
{
    const struct dal_channel_desc *desc = channel->desc;
    size_t doubly = 0;
    int status = dal__channel_resolve(channel, producer, consumer);
    if (status < 0)
        return status;
    channel->rewinds = channel->kind == DAL_CHANNEL_CORE && desc->producer != desc->consumer;
    channel->shape = choose_shape(channel, producer, consumer);
    dal__end_init(channel, &channel->producer, 1, producer, consumer);
    dal__end_init(channel, &channel->consumer, 0, consumer, producer);
    status = make_storage(channel, producer->queue, consumer->queue);
    if (status < 0)
        return status;
    channel->host = channel->producer.base = channel->consumer.base = channel->storage->host;
    atomic_init(&channel->capacity, desc->capacity);
    if (channel->kind <= DAL_CHANNEL_CORES && channel->shape.tail) {
        doubly = channel->storage->bytes;
        channel->shape.tail = 0; /* the double mapping does it */
    }
    dal__end_limits(channel, &channel->producer, doubly);
    dal__end_limits(channel, &channel->consumer, doubly);
    status = make_device_end(channel, &channel->producer);
    if (status == DAL_OK)
        status = make_device_end(channel, &channel->consumer);
    return status < 0 ? status : dal__initial_tokens(channel, channel->storage);
}

struct dal_channel *dal__channel_new(const struct dal_channel_desc *desc)
{
    struct dal_channel *channel = dal_calloc_apart(1, sizeof(*channel));
    if (!channel)
        return NULL;
    channel->desc = desc;
    channel->storage = dal_calloc(1, sizeof(*channel->storage));
    if (channel->storage)
        return channel;
    dal_free(channel);
    return NULL;
}

int dal_channel_create(struct dal_channel **result, const struct dal_channel_desc *desc,
                       const struct dal_end_config *producer, const struct dal_end_config *consumer)
{
    struct dal_channel *channel = dal__channel_new(desc);
    int status = channel ? build(channel, producer, consumer) : DAL_ERR_NOMEM;
    *result = NULL;
    if (status < 0) {
        dal_channel_destroy(channel);
        return status;
    }
    *result = channel;
    return DAL_OK;
}

void dal__device_end_destroy(struct dal_device_end *device)
{
    if (!device)
        return;
    if (device->fence)
        clReleaseEvent(device->fence);
    if (device->uploaded)
        clReleaseEvent(device->uploaded);
    dal_storage_finish(&device->bounce);
    dal_storage_finish(&device->ring);
    dal_free(device);
}

void dal_channel_destroy(struct dal_channel *channel)
{
    if (!channel)
        return;
    if (channel->fanout) {
        dal__fanout_leave(channel->fanout);
    } else {
        dal__device_end_destroy(channel->producer.device);
        dal__device_end_destroy(channel->consumer.device);
    }
    dal__rings_finish(channel);
    dal_storage_finish(channel->storage);
    dal_free(channel->storage);
    dal_free(channel);
}
