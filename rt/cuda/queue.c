/* Queues and their transfers. */
#include "rt/base/alloc.h"
#include "rt/cuda/device.h"
#include "rt/cuda/graph.h"

static atomic_ulong numbers; /* of queues made so far */

static CUdeviceptr address_of(dal_memory memory, size_t at)
{
    return memory->pointer + at;
}

/* ---- making and ending ------------------------------------------------------------------------
 */

static int init_commands(struct dal__commands *made, const struct dal_subject *subject, int timed)
{
    int status = dal__cuda_enter_anew(made->device, subject);
    if (status == DAL_OK)
        status = DAL_CU(subject, cuStreamCreate, (&made->stream, CU_STREAM_NON_BLOCKING));
    if (status == DAL_OK)
        status = DAL_CU(subject, cuEventCreate,
                        (&made->idle, CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING));
    if (status == DAL_OK && timed)
        status = dal__cuda_start_clock(made, subject);
    if (status == DAL_OK && !timed)
        status = dal__cuda_run_new(&made->run);
    return status;
}

static void add_queue(dal_commands commands)
{
    struct dal_cuda_opened *opened = commands->device->opened;
    pthread_mutex_lock(&opened->lock);
    commands->next = opened->queues;
    opened->queues = commands;
    pthread_mutex_unlock(&opened->lock);
}

static void take_queue_out(dal_commands commands)
{
    struct dal_cuda_opened *opened = commands->device->opened;
    dal_commands *at = &opened->queues;
    pthread_mutex_lock(&opened->lock);
    while (*at != commands)
        at = &(*at)->next;
    *at = commands->next;
    pthread_mutex_unlock(&opened->lock);
}

int dal__cuda_commands(struct dal_device *device, int timed, dal_commands *commands)
{
    const struct dal_subject subject = {device->info.identifier, device->info.failures};
    struct dal__commands *made = dal_calloc(1, sizeof(*made));
    int status;
    *commands = NULL;
    if (!made)
        return DAL_ERR_NOMEM;
    made->device = dal__cuda_device(device);
    made->timed = timed;
    add_queue(made);
    made->number = atomic_fetch_add_explicit(&numbers, 1, memory_order_relaxed) + 1;
    status = init_commands(made, &subject, timed);
    if (status < 0)
        dal__cuda_commands_free(device, made);
    else
        *commands = made;
    return status;
}

/* Waits without any message, since something is freed next. */
static void wait_quietly(dal_commands commands, CUstream stream)
{
    const struct dal_cuda_driver *driver = dal_cuda_driver();
    if (driver->cuEventRecord(commands->idle, stream) == CUDA_SUCCESS)
        driver->cuEventSynchronize(commands->idle);
}

void dal__cuda_wait_for_all(struct dal_cuda_opened *opened)
{
    pthread_mutex_lock(&opened->lock);
    for (dal_commands queue = opened->queues; queue; queue = queue->next) {
        dal__cuda_enter_quietly(queue->device);
        if (queue->idle && queue->stream)
            wait_quietly(queue, queue->stream);
    }
    pthread_mutex_unlock(&opened->lock);
}

/* Frees a queue. All callbacks have returned by then. */
void dal__cuda_commands_free(struct dal_device *device, dal_commands commands)
{
    if (!commands)
        return;
    take_queue_out(commands);
    dal__cuda_enter_quietly(dal__cuda_device(device));
    if (commands->idle && commands->stream)
        wait_quietly(commands, commands->stream);
    if (commands->idle && commands->notifier)
        wait_quietly(commands, commands->notifier);
    dal__cuda_run_free(commands->run);
    if (commands->idle)
        DAL_CU_FREE(cuEventDestroy_v2, (commands->idle));
    if (commands->notifier)
        DAL_CU_FREE(cuStreamDestroy_v2, (commands->notifier));
    if (commands->stream)
        DAL_CU_FREE(cuStreamDestroy_v2, (commands->stream));
    dal_free(commands);
}

/* ---- order ------------------------------------------------------------------------------------
 */

/* Makes its context current, and issues the launches held back, since another command follows
 * them. */
static int begin_command(dal_commands commands, const struct dal_subject *subject)
{
    int status = dal__cuda_enter(commands->device, subject);
    return status < 0 ? status : dal__cuda_run_issue(commands, subject);
}

int dal__cuda_flush(dal_commands commands, const struct dal_subject *subject)
{
    return begin_command(commands, subject);
}

int dal__cuda_finish(dal_commands commands, const struct dal_subject *subject)
{
    int status;
    if (!subject) {
        const struct dal_subject nobody = {"", DAL_LOG_NOTHING};
        dal__cuda_enter_quietly(commands->device);
        dal__cuda_run_issue_quietly(commands, &nobody);
        wait_quietly(commands, commands->stream);
        return DAL_OK;
    }
    status = begin_command(commands, subject);
    if (status == DAL_OK)
        status = DAL_CU(subject, cuEventRecord, (commands->idle, commands->stream));
    if (status == DAL_OK)
        status = DAL_CU(subject, cuEventSynchronize, (commands->idle));
    return status;
}

int dal__cuda_marker(dal_commands commands, const struct dal_subject *subject, dal_event *done)
{
    int status = begin_command(commands, subject);
    return status < 0 ? status : dal__cuda_event_record(commands, subject, done);
}

/* Must the next command wait for an event? Commands of one queue are in order anyway. */
static int is_awaited(dal_commands commands, dal_event event)
{
    return event->queue != commands->number &&
           !atomic_load_explicit(&event->complete, memory_order_acquire);
}

int dal__cuda_await(dal_commands commands, const struct dal_subject *subject,
                    const dal_event *events, unsigned count)
{
    int status = dal__cuda_enter(commands->device, subject);
    for (unsigned i = 0; status == DAL_OK && i < count; i++) {
        if (!is_awaited(commands, events[i]))
            continue;
        status = dal__cuda_run_issue(commands, subject);
        if (status == DAL_OK)
            status = DAL_CU(subject, cuStreamWaitEvent, (commands->stream, events[i]->end, 0));
    }
    return status;
}

int dal__cuda_barrier(dal_commands commands, const struct dal_subject *subject,
                      const dal_event *events, unsigned count)
{
    return dal__cuda_await(commands, subject, events, count);
}

/* ---- transfers --------------------------------------------------------------------------------
 */

int dal__cuda_write(dal_commands commands, const struct dal_subject *subject, dal_memory to,
                    size_t at, const void *host, size_t bytes, int wait, dal_event *done)
{
    dal_event event = NULL;
    int status = begin_command(commands, subject);
    if (status == DAL_OK)
        status = dal__cuda_event_begin(commands, subject, done, &event);
    if (status == DAL_OK)
        status = DAL_CU(subject, cuMemcpyHtoDAsync_v2,
                        (address_of(to, at), host, bytes, commands->stream));
    if (status == DAL_OK && wait)
        status = dal__cuda_finish(commands, subject);
    return dal__cuda_event_end(commands, subject, status, event, done);
}

int dal__cuda_read(dal_commands commands, const struct dal_subject *subject, dal_memory from,
                   size_t at, void *host, size_t bytes, const dal_event *events, unsigned count,
                   dal_event *done)
{
    dal_event event = NULL;
    int status = begin_command(commands, subject);
    if (status == DAL_OK)
        status = dal__cuda_await(commands, subject, events, count);
    if (status == DAL_OK)
        status = dal__cuda_event_begin(commands, subject, done, &event);
    if (status == DAL_OK)
        status = DAL_CU(subject, cuMemcpyDtoHAsync_v2,
                        (host, address_of(from, at), bytes, commands->stream));
    return dal__cuda_event_end(commands, subject, status, event, done);
}

int dal__cuda_copy(dal_commands commands, const struct dal_subject *subject, dal_memory from,
                   size_t from_at, dal_memory to, size_t to_at, size_t bytes, dal_event *done)
{
    const struct dal_cuda_step copy = {
        .to = address_of(to, to_at), .from = address_of(from, from_at), .copied_bytes = bytes};
    int status = dal__cuda_enter(commands->device, subject);
    return status < 0 ? status : dal__cuda_step(commands, subject, &copy, done);
}
