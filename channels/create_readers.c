/* The readers of a port: where their windows are, and when tokens become visible there. */
#include "channels/create.h"

/* ---- moments --------------------------------------------------------------------------------- */

/* A moment at which tokens become visible: in which ring, to which queue (NULL: the host), and with
 * which margin. Readers that agree in all three share the moment. */
struct when {
    const struct dal_storage *ring;
    const struct dal_queue *queue;
    uint64_t margin;
};

static struct when when_at(const struct dal_port_plan *plan, int reader)
{
    const struct dal_storage *place = dal__place_of(plan, reader);
    return (struct when){.ring = place ? place : dal__host_side(plan),
                         .queue = place == plan->port->own ? dal__queue_at(plan, reader) : NULL,
                         .margin = dal__margin_of(plan, reader)};
}

static int first_at_moment(const struct dal_port_plan *plan, int reader)
{
    struct when wanted = when_at(plan, reader), when;
    int i = -1;
    do {
        when = when_at(plan, ++i);
    } while (when.ring != wanted.ring || when.queue != wanted.queue ||
             when.margin != wanted.margin);
    return i;
}

static int add_bounces(const struct dal_port_plan *plan, struct dal_end *end)
{
    int i, status = DAL_OK;
    for (i = 0; status == DAL_OK && i < end->lane_count; i++)
        status = dal_storage_host(&end->lanes[i].mine.bounce, dal__port_name(plan),
                                  dal__ring_bytes(plan->port));
    return status;
}

static int add_moment(struct dal_port_plan *plan, int reader)
{
    struct dal_port *port = plan->port;
    struct dal_channel *channel = dal__channel_at(plan, reader);
    struct dal_moment *moment = dal__port_alloc(port, 1, sizeof(*moment)), **at = &port->moments;
    int downloads = when_at(plan, reader).ring == &port->host;
    int status;
    if (!moment)
        return DAL_ERR_NOMEM;
    while (*at && !downloads)
        at = &(*at)->next;
    moment->next = *at;
    *at = moment;
    status =
        dal__init_end(plan, channel, &moment->end, 1, plan->producer, dal__margin_of(plan, reader));
    moment->end.peer = &channel->consumer;
    moment->end.ops = plan->block          ? &dal__mapped_moment_ops
                      : moment->end.margin ? &dal__margin_moment_ops
                      : downloads          ? &dal__download_ops
                                           : &dal__in_place_ops;
    moment->end.together = dal__is_together(plan, reader);
    dal__init_own_lanes(port, &moment->end);
    port->mirrors |= !downloads;
    if (status == DAL_OK)
        status = dal__init_listeners(port, &moment->listeners);
    if (status < 0 || !downloads || plan->staged)
        return status;
    return add_bounces(plan, &moment->end);
}

static struct dal_moment *moment_of(const struct dal_port_plan *plan, int reader)
{
    const struct dal_channel *first = dal__channel_at(plan, first_at_moment(plan, reader));
    struct dal_moment *moment = plan->port->moments;
    while (moment->end.channel != first)
        moment = moment->next;
    return moment;
}

/* ---- readers --------------------------------------------------------------------------------- */

/* Returns the place that a reader's lane needs. */
static struct dal_place place_for(const struct dal_port_plan *plan, int reader, int lane)
{
    const struct dal_end *end = &dal__channel_at(plan, reader)->consumer;
    const struct dal_storage *ring = dal__place_of(plan, reader);
    return (struct dal_place){.queue = end->lanes[lane].queue,
                              .lane = lane,
                              .lane_count = end->lane_count,
                              .block = end->block,
                              .first = end->block ? end->first : 0,
                              .ring = ring ? ring + lane : NULL,
                              .kind = dal__kind_at(plan, reader)};
}

static int is_same_place(const struct dal_place *a, const struct dal_place *b)
{
    return a->queue == b->queue && a->ring == b->ring && (a->ring || a->kind == b->kind) &&
           a->lane == b->lane && a->lane_count == b->lane_count && a->block == b->block &&
           a->first == b->first;
}

static int add_place(struct dal_port_plan *plan, int reader, const struct dal_place *wanted,
                     struct dal_place **result)
{
    struct dal_channel *channel = dal__channel_at(plan, reader);
    const struct dal_subject subject = {channel->desc->name, plan->producer->failures};
    struct dal_place *place = *result = dal__port_alloc(plan->port, 1, sizeof(*place));
    size_t bytes = dal__ring_bytes(plan->port);
    int status = DAL_OK;
    if (!place)
        return DAL_ERR_NOMEM;
    *place = *wanted;
    place->next = plan->port->places;
    plan->port->places = place;
    place->device = (struct dal_device_end){.counted = channel,
                                            .memory = place->ring ? place->ring->memory : NULL,
                                            .filled = channel->consumer.first};
    if (place->ring)
        return DAL_OK;
    status = dal_storage_device(
        &place->device.ring, &subject, place->queue->device,
        dal__lane_ring_bytes(plan, &plan->consumers[reader], channel->consumer.rate, 0), 1);
    place->device.memory = place->device.ring.memory;
    if (status == DAL_OK && channel->kind == DAL_CHANNEL_NAIVE)
        status = dal_storage_host(&place->device.bounce, channel->desc->name, bytes);
    return status;
}

static int join_place(struct dal_port_plan *plan, int reader, int lane)
{
    struct dal_end *end = &dal__channel_at(plan, reader)->consumer;
    struct dal_place wanted = place_for(plan, reader, lane), *place = plan->port->places;
    int status = DAL_OK;
    while (place && !is_same_place(place, &wanted))
        place = place->next;
    if (!place)
        status = add_place(plan, reader, &wanted, &place);
    if (status < 0)
        return status;
    place->device.readers++;
    place->differ |= end->first != place->device.filled;
    if (end->first < place->device.filled)
        place->device.filled = end->first;
    end->lanes[lane].device = &place->device;
    end->ops = plan->block   ? &dal__mapped_reader_ops
               : end->margin ? &dal__margin_reader_ops
               : place->ring ? &dal__in_place_ops
                             : &dal__upload_ops;
    return DAL_OK;
}

static int join_places(struct dal_port_plan *plan, int reader)
{
    struct dal_end *end = &dal__channel_at(plan, reader)->consumer;
    int i, status = DAL_OK;
    for (i = 0; status == DAL_OK && i < end->lane_count; i++)
        status = join_place(plan, reader, i);
    if (end->lane_count > 0)
        dal__end_enter(end, end->lanes);
    return status;
}

int dal__make_reader(struct dal_port_plan *plan, int reader)
{
    struct dal_channel *channel = dal__channel_at(plan, reader);
    const struct dal_end_config *config = &plan->consumers[reader];
    struct dal_listeners *listeners = &plan->port->listeners;
    struct dal_end *end = &channel->consumer;
    int status = dal__init_end(plan, channel, end, 0, config, dal__margin_of(plan, reader));
    channel->host = dal__place_of(plan, reader) == plan->port->own && !end->margin
                        ? plan->port->own->host
                        : dal__host_side(plan)->host;
    end->together = dal__is_together(plan, reader);
    end->base = channel->host;
    end->listener = channel->kind == DAL_CHANNEL_CORE ? NULL : plan->producer->listener;
    end->peer = channel->producer;
    if (plan->counted)
        return status;
    if (status == DAL_OK && plan->from) {
        struct dal_moment *moment;
        if (first_at_moment(plan, reader) == reader)
            status = add_moment(plan, reader);
        if (status < 0)
            return status;
        moment = moment_of(plan, reader);
        end->peer = &moment->end;
        listeners = &moment->listeners;
    }
    if (channel->kind != DAL_CHANNEL_CORE)
        dal__add_listener(listeners, config->listener);
    return status == DAL_OK ? join_places(plan, reader) : status;
}
