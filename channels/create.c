/* Ports are made here: which kinds, which rings, who reads where, and the initial tokens. */
#include "channels/grow.h"
#include "channels/kind.h"
#include "channels/port.h"
#include "rt/base/alloc.h"

#include <string.h>

/* While a port is made. */
struct plan {
    struct dal_port *port;
    const struct dal_end_config *producer, *consumers;
    const struct dal_queue *from; /* the producer's, NULL: it is on the host */
    /* Of whose context the ring is shared virtual memory, or NULL. */
    const struct dal_queue *own_shared, *host_shared;
    int moved, staged; /* some reader is, or is of that kind */
    int counted;       /* all readers are of kind GROUP: there is no ring */
    uint64_t initial;  /* the most initial tokens of a reader */
    size_t doubly;     /* bytes of a doubly mapped ring, or 0 */
    size_t block;      /* of a mapped one: bytes of a block */
    int lends_all;     /* every window is a block, and the host leaves it alone */
};

static struct dal_channel *channel_at(const struct plan *plan, int i)
{
    return plan->port->channels[i];
}

static enum dal_channel_kind kind_at(const struct plan *plan, int i)
{
    return channel_at(plan, i)->kind;
}

/* Is the reader's window in another ring than the producer's? */
static int is_moved(const struct plan *plan, int i)
{
    return !dal_channel_traits(kind_at(plan, i))->in_place;
}

static const struct dal_queue *queue_at(const struct plan *plan, int i)
{
    return plan->consumers[i].queue;
}

static int lanes_of(const struct dal_end_config *config)
{
    return dal__is_dealt(config) ? config->queue_count : 1;
}

static struct dal_queue *lane_queue(const struct dal_end_config *config, int lane)
{
    return dal__is_dealt(config) ? config->queues[lane] : config->queue;
}

static const char *name_of(const struct plan *plan)
{
    return channel_at(plan, 0)->desc->name;
}

static struct dal_subject subject_of(const struct plan *plan)
{
    return (struct dal_subject){name_of(plan), plan->producer->failures};
}

/* ---- kinds ----------------------------------------------------------------------------------- */

static int same_context(const struct dal_queue *a, const struct dal_queue *b)
{
    return a->device->context == b->device->context;
}

/* Made of the memory that the host has, which kernels can use as it is. */
static int shares_memory(const struct dal_queue *queue)
{
    return queue->device->info.fine_svm && queue->device->info.unified;
}

/* Staged between devices that share no memory: one that shares the host's needs no ring of its own,
 * its kernels work in the ring that the other one's transfers reach. */
static int is_across(const struct plan *plan, int i)
{
    return plan->from && queue_at(plan, i) && kind_at(plan, i) == DAL_CHANNEL_STAGED &&
           !dal__is_dealt(plan->producer) && !dal__is_dealt(&plan->consumers[i]) &&
           !dal_ocl_share_memory(plan->from->device, queue_at(plan, i)->device);
}

/* Whose shared memory the producer's ring is: it belongs to one context, the first that asks. */
static const struct dal_queue *find_own_shared(const struct plan *plan)
{
    const struct dal_queue *found = NULL;
    int i;
    for (i = 0; i < plan->port->count; i++)
        if (kind_at(plan, i) == DAL_CHANNEL_UNIFIED)
            return plan->from ? plan->from : queue_at(plan, i);
    for (i = 0; i < plan->port->count; i++) {
        if (kind_at(plan, i) == DAL_CHANNEL_CONTEXT && !queue_at(plan, i)->device->info.fine_svm)
            return NULL;
        if (is_across(plan, i) && shares_memory(plan->from))
            found = plan->from;
    }
    return found;
}

static const struct dal_queue *find_host_shared(const struct plan *plan)
{
    int i;
    for (i = 0; i < plan->port->count; i++)
        if (is_across(plan, i) && shares_memory(queue_at(plan, i)))
            return queue_at(plan, i);
    return NULL;
}

/* Who cannot work in the shared memory where the ring is has to be moved. */
static void stage_strangers(struct plan *plan)
{
    int i;
    for (i = 0; plan->own_shared && i < plan->port->count; i++) {
        const struct dal_queue *queue = queue_at(plan, i);
        const char *why = NULL;
        if (!queue || is_moved(plan, i))
            continue;
        if (!same_context(queue, plan->own_shared))
            why = "is of another context than the ring";
        else if (!queue->device->info.fine_svm)
            why = "has no fine-grained shared virtual memory, where the ring is";
        if (!why)
            continue;
        dal_log(DAL_LOG_NOTE, "channel %s: %s %s; staged instead", channel_at(plan, i)->desc->name,
                queue->device->info.name, why);
        channel_at(plan, i)->kind = DAL_CHANNEL_STAGED;
    }
}

/* A reader in the producer's group beside others reads from the ring that those have. */
static void find_counted(struct plan *plan)
{
    int i;
    plan->counted = 1;
    for (i = 0; i < plan->port->count; i++)
        plan->counted &= kind_at(plan, i) == DAL_CHANNEL_GROUP;
    for (i = 0; i < plan->port->count && !plan->counted; i++)
        if (kind_at(plan, i) == DAL_CHANNEL_GROUP)
            channel_at(plan, i)->kind = DAL_CHANNEL_DEVICE;
}

static int choose_kinds(struct plan *plan)
{
    int i, status = DAL_OK;
    for (i = 0; status == DAL_OK && i < plan->port->count; i++)
        status = dal__kind_choose(&channel_at(plan, i)->kind, channel_at(plan, i)->desc,
                                  plan->producer, &plan->consumers[i]);
    if (status < 0)
        return status;
    find_counted(plan);
    plan->own_shared = find_own_shared(plan);
    stage_strangers(plan);
    if (!plan->own_shared)
        plan->host_shared = find_host_shared(plan);
    return DAL_OK;
}

/* Once the kinds are settled. */
static void count_kinds(struct plan *plan)
{
    int i;
    plan->port->rewinds = 1;
    for (i = 0; i < plan->port->count; i++) {
        const struct dal_channel_desc *desc = channel_at(plan, i)->desc;
        plan->moved |= is_moved(plan, i);
        plan->staged |= kind_at(plan, i) == DAL_CHANNEL_STAGED;
        plan->port->rewinds &=
            kind_at(plan, i) == DAL_CHANNEL_CORE && desc->producer != desc->consumer;
    }
}

/* ---- rings ----------------------------------------------------------------------------------- */

/* Bytes that a ring may have for the sake of large launches, but no more than a part of what a
 * device takes in one piece. */
enum { MOST_RING_BYTES = 64 << 20, ALLOCATION_PART = 8 };

static uint64_t most_ring_bytes(const struct plan *plan)
{
    uint64_t most = MOST_RING_BYTES, part;
    int i, k;
    for (i = -1; i < plan->port->count; i++) {
        const struct dal_end_config *config = i < 0 ? plan->producer : &plan->consumers[i];
        for (k = 0; config->queue && k < lanes_of(config); k++) {
            part = lane_queue(config, k)->device->info.max_alloc_bytes / ALLOCATION_PART;
            most = part < most ? part : most;
        }
    }
    return most;
}

/* Tokens of one window at least. */
static uint64_t window_rate(const struct plan *plan, const struct dal_end_config *config,
                            uint64_t rate)
{
    return config->round && !plan->counted ? rate * config->round : rate;
}

static int choose_shape(struct plan *plan)
{
    struct dal_port *port = plan->port;
    const struct dal_channel_desc *first = channel_at(plan, 0)->desc;
    struct dal_windows producer = {.rate = window_rate(plan, plan->producer, first->rate_in),
                                   .firings = plan->producer->firings};
    struct dal_windows *readers = dal_calloc((size_t)port->count, sizeof(*readers));
    int i;
    if (!readers)
        return DAL_ERR_NOMEM;
    for (i = 0; i < port->count; i++) {
        const struct dal_channel_desc *desc = channel_at(plan, i)->desc;
        readers[i] = (struct dal_windows){window_rate(plan, &plan->consumers[i], desc->rate_out),
                                          desc->initial_tokens, plan->consumers[i].firings};
        if (desc->initial_tokens > plan->initial)
            plan->initial = desc->initial_tokens;
    }
    port->shape.slots = first->capacity;
    if (!plan->counted)
        port->shape = dal_shape_for(producer, readers, port->count, first->capacity,
                                    most_ring_bytes(plan) / first->token_bytes);
    atomic_init(&port->capacity, first->capacity);
    dal_free(readers);
    return DAL_OK;
}

/* ---- mapped rings ---------------------------------------------------------------------------- */

/* The reader of a port with a mapped ring that is on a device, -1 for the producer. Sets *why where
 * there are others that would have to be in the ring, too. */
static int find_borrower(const struct plan *plan, const char **why)
{
    int i, found = -1, others = 0;
    for (i = 0; i < plan->port->count; i++) {
        others += plan->from ? kind_at(plan, i) != DAL_CHANNEL_MAPPED : queue_at(plan, i) != NULL;
        found = queue_at(plan, i) ? i : found;
    }
    if (others > (plan->from ? 0 : 1))
        *why = "other readers are on devices";
    return plan->from ? -1 : found;
}

static void size_blocks(struct plan *plan, int borrower)
{
    const struct dal_channel_desc *desc = channel_at(plan, borrower < 0 ? 0 : borrower)->desc;
    const struct dal_end_config *config =
        borrower < 0 ? plan->producer : &plan->consumers[borrower];
    uint64_t rate = window_rate(plan, config, borrower < 0 ? desc->rate_in : desc->rate_out);
    uint64_t first = borrower < 0 ? plan->initial : plan->initial - desc->initial_tokens;
    uint64_t firings = dal__block_firings(&plan->port->shape, rate, first, config->firings);
    plan->block = firings * rate * desc->token_bytes;
    plan->lends_all = firings == 1 && (borrower < 0 || plan->port->count == 1);
}

/* What cannot be mapped is staged. After the shape. */
static void choose_blocks(struct plan *plan)
{
    const char *why = NULL;
    int i, borrower, mapped = 0;
    for (i = 0; i < plan->port->count; i++)
        mapped += kind_at(plan, i) == DAL_CHANNEL_MAPPED;
    if (!mapped)
        return;
    borrower = find_borrower(plan, &why);
    if (!why)
        size_blocks(plan, borrower);
    if (!why && plan->block == 0)
        why = "its windows do not lie in blocks that could be mapped";
    for (i = 0; why && i < plan->port->count; i++) {
        if (kind_at(plan, i) != DAL_CHANNEL_MAPPED)
            continue;
        dal_log(DAL_LOG_NOTE, "channel %s: %s; staged instead", channel_at(plan, i)->desc->name,
                why);
        channel_at(plan, i)->kind = DAL_CHANNEL_STAGED;
    }
}

static int make_mapped_ring(struct plan *plan, struct dal_storage *storage)
{
    const char *why = NULL;
    const struct dal_subject subject = subject_of(plan);
    struct dal_blocks *blocks = &plan->port->blocks;
    int borrower = find_borrower(plan, &why), status;
    const struct dal_queue *queue = borrower < 0 ? plan->from : queue_at(plan, borrower);
    status = dal_storage_pages(storage, name_of(plan), dal__ring_bytes(plan->port));
    if (status == DAL_OK)
        status = dal__blocks_init(blocks, &subject, storage, queue, plan->block, borrower < 0);
    if (status < 0 || plan->lends_all)
        return status;
    return dal_storage_device(&blocks->rest, &subject, queue->device, plan->block, 1);
}

size_t dal_port_region_bytes(const struct dal_channel_desc *const *descs, int count)
{
    struct dal_windows producer = {.rate = descs[0]->rate_in}, *readers;
    size_t token = descs[0]->token_bytes, bytes = 0;
    struct dal_shape shape;
    int i;
    readers = dal_calloc((size_t)count, sizeof(*readers));
    if (!readers)
        return 0;
    for (i = 0; i < count; i++)
        readers[i] =
            (struct dal_windows){.rate = descs[i]->rate_out, .initial = descs[i]->initial_tokens};
    shape = dal_shape_for(producer, readers, count, descs[0]->capacity, MOST_RING_BYTES / token);
    dal_free(readers);
    if (shape.tail == 0 && __builtin_mul_overflow(shape.slots, token, &bytes))
        return SIZE_MAX;
    return bytes > SIZE_MAX / 2 ? SIZE_MAX : dal_region_share(bytes);
}

/* Of the producer and the readers that are staged, a device with its own memory rather than
 * another. */
static const struct dal_queue *find_pinning(const struct plan *plan)
{
    const struct dal_queue *found = plan->from;
    int i;
    for (i = 0; i < plan->port->count; i++)
        if (queue_at(plan, i) && kind_at(plan, i) == DAL_CHANNEL_STAGED &&
            (!found || found->device->info.unified))
            found = queue_at(plan, i);
    return found;
}

/* Memory of the host that devices are moved to and from. */
static int make_host_ring(const struct plan *plan, struct dal_storage *storage)
{
    const struct dal_subject subject = subject_of(plan);
    size_t bytes = dal__ring_bytes(plan->port);
    const struct dal_queue *queue;
    if (plan->host_shared)
        return dal_storage_shared(storage, &subject, plan->host_shared->device, bytes);
    if (!plan->staged)
        return dal_storage_host(storage, name_of(plan), bytes);
    queue = find_pinning(plan);
    return dal_storage_pinned(storage, &subject, queue->device, queue->commands, bytes);
}

/* Host ends alone. */
static int make_cores_ring(struct plan *plan, struct dal_storage *storage)
{
    struct dal_port *port = plan->port;
    size_t bytes = port->shape.slots * channel_at(plan, 0)->desc->token_bytes;
    int status;
    if (port->shape.tail == 0)
        return dal_storage_region(storage, plan->producer->region, bytes)
                   ? DAL_OK
                   : dal_storage_host(storage, name_of(plan), bytes);
    status = dal_storage_twice(storage, name_of(plan), bytes);
    plan->doubly = storage->bytes;
    port->shape.tail = 0; /* the double mapping does it */
    return status;
}

/* Of the blocks that have tokens in the channel at the same time, those of a lane of an end with
 * windows of `rate` tokens; 0 where the lane's ring is as any other. */
static uint64_t lane_blocks(const struct plan *plan, const struct dal_end_config *config,
                            uint64_t rate)
{
    uint64_t block = config->firings * rate, lanes = (uint64_t)lanes_of(config), own, tokens;
    if (lanes == 1)
        return 0;
    own = (channel_at(plan, 0)->desc->capacity + block - 2) / block + 1;
    own = (own + lanes - 1) / lanes;
    return __builtin_mul_overflow(own, block, &tokens) || tokens >= plan->port->shape.slots ? 0
                                                                                            : own;
}

/* Bytes of the ring on a device of such an end. */
static size_t device_ring_bytes(const struct plan *plan, const struct dal_end_config *config,
                                uint64_t rate)
{
    size_t token = channel_at(plan, 0)->desc->token_bytes;
    uint64_t blocks = lane_blocks(plan, config, rate);
    return blocks ? blocks * config->firings * rate * token : dal__ring_bytes(plan->port);
}

static int make_own_ring(struct plan *plan, int lane)
{
    const struct dal_subject subject = subject_of(plan);
    struct dal_storage *storage = &plan->port->own[lane];
    size_t bytes = dal__ring_bytes(plan->port);
    if (plan->own_shared)
        return dal_storage_shared(storage, &subject, plan->own_shared->device, bytes);
    if (plan->block)
        return make_mapped_ring(plan, storage);
    if (plan->from)
        return dal_storage_device(
            storage, &subject, lane_queue(plan->producer, lane)->device,
            device_ring_bytes(
                plan, plan->producer,
                window_rate(plan, plan->producer, channel_at(plan, 0)->desc->rate_in)),
            plan->moved);
    return plan->moved ? make_host_ring(plan, storage) : make_cores_ring(plan, storage);
}

static int make_rings(struct plan *plan)
{
    int i, status = DAL_OK, count = lanes_of(plan->producer);
    plan->port->own = dal_calloc((size_t)count, sizeof(*plan->port->own));
    if (!plan->port->own)
        return DAL_ERR_NOMEM;
    plan->port->own_count = count;
    if (plan->counted)
        return DAL_OK;
    for (i = 0; status == DAL_OK && i < count; i++)
        status = make_own_ring(plan, i);
    if (status == DAL_OK && plan->from && plan->moved && !plan->own_shared)
        status = make_host_ring(plan, &plan->port->host);
    return status;
}

/* The one that the host sees of the two. */
static const struct dal_storage *host_side(const struct plan *plan)
{
    return plan->port->host.host ? &plan->port->host : plan->port->own;
}

/* The ring in which a reader's windows are, of a dealt one that of its first lane; NULL: one on its
 * device. */
static const struct dal_storage *place_of(const struct plan *plan, int reader)
{
    if (!is_moved(plan, reader))
        return plan->port->own;
    if (!queue_at(plan, reader))
        return host_side(plan);
    if (plan->host_shared && is_across(plan, reader) && shares_memory(queue_at(plan, reader)) &&
        same_context(plan->host_shared, queue_at(plan, reader)))
        return &plan->port->host;
    return NULL;
}

/* ---- ends ------------------------------------------------------------------------------------ */

/* Has the producer its windows on the same queue as this reader? */
static int is_together(const struct plan *plan, int reader)
{
    const struct dal_end_config *consumer = &plan->consumers[reader];
    if (dal__is_dealt(plan->producer) || dal__is_dealt(consumer))
        return dal__is_dealt_alike(channel_at(plan, reader)->desc, plan->producer, consumer);
    return plan->from == consumer->queue;
}

/* Windows of single-token firings may end with the ring, and those of a KPN process have to: it
 * gives them back piece by piece and goes on where it is, while what is written after the ring's
 * end has its place at the beginning. */
static int needs_tail(const struct dal_end *end)
{
    return end->queue || end->rate > 1;
}

/* Windows run to the ring's end, or anywhere if the ring is doubly mapped. */
static void set_limits(const struct plan *plan, struct dal_end *end)
{
    const struct dal_shape *shape = &plan->port->shape;
    size_t token = channel_at(plan, 0)->desc->token_bytes, ring = shape->slots * token;
    size_t tail = needs_tail(end) ? shape->tail * token : 0;
    end->wrap_bytes = plan->doubly ? plan->doubly : ring;
    end->contiguous_bytes = plan->doubly ? SIZE_MAX : ring + tail;
    end->position = (shape->start + end->taken) * token % end->wrap_bytes;
    if (plan->block && end->queue)
        end->contiguous_bytes = dal__block_end(end);
}

static int init_lanes(const struct plan *plan, struct dal_end *end,
                      const struct dal_end_config *config)
{
    int i, count = lanes_of(config);
    if (!config->queue)
        return DAL_OK;
    end->lanes = dal_calloc((size_t)count, sizeof(*end->lanes));
    if (!end->lanes)
        return DAL_ERR_NOMEM;
    end->lane_count = count;
    end->block = count > 1 ? config->firings * end->rate : 0;
    end->lane_blocks = lane_blocks(plan, config, end->rate);
    for (i = 0; i < count; i++)
        end->lanes[i] = (struct dal_lane){
            .end = end, .queue = lane_queue(config, i), .device = &end->lanes[i].mine};
    dal__end_enter(end, end->lanes);
    return DAL_OK;
}

/* Counters, rates, limits and lanes. A producer's own `seen` says nothing yet. */
static int init_end(const struct plan *plan, struct dal_channel *channel, struct dal_end *end,
                    int output, const struct dal_end_config *config)
{
    const struct dal_channel_desc *desc = channel->desc;
    end->channel = channel;
    end->port = plan->port;
    end->output = output;
    end->readers = output ? plan->port->count : 1;
    end->rate = window_rate(plan, config, output ? desc->rate_in : desc->rate_out);
    end->firing_bytes = end->rate * desc->token_bytes;
    end->credit = output ? desc->capacity : 0;
    end->first = end->taken = output ? plan->initial : plan->initial - desc->initial_tokens;
    end->seen = output ? 0 : plan->initial;
    atomic_init(&end->visible, end->taken);
    atomic_init(&end->closed, 0);
    end->queue = config->queue;
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

static int init_listeners(struct dal_listeners *listeners, int most)
{
    listeners->listener.notify = notify_all;
    listeners->members = dal_calloc((size_t)most, sizeof(struct dal_listener *));
    return listeners->members ? DAL_OK : DAL_ERR_NOMEM;
}

/* A process that reads two of the channels is told once. */
static void add_listener(struct dal_listeners *listeners, struct dal_listener *listener)
{
    int i;
    for (i = 0; i < listeners->count && listeners->members[i] != listener; i++)
        ;
    if (listener && i == listeners->count)
        listeners->members[listeners->count++] = listener;
}

/* Whom to tell: all of them, or the only one without a detour. */
static struct dal_listener *heard_by(struct dal_listeners *listeners)
{
    if (listeners->count == 0)
        return NULL;
    return listeners->count == 1 ? listeners->members[0] : &listeners->listener;
}

/* Of the port, or of a moment: each lane works in its own ring. */
static void init_own_lanes(const struct dal_port *port, struct dal_end *end)
{
    int i;
    for (i = 0; i < end->lane_count; i++)
        end->lanes[i].mine =
            (struct dal_device_end){.counted = end->channel, .memory = port->own[i].memory};
}

/* ---- moments --------------------------------------------------------------------------------- */

/* Where a reader's tokens become visible: in which ring, and for which queue or, with NULL, when
 * the host sees them. */
struct when {
    const struct dal_storage *ring;
    const struct dal_queue *queue;
};

static struct when when_at(const struct plan *plan, int reader)
{
    const struct dal_storage *place = place_of(plan, reader);
    return (struct when){.ring = place ? place : host_side(plan),
                         .queue = place == plan->port->own ? queue_at(plan, reader) : NULL};
}

static int first_at_moment(const struct plan *plan, int reader)
{
    struct when wanted = when_at(plan, reader), when;
    int i = -1;
    do {
        when = when_at(plan, ++i);
    } while (when.ring != wanted.ring || when.queue != wanted.queue);
    return i;
}

static int add_bounces(const struct plan *plan, struct dal_end *end)
{
    int i, status = DAL_OK;
    for (i = 0; status == DAL_OK && i < end->lane_count; i++)
        status = dal_storage_host(&end->lanes[i].mine.bounce, name_of(plan),
                                  dal__ring_bytes(plan->port));
    return status;
}

static int add_moment(struct plan *plan, int reader)
{
    struct dal_port *port = plan->port;
    struct dal_channel *channel = channel_at(plan, reader);
    struct dal_moment *moment = dal_calloc_apart(1, sizeof(*moment)), **last;
    int downloads = when_at(plan, reader).ring == &port->host;
    int status;
    if (!moment)
        return DAL_ERR_NOMEM;
    for (last = &port->moments; *last; last = &(*last)->next)
        ;
    *last = moment;
    status = init_end(plan, channel, &moment->end, 1, plan->producer);
    moment->end.peer = &channel->consumer;
    moment->end.ops = plan->block ? &dal__mapped_moment_ops
                      : downloads ? &dal__download_ops
                                  : &dal__in_place_ops;
    moment->end.together = is_together(plan, reader);
    init_own_lanes(port, &moment->end);
    port->mirrors |= !downloads;
    if (status == DAL_OK)
        status = init_listeners(&moment->listeners, port->count);
    if (status < 0 || !downloads || plan->staged)
        return status;
    return add_bounces(plan, &moment->end);
}

static struct dal_moment *moment_of(const struct plan *plan, int reader)
{
    const struct dal_channel *first = channel_at(plan, first_at_moment(plan, reader));
    struct dal_moment *moment = plan->port->moments;
    while (moment->end.channel != first)
        moment = moment->next;
    return moment;
}

/* ---- readers --------------------------------------------------------------------------------- */

/* What the place of a reader's lane is to be. */
static struct dal_place place_for(const struct plan *plan, int reader, int lane)
{
    const struct dal_end *end = &channel_at(plan, reader)->consumer;
    const struct dal_storage *ring = place_of(plan, reader);
    return (struct dal_place){.queue = end->lanes[lane].queue,
                              .lane = lane,
                              .lane_count = end->lane_count,
                              .block = end->block,
                              .first = end->block ? end->first : 0,
                              .ring = ring ? ring + lane : NULL,
                              .kind = kind_at(plan, reader)};
}

static int is_same_place(const struct dal_place *a, const struct dal_place *b)
{
    return a->queue == b->queue && a->ring == b->ring && (a->ring || a->kind == b->kind) &&
           a->lane == b->lane && a->lane_count == b->lane_count && a->block == b->block &&
           a->first == b->first;
}

static int add_place(struct plan *plan, int reader, const struct dal_place *wanted,
                     struct dal_place **result)
{
    struct dal_channel *channel = channel_at(plan, reader);
    const struct dal_subject subject = {channel->desc->name, plan->producer->failures};
    struct dal_place *place = *result = dal_calloc(1, sizeof(*place));
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
        device_ring_bytes(plan, &plan->consumers[reader], channel->consumer.rate), 1);
    place->device.memory = place->device.ring.memory;
    if (status == DAL_OK && channel->kind == DAL_CHANNEL_NAIVE)
        status = dal_storage_host(&place->device.bounce, channel->desc->name, bytes);
    return status;
}

static int join_place(struct plan *plan, int reader, int lane)
{
    struct dal_end *end = &channel_at(plan, reader)->consumer;
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
               : place->ring ? &dal__in_place_ops
                             : &dal__upload_ops;
    return DAL_OK;
}

static int join_places(struct plan *plan, int reader)
{
    struct dal_end *end = &channel_at(plan, reader)->consumer;
    int i, status = DAL_OK;
    for (i = 0; status == DAL_OK && i < end->lane_count; i++)
        status = join_place(plan, reader, i);
    if (end->lane_count > 0)
        dal__end_enter(end, end->lanes);
    return status;
}

static int make_reader(struct plan *plan, int reader)
{
    struct dal_channel *channel = channel_at(plan, reader);
    const struct dal_end_config *config = &plan->consumers[reader];
    struct dal_listeners *listeners = &plan->port->listeners;
    struct dal_end *end = &channel->consumer;
    int status = init_end(plan, channel, end, 0, config);
    channel->host =
        place_of(plan, reader) == plan->port->own ? plan->port->own->host : host_side(plan)->host;
    end->together = is_together(plan, reader);
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
        add_listener(listeners, config->listener);
    return status == DAL_OK ? join_places(plan, reader) : status;
}

/* The reader that a port's end looks at by itself: one on another queue, where its space comes
 * from, and none that is its own process, if there is such a one. */
static int choose_peer(const struct plan *plan)
{
    int i, best = 0, most = -1;
    for (i = 0; i < plan->port->count; i++) {
        const struct dal_channel_desc *desc = channel_at(plan, i)->desc;
        int fits = 2 * (queue_at(plan, i) != plan->from) + (desc->producer != desc->consumer);
        if (fits > most)
            best = i;
        most = fits > most ? fits : most;
    }
    return best;
}

/* After the readers. */
static int make_producer(struct plan *plan)
{
    struct dal_port *port = plan->port;
    struct dal_end *end = &port->producer;
    struct dal_moment *moment;
    int peer = choose_peer(plan);
    int status = init_end(plan, channel_at(plan, 0), end, 1, plan->producer);
    end->base = port->own->host;
    end->peer = &channel_at(plan, peer)->consumer;
    end->together = is_together(plan, peer);
    end->listener = heard_by(&port->listeners);
    if (!plan->from || status < 0)
        return status;
    for (moment = port->moments; moment; moment = moment->next)
        moment->end.listener = heard_by(&moment->listeners);
    init_own_lanes(port, end);
    end->ops = &dal__port_ops;
    port->fences = dal_calloc((size_t)port->count, sizeof(cl_event));
    return port->fences ? DAL_OK : DAL_ERR_NOMEM;
}

/* ---- initial tokens -------------------------------------------------------------------------- */

/* What a ring holds at first: the tokens of the reader that has most, and its tail. */
static void fill_image(const struct plan *plan, unsigned char *image)
{
    const struct dal_port *port = plan->port;
    const struct dal_channel_desc *desc = NULL;
    size_t token = channel_at(plan, 0)->desc->token_bytes, ring = port->producer.wrap_bytes;
    size_t bytes = plan->initial * token, offset = port->shape.start * token % ring, part;
    int i;
    for (i = 0; !desc || desc->initial_tokens < plan->initial; i++)
        desc = channel_at(plan, i)->desc;
    part = bytes < ring - offset ? bytes : ring - offset;
    if (desc->initial_data) {
        memcpy(image + offset, desc->initial_data, part);
        memcpy(image, (const unsigned char *)desc->initial_data + part, bytes - part);
    }
    if (port->shape.tail) {
        size_t tail = port->shape.tail * token;
        memcpy(image + ring, image, tail < ring ? tail : ring);
    }
}

static int place_initial_tokens(const struct plan *plan, const struct dal_storage *storage,
                                const struct dal_queue *queue)
{
    const struct dal_subject subject = subject_of(plan);
    unsigned char *image = storage->host;
    int status;
    if (plan->initial == 0 || storage->bytes == 0)
        return DAL_OK;
    if (image) {
        fill_image(plan, image);
        return DAL_OK;
    }
    image = dal_calloc(1, storage->bytes);
    if (!image)
        return DAL_ERR_NOMEM;
    fill_image(plan, image);
    status = DAL_CL_FOR(
        &subject, clEnqueueWriteBuffer,
        (queue->commands, storage->memory, CL_TRUE, 0, storage->bytes, image, 0, NULL, NULL));
    dal_free(image);
    return status;
}

/* Readers of one ring on a device that begin at different tokens find all of them there; to others
 * they come with the first window. */
static int fill_rings(const struct plan *plan)
{
    struct dal_port *port = plan->port;
    struct dal_place *place;
    int status = DAL_OK;
    if (!dal__is_dealt(plan->producer)) /* who reads in place begins with none there */
        status = place_initial_tokens(plan, port->own, plan->from);
    if (status == DAL_OK)
        status = place_initial_tokens(plan, &port->host, plan->from);
    for (place = port->places; status == DAL_OK && place; place = place->next) {
        if (place->ring || !place->differ)
            continue;
        status = place_initial_tokens(plan, &place->device.ring, place->queue);
        place->device.filled = plan->initial;
    }
    return status;
}

/* ---- making and giving back ------------------------------------------------------------------ */

static int build_port(struct plan *plan)
{
    int i, status = init_listeners(&plan->port->listeners, plan->port->count);
    if (status == DAL_OK)
        status = choose_kinds(plan);
    if (status == DAL_OK)
        status = choose_shape(plan);
    if (status < 0)
        return status;
    choose_blocks(plan);
    count_kinds(plan);
    status = make_rings(plan);
    for (i = 0; status == DAL_OK && i < plan->port->count; i++)
        status = make_reader(plan, i);
    if (status == DAL_OK)
        status = make_producer(plan);
    return status == DAL_OK ? fill_rings(plan) : status;
}

static void finish_device_end(struct dal_device_end *device)
{
    if (device->fence)
        clReleaseEvent(device->fence);
    if (device->uploaded)
        clReleaseEvent(device->uploaded);
    dal_storage_finish(&device->bounce);
    dal_storage_finish(&device->ring);
}

static void finish_lanes(struct dal_end *end)
{
    int i;
    for (i = 0; i < end->lane_count; i++)
        finish_device_end(&end->lanes[i].mine);
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

/* A channel is destroyed, or its maker is done: with the last goes what they share. */
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
        finish_device_end(&place->device);
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

/* With fewer channels than wanted where there is no memory for more. */
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
    }
    return port;
}

int dal_port_create(struct dal_channel **channels, const struct dal_channel_desc *const *descs,
                    int count, const struct dal_end_config *producer,
                    const struct dal_end_config *consumers)
{
    struct dal_port *port = new_port(descs, count);
    struct plan plan = {
        .port = port, .producer = producer, .consumers = consumers, .from = producer->queue};
    int i, made, status = DAL_ERR_NOMEM;
    memset(channels, 0, (size_t)count * sizeof(*channels));
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
