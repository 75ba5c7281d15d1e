/* Streams and events: commands that wait until something asks for them. */
#include "test/cuda/standin/standin.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Milliseconds on the clock of all devices: the host's, but each command takes some. */
static double now;

static void go_on(void)
{
    struct timespec time;
    double host;
    clock_gettime(CLOCK_MONOTONIC, &time);
    host = (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
    now += 0.0001;
    now = host > now ? host : now;
}

/* ---- commands ---------------------------------------------------------------------------------
 */

struct standin_command *standin_command(enum standin_action action)
{
    struct standin_command *command = calloc(1, sizeof(*command));
    if (!command)
        abort();
    command->action = action;
    command->users = 1;
    return command;
}

void standin_unref(struct standin_command *command)
{
    if (!command || --command->users > 0)
        return;
    standin_unref(command->awaited);
    standin_unref_executable(command->executable);
    if (command->launch.arguments)
        free(command->launch.arguments[0]);
    free(command->launch.arguments);
    free(command);
}

void standin_enqueue(struct standin_stream *stream, struct standin_command *command)
{
    command->device = stream->object.device;
    if (stream->tail.graph) {
        standin_capture(stream, command);
        return;
    }
    command->stream = stream;
    if (stream->last)
        stream->last->next = command;
    else
        stream->first = command;
    stream->last = command;
    standin_wake();
}

/* What a command has run into is what all later calls for the device return. */
static void break_context(int device, int error)
{
    struct standin_context *context = standin_context(device);
    if (context && context->error == CUDA_SUCCESS)
        context->error = error;
}

static int side_is_alive(const void *address, size_t bytes)
{
    struct standin_memory *memory = standin_memory_of(address);
    if (memory && memory->object.dead)
        standin_misuse("%zu bytes are copied from or to memory %u, which was freed", bytes,
                       memory->object.number);
    return !memory || !memory->object.dead;
}

static int do_copy(const struct standin_command *command)
{
    if (!side_is_alive(command->to, command->bytes) ||
        !side_is_alive(command->from, command->bytes))
        return CUDA_ERROR_ILLEGAL_ADDRESS;
    memcpy(command->to, command->from, command->bytes);
    return CUDA_SUCCESS;
}

static int do_set(const struct standin_command *command)
{
    if (!side_is_alive(command->to, command->bytes))
        return CUDA_ERROR_ILLEGAL_ADDRESS;
    memset(command->to, command->value, command->bytes);
    return CUDA_SUCCESS;
}

void standin_do(struct standin_command *command)
{
    int error = CUDA_SUCCESS;
    standin_open(command->device);
    go_on();
    if (command->action == ACTION_COPY)
        error = do_copy(command);
    else if (command->action == ACTION_SET)
        error = do_set(command);
    else if (command->action == ACTION_KERNEL)
        error = standin_run_grid(&command->launch);
    else if (command->action == ACTION_GRAPH)
        standin_run_graph(command->executable);
    if (error != CUDA_SUCCESS)
        break_context(command->device, error);
    command->time = now;
    command->done = 1;
}

static void run_first(struct standin_stream *stream)
{
    struct standin_command *command = stream->first;
    if (command->action == ACTION_CALL) {
        command->call(standin_handle(stream), CUDA_SUCCESS, command->data);
        command->done = 1;
    } else {
        standin_do(command);
    }
    stream->first = command->next;
    if (!stream->first)
        stream->last = NULL;
    standin_unref(command);
    standin_wake();
}

/* Callbacks are called by the driver's thread alone. */
static int can_run(const struct standin_stream *stream, int calls)
{
    const struct standin_command *command = stream->first;
    return command &&
           (command->action != ACTION_WAIT || !command->awaited || command->awaited->done) &&
           (command->action != ACTION_CALL || calls);
}

int standin_step(int calls)
{
    struct standin_stream *stream, *chosen = NULL;
    unsigned seen = 0;
    for (unsigned n = 0; (stream = standin_at(STANDIN_STREAM, n)); n++)
        if (can_run(stream, calls) && standin_draw(++seen) == 0)
            chosen = stream;
    if (chosen)
        run_first(chosen);
    return chosen != NULL;
}

/* Of what a command waits for, the next; NULL when that is a callback. */
static struct standin_stream *needed_by(const struct standin_command *command)
{
    struct standin_stream *stream = command->stream;
    while (stream && stream->first && !can_run(stream, 0))
        stream = stream->first->action == ACTION_WAIT ? stream->first->awaited->stream : NULL;
    return stream;
}

/* By chance no more than is needed, or whatever else can run. */
static void wait_for(struct standin_command *command)
{
    int strictly = (int)standin_draw(2);
    struct standin_stream *stream;
    command->users++;
    while (!command->done) {
        stream = needed_by(command);
        if (stream && strictly)
            run_first(stream);
        else if (!standin_step(0))
            standin_wait();
    }
    standin_unref(command);
}

int standin_in_use(const void *at, size_t bytes)
{
    const unsigned char *begin = at, *address;
    struct standin_stream *stream;
    for (unsigned n = 0; (stream = standin_at(STANDIN_STREAM, n)); n++)
        for (struct standin_command *it = stream->first; it; it = it->next) {
            const void *sides[] = {it->to, it->from};
            for (int i = 0; i < 2; i++)
                if ((const unsigned char *)sides[i] < begin + bytes &&
                    (const unsigned char *)sides[i] + it->bytes > begin)
                    return 1;
            for (size_t i = 0; it->launch.function && it->launch.function->sizes[i]; i++) {
                if (it->launch.function->sizes[i] != sizeof(address))
                    continue;
                memcpy(&address, it->launch.arguments[i], sizeof(address));
                if (address >= begin && address < begin + bytes)
                    return 1;
            }
        }
    return 0;
}

int standin_module_in_use(const struct standin_module *module)
{
    struct standin_stream *stream;
    for (unsigned n = 0; (stream = standin_at(STANDIN_STREAM, n)); n++)
        for (struct standin_command *it = stream->first; it; it = it->next)
            if (it->launch.function && it->launch.function->module == module)
                return 1;
    return 0;
}

/* ---- streams ----------------------------------------------------------------------------------
 */

int cuStreamCreate(CUstream *handle, unsigned flags)
{
    int result = standin_enter();
    struct standin_stream *stream = NULL;
    *handle = NULL;
    if (result == CUDA_SUCCESS && flags & ~(unsigned)CU_STREAM_NON_BLOCKING)
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        stream = standin_new(STANDIN_STREAM, standin_current()->object.device, sizeof(*stream));
        *handle = standin_handle(stream);
    }
    return standin_leave(result, __func__, "device=%d stream=%d",
                         stream ? stream->object.device : -1,
                         stream ? (int)stream->object.number : -1);
}

/* Its commands go on. */
int cuStreamDestroy_v2(CUstream handle)
{
    int result = standin_enter();
    struct standin_stream *stream = standin_get(STANDIN_STREAM, handle);
    if (!stream)
        result = CUDA_ERROR_INVALID_HANDLE;
    else {
        standin_kill(stream);
        standin_forget_tail(&stream->tail);
    }
    return standin_leave(result, __func__, "stream=%d", stream ? (int)stream->object.number : -1);
}

/* The stream of a call, with its context's error; NULL with *result set. */
static struct standin_stream *stream_of(CUstream handle, int *result)
{
    struct standin_stream *stream = standin_get(STANDIN_STREAM, handle);
    if (!stream)
        *result = CUDA_ERROR_INVALID_HANDLE;
    else if (*result == CUDA_SUCCESS)
        *result = standin_context(stream->object.device)->error;
    return stream;
}

/* A copy or a set; the sides that are a device's. */
static int enqueue_bytes(CUstream handle, struct standin_command command, int to_device,
                         int from_device, const char *call)
{
    int result = standin_enter();
    struct standin_stream *stream = stream_of(handle, &result);
    struct standin_command *copy;
    int device = stream ? stream->object.device : -1;
    const void *host = to_device ? command.from : command.to;
    if (result == CUDA_SUCCESS && to_device != from_device && command.action == ACTION_COPY &&
        standin_memory_of(host)) {
        standin_misuse("%s: the side of the host is memory of a device", call);
        result = CUDA_ERROR_INVALID_VALUE;
    }
    if (result == CUDA_SUCCESS && command.bytes > 0 &&
        ((to_device && !standin_reaches(device, (uintptr_t)command.to, command.bytes, call)) ||
         (from_device && !standin_reaches(device, (uintptr_t)command.from, command.bytes, call))))
        result = CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && command.bytes > 0) {
        copy = standin_command(command.action);
        copy->to = command.to;
        copy->from = command.from;
        copy->bytes = command.bytes;
        copy->value = command.value;
        standin_enqueue(stream, copy);
    }
    return standin_leave(result, call, "stream=%d device=%d bytes=%zu",
                         stream ? (int)stream->object.number : -1, device, command.bytes);
}

int cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
    return enqueue_bytes(
        stream,
        (struct standin_command){
            .action = ACTION_COPY, .to = (void *)(uintptr_t)to, .from = from, .bytes = bytes},
        1, 0, __func__);
}

int cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return enqueue_bytes(
        stream,
        (struct standin_command){
            .action = ACTION_COPY, .to = to, .from = (void *)(uintptr_t)from, .bytes = bytes},
        0, 1, __func__);
}

int cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return enqueue_bytes(stream,
                         (struct standin_command){.action = ACTION_COPY,
                                                  .to = (void *)(uintptr_t)to,
                                                  .from = (void *)(uintptr_t)from,
                                                  .bytes = bytes},
                         1, 1, __func__);
}

int cuMemsetD8Async(CUdeviceptr memory, unsigned char value, size_t bytes, CUstream stream)
{
    return enqueue_bytes(
        stream,
        (struct standin_command){
            .action = ACTION_SET, .to = (void *)(uintptr_t)memory, .value = value, .bytes = bytes},
        1, 0, __func__);
}

/* ---- callbacks --------------------------------------------------------------------------------
 */

static pthread_t driver_thread;
static int calls_left, thread_runs, thread_ends;

/* What a callback is in the stream: it is called without the lock, and holds up what comes after.
 */
struct call {
    CUstreamCallback callback;
    void *data;
};

static void call_unlocked(CUstream stream, int status, void *data)
{
    struct call *call = data;
    standin_leave(CUDA_SUCCESS, "callback", "begins");
    call->callback(stream, status, call->data);
    standin_enter_any();
    free(call);
    calls_left--;
}

static void *run_driver_thread(void *unused)
{
    standin_enter_any();
    while (!thread_ends)
        if (calls_left == 0 || !standin_step(1))
            standin_wait();
    standin_leave(CUDA_SUCCESS, "thread", "ends");
    return unused;
}

static void __attribute__((destructor)) end_driver_thread(void)
{
    if (!thread_runs)
        return;
    standin_enter_any();
    thread_ends = 1;
    standin_wake();
    standin_leave(CUDA_SUCCESS, "exit", "ends the thread");
    pthread_join(driver_thread, NULL);
}

int cuStreamAddCallback(CUstream handle, CUstreamCallback callback, void *data, unsigned flags)
{
    int result = standin_enter();
    struct standin_stream *stream = stream_of(handle, &result);
    struct standin_command *command;
    struct call *call;
    if (result == CUDA_SUCCESS && (flags || stream->tail.graph))
        result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (result == CUDA_SUCCESS) {
        call = malloc(sizeof(*call));
        *call = (struct call){callback, data};
        command = standin_command(ACTION_CALL);
        command->call = call_unlocked;
        command->data = call;
        calls_left++;
        if (!thread_runs && pthread_create(&driver_thread, NULL, run_driver_thread, NULL) == 0)
            thread_runs = 1;
        standin_enqueue(stream, command);
    }
    return standin_leave(result, __func__, "stream=%d", stream ? (int)stream->object.number : -1);
}

/* ---- events -----------------------------------------------------------------------------------
 */

int cuEventCreate(CUevent *handle, unsigned flags)
{
    int result = standin_enter();
    struct standin_event *event = NULL;
    *handle = NULL;
    if (result == CUDA_SUCCESS) {
        event = standin_new(STANDIN_EVENT, standin_current()->object.device, sizeof(*event));
        event->flags = flags;
        *handle = standin_handle(event);
    }
    return standin_leave(result, __func__, "flags=%u event=%d", flags,
                         event ? (int)event->object.number : -1);
}

static void forget_record(struct standin_event *event)
{
    standin_unref(event->record);
    event->record = NULL;
    standin_forget_tail(&event->tail);
}

int cuEventDestroy_v2(CUevent handle)
{
    int result = standin_enter();
    struct standin_event *event = standin_get(STANDIN_EVENT, handle);
    if (!event) {
        result = CUDA_ERROR_INVALID_HANDLE;
    } else {
        forget_record(event);
        standin_kill(event);
    }
    return standin_leave(result, __func__, "event=%d", event ? (int)event->object.number : -1);
}

int cuEventRecord(CUevent handle, CUstream stream_handle)
{
    int result = standin_enter();
    struct standin_stream *stream = stream_of(stream_handle, &result);
    struct standin_event *event = standin_get(STANDIN_EVENT, handle);
    if (!event || (stream && event->object.device != stream->object.device)) {
        if (event)
            standin_misuse("an event is recorded in a stream of another device");
        result = CUDA_ERROR_INVALID_HANDLE;
    }
    if (result == CUDA_SUCCESS) {
        forget_record(event);
        if (stream->tail.graph) {
            standin_join(&event->tail, &stream->tail);
        } else {
            event->record = standin_command(ACTION_RECORD);
            event->record->users++;
            standin_enqueue(stream, event->record);
        }
    }
    return standin_leave(result, __func__, "event=%d stream=%d",
                         event ? (int)event->object.number : -1,
                         stream ? (int)stream->object.number : -1);
}

/* A wait is for what was recorded before; an event that never was is no wait. */
static int add_wait(struct standin_stream *stream, struct standin_event *event)
{
    struct standin_command *command;
    if (event->tail.graph) {
        if (stream->tail.graph && stream->tail.graph != event->tail.graph)
            return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
        standin_join(&stream->tail, &event->tail);
        return CUDA_SUCCESS;
    }
    if (stream->tail.graph) {
        standin_misuse("a capture waits for an event outside of it");
        return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    }
    if (!event->record)
        return CUDA_SUCCESS;
    command = standin_command(ACTION_WAIT);
    command->awaited = event->record;
    command->awaited->users++;
    standin_enqueue(stream, command);
    return CUDA_SUCCESS;
}

int cuStreamWaitEvent(CUstream stream_handle, CUevent handle, unsigned flags)
{
    int result = standin_enter();
    struct standin_stream *stream = stream_of(stream_handle, &result);
    struct standin_event *event = standin_get(STANDIN_EVENT, handle);
    if (!event)
        result = CUDA_ERROR_INVALID_HANDLE;
    if (result == CUDA_SUCCESS)
        result = flags ? CUDA_ERROR_INVALID_VALUE : add_wait(stream, event);
    return standin_leave(result, __func__, "stream=%d event=%d",
                         stream ? (int)stream->object.number : -1,
                         event ? (int)event->object.number : -1);
}

/* What a query of an event finds before it has run something. */
static struct standin_event *event_of(CUevent handle, const char *call, int *result)
{
    struct standin_event *event = standin_get(STANDIN_EVENT, handle);
    if (!event)
        *result = CUDA_ERROR_INVALID_HANDLE;
    else if (event->tail.graph) {
        standin_misuse("%s: the event belongs to a capture", call);
        *result = CUDA_ERROR_CAPTURED_EVENT;
    }
    return event;
}

int cuEventQuery(CUevent handle)
{
    int result = standin_enter();
    struct standin_event *event = event_of(handle, __func__, &result);
    unsigned steps = 1 + standin_draw(8);
    if (result == CUDA_SUCCESS && event->record) {
        while (!event->record->done && steps-- > 0 && standin_step(0))
            ;
        result = standin_context(event->object.device)->error;
        if (result == CUDA_SUCCESS && !event->record->done)
            result = CUDA_ERROR_NOT_READY;
    }
    return standin_leave(result, __func__, "event=%d", event ? (int)event->object.number : -1);
}

int cuEventSynchronize(CUevent handle)
{
    int result = standin_enter();
    struct standin_event *event = event_of(handle, __func__, &result);
    if (result == CUDA_SUCCESS && standin_refuses(__func__))
        result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (result == CUDA_SUCCESS && event->record) {
        wait_for(event->record);
        result = standin_context(event->object.device)->error;
    }
    return standin_leave(result, __func__, "event=%d", event ? (int)event->object.number : -1);
}

int cuEventElapsedTime(float *milliseconds, CUevent begin, CUevent end)
{
    int result = standin_enter();
    struct standin_event *first = event_of(begin, __func__, &result),
                         *last = event_of(end, __func__, &result);
    *milliseconds = 0;
    if (result != CUDA_SUCCESS)
        ;
    else if (!first->record || !last->record || first->object.device != last->object.device ||
             (first->flags | last->flags) & CU_EVENT_DISABLE_TIMING)
        result = CUDA_ERROR_INVALID_HANDLE;
    else if (!first->record->done || !last->record->done)
        result = CUDA_ERROR_NOT_READY;
    else
        *milliseconds = (float)(last->record->time - first->record->time);
    return standin_leave(result, __func__, "milliseconds=%g", (double)*milliseconds);
}
