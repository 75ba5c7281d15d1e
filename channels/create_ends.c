/* Makes the port's end, and what all ends have. */
#include "channels/create.h"
#include "channels/device_end.h"

int dal__is_together(const struct dal_port_request *of, int reader)
{
    const struct dal_end_config *consumer = &of->consumers[reader];
    if (dal__is_distributed(of->producer) || dal__is_distributed(consumer))
        return dal__is_distributed_alike(of->descs[reader], of->producer, consumer);
    return of->from == consumer->queue;
}

/* A window of single-token firings may end with the ring. A KPN process's window has to: the
 * process gives it back piece by piece, and writes on at the ring's beginning. */
static int needs_tail(const struct dal_end *end, const struct dal_end_config *config)
{
    return config->queue || end->rate > 1;
}

/* Does this end share its window with the peer, in a channel changed in place? Then the window ends
 * at the same token for both. */
static int is_inplace(const struct dal_end *end)
{
    const struct dal_channel *inplace = end->port->inplace;
    return inplace && (end->output || end->channel == inplace);
}

/* Windows run to the ring's end, or anywhere if the ring is doubly mapped. */
static void set_limits(const struct dal_port_layout *layout, struct dal_end *end,
                       const struct dal_end_config *config, const struct dal_storage *seen)
{
    const struct dal_shape *shape = &end->port->shape;
    size_t token = end->channel->desc->token_bytes;
    size_t tail = needs_tail(end, config) && !is_inplace(end) ? shape->tail * token : 0;
    end->ring = dal_storage_view(seen, shape->slots * token, tail);
    end->position = (shape->start + end->taken) * token % end->ring.wrap_bytes;
    if (layout->lending.queue && config->queue)
        end->ring.contiguous_bytes = dal__block_end(end);
}

int dal__init_end(const struct dal_port_rings *rings, int reader, struct dal_end *end, int output,
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
    end->rate = dal__window_rate(layout->counted, config, output ? desc->rate_in : desc->rate_out);
    end->firing_bytes = end->rate * desc->token_bytes;
    end->credit = output ? desc->capacity : 0;
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

struct dal_replica_buffer *dal__buffer_new(struct dal_end *end, struct dal_replica *replica)
{
    struct dal_replica_buffer *buffer = dal__port_alloc(end->port, 1, sizeof(*buffer));
    if (!buffer)
        return NULL;
    *buffer = (struct dal_replica_buffer){
        .queue = replica->queue, .counted = end->channel, .next = end->port->buffers};
    end->port->buffers = buffer;
    return replica->buffer = buffer;
}

int dal__init_own_buffers(const struct dal_port_rings *rings, struct dal_end *end)
{
    struct dal_replicas *all = end->replica->all;
    int i;
    for (i = 0; i < all->count; i++) {
        struct dal_replica_buffer *buffer = dal__buffer_new(end, &all->list[i]);
        if (!buffer)
            return DAL_ERR_NOMEM;
        buffer->memory =
            rings->layout->lending.queue ? end->port->blocks.rest.memory : rings->own[i].memory;
    }
    return DAL_OK;
}

/* ---- listeners ------------------------------------------------------------------------------- */

static void notify_all(struct dal_listener *listener)
{
    struct dal_listeners *listeners = (struct dal_listeners *)listener;
    int i;
    for (i = 0; i < listeners->count; i++)
        listeners->members[i]->notify(listeners->members[i]);
}

int dal__init_listeners(const struct dal_port *port, struct dal_listeners *listeners)
{
    listeners->listener.notify = notify_all;
    listeners->members = dal__port_alloc(port, (size_t)port->count, sizeof(struct dal_listener *));
    return listeners->members ? DAL_OK : DAL_ERR_NOMEM;
}

void dal__add_listener(struct dal_listeners *listeners, struct dal_listener *listener)
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

/* ---- the port's end -------------------------------------------------------------------------- */

int dal__port_end(const struct dal_port_readers *readers)
{
    const struct dal_port_rings *rings = readers->rings;
    const struct dal_port_request *of = rings->layout->of;
    struct dal_port *port = of->port;
    struct dal_end *end = &port->producer;
    struct dal_publication *publication;
    int status = dal__init_end(rings, 0, end, 1, rings->own);
    end->peer = &port->channels[readers->looked_at]->consumer;
    end->readers += port->host.host != NULL; /* what is under way there counts, too */
    end->together = dal__is_together(of, readers->looked_at);
    end->listener = listener_of(&port->listeners);
    if (!of->from || status < 0)
        return status;
    for (publication = port->publications; publication; publication = publication->next)
        publication->end.listener = listener_of(&publication->listeners);
    end->ops = &dal__port_ops;
    status = dal__init_own_buffers(rings, end);
    if (status < 0)
        return status;
    port->fences = dal__port_alloc(port, (size_t)port->count, sizeof(dal_event));
    return port->fences ? DAL_OK : DAL_ERR_NOMEM;
}
