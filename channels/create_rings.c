/* The rings of a port: their shape, their memory, and the ring of each reader's windows. */
#include "channels/create.h"
#include "rt/base/alloc.h"

/* Most bytes of a ring that is longer than needed, for large launches. It also takes at most 1 /
 * ALLOCATION_PART of a device's largest allocation. */
enum { MOST_RING_BYTES = 64 << 20, ALLOCATION_PART = 8 };

static uint64_t most_ring_bytes(const struct dal_port_plan *plan)
{
    uint64_t most = MOST_RING_BYTES, part;
    int i, k;
    for (i = -1; i < plan->port->count; i++) {
        const struct dal_end_config *config = i < 0 ? plan->producer : &plan->consumers[i];
        for (k = 0; config->queue && k < dal__lanes_of(config); k++) {
            part = dal__lane_queue(config, k)->device->info.max_alloc_bytes / ALLOCATION_PART;
            most = part < most ? part : most;
        }
    }
    return most;
}

int dal__choose_shape(struct dal_port_plan *plan)
{
    struct dal_port *port = plan->port;
    const struct dal_channel_desc *first = dal__channel_at(plan, 0)->desc;
    struct dal_windows producer = {.rate = dal__window_rate(plan, plan->producer, first->rate_in),
                                   .firings = plan->producer->firings};
    struct dal_windows *readers = dal__port_alloc(port, (size_t)port->count, sizeof(*readers));
    int i;
    if (!readers)
        return DAL_ERR_NOMEM;
    for (i = 0; i < port->count; i++) {
        const struct dal_channel_desc *desc = dal__channel_at(plan, i)->desc;
        readers[i] =
            (struct dal_windows){dal__window_rate(plan, &plan->consumers[i], desc->rate_out),
                                 desc->initial_tokens, plan->consumers[i].firings};
        if (desc->initial_tokens > plan->initial)
            plan->initial = desc->initial_tokens;
    }
    port->shape.slots = first->capacity;
    if (port->inplace)
        port->shape = dal_shape_exactly(producer, readers, port->count, first->capacity);
    else if (!plan->counted)
        port->shape = dal_shape_for(producer, readers, port->count, first->capacity,
                                    most_ring_bytes(plan) / first->token_bytes);
    atomic_init(&port->capacity, first->capacity);
    dal_free(readers);
    return DAL_OK;
}

size_t dal_port_region_bytes(const struct dal_channel_desc *const *descs, int count)
{
    struct dal_windows producer = {.rate = descs[0]->rate_in}, *readers;
    size_t token = descs[0]->token_bytes, bytes = 0;
    struct dal_shape shape;
    int i, inplace = 0;
    readers = dal_calloc((size_t)count, sizeof(*readers));
    if (!readers)
        return 0;
    for (i = 0; i < count; i++) {
        readers[i] =
            (struct dal_windows){.rate = descs[i]->rate_out, .initial = descs[i]->initial_tokens};
        inplace |= descs[i]->inplace;
    }
    shape = inplace ? dal_shape_exactly(producer, readers, count, descs[0]->capacity)
                    : dal_shape_for(producer, readers, count, descs[0]->capacity,
                                    MOST_RING_BYTES / token);
    dal_free(readers);
    if (shape.tail == 0 && __builtin_mul_overflow(shape.slots, token, &bytes))
        return SIZE_MAX;
    return bytes > SIZE_MAX / 2 ? SIZE_MAX : dal_region_share(bytes);
}

/* Returns the producer's queue, or that of a staged reader, to make pinned memory with. It prefers
 * a device with its own memory. */
static const struct dal_queue *find_pinning(const struct dal_port_plan *plan)
{
    const struct dal_queue *found = plan->from;
    int i;
    for (i = 0; i < plan->port->count; i++)
        if (dal__queue_at(plan, i) && dal__kind_at(plan, i) == DAL_CHANNEL_STAGED &&
            (!found || found->device->info.unified))
            found = dal__queue_at(plan, i);
    return found;
}

/* Makes the host's ring, which devices' transfers reach. */
static int make_host_ring(const struct dal_port_plan *plan, struct dal_storage *storage)
{
    const struct dal_subject subject = dal__port_subject(plan);
    size_t bytes = dal__ring_bytes(plan->port);
    const struct dal_queue *queue;
    if (plan->host_shared)
        return dal_storage_shared(storage, &subject, plan->host_shared->device, bytes);
    if (!plan->staged)
        return dal_storage_host(storage, dal__port_name(plan), bytes);
    queue = find_pinning(plan);
    return dal_storage_pinned(storage, &subject, queue->device, queue->commands, bytes);
}

/* Makes the ring of a port whose ends are all on the host. */
static int make_cores_ring(struct dal_port_plan *plan, struct dal_storage *storage)
{
    struct dal_port *port = plan->port;
    size_t bytes = port->shape.slots * dal__channel_at(plan, 0)->desc->token_bytes;
    int status;
    if (port->inplace && port->shape.tail) /* a double mapping would need whole pages */
        return dal_storage_host(storage, dal__port_name(plan), dal__ring_bytes(port));
    if (port->shape.tail == 0)
        return dal_storage_region(storage, plan->producer->region, bytes)
                   ? DAL_OK
                   : dal_storage_host(storage, dal__port_name(plan), bytes);
    status = dal_storage_twice(storage, dal__port_name(plan), bytes);
    plan->doubly = storage->bytes;
    port->shape.tail = 0; /* the double mapping does it */
    return status;
}

uint64_t dal__lane_blocks(const struct dal_port_plan *plan, const struct dal_end_config *config,
                          uint64_t rate, uint64_t margin)
{
    uint64_t block = config->firings * rate, lanes = (uint64_t)dal__lanes_of(config), own, tokens;
    if (lanes == 1)
        return 0;
    own = (dal__channel_at(plan, 0)->desc->capacity + block - 2) / block + 1;
    own = (own + lanes - 1) / lanes;
    if (__builtin_mul_overflow(own, block, &tokens) || tokens >= plan->port->shape.slots)
        return margin ? own : 0;
    return own;
}

size_t dal__lane_ring_bytes(const struct dal_port_plan *plan, const struct dal_end_config *config,
                            uint64_t rate, uint64_t margin)
{
    size_t token = dal__channel_at(plan, 0)->desc->token_bytes, bytes;
    uint64_t blocks = dal__lane_blocks(plan, config, rate, margin);
    if (blocks == 0)
        return dal__ring_bytes(plan->port);
    if (__builtin_mul_overflow(config->firings * rate + margin, token, &bytes) ||
        __builtin_mul_overflow(bytes, blocks, &bytes))
        return SIZE_MAX;
    return bytes;
}

static int make_own_ring(struct dal_port_plan *plan, int lane)
{
    const struct dal_subject subject = dal__port_subject(plan);
    struct dal_storage *storage = &plan->port->own[lane];
    size_t bytes = dal__ring_bytes(plan->port);
    if (plan->own_shared)
        return dal_storage_shared(storage, &subject, plan->own_shared->device, bytes);
    if (plan->block)
        return dal__make_mapped_ring(plan, storage);
    if (plan->from)
        return dal_storage_device(
            storage, &subject, dal__lane_queue(plan->producer, lane)->device,
            dal__lane_ring_bytes(
                plan, plan->producer,
                dal__window_rate(plan, plan->producer, dal__channel_at(plan, 0)->desc->rate_in),
                plan->margin),
            plan->moved);
    return plan->moved ? make_host_ring(plan, storage) : make_cores_ring(plan, storage);
}

int dal__make_rings(struct dal_port_plan *plan)
{
    int i, status = DAL_OK, count = dal__lanes_of(plan->producer);
    plan->port->own = dal__port_alloc(plan->port, (size_t)count, sizeof(*plan->port->own));
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

const struct dal_storage *dal__host_side(const struct dal_port_plan *plan)
{
    return plan->port->host.host ? &plan->port->host : plan->port->own;
}

const struct dal_storage *dal__place_of(const struct dal_port_plan *plan, int reader)
{
    if (!dal__is_moved(plan, reader))
        return plan->port->own;
    if (!dal__queue_at(plan, reader))
        return dal__host_side(plan);
    if (dal__shares_host_ring(plan, reader))
        return &plan->port->host;
    return NULL;
}
