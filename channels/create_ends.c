/* Initialises the ends of a port, and makes the port's own. */
#include "channels/create.h"

int dal__is_together(const struct dal_port_plan *plan, int reader)
{
    const struct dal_end_config *consumer = &plan->consumers[reader];
    if (dal__is_dealt(plan->producer) || dal__is_dealt(consumer))
        return dal__is_dealt_alike(dal__channel_at(plan, reader)->desc, plan->producer, consumer);
    return plan->from == consumer->queue;
}

/* A window of single-token firings may end with the ring. A KPN process's window has to: the
 * process gives it back piece by piece, and writes on at the ring's beginning. */
static int needs_tail(const struct dal_end *end)
{
    return end->queue || end->rate > 1;
}

/* Does this end share its window with the peer, in a channel changed in place? Then the window ends
 * at the same token for both. */
static int is_inplace(const struct dal_end *end)
{
    const struct dal_channel *inplace = end->port->inplace;
    return inplace && (end->output || end->channel == inplace);
}

/* Windows run to the ring's end, or anywhere if the ring is doubly mapped. */
static void set_limits(const struct dal_port_plan *plan, struct dal_end *end)
{
    const struct dal_shape *shape = &plan->port->shape;
    size_t token = dal__channel_at(plan, 0)->desc->token_bytes, ring = shape->slots * token;
    size_t tail = needs_tail(end) && !is_inplace(end) ? shape->tail * token : 0;
    end->wrap_bytes = plan->doubly ? plan->doubly : ring;
    end->contiguous_bytes = plan->doubly ? SIZE_MAX : ring + tail;
    end->position = (shape->start + end->taken) * token % end->wrap_bytes;
    if (plan->block && end->queue)
        end->contiguous_bytes = dal__block_end(end);
}

static int init_lanes(const struct dal_port_plan *plan, struct dal_end *end,
                      const struct dal_end_config *config)
{
    int i, count = dal__lanes_of(config);
    int in_own = end->output || end->channel->kind == DAL_CHANNEL_DEVICE;
    if (!config->queue)
        return DAL_OK;
    end->lanes = dal__port_alloc(plan->port, (size_t)count, sizeof(*end->lanes));
    if (!end->lanes)
        return DAL_ERR_NOMEM;
    end->lane_count = count;
    end->block = count > 1 ? config->firings * end->rate : 0;
    end->lane_blocks = dal__lane_blocks(plan, config, end->rate, in_own ? plan->margin : 0);
    end->lane_stride = end->block + (in_own ? plan->margin : 0);
    end->lane_lead = in_own ? plan->margin - end->margin : 0;
    for (i = 0; i < count; i++)
        end->lanes[i] = (struct dal_lane){
            .end = end, .queue = dal__lane_queue(config, i), .device = &end->lanes[i].mine};
    dal__end_enter(end, end->lanes);
    return DAL_OK;
}

int dal__init_end(const struct dal_port_plan *plan, struct dal_channel *channel,
                  struct dal_end *end, int output, const struct dal_end_config *config,
                  uint64_t margin)
{
    const struct dal_channel_desc *desc = channel->desc;
    end->channel = channel;
    end->port = plan->port;
    end->output = output;
    end->readers = output ? plan->port->count + (plan->port->inplace != NULL) : 1;
    end->rate = dal__window_rate(plan, config, output ? desc->rate_in : desc->rate_out);
    end->firing_bytes = end->rate * desc->token_bytes;
    end->credit = output ? desc->capacity : 0;
    end->first = end->taken = output ? plan->initial : plan->initial - desc->initial_tokens;
    end->seen = output ? 0 : plan->initial;
    atomic_init(&end->visible, end->taken);
    atomic_init(&end->closed, 0);
    end->queue = config->queue;
    end->margin = margin;
    set_limits(plan, end);
    return init_lanes(plan, end, config);
}

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
static struct dal_listener *heard_by(struct dal_listeners *listeners)
{
    if (listeners->count == 0)
        return NULL;
    return listeners->count == 1 ? listeners->members[0] : &listeners->listener;
}

void dal__init_own_lanes(const struct dal_port *port, struct dal_end *end)
{
    int i;
    for (i = 0; i < end->lane_count; i++)
        end->lanes[i].mine =
            (struct dal_device_end){.counted = end->channel, .memory = port->own[i].memory};
}

/* Chooses the reader that a port's end looks at by itself. Its space comes from readers on other
 * queues, so these are better. The end's own process is the last choice. */
static int choose_peer(const struct dal_port_plan *plan)
{
    int i, best = 0, most = -1;
    for (i = 0; i < plan->port->count; i++) {
        const struct dal_channel_desc *desc = dal__channel_at(plan, i)->desc;
        int fits = 2 * (dal__queue_at(plan, i) != plan->from) + (desc->producer != desc->consumer);
        if (fits > most)
            best = i;
        most = fits > most ? fits : most;
    }
    return best;
}

int dal__make_producer(struct dal_port_plan *plan)
{
    struct dal_port *port = plan->port;
    struct dal_end *end = &port->producer;
    struct dal_moment *moment;
    int peer = choose_peer(plan);
    int status = dal__init_end(plan, dal__channel_at(plan, 0), end, 1, plan->producer, 0);
    end->base = port->own->host;
    end->peer = &dal__channel_at(plan, peer)->consumer;
    end->readers += port->host.host != NULL; /* what is under way there counts, too */
    end->together = dal__is_together(plan, peer);
    end->listener = heard_by(&port->listeners);
    if (!plan->from || status < 0)
        return status;
    for (moment = port->moments; moment; moment = moment->next)
        moment->end.listener = heard_by(&moment->listeners);
    dal__init_own_lanes(port, end);
    end->ops = &dal__port_ops;
    port->fences = dal__port_alloc(port, (size_t)port->count, sizeof(dal_event));
    return port->fences ? DAL_OK : DAL_ERR_NOMEM;
}
