/* Events: made once, used again and again. */
#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/cuda/device.h"

/* Times of events are milliseconds since the base of the device's clock, as a float. Beyond so
 * many, the base is moved: a float of this size has steps of 31 ns. */
static const float most_ms = 500.0f;

static struct dal_subject subject_of(const struct dal_cuda_device *device)
{
    return (struct dal_subject){device->device.info.identifier, device->device.info.failures};
}

/* ---- the pool ---------------------------------------------------------------------------------
 */

static struct dal__event *take_free(struct dal_cuda_device *device, int timed)
{
    struct dal__event *event;
    pthread_mutex_lock(&device->lock);
    event = device->free[timed];
    if (event) {
        device->free[timed] = event->next;
        device->free_count[timed]--;
    }
    pthread_mutex_unlock(&device->lock);
    return event;
}

/* Puts an event into the pool. Returns 1 if there was room. */
static int put_free(struct dal_cuda_device *device, struct dal__event *event)
{
    int timed = event->timed, room;
    pthread_mutex_lock(&device->lock);
    room = device->free_count[timed] < DAL_CUDA_POOL;
    if (room) {
        event->next = device->free[timed];
        device->free[timed] = event;
        device->free_count[timed]++;
    }
    pthread_mutex_unlock(&device->lock);
    return room;
}

static void destroy_event(struct dal__event *event)
{
    if (event->begin)
        DAL_CU_FREE(cuEventDestroy_v2, (event->begin));
    if (event->end)
        DAL_CU_FREE(cuEventDestroy_v2, (event->end));
    dal_free(event);
}

static int create_event(const struct dal_subject *subject, int timed, struct dal__event **event)
{
    unsigned flags = timed ? 0 : CU_EVENT_DISABLE_TIMING;
    struct dal__event *made = dal_calloc(1, sizeof(*made));
    int status = DAL_OK;
    *event = NULL;
    if (!made)
        return DAL_ERR_NOMEM;
    made->timed = timed;
    if (timed)
        status = DAL_CU(subject, cuEventCreate, (&made->begin, flags));
    if (status == DAL_OK)
        status = DAL_CU(subject, cuEventCreate, (&made->end, flags));
    if (status < 0)
        destroy_event(made);
    else
        *event = made;
    return status;
}

int dal__cuda_event_new(dal_commands commands, const struct dal_subject *subject, int timed,
                        dal_event *event)
{
    struct dal__event *made = take_free(commands->device, timed);
    int status = DAL_OK;
    *event = NULL;
    if (!made)
        status = create_event(subject, timed, &made);
    if (status < 0)
        return status;
    made->device = commands->device;
    made->commands = commands;
    made->queue = commands->number;
    atomic_store_explicit(&made->references, 1, memory_order_relaxed);
    atomic_store_explicit(&made->complete, 0, memory_order_relaxed);
    *event = made;
    return DAL_OK;
}

int dal__cuda_event_record(dal_commands commands, const struct dal_subject *subject,
                           dal_event *done)
{
    int status;
    if (!done)
        return DAL_OK;
    status = dal__cuda_event_new(commands, subject, 0, done);
    if (status == DAL_OK)
        status = DAL_CU(subject, cuEventRecord, ((*done)->end, commands->stream));
    if (status < 0 && *done) {
        dal__cuda_release(*done);
        *done = NULL;
    }
    return status;
}

int dal__cuda_event_begin(dal_commands commands, const struct dal_subject *subject,
                          const dal_event *done, dal_event *event)
{
    int status;
    *event = NULL;
    if (!done || !commands->timed)
        return DAL_OK;
    status = dal__cuda_event_new(commands, subject, 1, event);
    if (status < 0)
        return status;
    (*event)->queued_ns = dal_now_ns();
    return DAL_CU(subject, cuEventRecord, ((*event)->begin, commands->stream));
}

int dal__cuda_event_end(dal_commands commands, const struct dal_subject *subject, int status,
                        dal_event event, dal_event *done)
{
    if (status == DAL_OK && !event)
        return dal__cuda_event_record(commands, subject, done);
    if (status == DAL_OK)
        status = DAL_CU(subject, cuEventRecord, (event->end, commands->stream));
    if (status == DAL_OK)
        *done = event;
    else if (event)
        dal__cuda_release(event);
    return status;
}

void dal__cuda_retain(dal_event event)
{
    atomic_fetch_add_explicit(&event->references, 1, memory_order_relaxed);
}

/* The thread that releases the last reference sees all that the others have done. */
void dal__cuda_release(dal_event event)
{
    if (atomic_fetch_sub_explicit(&event->references, 1, memory_order_acq_rel) > 1)
        return;
    if (put_free(event->device, event))
        return;
    dal__cuda_enter_quietly(event->device);
    destroy_event(event);
}

void dal__cuda_events_finish(struct dal_cuda_device *device)
{
    struct dal__event *event;
    if (device->base)
        dal__cuda_release(device->base);
    device->base = NULL;
    for (int timed = 0; timed < 2; timed++)
        while ((event = take_free(device, timed)))
            destroy_event(event);
}

/* ---- how they stand ---------------------------------------------------------------------------
 */

int dal__cuda_state(dal_event event, const struct dal_subject *subject, enum dal_event_state *state)
{
    int code, status;
    *state = DAL_EVENT_COMPLETE;
    if (atomic_load_explicit(&event->complete, memory_order_acquire))
        return DAL_OK;
    status = dal__cuda_enter(event->device, subject);
    if (status < 0)
        return status;
    code = DAL_CU_TRY(cuEventQuery, (event->end));
    if (code == CUDA_ERROR_NOT_READY) {
        *state = DAL_EVENT_PENDING;
        return DAL_OK;
    }
    if (code == CUDA_SUCCESS)
        code = dal_backend_fault("a command");
    status = dal__cuda_check(subject, "a command of this device", code);
    if (status == DAL_OK)
        atomic_store_explicit(&event->complete, 1, memory_order_release);
    return status;
}

/* ---- times ------------------------------------------------------------------------------------
 */

/* Starts the clock. The host reads its own clock when it sees the event completed, some
 * microseconds late. */
int dal__cuda_start_clock(dal_commands commands, const struct dal_subject *subject)
{
    struct dal_cuda_device *device = commands->device;
    dal_event base;
    int status;
    if (device->base)
        return DAL_OK;
    status = dal__cuda_event_new(commands, subject, 1, &base);
    if (status < 0)
        return status;
    status = DAL_CU(subject, cuEventRecord, (base->begin, commands->stream));
    if (status == DAL_OK)
        status = DAL_CU(subject, cuEventRecord, (base->end, commands->stream));
    if (status == DAL_OK)
        status = DAL_CU(subject, cuEventSynchronize, (base->end));
    if (status < 0) {
        dal__cuda_release(base);
        return status;
    }
    device->base = base;
    device->base_ns = dal_now_ns();
    return DAL_OK;
}

/* Moves the clock's base to this event: later events are closer to it. */
static void move_base(struct dal_cuda_device *device, dal_event event, int64_t end_ns)
{
    dal__cuda_retain(event);
    dal__cuda_release(device->base);
    device->base = event;
    device->base_ns = end_ns;
}

int dal__cuda_times(dal_event event, struct dal_event_times *times)
{
    struct dal_cuda_device *device = event->device;
    const struct dal_subject subject = subject_of(device);
    float since_ms = 0.0f, took_ms = 0.0f;
    int status;
    *times = (struct dal_event_times){0};
    if (!event->timed || !device->base)
        return DAL_ERR_UNSUPPORTED;
    status = dal__cuda_enter(device, &subject);
    if (status == DAL_OK)
        status = DAL_CU(&subject, cuEventElapsedTime, (&since_ms, device->base->end, event->begin));
    if (status == DAL_OK)
        status = DAL_CU(&subject, cuEventElapsedTime, (&took_ms, event->begin, event->end));
    if (status < 0)
        return status;
    times->begin = device->base_ns + (int64_t)((double)since_ms * 1e6);
    times->end = times->begin + (int64_t)((double)took_ms * 1e6);
    /* queued_ns is of the host's clock, by which the device's was set. They may have drifted apart
     * since. */
    times->queued = event->queued_ns < times->begin ? event->queued_ns : times->begin;
    if (since_ms > most_ms)
        move_base(device, event, times->end);
    return DAL_OK;
}

/* ---- calling back -----------------------------------------------------------------------------
 */

struct call {
    void (*call)(void *data);
    void *data;
};

/* Runs on a thread of the driver, which must not be called from here. */
static void call_from_driver(CUstream stream, int status, void *data)
{
    struct call call = *(struct call *)data;
    (void)stream;
    (void)status;
    dal_free(data);
    call.call(call.data);
}

static int add_call(dal_event event, const struct dal_subject *subject, struct call *call)
{
    dal_commands commands = event->commands;
    int status = dal__cuda_enter(event->device, subject);
    if (status == DAL_OK && !commands->notifier)
        status = DAL_CU(subject, cuStreamCreate, (&commands->notifier, CU_STREAM_NON_BLOCKING));
    if (status == DAL_OK)
        status = DAL_CU(subject, cuStreamWaitEvent, (commands->notifier, event->end, 0));
    if (status == DAL_OK)
        status =
            DAL_CU(subject, cuStreamAddCallback, (commands->notifier, call_from_driver, call, 0));
    return status;
}

int dal__cuda_call_back(dal_event event, const struct dal_subject *subject,
                        void (*call)(void *data), void *data)
{
    struct call *later;
    int status;
    if (atomic_load_explicit(&event->complete, memory_order_acquire)) {
        call(data);
        return DAL_OK;
    }
    later = dal_calloc(1, sizeof(*later));
    if (!later)
        return DAL_ERR_NOMEM;
    *later = (struct call){call, data};
    status = add_call(event, subject, later);
    if (status < 0)
        dal_free(later);
    return status;
}
