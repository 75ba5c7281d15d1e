#include "channels/queue.h"

#include "rt/base/alloc.h"

int dal_queue_init(struct dal_queue *queue, struct dal_ocl_device *device, int depth, int profiling,
                   struct dal_wake *wake)
{
    int status;
    *queue = (struct dal_queue){.device = device, .wake = wake, .depth = depth};
    queue->batches = dal_calloc((size_t)depth + 1, sizeof(*queue->batches));
    if (!queue->batches)
        return DAL_ERR_NOMEM;
    status = dal_ocl_queue(device, profiling, &queue->commands);
    if (status < 0)
        dal_queue_finish(queue);
    return status;
}

void dal_queue_finish(struct dal_queue *queue)
{
    int i;
    for (i = 0; queue->batches && i <= queue->depth; i++) {
        struct dal_batch *batch = &queue->batches[i];
        if (batch->done)
            clReleaseEvent(batch->done);
        dal_free(batch->updates[DAL_AT_FLUSH]);
        dal_free(batch->updates[DAL_AT_COMPLETION]);
    }
    dal_free(queue->batches);
    if (queue->commands)
        clReleaseCommandQueue(queue->commands);
    *queue = (struct dal_queue){0};
}

int dal_queue_has_room(const struct dal_queue *queue)
{
    return queue->launches < queue->depth;
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
    if (status < 0)
        return status;
    batch->updates[when][batch->count[when]++] = update;
    queue->dirty = 1;
    return DAL_OK;
}

static void apply(struct dal_batch *batch, enum dal_when when)
{
    size_t i;
    for (i = 0; i < batch->count[when]; i++)
        batch->updates[when][i].apply(&batch->updates[when][i], batch->done);
    batch->count[when] = 0;
}

int dal_queue_flush(struct dal_queue *queue)
{
    struct dal_batch *batch = open_batch(queue);
    const char *name = queue->device->processor;
    int status;
    if (!queue->dirty)
        return DAL_OK;
    status = DAL_CL(name, clEnqueueMarkerWithWaitList, (queue->commands, 0, NULL, &batch->done));
    if (status == DAL_OK)
        status = DAL_CL(name, clFlush, (queue->commands));
    if (status < 0)
        return status;
    queue->dirty = 0;
    queue->open_count = 0;
    queue->closed++;
    apply(batch, DAL_AT_FLUSH);
    return DAL_OK;
}

int dal_queue_launched(struct dal_queue *queue)
{
    queue->launches++;
    queue->dirty = 1;
    return ++queue->open_count < (queue->depth + 3) / 4 ? DAL_OK : dal_queue_flush(queue);
}

static void retire(struct dal_queue *queue, struct dal_batch *batch)
{
    apply(batch, DAL_AT_COMPLETION);
    clReleaseEvent(batch->done);
    batch->done = NULL;
    batch->armed = 0;
    queue->first = (queue->first + 1) % (queue->depth + 1);
    queue->closed--;
}

int dal_queue_poll(struct dal_queue *queue)
{
    int retired = 0;
    while (queue->closed > 0) {
        struct dal_batch *batch = &queue->batches[queue->first];
        cl_int state = CL_COMPLETE;
        int status =
            DAL_CL(queue->device->processor, clGetEventInfo,
                   (batch->done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(state), &state, NULL));
        if (status < 0)
            return status;
        if (state < 0)
            return dal_ocl_check(queue->device->processor, "a command of this device", state);
        if (state != CL_COMPLETE)
            break;
        retire(queue, batch);
        retired++;
    }
    return retired;
}

/* Runs on a thread of the OpenCL implementation, or inline: does no more than a futex call. */
static void CL_CALLBACK completed(cl_event event, cl_int state, void *wake)
{
    (void)event;
    (void)state;
    dal_wake_signal(wake);
}

int dal_queue_arm(struct dal_queue *queue)
{
    struct dal_batch *batch = &queue->batches[queue->first];
    if (queue->closed == 0)
        return 0;
    if (!batch->armed) {
        batch->armed = 1;
        if (DAL_CL(queue->device->processor, clSetEventCallback,
                   (batch->done, CL_COMPLETE, completed, queue->wake)) < 0)
            return DAL_ERR_OPENCL;
    }
    return 1;
}
