#include "channels/port.h"
#include "rt/base/number.h"

#include <assert.h>
#include <string.h>

/* ---- lanes ----------------------------------------------------------------------------------- */

void dal__end_enter(struct dal_end *end, struct dal_lane *lane)
{
    end->lane = lane;
    end->queue = lane->queue;
    end->device = lane->device;
}

/* Returns the tokens of the block from the next window on. */
static uint64_t block_left(const struct dal_end *end)
{
    return end->block ? end->block - (end->taken - end->first) % end->block : UINT64_MAX;
}

static void enter_next(struct dal_end *end)
{
    if (end->block)
        dal__end_enter(
            end, &end->lanes[(end->taken - end->first) / end->block % (uint64_t)end->lane_count]);
}

/* Returns `memory_at` of the next window: a lane's ring takes its blocks in turn, no more than the
 * channel has room for. */
static size_t lane_memory_at(const struct dal_end *end)
{
    uint64_t number = end->taken - end->first;
    uint64_t turn = number / end->block / (uint64_t)end->lane_count % end->lane_blocks;
    return end->position - (turn * end->lane_stride + end->lane_lead + number % end->block) *
                               end->channel->desc->token_bytes;
}

/* Tokens that a lane has released, up to the first of a margin that has not arrived. */
static uint64_t lane_released(const struct dal_end *end, int i)
{
    const struct dal_lane *lane = &end->lanes[i];
    uint64_t whole;
    if (!end->margin || !end->output)
        return lane->released;
    whole = lane->arrived / end->margin;
    return dal_least(lane->released,
                     (whole + 1) * end->block - end->margin + lane->arrived % end->margin);
}

/* The first token that a lane has yet to release. */
static uint64_t reached_in(const struct dal_end *end, int i)
{
    uint64_t released = lane_released(end, i), lanes = (uint64_t)end->lane_count;
    uint64_t block = released / end->block * lanes + (uint64_t)i;
    return end->first + block * end->block + released % end->block;
}

/* Publishes tokens up to the first that a lane has yet to release. */
static void publish_reached(struct dal_end *end)
{
    uint64_t visible = atomic_load_explicit(&end->visible, memory_order_relaxed);
    uint64_t reached = end->taken;
    int i;
    for (i = 0; i < end->lane_count; i++)
        reached = dal_least(reached, reached_in(end, i));
    if (reached > visible)
        dal_end_publish(end, reached - visible);
}

void dal__lane_release(struct dal_lane *lane, uint64_t tokens)
{
    lane->released += tokens;
    if (lane->end->block)
        publish_reached(lane->end);
    else
        dal_end_publish(lane->end, tokens);
}

/* ---- windows --------------------------------------------------------------------------------- */

int dal_device_end_acquire(struct dal_end *end, uint64_t firings, struct dal_argument *argument)
{
    int status;
    assert(end->ops && firings > 0 && firings * end->rate <= block_left(end));
    enter_next(end);
    if (end->lane_blocks)
        end->device->memory_at = lane_memory_at(end);
    status = end->ops->acquire(end, firings);
    *argument = (struct dal_argument){.memory = end->device->memory,
                                      .offset = end->position - end->device->memory_at};
    return status;
}

void dal_device_end_fences(const struct dal_end *end, dal_event fences[2])
{
    fences[0] = end->output ? dal__port_fence(end->port) : end->device->fence;
    fences[1] = end->device->uploaded;
}

int dal_device_end_release(struct dal_end *end, uint64_t firings)
{
    int status = end->ops->release(end, firings);
    if (status < 0)
        return status;
    dal__end_advance(end, firings);
    if (end->port->blocks.list)
        end->contiguous_bytes = dal__block_end(end);
    return DAL_OK;
}

/* Publishes to a peer on the host or in another context. */
static int publish(const struct dal_update *update, dal_event event)
{
    (void)event;
    dal__lane_release(update->object, update->amount);
    return DAL_OK;
}

/* Publishes to a peer on another queue of the context, which waits for `event` first. */
static int publish_fence(const struct dal_update *update, dal_event event)
{
    const struct dal_lane *lane = update->object;
    struct dal_end *end = lane->end;
    struct dal_device_end *peer = end->peer->device;
    const struct dal_backend *backend = end->queue->backend;
    if (peer->fence)
        backend->release(peer->fence);
    backend->retain(event);
    peer->fence = event;
    dal_end_publish(end, update->amount);
    return DAL_OK;
}

static int drop_fence(const struct dal_update *update, dal_event event)
{
    const struct dal_lane *lane = update->object;
    struct dal_device_end *peer = lane->end->peer->device;
    if (peer->fence == event) {
        lane->queue->backend->release(event);
        peer->fence = NULL;
    }
    return DAL_OK;
}

/* Tokens are held back until their batch completes. A batch must not fill the channel: the peer
 * would have nothing to do until then, and the device nothing afterwards. */
static void hold_back(struct dal_end *end, uint64_t firings)
{
    struct dal_device_end *device = end->device;
    if (device->batch != end->queue->number)
        device->held = 0;
    device->batch = end->queue->number;
    device->held += firings * end->rate;
    if (4 * device->held * (uint64_t)end->lane_count >= end->channel->desc->capacity)
        end->queue->due = 1;
}

/* Defers something to be done for the tokens of some firings, once a batch and not once a launch.
 */
static int defer_tokens(struct dal_end *end, uint64_t firings, enum dal_when when,
                        int (*apply)(const struct dal_update *, dal_event))
{
    return dal_queue_defer_joined(
        end->queue, when,
        (struct dal_update){.apply = apply, .object = end->lane, .amount = firings * end->rate}, 0);
}

int dal__publish_later(struct dal_end *end, uint64_t firings)
{
    hold_back(end, firings);
    return defer_tokens(end, firings, DAL_AT_COMPLETION, publish);
}

/* ---- in place: one buffer for both ends ------------------------------------------------------ */

static int nothing(struct dal_end *end, uint64_t firings)
{
    (void)end;
    (void)firings;
    return DAL_OK;
}

int dal__device_mirror(struct dal_end *end, uint64_t firings)
{
    const struct dal_subject subject = dal__end_subject(end);
    size_t token = end->channel->desc->token_bytes;
    dal_memory ring = end->device->memory;
    struct dal_queue *queue = end->queue;
    struct dal_move moves[2];
    dal_event event;
    int i, n = 0, status = DAL_OK;
    if (!end->lane_blocks) /* windows end with their block */
        n = dal_shape_moves(&end->port->shape, end->position / token, firings * end->rate, moves);
    for (i = 0; status == DAL_OK && i < n; i++) {
        size_t bytes = moves[i].count * token;
        status =
            queue->backend->copy(queue->commands, &subject, ring, moves[i].from * token, ring,
                                 moves[i].to * token, bytes, dal_queue_log_event(queue, &event));
        if (status == DAL_OK)
            status = dal_queue_log(queue, DAL_COPY, end->channel->desc->name, bytes, event);
    }
    return status;
}

/* Can the peer's commands be enqueued before this end's have completed? */
static int passes_events(const struct dal_end *a, const struct dal_end *b)
{
    return a->queue->device->context == b->queue->device->context &&
           a->queue->device->info.foreign_events && b->queue->device->info.foreign_events;
}

/* Only a peer's launches wait for an event. The host, and transfers, start after completion.
 */
static int in_place_release(struct dal_end *end, uint64_t firings)
{
    const struct dal_end *peer = end->peer;
    int status;
    end->queue->dirty = 1;
    if (peer->ops != &dal__in_place_ops)
        return dal__publish_later(end, firings);
    if (dal_end_on_peers_queue(end)) {
        dal_end_publish(end, firings * end->rate);
        return DAL_OK;
    }
    if (!passes_events(end, peer))
        return dal__publish_later(end, firings);
    status = defer_tokens(end, firings, DAL_AT_FLUSH, publish_fence);
    return status < 0 ? status : defer_tokens(end, firings, DAL_AT_COMPLETION, drop_fence);
}

const struct dal_end_ops dal__in_place_ops = {nothing, in_place_release};

/* ---- staged and naive: a ring of its own, transfers to and from the host's ------------------- */

/* Counts bytes that were moved, for reports. */
static void count_copied(const struct dal_device_end *device, size_t bytes)
{
    dal_count_add(device->counted->copied_bytes, device->bounce.host ? 2 * bytes : bytes);
}

/* Enqueues an upload. `done` becomes its event if uploads have a queue of their own. */
static int upload(struct dal_end *end, size_t at, size_t bytes, dal_event *done)
{
    const struct dal_subject subject = dal__end_subject(end);
    struct dal_device_end *device = end->device;
    struct dal_queue *queue = end->queue;
    const unsigned char *source = end->channel->host + at;
    dal_event event, *logged = dal_queue_log_event(queue, &event);
    int status;
    if (!queue->uploads)
        done = NULL;
    if (device->bounce.host)
        source = memcpy(device->bounce.host + at, source, bytes);
    count_copied(device, bytes);
    status = queue->backend->write(queue->uploads ? queue->uploads : queue->commands, &subject,
                                   device->memory, at - device->memory_at, source, bytes, 0,
                                   logged ? logged : done);
    if (status < 0 || !logged)
        return status;
    if (done) {
        *done = event;
        queue->backend->retain(event);
    }
    return dal_queue_log(queue, DAL_UPLOAD, device->counted->desc->name, bytes, event);
}

/* Bytes that are uploaded at once where there are so many: a smaller upload takes as long. */
enum { AHEAD_BYTES = 512 * 1024 };

/* Returns how many firings to upload now, for a window of `firings`. No further one starts in the
 * tail: as the first of a window it lies at the ring's base. */
static uint64_t uploads_wanted(struct dal_end *end, uint64_t firings)
{
    uint64_t most = AHEAD_BYTES / end->firing_bytes;
    uint64_t before_end = (end->wrap_bytes - end->position - 1) / end->firing_bytes + 1;
    if (most > before_end)
        most = before_end;
    if (most > block_left(end) / end->rate)
        most = block_left(end) / end->rate;
    return most > firings ? dal_end_ready(end, most) : firings;
}

/* Uploads tokens from slot `at` on. Where other readers share the ring, the copies that keep its
 * tail equal follow. The queue is in order, so the last upload's event stands for all. */
static int upload_tokens(struct dal_end *end, uint64_t at, uint64_t tokens, dal_event *done)
{
    const struct dal_shape *shape = &end->port->shape;
    size_t token = end->channel->desc->token_bytes;
    struct dal_move moves[2];
    int i, n = 0, status;
    if (end->device->readers > 1 && !end->lane_blocks) {
        at %= shape->slots;
        n = dal_shape_moves(shape, at, tokens, moves);
    }
    status = upload(end, at * token, tokens * token, n ? NULL : done);
    for (i = 0; status == DAL_OK && i < n; i++)
        status = upload(end, moves[i].to * token, moves[i].count * token, i + 1 < n ? NULL : done);
    return status;
}

/* The next launch waits for the last upload. */
static void keep_event(const struct dal_end *end, dal_event done)
{
    struct dal_device_end *device = end->device;
    if (done && device->uploaded)
        end->queue->backend->release(device->uploaded);
    if (done)
        device->uploaded = done;
}

/* Uploads the window's tokens that no earlier launch has uploaded. */
static int upload_acquire(struct dal_end *end, uint64_t firings)
{
    struct dal_device_end *device = end->device;
    uint64_t from = device->filled, at = end->position / end->channel->desc->token_bytes;
    dal_event done = NULL;
    int status;
    if (end->block && from < end->taken)
        from = end->taken; /* tokens in between belong to other lanes */
    assert(from >= end->taken);
    if (end->taken + firings * end->rate <= from)
        return DAL_OK;
    device->filled = end->taken + uploads_wanted(end, firings) * end->rate;
    status = upload_tokens(end, at + (from - end->taken), device->filled - from, &done);
    keep_event(end, done);
    return status;
}

/* The launch has waited for the upload, and all behind it in the queue come later. */
static int upload_release(struct dal_end *end, uint64_t firings)
{
    struct dal_device_end *device = end->device;
    if (device->uploaded)
        end->queue->backend->release(device->uploaded);
    device->uploaded = NULL;
    return dal__publish_later(end, firings);
}

/* Called when tokens of a margin have arrived in the host's ring. */
static int arrived(const struct dal_update *update, dal_event event)
{
    struct dal_lane *lane = update->object;
    (void)event;
    lane->arrived += update->amount;
    publish_reached(lane->end);
    return DAL_OK;
}

/* Called when a window has arrived in host memory: puts it in its place and tells the consumer. */
static int downloaded(const struct dal_update *update, dal_event event)
{
    const struct dal_lane *lane = update->object;
    struct dal_channel *channel = lane->end->channel;
    size_t token = channel->desc->token_bytes;
    if (lane->device->bounce.host)
        memcpy(channel->host + update->at, lane->device->bounce.host + update->at,
               update->amount * token);
    dal__host_mirror(channel, update->at / token, update->amount);
    return lane->end->margin ? arrived(update, event) : publish(update, event);
}

/* Enqueues the download of windows side by side on a queue, behind `made` if that is not NULL. */
static int download(struct dal_queue *queue, struct dal_update window, dal_event made)
{
    const struct dal_lane *lane = window.object;
    const struct dal_subject subject = dal__end_subject(lane->end);
    const struct dal_channel *channel = lane->end->channel;
    struct dal_device_end *device = lane->device;
    unsigned char *target = device->bounce.host ? device->bounce.host : channel->host;
    size_t bytes = window.amount * channel->desc->token_bytes;
    dal_event event;
    int status;
    count_copied(device, bytes);
    status = queue->backend->read(queue->commands, &subject, device->memory,
                                  window.at - window.memory_at, target + window.at, bytes, &made,
                                  made != NULL, dal_queue_log_event(queue, &event));
    if (status == DAL_OK)
        status = dal_queue_log(queue, DAL_DOWNLOAD, device->counted->desc->name, bytes, event);
    window.apply = downloaded;
    return status < 0 ? status : dal_queue_defer(queue, DAL_AT_COMPLETION, window);
}

/* Called when the batch with the windows is flushed: enqueues the download on the other queue. */
static int download_flushed(const struct dal_update *update, dal_event event)
{
    const struct dal_lane *lane = update->object;
    return download(lane->queue->downloads, *update, event);
}

static int download_later(const struct dal_end *end, struct dal_update window)
{
    window.apply = download_flushed;
    window.object = end->lane;
    if (end->queue->downloads)
        return dal_queue_defer_joined(end->queue, DAL_AT_FLUSH, window,
                                      end->channel->desc->token_bytes);
    return download(end->queue, window, NULL);
}

static int download_release(struct dal_end *end, uint64_t firings)
{
    hold_back(end, firings);
    return download_later(end, (struct dal_update){.amount = firings * end->rate,
                                                   .at = end->position,
                                                   .memory_at = end->device->memory_at});
}

const struct dal_end_ops dal__upload_ops = {upload_acquire, upload_release};
const struct dal_end_ops dal__download_ops = {nothing, download_release};

/* ---- margins: in the producer's rings, but for the first tokens of each block ------------------
 */

/* Uploads the tokens of the window that are in the margin. */
static int margin_acquire(struct dal_end *end, uint64_t firings)
{
    struct dal_device_end *device = end->device;
    uint64_t begin = end->taken - (end->taken - end->first) % end->block;
    uint64_t until = dal_least(begin + end->margin, end->taken + firings * end->rate);
    uint64_t from = device->filled > end->taken ? device->filled : end->taken;
    size_t token = end->channel->desc->token_bytes;
    dal_event done = NULL;
    int status;
    if (from >= until)
        return DAL_OK;
    device->filled = until;
    status =
        upload(end, end->position + (from - end->taken) * token, (until - from) * token, &done);
    keep_event(end, done);
    return status;
}

/* Returns how many of the last `tokens` tokens that a moment's end had windows for go through the
 * host. */
static uint64_t margin_part(const struct dal_end *end, uint64_t tokens)
{
    uint64_t begin = (end->taken - tokens - end->first) % end->block;
    uint64_t margin = end->block - end->margin;
    uint64_t from = begin > margin ? begin : margin;
    return begin + tokens > from ? begin + tokens - from : 0;
}

/* Is the window that is being released downloaded for others? Their moment is the first, and stays
 * behind where nobody wants it. */
static int is_downloaded(const struct dal_end *end)
{
    const struct dal_end *first = &end->port->moments->end;
    return first->ops == &dal__download_ops && first->taken == end->taken;
}

static int arrival_flushed(const struct dal_update *update, dal_event event)
{
    const struct dal_lane *lane = update->object;
    struct dal_update arrival = *update;
    (void)event;
    arrival.apply = arrived;
    return dal_queue_defer(lane->queue->downloads, DAL_AT_COMPLETION, arrival);
}

/* Tokens of a margin arrive with what has been downloaded so far. */
static int arrive_later(const struct dal_end *end, uint64_t tokens)
{
    struct dal_update arrival = {.apply = arrived, .object = end->lane, .amount = tokens};
    if (!end->queue->downloads)
        return dal_queue_defer(end->queue, DAL_AT_COMPLETION, arrival);
    arrival.apply = arrival_flushed;
    return dal_queue_defer(end->queue, DAL_AT_FLUSH, arrival);
}

/* All tokens are visible once their launch has completed, those of the margin once they have
 * arrived. */
static int margin_release(struct dal_end *end, uint64_t firings)
{
    uint64_t tokens = firings * end->rate, part = margin_part(end, tokens);
    size_t token = end->channel->desc->token_bytes;
    struct dal_update window = {.amount = part,
                                .at = end->position + (tokens - part) * token,
                                .memory_at = end->device->memory_at};
    int status = dal__publish_later(end, firings);
    if (status < 0 || part == 0)
        return status;
    return is_downloaded(end) ? arrive_later(end, part) : download_later(end, window);
}

const struct dal_end_ops dal__margin_reader_ops = {margin_acquire, upload_release};
const struct dal_end_ops dal__margin_moment_ops = {nothing, margin_release};
