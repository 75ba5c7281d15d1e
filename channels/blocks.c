#include "channels/blocks.h"

#include "channels/port.h"
#include "rt/base/alloc.h"

/* More buffers take longer to make than copies save. */
enum { MOST_BLOCKS = 1024 };

uint64_t dal__block_firings(const struct dal_shape *shape, uint64_t rate, uint64_t first,
                            uint64_t most)
{
    uint64_t firings = shape->slots / rate, start = (shape->start + first) % shape->slots;
    if (firings > most)
        firings = most ? most : 1;
    while (firings > 0 && (shape->slots % (firings * rate) != 0 || start % (firings * rate) != 0))
        firings--;
    return shape->tail || firings == 0 || shape->slots / (firings * rate) > MOST_BLOCKS ? 0
                                                                                        : firings;
}

/* ---- making and giving back ------------------------------------------------------------------ */

static int map_block(const struct dal_blocks *blocks, const struct dal_subject *channel,
                     struct dal_block *block, int wait, enum dal_map_access access)
{
    return blocks->device->backend->map(blocks->commands, channel, block->memory, blocks->bytes,
                                        access, wait, &block->mapped);
}

static int make_block(struct dal_blocks *blocks, const struct dal_subject *channel,
                      unsigned char *host)
{
    struct dal_block *block = &blocks->list[blocks->count];
    int status = blocks->device->backend->memory(blocks->device, channel, DAL_MEMORY_OVER_HOST,
                                                 blocks->bytes, host, &block->memory);
    if (status < 0)
        return status;
    blocks->count++;
    return map_block(blocks, channel, block, 1, DAL_MAP_READ_WRITE);
}

int dal__blocks_init(struct dal_blocks *blocks, const struct dal_subject *channel,
                     const struct dal_storage *ring, const struct dal_queue *queue,
                     size_t block_bytes, int reads)
{
    int status = DAL_OK;
    /* The host's side is also written: windows are copied there from `rest`. So it is mapped for
     * both. */
    *blocks =
        (struct dal_blocks){.list = dal_calloc(ring->bytes / block_bytes, sizeof(*blocks->list)),
                            .bytes = block_bytes,
                            .device = queue->device,
                            .commands = queue->commands,
                            .access = reads ? DAL_MAP_READ_WRITE : DAL_MAP_OVERWRITE};
    if (!blocks->list) {
        dal_log(DAL_LOG_ERROR, "channel %s: no memory", channel->name);
        return DAL_ERR_NOMEM;
    }
    for (size_t at = 0; status == DAL_OK && at < ring->bytes; at += block_bytes)
        status = make_block(blocks, channel, ring->host + at);
    return status;
}

void dal__blocks_finish(struct dal_blocks *blocks)
{
    struct dal_device *device = blocks->device;
    for (int i = 0; i < blocks->count; i++)
        if (blocks->list[i].mapped)
            device->backend->unmap(blocks->commands, NULL, blocks->list[i].memory,
                                   blocks->list[i].mapped);
    if (blocks->count > 0)
        device->backend->finish(blocks->commands, NULL);
    for (int i = 0; i < blocks->count; i++)
        device->backend->memory_free(device, blocks->list[i].memory);
    dal_storage_finish(&blocks->rest);
    dal_free(blocks->list);
    *blocks = (struct dal_blocks){0};
}

/* ---- windows --------------------------------------------------------------------------------- */

static struct dal_block *block_of(const struct dal_end *end)
{
    const struct dal_blocks *blocks = &end->port->blocks;
    return &blocks->list[end->position / blocks->bytes];
}

size_t dal__block_end(const struct dal_end *end)
{
    size_t bytes = end->port->blocks.bytes;
    return (end->position / bytes + 1) * bytes;
}

/* Has the host nothing to do with the tokens of a window any more? It has released them, or not
 * been given them. But beside a reader on the device there may be others on the host. */
static int is_left_alone(const struct dal_end *end, uint64_t firings)
{
    const struct dal_port *port = end->port;
    uint64_t last = end->taken + firings * end->rate;
    for (int i = 0; !end->output && i < port->count; i++) {
        const struct dal_end *other = &port->channels[i]->consumer;
        if (!other->replica && dal__end_visible(other) < last && !dal__end_is_closed(other))
            return 0;
    }
    return 1;
}

int dal__blocks_borrow(struct dal_end *end, uint64_t firings)
{
    const struct dal_subject subject = dal__end_subject(end);
    const struct dal_blocks *blocks = &end->port->blocks;
    struct dal_replica_buffer *buffer = end->replica->buffer;
    struct dal_block *block = block_of(end);
    int whole = firings * end->firing_bytes == blocks->bytes, status = DAL_OK;
    buffer->memory_at = end->position / blocks->bytes * blocks->bytes;
    buffer->memory = blocks->rest.memory;
    if (!whole || !is_left_alone(end, firings))
        return DAL_OK;
    buffer->memory = block->memory;
    if (block->mapped)
        status = blocks->device->backend->unmap(blocks->commands, &subject, block->memory,
                                                block->mapped);
    if (status == DAL_OK)
        block->mapped = NULL;
    return status;
}

static int is_lent(const struct dal_end *end)
{
    return block_of(end)->mapped == NULL;
}

/* A block that was lent is the host's again when its batch has completed. */
static int give_back(struct dal_end *end, uint64_t firings)
{
    const struct dal_blocks *blocks = &end->port->blocks;
    const struct dal_subject subject = dal__end_subject(end);
    int status =
        is_lent(end) ? map_block(blocks, &subject, block_of(end), 0, blocks->access) : DAL_OK;
    return status < 0 ? status : dal__publish_later(end, firings);
}

static int reader_acquire(struct dal_end *end, uint64_t firings)
{
    int status = dal__blocks_borrow(end, firings);
    return status < 0 || is_lent(end) ? status
                                      : dal__upload(end, end->port->blocks.commands, end->position,
                                                    firings * end->firing_bytes, NULL);
}

/* `rest` is used again by the next window, so it is copied on the queue of the launches. */
static int to_host(struct dal_end *end, uint64_t firings)
{
    return is_lent(end) ? give_back(end, firings) : dal__download(end, firings);
}

const struct dal_end_ops dal__mapped_reader_ops = {reader_acquire, give_back};
const struct dal_end_ops dal__mapped_ops = {NULL, to_host};
