/* Makes the ends of a port: its readers', with the publications and buffers that they share, and
 * its own. */
#include "channels/create.h"
#include "channels/device_end.h"

/* ---- all ends -------------------------------------------------------------------------------- */

/* Are the producer's windows on the same queue as this reader's? */
static int is_together(const struct dal_port_request *of, int reader)
{
    const struct dal_end_config *consumer = &of->consumers[reader];
    if (dal__is_distributed(of->producer) || dal__is_distributed(consumer))
        return dal__is_distributed_alike(of->descs[reader], of->producer, consumer);
    return of->producer->queue == consumer->queue;
}

/* A window of single-token firings may end with the ring. A KPN process's window has to: the
 * process gives it back piece by piece, and writes on at the ring's beginning. */
static int needs_tail(const struct dal_end *end, const struct dal_end_config *config)
{
    return config->queue || end->rate > 1;
}

/* Windows run to the ring's end, or anywhere if the ring is doubly mapped. */
static void set_limits(const struct dal_port_layout *layout, struct dal_end *end,
                       const struct dal_end_config *config, const struct dal_storage *seen)
{
    const struct dal_shape *shape = &end->port->shape;
    size_t token = end->channel->desc->token_bytes;
    size_t tail = needs_tail(end, config) && !dal_end_is_inplace(end) ? shape->tail * token : 0;
    end->ring = dal_storage_view(seen, shape->slots * token, tail);
    end->position = (shape->start + end->taken) * token % end->ring.wrap_bytes;
    if (layout->lending.queue && config->queue)
        end->ring.contiguous_bytes = dal__block_end(end);
}

/* Sets counters, rates, limits and replicas of a reader's end, or, if `output`, of one for it at
 * the producer's side. `seen` is the ring that the end sees on the host. A producer's own `seen`
 * says nothing yet. */
static int init_end(const struct dal_port_rings *rings, int reader, struct dal_end *end, int output,
                    const struct dal_storage *seen)
{
    const struct dal_port_layout *layout = rings->layout;
    const struct dal_port_request *of = layout->of;
    const struct dal_channel_desc *desc = of->descs[reader];
    const struct dal_end_config *config = output ? of->producer : &of->consumers[reader];
    uint64_t halo = end == &of->port->producer ? 0 : dal__reader_halo(of, reader);
    end->port = of->port;
    end->channel = of->port->channels[reader];
    end->output = output;
    end->readers = output ? of->count + (of->port->inplace != NULL) : 1;
    end->readers += of->port->newest != NULL;
    end->rate = dal__window_rate(layout->counted, config, output ? desc->rate_in : desc->rate_out);
    end->firing_bytes = end->rate * desc->token_bytes;
    end->credit = output && !of->port->newest ? desc->capacity : 0;
    end->first = end->taken = layout->initial - (output ? 0 : desc->initial_tokens);
    end->seen = output ? 0 : layout->initial;
    atomic_init(&end->visible, end->taken);
    atomic_init(&end->closed, 0);
    set_limits(layout, end, config, seen);
    if (!config->queue)
        return DAL_OK;
    return dal__replicas_init(
        end, config, halo, output || end->channel->kind == DAL_CHANNEL_DEVICE ? layout->halo : 0);
}

/* Makes a buffer for an end's replica. */
static struct dal_replica_buffer *new_buffer(struct dal_end *end, struct dal_replica *replica)
{
    struct dal_replica_buffer *buffer = dal__port_alloc(end->port, 1, sizeof(*buffer));
    if (!buffer)
        return NULL;
    *buffer = (struct dal_replica_buffer){
        .queue = replica->queue, .counted = end->channel, .next = end->port->buffers};
    end->port->buffers = buffer;
    return replica->buffer = buffer;
}

static int add_bounce(struct dal_replica_buffer *buffer)
{
    const struct dal_channel *channel = buffer->counted;
    return dal_storage_host(&buffer->bounce, DAL_STORAGE_PLAIN, channel->desc->name,
                            dal__ring_bytes(channel->port));
}

/* Gives each replica of the port's end, or of a publication's, a buffer in the producer's ring,
 * perhaps with a bounce. */
static int init_own_buffers(const struct dal_port_rings *rings, struct dal_end *end, int bounces)
{
    struct dal_replicas *all = end->replica->all;
    int status = DAL_OK;
    for (int i = 0; status == DAL_OK && i < all->count; i++) {
        struct dal_replica_buffer *buffer = new_buffer(end, &all->list[i]);
        if (!buffer)
            return DAL_ERR_NOMEM;
        buffer->memory =
            rings->layout->lending.queue ? end->port->blocks.rest.memory : rings->own[i].memory;
        status = bounces ? add_bounce(buffer) : DAL_OK;
    }
    return status;
}

/* ---- listeners ------------------------------------------------------------------------------- */

static void notify_all(struct dal_listener *listener)
{
    struct dal_listeners *listeners = (struct dal_listeners *)listener;
    for (int i = 0; i < listeners->count; i++)
        listeners->members[i]->notify(listeners->members[i]);
}

/* Makes an empty list with room for all of the port's readers. */
static int init_listeners(const struct dal_port *port, struct dal_listeners *listeners)
{
    listeners->listener.notify = notify_all;
    listeners->members = dal__port_alloc(port, (size_t)port->count, sizeof(struct dal_listener *));
    return listeners->members ? DAL_OK : DAL_ERR_NOMEM;
}

/* Adds a listener once: a process that reads two of the channels is told once. Accepts NULL. */
static void add_listener(struct dal_listeners *listeners, struct dal_listener *listener)
{
    int i;
    for (i = 0; i < listeners->count && listeners->members[i] != listener; i++)
        ;
    if (listener && i == listeners->count)
        listeners->members[listeners->count++] = listener;
}

/* Returns the listener that tells all of them; a single one is told without a detour. */
static struct dal_listener *listener_of(struct dal_listeners *listeners)
{
    if (listeners->count == 0)
        return NULL;
    return listeners->count == 1 ? listeners->members[0] : &listeners->listener;
}

static struct dal_channel *channel_at(const struct dal_port_rings *rings, int i)
{
    return rings->layout->of->port->channels[i];
}

/* Returns the ring of a reader's windows, the first replica's; NULL for one of its own. */
static const struct dal_storage *ring_of(const struct dal_port_rings *rings, int reader)
{
    switch (dal__reader_ring(rings->layout, reader)) {
    case DAL_RING_OWN:
        return rings->own;
    case DAL_RING_HOST:
        return rings->host_side;
    default:
        return NULL;
    }
}

/* ---- publications ---------------------------------------------------------------------------- */

/* The visibility point of a reader's tokens: in which ring, to which queue (NULL: the host), and
 * with which halo. Readers that agree in all three share the publication. */
struct point {
    const struct dal_storage *ring;
    const struct dal_queue *queue;
    uint64_t halo;
};

static struct point point_of(const struct dal_port_rings *rings, int reader)
{
    const struct dal_port_request *of = rings->layout->of;
    const struct dal_storage *ring = ring_of(rings, reader);
    return (struct point){.ring = ring ? ring : rings->host_side,
                          .queue = ring == rings->own ? of->consumers[reader].queue : NULL,
                          .halo = dal__reader_halo(of, reader)};
}

/* Returns the end of the publication of an earlier reader at the same point, or NULL. */
static struct dal_end *find_publication(const struct dal_port_rings *rings, int reader)
{
    struct point wanted = point_of(rings, reader);
    for (int i = 0; i < reader; i++) {
        struct point point = point_of(rings, i);
        if (point.ring == wanted.ring && point.queue == wanted.queue && point.halo == wanted.halo)
            return channel_at(rings, i)->consumer.peer;
    }
    return NULL;
}

static struct dal_publication *insert_publication(struct dal_port *port, int first)
{
    struct dal_publication *publication = dal__port_alloc(port, 1, sizeof(*publication));
    struct dal_publication **at = &port->publications;
    if (!publication)
        return NULL;
    while (*at && !first)
        at = &(*at)->next;
    publication->next = *at;
    *at = publication;
    return publication;
}

/* Makes a publication for a reader, and makes its end the reader's peer. */
static int add_publication(const struct dal_port_rings *rings, int reader)
{
    const struct dal_port_layout *layout = rings->layout;
    struct dal_port *port = layout->of->port;
    struct dal_channel *channel = channel_at(rings, reader);
    struct point point = point_of(rings, reader);
    int downloads = point.ring == &port->host, status;
    struct dal_publication *publication = insert_publication(port, downloads);
    if (!publication)
        return DAL_ERR_NOMEM;
    channel->consumer.peer = &publication->end;
    status = init_end(rings, reader, &publication->end, 1, rings->own);
    publication->end.peer = &channel->consumer;
    publication->end.ops = layout->lending.queue ? &dal__mapped_ops
                           : point.halo          ? &dal__halo_ops
                           : downloads           ? &dal__download_ops
                                                 : &dal__in_place_ops;
    publication->end.together = is_together(layout->of, reader);
    if (!downloads && !port->mirrored)
        port->mirrored = channel;
    if (status == DAL_OK)
        status = init_own_buffers(rings, &publication->end,
                                  downloads && layout->host.sort == DAL_STORAGE_PLAIN);
    return status == DAL_OK ? init_listeners(port, &publication->listeners) : status;
}

/* ---- buffers --------------------------------------------------------------------------------- */

/* Do two readers share what they have on the same queue for replica i? */
static int is_shared(const struct dal_port_rings *rings, int a, int b, int i)
{
    const struct dal_end *x = &channel_at(rings, a)->consumer, *y = &channel_at(rings, b)->consumer;
    const struct dal_replicas *p = x->replica ? x->replica->all : NULL, *q = y->replica->all;
    const struct dal_storage *ring = ring_of(rings, b);
    return p && p->count == q->count && p->list[i].queue == q->list[i].queue &&
           p->block == q->block && (p->block == 0 || x->first == y->first) &&
           ring_of(rings, a) == ring && (ring || x->channel->kind == y->channel->kind);
}

static struct dal_replica_buffer *find_buffer(const struct dal_port_rings *rings, int reader, int i)
{
    for (int k = 0; k < reader; k++)
        if (is_shared(rings, k, reader, i))
            return channel_at(rings, k)->consumer.replica->all->list[i].buffer;
    return NULL;
}

static int add_buffer(const struct dal_port_rings *rings, int reader, struct dal_replica *replica,
                      const struct dal_storage *ring)
{
    const struct dal_port_request *of = rings->layout->of;
    struct dal_channel *channel = channel_at(rings, reader);
    const struct dal_subject subject = {channel->desc->name, of->producer->failures};
    struct dal_replica_buffer *buffer = new_buffer(&channel->consumer, replica);
    int status;
    if (!buffer)
        return DAL_ERR_NOMEM;
    buffer->filled = channel->consumer.first;
    if (ring) {
        buffer->memory = ring->memory;
        return DAL_OK;
    }
    status = dal_storage_device(
        &buffer->ring, &subject, replica->queue->device,
        dal__replica_ring_bytes(of->port, &of->consumers[reader], channel->consumer.rate, 0), 1);
    buffer->memory = buffer->ring.memory;
    return status == DAL_OK && channel->kind == DAL_CHANNEL_NAIVE ? add_bounce(buffer) : status;
}

static int join_buffer(const struct dal_port_rings *rings, int reader, int i)
{
    struct dal_end *end = &channel_at(rings, reader)->consumer;
    struct dal_replica *replica = &end->replica->all->list[i];
    const struct dal_storage *ring = ring_of(rings, reader);
    int status = DAL_OK;
    replica->buffer = find_buffer(rings, reader, i);
    if (!replica->buffer)
        status = add_buffer(rings, reader, replica, ring ? ring + i : NULL);
    if (status < 0)
        return status;
    replica->buffer->readers++;
    replica->buffer->differ |= end->first != replica->buffer->filled;
    if (end->first < replica->buffer->filled)
        replica->buffer->filled = end->first;
    return DAL_OK;
}

static int join_buffers(const struct dal_port_rings *rings, int reader)
{
    struct dal_end *end = &channel_at(rings, reader)->consumer;
    int status = DAL_OK;
    for (int i = 0; status == DAL_OK && i < end->replica->all->count; i++)
        status = join_buffer(rings, reader, i);
    end->ops = rings->layout->lending.queue                         ? &dal__mapped_reader_ops
               : !end->replica->all->halo && ring_of(rings, reader) ? &dal__in_place_ops
               : end->port->newest                                  ? &dal__newest_ops
                                                                    : &dal__upload_ops;
    return status;
}

/* ---- readers --------------------------------------------------------------------------------- */

static int make_reader(const struct dal_port_rings *rings, int reader)
{
    const struct dal_port_request *of = rings->layout->of;
    struct dal_channel *channel = channel_at(rings, reader);
    const struct dal_end_config *config = &of->consumers[reader];
    struct dal_end *end = &channel->consumer;
    int in_place = ring_of(rings, reader) == rings->own && !dal__reader_halo(of, reader);
    const struct dal_storage *seen = in_place ? rings->own : rings->host_side;
    int status = init_end(rings, reader, end, 0, seen);
    channel->host = seen->host;
    end->together = is_together(of, reader);
    end->listener = channel->kind == DAL_CHANNEL_CORE ? NULL : of->producer->listener;
    end->peer = channel->producer;
    if (rings->layout->counted)
        return status;
    if (status == DAL_OK && of->producer->queue) {
        end->peer = find_publication(rings, reader);
        status = end->peer ? DAL_OK : add_publication(rings, reader);
    }
    if (status == DAL_OK && channel->kind != DAL_CHANNEL_CORE)
        add_listener(of->producer->queue ? &((struct dal_publication *)end->peer)->listeners
                                         : &of->port->listeners,
                     config->listener);
    return status == DAL_OK && config->queue ? join_buffers(rings, reader) : status;
}

/* Chooses the reader that a port's end looks at by itself. Its space comes from readers on other
 * queues, so these are better. The end's own process is the last choice. */
static int choose_peer(const struct dal_port_request *of)
{
    int best = 0, most = -1;
    for (int i = 0; i < of->count; i++) {
        const struct dal_channel_desc *desc = of->descs[i];
        int fits = 2 * (of->consumers[i].queue != of->producer->queue) +
                   (desc->producer != desc->consumer);
        if (fits > most)
            best = i;
        most = fits > most ? fits : most;
    }
    return best;
}

/* Readers of one ring on a device may begin at different tokens: then all initial tokens are
 * uploaded here. Otherwise they are uploaded with the first window. */
static int fill_buffers(const struct dal_port_layout *layout)
{
    struct dal_replica_buffer *buffer;
    int status = DAL_OK;
    for (buffer = layout->of->port->buffers; status == DAL_OK && buffer; buffer = buffer->next) {
        if (buffer->ring.bytes == 0 || !buffer->differ)
            continue;
        status = dal__fill_ring(layout, &buffer->ring, buffer->queue);
        buffer->filled = layout->initial;
    }
    return status;
}

int dal__port_readers(const struct dal_port_rings *rings, struct dal_port_readers *readers)
{
    const struct dal_port_request *of = rings->layout->of;
    int i, status = init_listeners(of->port, &of->port->listeners);
    *readers = (struct dal_port_readers){.rings = rings, .looked_at = choose_peer(of)};
    for (i = 0; status == DAL_OK && i < of->count; i++)
        status = make_reader(rings, i);
    return status == DAL_OK ? fill_buffers(rings->layout) : status;
}

/* ---- the port's end -------------------------------------------------------------------------- */

int dal__port_end(const struct dal_port_readers *readers)
{
    const struct dal_port_rings *rings = readers->rings;
    const struct dal_port_request *of = rings->layout->of;
    struct dal_port *port = of->port;
    struct dal_end *end = &port->producer;
    struct dal_publication *publication;
    int status = init_end(rings, 0, end, 1, rings->own);
    end->peer = &port->channels[readers->looked_at]->consumer;
    end->readers += port->host.host != NULL; /* tokens on their way there count, too */
    end->together = is_together(of, readers->looked_at);
    end->listener = listener_of(&port->listeners);
    if (of->count == 1 && !of->producer->queue && !port->newest && of->consumers[0].fires_whole)
        port->told_from = port->channels[0]->consumer.rate;
    if (!of->producer->queue || status < 0)
        return status;
    for (publication = port->publications; publication; publication = publication->next)
        publication->end.listener = listener_of(&publication->listeners);
    end->ops = &dal__port_ops;
    status = init_own_buffers(rings, end, 0);
    if (status < 0)
        return status;
    port->fences = dal__port_alloc(port, (size_t)port->count, sizeof(dal_event));
    return port->fences ? DAL_OK : DAL_ERR_NOMEM;
}
