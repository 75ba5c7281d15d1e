#include "channels/queue.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"

static int add_transfer_queues(struct dal_queue *queue)
{
    struct dal_queue_config plain = {
        .depth = queue->depth, .profiling = queue->log != NULL, .log = queue->log};
    int status = queue->backend->commands(queue->device, plain.profiling, &queue->uploads);
    if (status < 0)
        return status;
    queue->downloads = dal_calloc(1, sizeof(*queue->downloads));
    if (!queue->downloads)
        return DAL_ERR_NOMEM;
    return dal_queue_init(queue->downloads, queue->device, &plain, queue->wake);
}

int dal_queue_init(struct dal_queue *queue, struct dal_device *device,
                   const struct dal_queue_config *config, struct dal_wake *wake)
{
    int status = DAL_ERR_NOMEM;
    *queue = (struct dal_queue){.device = device,
                                .backend = device->backend,
                                .wake = wake,
                                .log = config->log,
                                .depth = config->depth};
    queue->batches = dal_calloc((size_t)config->depth + 1, sizeof(*queue->batches));
    if (queue->batches)
        status = queue->backend->commands(device, config->profiling, &queue->commands);
    if (status == DAL_OK && config->transfers)
        status = add_transfer_queues(queue);
    if (status < 0)
        dal_queue_finish(queue);
    return status;
}

/* Forgets all updates of one sort, applied or not, and gives their events back. */
static void drop_updates(const struct dal_queue *queue, struct dal_batch *batch, enum dal_when when)
{
    for (size_t i = 0; i < batch->count[when]; i++)
        if (batch->updates[when][i].timer)
            queue->backend->release(batch->updates[when][i].timer);
    batch->count[when] = 0;
}

void dal_queue_finish(struct dal_queue *queue)
{
    for (int i = 0; queue->batches && i <= queue->depth; i++) {
        struct dal_batch *batch = &queue->batches[i];
        drop_updates(queue, batch, DAL_AT_FLUSH);
        drop_updates(queue, batch, DAL_AT_COMPLETION);
        if (batch->done)
            queue->backend->release(batch->done);
        dal_free(batch->updates[DAL_AT_FLUSH]);
        dal_free(batch->updates[DAL_AT_COMPLETION]);
    }
    dal_free(queue->batches);
    if (queue->downloads)
        dal_queue_finish(queue->downloads);
    dal_free(queue->downloads);
    if (queue->uploads)
        queue->backend->commands_free(queue->device, queue->uploads);
    if (queue->commands)
        queue->backend->commands_free(queue->device, queue->commands);
    *queue = (struct dal_queue){0};
}

int dal_queue_has_room(const struct dal_queue *queue)
{
    return queue->launches < queue->depth &&
           (!queue->downloads || queue->downloads->closed < queue->depth);
}

static struct dal_batch *open_batch(struct dal_queue *queue)
{
    return &queue->batches[(queue->first + queue->closed) % (queue->depth + 1)];
}

int dal_queue_defer(struct dal_queue *queue, enum dal_when when, struct dal_update update)
{
    struct dal_batch *batch = open_batch(queue);
    int status =
        dal_grow(&batch->updates[when], batch->count[when], &batch->room[when], sizeof(update));
    if (status < 0) {
        if (update.timer)
            queue->backend->release(update.timer);
        return status;
    }
    batch->updates[when][batch->count[when]++] = update;
    queue->dirty = 1;
    return DAL_OK;
}

int dal_queue_defer_joined(struct dal_queue *queue, enum dal_when when, struct dal_update update,
                           size_t step)
{
    struct dal_batch *batch = open_batch(queue);
    size_t i = batch->count[when];
    while (i-- > 0) {
        struct dal_update *last = &batch->updates[when][i];
        if (last->apply != update.apply || last->object != update.object)
            continue;
        if (last->at + last->amount * step != update.at || last->memory_at != update.memory_at)
            break;
        last->amount += update.amount;
        queue->dirty = 1;
        return DAL_OK;
    }
    return dal_queue_defer(queue, when, update);
}

static int tell_log(const struct dal_update *update, dal_event event)
{
    struct dal_queue *queue = update->object;
    const struct dal_moved moved = {.direction = (enum dal_direction)update->at,
                                    .channel = update->name,
                                    .bytes = update->amount,
                                    .queued_ns = update->queued_ns};
    struct dal_event_times times;
    (void)event;
    if (queue->backend->times(update->timer, &times) == DAL_OK)
        queue->log->add(queue->log, &moved, &times);
    return DAL_OK;
}

dal_event *dal_queue_log_event(struct dal_queue *queue, dal_event *event)
{
    *event = NULL;
    if (!queue->log)
        return NULL;
    queue->asked_ns = dal_now_ns();
    return event;
}

int dal_queue_log(struct dal_queue *queue, enum dal_direction direction, const char *channel,
                  size_t bytes, dal_event event)
{
    const struct dal_update update = {.apply = tell_log,
                                      .object = queue,
                                      .name = channel,
                                      .amount = bytes,
                                      .at = (size_t)direction,
                                      .queued_ns = queue->asked_ns,
                                      .timer = event};
    return event ? dal_queue_defer(queue, DAL_AT_COMPLETION, update) : DAL_OK;
}

static int apply_updates(const struct dal_queue *queue, struct dal_batch *batch, enum dal_when when)
{
    int status = DAL_OK;
    for (size_t i = 0; status == DAL_OK && i < batch->count[when]; i++)
        status = batch->updates[when][i].apply(&batch->updates[when][i], batch->done);
    drop_updates(queue, batch, when);
    return status;
}

int dal_queue_flush(struct dal_queue *queue)
{
    struct dal_batch *batch = open_batch(queue);
    const struct dal_subject subject = {queue->device->processor, DAL_LOG_ERROR};
    int status = DAL_OK;
    if (!queue->dirty)
        return DAL_OK;
    if (queue->uploads)
        status = queue->backend->flush(queue->uploads, &subject);
    if (status == DAL_OK)
        status = queue->backend->marker(queue->commands, &subject, &batch->done);
    if (status == DAL_OK)
        status = queue->backend->flush(queue->commands, &subject);
    if (status < 0)
        return status;
    batch->launches = queue->open_count;
    batch->closed_ns = dal_tick_ns();
    queue->dirty = queue->due = 0;
    queue->open_count = 0;
    queue->number++;
    queue->closed++;
    status = apply_updates(queue, batch, DAL_AT_FLUSH);
    return status == DAL_OK && queue->downloads ? dal_queue_flush(queue->downloads) : status;
}

int dal_queue_launched(struct dal_queue *queue)
{
    queue->launches++;
    queue->dirty = 1;
    queue->open_count++;
    return queue->due || queue->open_count >= (queue->depth + 3) / 4 ? dal_queue_flush(queue)
                                                                     : DAL_OK;
}

/* A batch begins when it is closed, or when the one before is done. */
static void measure_batch(struct dal_queue *queue, const struct dal_batch *batch)
{
    int64_t now_ns = dal_tick_ns();
    int64_t begin_ns = batch->closed_ns > queue->retired_ns ? batch->closed_ns : queue->retired_ns;
    queue->launch_ns = (now_ns - begin_ns) / (batch->launches ? batch->launches : 1);
    queue->retired_ns = now_ns;
}

static int retire_batch(struct dal_queue *queue, struct dal_batch *batch)
{
    int status;
    measure_batch(queue, batch);
    status = apply_updates(queue, batch, DAL_AT_COMPLETION);
    queue->backend->release(batch->done);
    batch->done = NULL;
    batch->armed = 0;
    queue->first = (queue->first + 1) % (queue->depth + 1);
    queue->closed--;
    return status;
}

int dal_queue_poll(struct dal_queue *queue)
{
    const struct dal_subject subject = {queue->device->processor, DAL_LOG_ERROR};
    int retired = queue->downloads ? dal_queue_poll(queue->downloads) : 0;
    while (retired >= 0 && queue->closed > 0) {
        struct dal_batch *batch = &queue->batches[queue->first];
        enum dal_event_state state;
        int status = queue->backend->state(batch->done, &subject, &state);
        if (status < 0)
            return status;
        if (state != DAL_EVENT_COMPLETE)
            break;
        status = retire_batch(queue, batch);
        retired = status < 0 ? status : retired + 1;
    }
    return retired;
}

int dal_queue_busy(const struct dal_queue *queue)
{
    return queue->closed > 0 || (queue->downloads && dal_queue_busy(queue->downloads));
}

/* Runs on a thread of the driver, or inline: does no more than a futex call. */
static void batch_completed(void *wake)
{
    dal_wake_signal(wake);
}

int dal_queue_arm(struct dal_queue *queue)
{
    struct dal_batch *batch = &queue->batches[queue->first];
    const struct dal_subject subject = {queue->device->processor, DAL_LOG_ERROR};
    int status, armed = queue->downloads ? dal_queue_arm(queue->downloads) : 0;
    if (armed < 0 || queue->closed == 0)
        return armed;
    if (!batch->armed && queue->device->info.traits.calls_back) {
        batch->armed = 1;
        status = queue->backend->call_back(batch->done, &subject, batch_completed, queue->wake);
        if (status < 0)
            return status;
    }
    return 1;
}
