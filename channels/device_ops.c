#include "channels/newest.h"
#include "channels/port.h"
#include "rt/base/number.h"

#include <assert.h>
#include <string.h>

/* ---- publishing ------------------------------------------------------------------------------ */

/* Publishes to a peer on the host or in another context. */
static int publish(const struct dal_update *update, dal_event event)
{
    const struct dal_replica *replica = update->object;
    struct dal_end *end = replica->all->end;
    (void)event;
    if (end->output && end->port->newest)
        dal__newest_publish(end);
    dal__replica_release(update->object, update->amount);
    return DAL_OK;
}

/* Publishes to a peer on another queue of the context, which waits for `event` first. */
static int publish_fence(const struct dal_update *update, dal_event event)
{
    const struct dal_replica *replica = update->object;
    struct dal_end *end = replica->all->end;
    struct dal_replica_buffer *peer = end->peer->replica->buffer;
    const struct dal_backend *backend = replica->queue->backend;
    if (peer->fence)
        backend->release(peer->fence);
    backend->retain(event);
    peer->fence = event;
    dal_end_publish(end, update->amount);
    return DAL_OK;
}

static int drop_fence(const struct dal_update *update, dal_event event)
{
    const struct dal_replica *replica = update->object;
    struct dal_replica_buffer *peer = replica->all->end->peer->replica->buffer;
    if (peer->fence == event) {
        replica->queue->backend->release(event);
        peer->fence = NULL;
    }
    return DAL_OK;
}

/* Tokens are held back until their batch completes. A batch must not fill the channel: the peer
 * would have nothing to do until then, and the device nothing afterwards. */
static void hold_back(const struct dal_end *end, uint64_t firings)
{
    struct dal_replica_buffer *buffer = end->replica->buffer;
    struct dal_queue *queue = end->replica->queue;
    if (buffer->batch != queue->number)
        buffer->held = 0;
    buffer->batch = queue->number;
    buffer->held += firings * end->rate;
    if (4 * buffer->held * (uint64_t)end->replica->all->count >= end->channel->desc->capacity)
        queue->due = 1;
}

/* Defers something to be done for the tokens of some firings, once a batch and not once a launch.
 */
static int defer_tokens(const struct dal_end *end, uint64_t firings, enum dal_when when,
                        int (*apply)(const struct dal_update *, dal_event))
{
    return dal_queue_defer_joined(
        end->replica->queue, when,
        (struct dal_update){.apply = apply, .object = end->replica, .amount = firings * end->rate},
        0);
}

int dal__publish_later(struct dal_end *end, uint64_t firings)
{
    hold_back(end, firings);
    return defer_tokens(end, firings, DAL_AT_COMPLETION, publish);
}

/* ---- in place: one buffer for both ends ------------------------------------------------------ */

int dal__device_mirror(struct dal_end *end, uint64_t firings)
{
    const struct dal_subject subject = dal__end_subject(end);
    size_t token = end->channel->desc->token_bytes;
    dal_memory ring = end->replica->buffer->memory;
    struct dal_queue *queue = end->replica->queue;
    struct dal_move moves[2];
    dal_event event;
    int n = 0, status = DAL_OK;
    if (!end->replica->all->ring_blocks) /* windows end with their block */
        n = dal_shape_moves(&end->port->shape, end->position / token, firings * end->rate, moves);
    for (int i = 0; status == DAL_OK && i < n; i++) {
        size_t bytes = moves[i].count * token;
        status =
            queue->backend->copy(queue->commands, &subject, ring, moves[i].from * token, ring,
                                 moves[i].to * token, bytes, dal_queue_log_event(queue, &event));
        dal_count_add(end->port->mirrored->copied_bytes, bytes);
        if (status == DAL_OK)
            status = dal_queue_log(queue, DAL_COPY, end->port->mirrored->desc->name, bytes, event);
    }
    return status;
}

/* Can the peer's commands be enqueued before this end's have completed? */
static int passes_events(const struct dal_device *a, const struct dal_device *b)
{
    return a->context == b->context && a->info.traits.foreign_events &&
           b->info.traits.foreign_events;
}

/* Only a peer's launches wait for an event. The host, and transfers, start after completion.
 */
static int in_place_release(struct dal_end *end, uint64_t firings)
{
    const struct dal_end *peer = end->peer;
    int status;
    end->replica->queue->dirty = 1;
    if (peer->ops != &dal__in_place_ops)
        return dal__publish_later(end, firings);
    if (end->together) {
        dal_end_publish(end, firings * end->rate);
        return DAL_OK;
    }
    if (!passes_events(end->replica->queue->device, peer->replica->queue->device))
        return dal__publish_later(end, firings);
    status = defer_tokens(end, firings, DAL_AT_FLUSH, publish_fence);
    return status < 0 ? status : defer_tokens(end, firings, DAL_AT_COMPLETION, drop_fence);
}

const struct dal_end_ops dal__in_place_ops = {NULL, in_place_release};

/* ---- staged and naive: from the host's ring to the device's ---------------------------------- */

/* Counts bytes that were moved, for reports. */
static void count_copied(const struct dal_replica_buffer *buffer, size_t bytes)
{
    dal_count_add(buffer->counted->copied_bytes, buffer->bounce.host ? 2 * bytes : bytes);
}

int dal__upload(const struct dal_end *end, dal_commands commands, size_t at, size_t bytes,
                dal_event *done)
{
    const struct dal_subject subject = dal__end_subject(end);
    struct dal_replica_buffer *buffer = end->replica->buffer;
    struct dal_queue *queue = end->replica->queue;
    const unsigned char *source = end->channel->host + at;
    dal_event event, *logged = dal_queue_log_event(queue, &event);
    int status;
    if (buffer->bounce.host)
        source = memcpy(buffer->bounce.host + at, source, bytes);
    count_copied(buffer, bytes);
    status = queue->backend->write(commands, &subject, buffer->memory, at - buffer->memory_at,
                                   source, bytes, 0, logged ? logged : done);
    if (status < 0 || !logged)
        return status;
    if (done) {
        *done = event;
        queue->backend->retain(event);
    }
    return dal_queue_log(queue, DAL_UPLOAD, buffer->counted->desc->name, bytes, event);
}

/* Bytes that are uploaded at once where there are so many: a smaller upload takes as long. */
enum { AHEAD_BYTES = 512 * 1024 };

/* Returns how many tokens to upload now, for a window of `firings`. No further firing starts in the
 * tail: as the first of a window it lies at the ring's base. */
static uint64_t uploads_wanted(struct dal_end *end, uint64_t firings)
{
    uint64_t most = AHEAD_BYTES / end->firing_bytes;
    most = dal_least(most, (end->ring.wrap_bytes - end->position - 1) / end->firing_bytes + 1);
    most = dal_least(most, dal__block_left(end) / end->rate);
    return (most > firings ? dal_end_ready(end, most) : firings) * end->rate;
}

/* Uploads tokens from slot `at` on. Where other readers share the ring, the copies that keep its
 * tail equal follow. The queue is in order, so the last upload's event stands for all: the next
 * launch waits for it. */
static int upload_tokens(const struct dal_end *end, uint64_t at, uint64_t tokens)
{
    const struct dal_shape *shape = &end->port->shape;
    struct dal_replica_buffer *buffer = end->replica->buffer;
    const struct dal_queue *queue = end->replica->queue;
    dal_commands commands = queue->uploads ? queue->uploads : queue->commands;
    size_t token = end->channel->desc->token_bytes;
    struct dal_move moves[2];
    dal_event done = NULL, *last = queue->uploads ? &done : NULL;
    int n = 0, status;
    if (buffer->readers > 1 && !end->replica->all->ring_blocks) {
        at %= shape->slots;
        n = dal_shape_moves(shape, at, tokens, moves);
    }
    status = dal__upload(end, commands, at * token, tokens * token, n ? NULL : last);
    for (int i = 0; status == DAL_OK && i < n; i++)
        status = dal__upload(end, commands, moves[i].to * token, moves[i].count * token,
                             i + 1 < n ? NULL : last);
    if (done && buffer->uploaded)
        queue->backend->release(buffer->uploaded);
    if (done)
        buffer->uploaded = done;
    return status;
}

/* Uploads the window's tokens that no earlier launch has uploaded. Tokens in between belong to
 * other replicas. */
static int upload_acquire(struct dal_end *end, uint64_t firings)
{
    struct dal_replica_buffer *buffer = end->replica->buffer;
    uint64_t from = buffer->filled > end->taken ? buffer->filled : end->taken;
    uint64_t until = dal__halo_until(end, firings * end->rate);
    uint64_t at = end->position / end->channel->desc->token_bytes;
    assert(buffer->filled >= end->taken || end->replica->all->block);
    if (until <= from)
        return DAL_OK;
    if (!end->replica->all->halo)
        until = end->taken + uploads_wanted(end, firings);
    buffer->filled = until;
    return upload_tokens(end, at + (from - end->taken), until - from);
}

/* The launch has waited for the upload, and all behind it in the queue come later. */
static int upload_release(struct dal_end *end, uint64_t firings)
{
    struct dal_replica_buffer *buffer = end->replica->buffer;
    if (buffer->uploaded)
        buffer->queue->backend->release(buffer->uploaded);
    buffer->uploaded = NULL;
    return dal__publish_later(end, firings);
}

const struct dal_end_ops dal__upload_ops = {upload_acquire, upload_release};

/* Uploads the reader's token, unless an earlier launch has. */
static int newest_acquire(struct dal_end *end, uint64_t firings)
{
    const struct dal_newest *newest = end->port->newest;
    uint64_t number = newest->slots[newest->read_slot].number;
    if (end->replica->buffer->filled == number)
        return DAL_OK;
    end->replica->buffer->filled = number;
    return upload_tokens(end, newest->read_slot, firings);
}

const struct dal_end_ops dal__newest_ops = {newest_acquire, upload_release};

/* ---- staged and naive: from the device's ring to the host's ---------------------------------- */

/* Called when tokens of a halo have arrived in the host's ring. */
static int arrived(const struct dal_update *update, dal_event event)
{
    (void)event;
    dal__halo_arrived(update->object, update->amount);
    return DAL_OK;
}

/* Called when a window has arrived in host memory: puts it in its place and tells the consumer. */
static int downloaded(const struct dal_update *update, dal_event event)
{
    const struct dal_replica *replica = update->object;
    struct dal_channel *channel = replica->all->end->channel;
    const unsigned char *bounce = replica->buffer->bounce.host;
    size_t token = channel->desc->token_bytes;
    if (bounce)
        memcpy(channel->host + update->at, bounce + update->at, update->amount * token);
    dal__host_mirror(channel, update->at / token, update->amount);
    return replica->all->halo ? arrived(update, event) : publish(update, event);
}

/* Enqueues the download of windows side by side on a queue, behind `made` if that is not NULL. */
static int download(struct dal_queue *queue, struct dal_update window, dal_event made)
{
    const struct dal_replica *replica = window.object;
    const struct dal_subject subject = dal__end_subject(replica->all->end);
    const struct dal_channel *channel = replica->all->end->channel;
    struct dal_replica_buffer *buffer = replica->buffer;
    unsigned char *target = buffer->bounce.host ? buffer->bounce.host : channel->host;
    size_t bytes = window.amount * channel->desc->token_bytes;
    dal_event event;
    int status;
    count_copied(buffer, bytes);
    status = queue->backend->read(queue->commands, &subject, buffer->memory,
                                  window.at - window.memory_at, target + window.at, bytes, &made,
                                  made != NULL, dal_queue_log_event(queue, &event));
    if (status == DAL_OK)
        status = dal_queue_log(queue, DAL_DOWNLOAD, buffer->counted->desc->name, bytes, event);
    window.apply = downloaded;
    return status < 0 ? status : dal_queue_defer(queue, DAL_AT_COMPLETION, window);
}

/* Returns the last `tokens` tokens of the window that is being released, behind `skipped` others.
 */
static struct dal_update window_of(const struct dal_end *end, uint64_t skipped, uint64_t tokens)
{
    return (struct dal_update){.object = end->replica,
                               .amount = tokens,
                               .at = end->position + skipped * end->channel->desc->token_bytes,
                               .memory_at = end->replica->buffer->memory_at};
}

/* Called when the batch with the windows is flushed: enqueues the download on the other queue. */
static int download_flushed(const struct dal_update *update, dal_event event)
{
    const struct dal_replica *replica = update->object;
    return download(replica->queue->downloads, *update, event);
}

static int download_later(const struct dal_end *end, struct dal_update window)
{
    struct dal_queue *queue = end->replica->queue;
    window.apply = download_flushed;
    if (queue->downloads)
        return dal_queue_defer_joined(queue, DAL_AT_FLUSH, window, end->channel->desc->token_bytes);
    return download(queue, window, NULL);
}

int dal__download(struct dal_end *end, uint64_t firings)
{
    hold_back(end, firings);
    return download(end->replica->queue, window_of(end, 0, firings * end->rate), NULL);
}

static int download_release(struct dal_end *end, uint64_t firings)
{
    hold_back(end, firings);
    return download_later(end, window_of(end, 0, firings * end->rate));
}

const struct dal_end_ops dal__download_ops = {NULL, download_release};

/* ---- halos: in the producer's rings, but for the first tokens of each block ------------------ */

/* Is the window that is being released downloaded for others? Their publication is the first, and
 * stays behind where nobody wants it. */
static int is_downloaded(const struct dal_end *end)
{
    const struct dal_end *first = &end->port->publications->end;
    return first->ops == &dal__download_ops && first->taken == end->taken;
}

static int arrival_flushed(const struct dal_update *update, dal_event event)
{
    const struct dal_replica *replica = update->object;
    struct dal_update arrival = *update;
    (void)event;
    arrival.apply = arrived;
    return dal_queue_defer(replica->queue->downloads, DAL_AT_COMPLETION, arrival);
}

/* Tokens of a halo arrive with what has been downloaded so far. */
static int arrive_later(const struct dal_end *end, uint64_t tokens)
{
    struct dal_queue *queue = end->replica->queue;
    struct dal_update arrival = {.object = end->replica, .amount = tokens};
    arrival.apply = queue->downloads ? arrival_flushed : arrived;
    return dal_queue_defer(queue, queue->downloads ? DAL_AT_FLUSH : DAL_AT_COMPLETION, arrival);
}

/* All tokens are visible once their launch has completed, those of the halo once they have arrived.
 */
static int halo_release(struct dal_end *end, uint64_t firings)
{
    uint64_t tokens = firings * end->rate, part = dal__halo_part(end, tokens);
    int status = dal__publish_later(end, firings);
    if (status < 0 || part == 0)
        return status;
    if (is_downloaded(end))
        return arrive_later(end, part);
    return download_later(end, window_of(end, tokens - part, part));
}

const struct dal_end_ops dal__halo_ops = {NULL, halo_release};
