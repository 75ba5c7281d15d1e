/* The channels of one port are made here: which rings there are, and who reads where. */
#include "channels/create.h"
#include "channels/fanout.h"

#include "rt/base/alloc.h"

#include <string.h>

/* While it is made. */
struct plan {
    struct dal_fanout *fanout;
    const struct dal_end_config *producer, *consumers;
    const struct dal_queue *from; /* the producer's, NULL: it is on the host */
    struct dal_end *port;
    int shared;         /* the producer's ring is shared virtual memory */
    int staged, pinned; /* somebody has to be moved to, or from the host's ring; by DMA */
    size_t doubly;      /* bytes of a doubly mapped ring, or 0 */
};

static struct dal_channel *channel_at(const struct plan *plan, int i)
{
    return plan->fanout->channels[i];
}

static const struct dal_queue *reader_queue(const struct plan *plan, int i)
{
    return plan->consumers[i].queue;
}

static int is_moved(enum dal_channel_kind kind)
{
    return kind == DAL_CHANNEL_STAGED || kind == DAL_CHANNEL_NAIVE;
}

/* ---- kinds ----------------------------------------------------------------------------------- */

static void stage(struct dal_channel *channel, const struct dal_queue *queue, const char *why)
{
    dal_log(DAL_LOG_NOTE, "channel %s: %s %s; staged instead", channel->desc->name,
            queue->device->info.name, why);
    channel->kind = DAL_CHANNEL_STAGED;
}

/* Shared memory belongs to one context: the first that asks for it. */
static void fit_host_producer(struct plan *plan)
{
    const struct dal_queue *first = NULL;
    int i;
    for (i = 0; i < plan->fanout->count; i++) {
        const struct dal_queue *queue = reader_queue(plan, i);
        if (channel_at(plan, i)->kind != DAL_CHANNEL_UNIFIED)
            continue;
        if (!first)
            first = queue;
        else if (queue->device->context != first->device->context)
            stage(channel_at(plan, i), queue, "is of another context than the ring");
    }
    plan->shared = first != NULL;
}

/* What a core reads in place is in shared memory, and a device that does must be able to. */
static void fit_device_producer(struct plan *plan)
{
    int i;
    for (i = 0; i < plan->fanout->count; i++)
        plan->shared |= channel_at(plan, i)->kind == DAL_CHANNEL_UNIFIED;
    for (i = 0; plan->shared && i < plan->fanout->count; i++) {
        struct dal_channel *channel = channel_at(plan, i);
        const struct dal_queue *queue = reader_queue(plan, i);
        if (channel->kind == DAL_CHANNEL_CONTEXT && !queue->device->info.fine_svm)
            stage(channel, queue, "has no fine-grained shared virtual memory, where the ring is");
    }
}

static int choose_kinds(struct plan *plan)
{
    int i, status = DAL_OK;
    for (i = 0; status == DAL_OK && i < plan->fanout->count; i++)
        status = dal__channel_resolve(channel_at(plan, i), plan->producer, &plan->consumers[i]);
    if (status < 0)
        return status;
    if (plan->from)
        fit_device_producer(plan);
    else
        fit_host_producer(plan);
    for (i = 0; i < plan->fanout->count; i++) {
        plan->staged |= is_moved(channel_at(plan, i)->kind);
        plan->pinned |= channel_at(plan, i)->kind == DAL_CHANNEL_STAGED;
    }
    return DAL_OK;
}

/* ---- the producer's ring and the host's ------------------------------------------------------ */

static int choose_shape(struct plan *plan)
{
    const struct dal_channel_desc *desc = channel_at(plan, 0)->desc;
    uint64_t *rates = dal_calloc((size_t)plan->fanout->count, sizeof(*rates));
    struct dal_shape shape;
    int i;
    if (!rates)
        return DAL_ERR_NOMEM;
    for (i = 0; i < plan->fanout->count; i++)
        rates[i] = channel_at(plan, i)->desc->rate_out;
    shape = dal_shape_for_all(desc->rate_in, rates, plan->fanout->count, desc->initial_tokens,
                              desc->capacity);
    for (i = 0; i < plan->fanout->count; i++)
        channel_at(plan, i)->shape = shape;
    dal_free(rates);
    return DAL_OK;
}

static size_t ring_bytes(const struct plan *plan)
{
    const struct dal_channel *first = channel_at(plan, 0);
    return (first->shape.slots + first->shape.tail) * first->desc->token_bytes;
}

/* The queue of a device that has the kind; one with its own memory rather than another. */
static const struct dal_queue *queue_of(const struct plan *plan, enum dal_channel_kind kind)
{
    const struct dal_queue *found = plan->from;
    int i;
    for (i = 0; i < plan->fanout->count; i++) {
        const struct dal_queue *queue = reader_queue(plan, i);
        if (queue && channel_at(plan, i)->kind == kind && (!found || found->device->info.unified))
            found = queue;
    }
    return found;
}

/* Memory of the host that devices are moved to and from. */
static int make_host_ring(const struct plan *plan, struct dal_storage *storage)
{
    const char *name = channel_at(plan, 0)->desc->name;
    const struct dal_queue *queue = queue_of(plan, DAL_CHANNEL_STAGED);
    if (!plan->pinned)
        return dal_storage_host(storage, name, ring_bytes(plan));
    return dal_storage_pinned(storage, name, queue->device, queue->commands, ring_bytes(plan));
}

/* Host ends alone. */
static int make_cores_ring(struct plan *plan, struct dal_storage *storage)
{
    const struct dal_channel *first = channel_at(plan, 0);
    size_t ring = first->shape.slots * first->desc->token_bytes;
    int i, status;
    if (first->shape.tail == 0)
        return dal_storage_host(storage, first->desc->name, ring);
    status = dal_storage_twice(storage, first->desc->name, ring);
    plan->doubly = storage->bytes;
    for (i = 0; i < plan->fanout->count; i++)
        channel_at(plan, i)->shape.tail = 0; /* the double mapping does it */
    return status;
}

static int make_own_ring(struct plan *plan, struct dal_storage *storage)
{
    const char *name = channel_at(plan, 0)->desc->name;
    const struct dal_queue *queue = plan->from;
    if (plan->shared) {
        queue = queue ? queue : queue_of(plan, DAL_CHANNEL_UNIFIED);
        return dal_storage_shared(storage, name, queue->device, ring_bytes(plan));
    }
    if (plan->from)
        return dal_storage_device(storage, name, queue->device, ring_bytes(plan), plan->staged);
    return plan->staged ? make_host_ring(plan, storage) : make_cores_ring(plan, storage);
}

static int make_rings(struct plan *plan)
{
    struct dal_storage *own = channel_at(plan, 0)->storage, *host = &plan->fanout->host;
    int i, status = make_own_ring(plan, own);
    if (status == DAL_OK && plan->from && plan->staged)
        status = make_host_ring(plan, host);
    for (i = 0; i < plan->fanout->count; i++) {
        struct dal_channel *channel = channel_at(plan, i);
        channel->host = plan->from && is_moved(channel->kind) ? host->host : own->host;
        atomic_init(&channel->capacity, channel->desc->capacity);
    }
    return status;
}

/* ---- ends ------------------------------------------------------------------------------------ */

static void notify_all(struct dal_listener *listener)
{
    struct dal_audience *audience = (struct dal_audience *)listener;
    int i;
    for (i = 0; i < audience->count; i++)
        audience->members[i]->notify(audience->members[i]);
}

static int audience_init(struct dal_audience *audience, int most)
{
    audience->listener.notify = notify_all;
    audience->members = dal_calloc((size_t)most, sizeof(struct dal_listener *));
    return audience->members ? DAL_OK : DAL_ERR_NOMEM;
}

/* A process that reads two of the channels is told once. */
static void audience_add(struct dal_audience *audience, struct dal_listener *listener)
{
    int i;
    for (i = 0; i < audience->count && audience->members[i] != listener; i++)
        ;
    if (listener && i == audience->count)
        audience->members[audience->count++] = listener;
}

static int add_device_end(const struct plan *plan, struct dal_location **result,
                          const struct dal_queue *queue, struct dal_channel *channel)
{
    struct dal_location *location = dal_calloc(1, sizeof(*location));
    *result = NULL;
    if (!location)
        return DAL_ERR_NOMEM;
    location->device = dal_calloc(1, sizeof(*location->device));
    location->queue = queue;
    location->kind = channel->kind;
    location->next = plan->fanout->locations;
    plan->fanout->locations = location;
    if (!location->device)
        return DAL_ERR_NOMEM;
    location->device->counted = channel;
    location->device->memory = channel_at(plan, 0)->storage->memory;
    *result = location;
    return DAL_OK;
}

static int is_alike(enum dal_channel_kind a, enum dal_channel_kind b)
{
    return a == b || (!is_moved(a) && !is_moved(b));
}

/* The device end that consumers at one location share. */
static int find_location(const struct plan *plan, const struct dal_queue *queue,
                         struct dal_channel *channel, struct dal_location **result)
{
    struct dal_location *location = plan->fanout->locations;
    struct dal_device_end *device;
    int status;
    while (location && (location->queue != queue || !is_alike(location->kind, channel->kind)))
        location = location->next;
    *result = location;
    if (location)
        return DAL_OK;
    status = add_device_end(plan, result, queue, channel);
    if (status < 0 || !is_moved(channel->kind))
        return status;
    device = (*result)->device;
    status =
        dal_storage_device(&device->ring, channel->desc->name, queue->device, ring_bytes(plan), 1);
    device->memory = device->ring.memory;
    if (status == DAL_OK && channel->kind == DAL_CHANNEL_NAIVE)
        status = dal_storage_host(&device->bounce, channel->desc->name, ring_bytes(plan));
    return status;
}

/* ---- outlets: a device's tokens become visible at several moments ---------------------------- */

/* Those on one queue that read in place, those on the host that do, or all who read what was
 * downloaded. */
static int same_outlet(const struct plan *plan, int a, int b)
{
    int moved = is_moved(channel_at(plan, a)->kind);
    if (moved != is_moved(channel_at(plan, b)->kind))
        return 0;
    return moved || reader_queue(plan, a) == reader_queue(plan, b);
}

static int first_at_outlet(const struct plan *plan, int reader)
{
    int i = 0;
    while (!same_outlet(plan, i, reader))
        i++;
    return i;
}

static const struct dal_end_ops *outlet_ops(const struct plan *plan, int reader)
{
    if (is_moved(channel_at(plan, reader)->kind))
        return &dal__download_ops;
    return reader_queue(plan, reader) ? &dal__tell_ops : &dal__later_ops;
}

/* Naive for the host's ring only where nobody wants it staged. */
static int make_bounce(const struct plan *plan, struct dal_device_end *device)
{
    if (plan->pinned)
        return DAL_OK;
    return dal_storage_host(&device->bounce, channel_at(plan, 0)->desc->name, ring_bytes(plan));
}

static int add_outlet(struct plan *plan, int reader)
{
    struct dal_channel *channel = channel_at(plan, reader);
    struct dal_outlet *outlet = dal_alloc_aligned(64, sizeof(*outlet)), **last;
    struct dal_location *place;
    struct dal_end *end;
    int status;
    if (!outlet)
        return DAL_ERR_NOMEM;
    memset(outlet, 0, sizeof(*outlet));
    for (last = &plan->fanout->outlets; *last; last = &(*last)->next)
        ;
    *last = outlet;
    end = &outlet->end;
    dal__end_init(channel, end, 1, plan->producer, &plan->consumers[reader]);
    end->listener = &outlet->audience.listener;
    end->ops = outlet_ops(plan, reader);
    status = audience_init(&outlet->audience, plan->fanout->count);
    if (status == DAL_OK)
        status = add_device_end(plan, &place, NULL, channel);
    if (status < 0)
        return status;
    end->device = place->device;
    plan->fanout->mirrors |= end->ops != &dal__download_ops;
    return end->ops == &dal__download_ops ? make_bounce(plan, end->device) : DAL_OK;
}

static struct dal_outlet *outlet_of(const struct plan *plan, int reader)
{
    const struct dal_channel *first = channel_at(plan, first_at_outlet(plan, reader));
    struct dal_outlet *outlet = plan->fanout->outlets;
    while (outlet->end.channel != first)
        outlet = outlet->next;
    return outlet;
}

/* ---- readers --------------------------------------------------------------------------------- */

static int is_alone(const struct plan *plan, int reader)
{
    int i, count = 0;
    for (i = 0; i < plan->fanout->count; i++)
        count += reader_queue(plan, i) == reader_queue(plan, reader) &&
                 channel_at(plan, i)->kind == channel_at(plan, reader)->kind;
    return count == 1;
}

static int join_location(const struct plan *plan, int reader)
{
    struct dal_channel *channel = channel_at(plan, reader);
    struct dal_location *location;
    int status;
    if (!reader_queue(plan, reader))
        return DAL_OK;
    status = find_location(plan, reader_queue(plan, reader), channel, &location);
    if (status < 0)
        return status;
    channel->consumer.device = location->device;
    channel->consumer.ops = &dal__direct_ops;
    if (is_moved(channel->kind))
        channel->consumer.ops = is_alone(plan, reader) ? &dal__upload_ops : &dal__refill_ops;
    return DAL_OK;
}

static int make_reader(struct plan *plan, int reader)
{
    struct dal_channel *channel = channel_at(plan, reader);
    struct dal_audience *audience = &plan->fanout->audience;
    int status = DAL_OK;
    dal__end_init(channel, &channel->consumer, 0, &plan->consumers[reader], plan->producer);
    dal__end_limits(channel, &channel->consumer, plan->doubly);
    channel->consumer.base = channel->host;
    channel->consumer.peer = plan->port;
    if (plan->from) {
        if (first_at_outlet(plan, reader) == reader)
            status = add_outlet(plan, reader);
        if (status < 0)
            return status;
        audience = &outlet_of(plan, reader)->audience;
        channel->consumer.peer = &outlet_of(plan, reader)->end;
    }
    if (channel->kind != DAL_CHANNEL_CORE)
        audience_add(audience, plan->consumers[reader].listener);
    return join_location(plan, reader);
}

/* The port's `peer` is one on another queue, if there is: where its space comes from. */
static int make_port(struct plan *plan)
{
    struct dal_fanout *fanout = plan->fanout;
    struct dal_end *port = plan->port;
    struct dal_location *place;
    int i, status;
    dal__end_init(channel_at(plan, 0), port, 1, plan->producer, &plan->consumers[0]);
    dal__end_limits(channel_at(plan, 0), port, plan->doubly);
    port->base = channel_at(plan, 0)->host;
    port->fanout = fanout;
    for (i = 0; i < fanout->count && port->peer->queue == port->queue; i++)
        port->peer = &channel_at(plan, i)->consumer;
    port->listener = fanout->audience.count ? &fanout->audience.listener : NULL;
    if (!plan->from)
        return DAL_OK;
    status = add_device_end(plan, &place, NULL, channel_at(plan, 0));
    if (status < 0)
        return status;
    port->device = place->device;
    port->ops = &dal__fan_ops;
    fanout->fences = dal_calloc((size_t)fanout->count, sizeof(cl_event));
    return fanout->fences ? DAL_OK : DAL_ERR_NOMEM;
}

static int can_rewind(const struct plan *plan)
{
    int i;
    for (i = 0; i < plan->fanout->count; i++)
        if (channel_at(plan, i)->kind != DAL_CHANNEL_CORE ||
            channel_at(plan, i)->desc->producer == channel_at(plan, i)->desc->consumer)
            return 0;
    return 1;
}

static int build(struct plan *plan)
{
    struct dal_fanout *fanout = plan->fanout;
    const struct dal_channel *first = channel_at(plan, 0);
    int i, status = audience_init(&fanout->audience, fanout->count);
    if (status == DAL_OK)
        status = choose_kinds(plan);
    if (status == DAL_OK)
        status = choose_shape(plan);
    if (status == DAL_OK)
        status = make_rings(plan);
    for (i = 0; status == DAL_OK && i < fanout->count; i++)
        status = make_reader(plan, i);
    if (status == DAL_OK)
        status = make_port(plan);
    if (status < 0)
        return status;
    for (i = 0; i < fanout->count; i++)
        channel_at(plan, i)->rewinds = can_rewind(plan);
    status = dal__initial_tokens(first, first->storage);
    return status == DAL_OK && fanout->host.host ? dal__initial_tokens(first, &fanout->host)
                                                 : status;
}

/* ---- making and giving back ------------------------------------------------------------------ */

static void finish_outlets(struct dal_fanout *fanout)
{
    struct dal_outlet *outlet = fanout->outlets, *next;
    for (; outlet; outlet = next) {
        next = outlet->next;
        dal_free(outlet->audience.members);
        dal_free(outlet);
    }
}

void dal__fanout_leave(struct dal_fanout *fanout)
{
    struct dal_location *location, *next;
    if (--fanout->users > 0)
        return;
    finish_outlets(fanout);
    for (location = fanout->locations; location; location = next) {
        next = location->next;
        dal__device_end_destroy(location->device);
        dal_free(location);
    }
    dal_storage_finish(&fanout->host);
    dal_free(fanout->audience.members);
    dal_free(fanout->fences);
    dal_free(fanout->channels);
    dal_free(fanout);
}

static struct dal_fanout *new_fanout(const struct dal_channel_desc *const *descs, int count)
{
    struct dal_fanout *fanout = dal_calloc(1, sizeof(*fanout));
    if (!fanout)
        return NULL;
    fanout->users = 1; /* who makes it */
    fanout->channels = dal_calloc((size_t)count, sizeof(struct dal_channel *));
    for (; fanout->channels && fanout->count < count; fanout->count++) {
        struct dal_channel *channel = dal__channel_new(descs[fanout->count]);
        if (!channel)
            break;
        channel->fanout = fanout;
        fanout->channels[fanout->count] = channel;
        fanout->users++;
    }
    return fanout;
}

int dal_fanout_create(struct dal_channel **channels, const struct dal_channel_desc *const *descs,
                      int count, const struct dal_end_config *producer,
                      const struct dal_end_config *consumers)
{
    struct dal_fanout *fanout = new_fanout(descs, count);
    struct plan plan = {
        .fanout = fanout, .producer = producer, .consumers = consumers, .from = producer->queue};
    int i, status = DAL_ERR_NOMEM;
    memset(channels, 0, (size_t)count * sizeof(*channels));
    if (!fanout)
        return DAL_ERR_NOMEM;
    if (fanout->count == count) {
        plan.port = &fanout->channels[0]->producer;
        status = build(&plan);
    }
    for (i = 0; i < fanout->count; i++)
        if (status == DAL_OK)
            channels[i] = fanout->channels[i];
        else
            dal_channel_destroy(fanout->channels[i]);
    dal__fanout_leave(fanout);
    return status;
}
