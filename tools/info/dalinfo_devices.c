/* Measures the costs of devices: launches, batches, transfers; on the queues that the runtime
 * uses. */
#include "channels/queue.h"
#include "channels/storage.h"
#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/devices/devices.h"
#include "tools/info/dalinfo_measure.h"

#include <sched.h>

/* Launches of a large batch, launches in flight at most, and bytes of a small transfer. A large
 * transfer has LARGE_BYTES, if the device has the memory. A device that does not answer within
 * LOST_NS is lost. */
enum { BATCH = 256, DEPTH = 4 * BATCH, SMALL_BYTES = 64 };
#define LARGE_BYTES ((size_t)16 << 20)
#define LOST_NS     ((int64_t)30 * 1000 * 1000 * 1000)

struct measure_device {
    struct dal_devices *devices;
    struct dal_device *device;
    struct dal_queue queue;
    dal_function kernel;
    struct dal_storage memory, pinned; /* for a device with its own memory */
    size_t bytes;                      /* of both */
    int is_lost; /* True when it does not answer; then nothing of it is freed. */
};

static const char text[] = "__kernel void nothing(int number) { }\n";

/* This object outlives the callbacks of drivers. */
static struct dal_wake wake;

/* Makes failures warnings: what fails is left out of the file. */
static struct dal_subject subject_of(const struct measure_device *device)
{
    return (struct dal_subject){device->device->processor, DAL_LOG_WARNING};
}

static int make_memory(struct measure_device *device)
{
    const struct dal_subject subject = subject_of(device);
    int status;
    device->bytes = LARGE_BYTES;
    if (device->bytes > device->device->info.limits.alloc_bytes / 4)
        device->bytes = (size_t)(device->device->info.limits.alloc_bytes / 4);
    status = dal_storage_device(&device->memory, &subject, device->device, device->bytes, 1);
    if (status == DAL_OK)
        status = dal_storage_pinned(&device->pinned, &subject, device->device,
                                    device->queue.commands, device->bytes);
    return status;
}

static int open_queue(struct measure_device *device)
{
    const struct dal_queue_config config = {.depth = DEPTH,
                                            .transfers = !device->device->info.traits.unified};
    const struct dal_function_source source = {
        .file = "dalinfo", .text = text, .options = "", .name = "nothing"};
    const struct dal_subject subject = subject_of(device);
    const struct dal_backend *backend = device->device->backend;
    int32_t number = 0;
    int status = dal_queue_init(&device->queue, device->device, &config, &wake);
    if (status == DAL_OK)
        status = backend->function(device->device, &subject, &source, &device->kernel);
    if (status == DAL_OK)
        status = backend->set_value(device->kernel, &subject, 0, sizeof(number), &number);
    if (status == DAL_OK && config.transfers)
        status = make_memory(device);
    return status;
}

void measure_device_close(struct measure_device *device)
{
    if (!device || device->is_lost)
        return;
    dal_storage_finish(&device->pinned);
    dal_storage_finish(&device->memory);
    if (device->kernel)
        device->device->backend->function_free(device->kernel);
    dal_queue_finish(&device->queue);
    dal_devices_close(device->devices);
    dal_free(device);
}

int measure_device_open(struct measure_device **result, const struct dal_device_info *info,
                        const char *name)
{
    struct measure_device *device = dal_calloc(1, sizeof(*device));
    const struct dal_device_wish wish = {info->backend, info->identifier, name};
    int status = device ? DAL_OK : DAL_ERR_NOMEM;
    *result = NULL;
    if (status == DAL_OK)
        status = dal_devices_open(&device->devices, &wish, 1, 1, DAL_LOG_WARNING);
    if (status == DAL_OK) {
        device->device = dal_devices_get(device->devices, 0);
        status = open_queue(device);
    }
    if (status == DAL_OK)
        *result = device;
    else
        measure_device_close(device);
    return status;
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* Looks or sleeps, as the handler does. A device that calls back wakes this thread; any other one
 * is polled. */
static int look_or_sleep(struct measure_device *device, struct dal_queue *queue, int looks)
{
    uint32_t sequence;
    int status = dal_queue_poll(queue);
    if (status != 0 || !device->device->info.traits.calls_back || looks < 2) {
        if (status == 0)
            sched_yield();
        return status;
    }
    sequence = dal_wake_prepare(&wake);
    status = dal_queue_arm(queue);
    if (status > 0)
        status = dal_queue_poll(queue);
    if (status == 0)
        dal_wake_wait(&wake, sequence, 1000 * 1000);
    else
        dal_wake_cancel(&wake);
    return status;
}

static int lose_device(struct measure_device *device)
{
    device->is_lost = 1;
    dal_log(DAL_LOG_WARNING, "%s does not answer", device->device->processor);
    return DAL_ERR_LIMIT;
}

/* Waits until all that was flushed is done. */
static int await_queue(struct measure_device *device, struct dal_queue *queue)
{
    int64_t limit_ns = dal_now_ns() + LOST_NS;
    int looks = 0, status = DAL_OK;
    while (status >= 0 && dal_queue_busy(queue)) {
        status = look_or_sleep(device, queue, looks++);
        if (status == 0 && dal_now_ns() > limit_ns)
            return lose_device(device);
    }
    queue->launches = 0;
    return status < 0 ? status : DAL_OK;
}

/* ---- launches -------------------------------------------------------------------------------- */

static int launch_once(struct measure_device *device)
{
    static const struct dal_launch one = {1, {1, 1, 1}, {1, 1, 1}};
    const struct dal_subject subject = subject_of(device);
    int status = device->queue.backend->launch(device->queue.commands, &subject, device->kernel,
                                               &one, NULL, 0, NULL);
    return status == DAL_OK ? dal_queue_launched(&device->queue) : status;
}

/* Launches a batch and flushes; *ns is the time until the host saw its end. */
static int launch_batch(struct measure_device *device, int launches, double *ns)
{
    int64_t begin_ns = dal_now_ns();
    int status = DAL_OK;
    for (int i = 0; i < launches && status == DAL_OK; i++)
        status = launch_once(device);
    if (launches == 1)
        begin_ns = dal_now_ns();
    if (status == DAL_OK)
        status = dal_queue_flush(&device->queue);
    if (status == DAL_OK)
        status = await_queue(device, &device->queue);
    *ns = (double)(dal_now_ns() - begin_ns);
    return status;
}

/* Launches batches. The first ones do not count, since drivers compile and allocate in them. */
static int launch_batches(struct measure_run *run, struct measure_device *device, int launches)
{
    double ns;
    int wanted = 1, status = DAL_OK;
    for (int i = 0; i < 2 && status == DAL_OK; i++)
        status = launch_batch(device, launches, &ns);
    while (wanted && status == DAL_OK) {
        status = launch_batch(device, launches, &ns);
        if (status == DAL_OK)
            wanted = measure_add(run, &run->latency, ns / launches);
    }
    return status;
}

int measure_launch(struct measure_run *run, struct measure_device *device)
{
    return launch_batches(run, device, BATCH);
}

int measure_batch(struct measure_run *run, struct measure_device *device)
{
    return launch_batches(run, device, 1);
}

/* ---- transfers ------------------------------------------------------------------------------- */

/* Polls an event until it is complete. */
static int await_event(struct measure_device *device, dal_event event)
{
    const struct dal_subject subject = subject_of(device);
    int64_t limit_ns = dal_now_ns() + LOST_NS;
    enum dal_event_state state = DAL_EVENT_PENDING;
    int status = DAL_OK;
    while (status == DAL_OK && state != DAL_EVENT_COMPLETE) {
        status = device->device->backend->state(event, &subject, &state);
        if (status == DAL_OK && state != DAL_EVENT_COMPLETE && dal_now_ns() > limit_ns)
            status = lose_device(device);
        else if (state != DAL_EVENT_COMPLETE)
            sched_yield();
    }
    return status;
}

static int upload_once(struct measure_device *device, size_t bytes)
{
    const struct dal_subject subject = subject_of(device);
    const struct dal_queue *queue = &device->queue;
    dal_event done = NULL;
    int status = queue->backend->write(queue->uploads, &subject, device->memory.memory, 0,
                                       device->pinned.host, bytes, 0, &done);
    if (status == DAL_OK)
        status = queue->backend->flush(queue->uploads, &subject);
    if (status == DAL_OK)
        status = await_event(device, done);
    if (done)
        queue->backend->release(done);
    return status;
}

static int download_once(struct measure_device *device, size_t bytes)
{
    const struct dal_subject subject = subject_of(device);
    struct dal_queue *queue = device->queue.downloads;
    int status = queue->backend->read(queue->commands, &subject, device->memory.memory, 0,
                                      device->pinned.host, bytes, NULL, 0, NULL);
    queue->dirty = 1;
    if (status == DAL_OK)
        status = dal_queue_flush(queue);
    return status == DAL_OK ? await_queue(device, queue) : status;
}

/* Measures small transfers for the latency, in half of the time, then large ones. */
static int transfer(struct measure_run *run, struct measure_device *device,
                    int (*once)(struct measure_device *device, size_t bytes))
{
    int64_t until_ns = run->until_ns, begin_ns = dal_now_ns();
    int wanted = 1, status = once(device, device->bytes);
    run->until_ns = begin_ns + (until_ns - begin_ns) / 2;
    while (wanted && status == DAL_OK) {
        begin_ns = dal_now_ns();
        status = once(device, SMALL_BYTES);
        if (status == DAL_OK)
            wanted = measure_add(run, &run->latency, (double)(dal_now_ns() - begin_ns));
    }
    run->until_ns = until_ns;
    for (wanted = 1; wanted && status == DAL_OK;) {
        begin_ns = dal_now_ns();
        status = once(device, device->bytes);
        if (status == DAL_OK)
            wanted =
                measure_add(run, &run->bandwidth,
                            1e9 * (double)device->bytes / (double)(dal_now_ns() - begin_ns + 1));
    }
    return status;
}

int measure_upload(struct measure_run *run, struct measure_device *device)
{
    return transfer(run, device, upload_once);
}

int measure_download(struct measure_run *run, struct measure_device *device)
{
    return transfer(run, device, download_once);
}
