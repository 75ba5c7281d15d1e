#include "test/schedules/device.h"

#include "rt/base/sync.h"
#include "rt/base/wake.h"
#include "test/determinism/random_graph.h"
#include "test/schedules/schedules.h"

#include <stdlib.h>

enum { QUEUES = 16, LIMIT = 1 << 30, ITEMS = 1024 };

struct dal__memory {
    unsigned char *bytes, *host; /* `host` of one over the host's memory */
    size_t mapped;
};

struct dal__event {
    _Atomic int users, complete;
    void (*call)(void *data); /* under the lock */
    void *data;
};

struct dal__function {
    char name[16];
    dal_memory memories[LATE_PORTS];
    uint64_t offsets[LATE_PORTS];
};

/* Bytes that are moved, or a kernel's firings, or nothing. */
struct command {
    struct command *next;
    unsigned char *to;
    const unsigned char *from;
    size_t bytes;
    char name[16];
    unsigned char *windows[LATE_PORTS];
    uint64_t firings;
    dal_event events[4 * LATE_PORTS], done;
    unsigned event_count;
};

struct machine;

struct dal__commands {
    struct machine *machine;
    struct dal_wake wake;
    pthread_t thread;
    /* Under the lock. */
    struct command *first, **end;
    uint64_t queued, flushed, carried;
    int ends;
    struct random_dice dice; /* the thread's */
};

/* What a network has opened. */
struct machine {
    struct dal_device devices[LATE_DEVICES];
    pthread_mutex_t lock;
    dal_commands queues[QUEUES]; /* under the lock; NULL: none any more */
    int queue_count;
};

static struct late_traits traits;
static uint64_t chance;
static char first_name[] = "GPU_DEV1", second_name[] = "GPU_DEV2";
char *const late_names[LATE_DEVICES] = {first_name, second_name};

void late_draw(const struct late_traits *drawn, uint64_t with)
{
    traits = *drawn;
    chance = with;
}

static void *make_zeros(size_t bytes)
{
    void *made = calloc(1, bytes ? bytes : 1);
    if (!made)
        dal_schedule_fail("no memory for the devices");
    return made;
}

/* ---- events ---------------------------------------------------------------------------------- */

static void retain(dal_event event)
{
    atomic_fetch_add(&event->users, 1);
}

static void release_event(dal_event event)
{
    if (atomic_fetch_sub(&event->users, 1) == 1)
        free(event);
}

static dal_event make_event(dal_event *wanted)
{
    dal_event event = make_zeros(sizeof(*event));
    atomic_init(&event->users, wanted ? 2 : 1);
    if (wanted)
        *wanted = event;
    return event;
}

static int state(dal_event event, const struct dal_subject *subject, enum dal_event_state *is)
{
    (void)subject;
    *is = atomic_load_explicit(&event->complete, memory_order_acquire) ? DAL_EVENT_COMPLETE
                                                                       : DAL_EVENT_PENDING;
    return DAL_OK;
}

static int times(dal_event event, struct dal_event_times *times)
{
    (void)event;
    *times = (struct dal_event_times){0};
    return DAL_OK;
}

/* Events have no machine; there is one lock for all calls. */
static pthread_mutex_t calls = PTHREAD_MUTEX_INITIALIZER;

static int call_back(dal_event event, const struct dal_subject *subject, void (*call)(void *data),
                     void *data)
{
    int complete;
    (void)subject;
    pthread_mutex_lock(&calls);
    complete = atomic_load(&event->complete);
    if (!complete) {
        event->call = call;
        event->data = data;
    }
    pthread_mutex_unlock(&calls);
    if (complete)
        call(data);
    return DAL_OK;
}

static void complete_event(struct machine *machine, dal_event event)
{
    void (*call)(void *data);
    pthread_mutex_lock(&calls);
    atomic_store(&event->complete, 1);
    call = event->call;
    pthread_mutex_unlock(&calls);
    pthread_mutex_lock(&machine->lock);
    for (int i = 0; i < machine->queue_count; i++)
        if (machine->queues[i])
            dal_wake_signal(&machine->queues[i]->wake);
    pthread_mutex_unlock(&machine->lock);
    if (call)
        call(event->data);
    release_event(event);
}

/* ---- the thread of a queue ------------------------------------------------------------------- */

static int may_begin(const struct command *command)
{
    for (unsigned i = 0; i < command->event_count; i++)
        if (!atomic_load_explicit(&command->events[i]->complete, memory_order_acquire))
            return 0;
    return 1;
}

static struct command *take_command(dal_commands queue, int *over)
{
    struct command *command = NULL;
    pthread_mutex_lock(&queue->machine->lock);
    *over = queue->ends && !queue->first;
    if (queue->first && queue->carried < queue->flushed && may_begin(queue->first)) {
        command = queue->first;
        queue->first = command->next;
        if (!queue->first)
            queue->end = &queue->first;
    }
    pthread_mutex_unlock(&queue->machine->lock);
    return command;
}

/* Mostly soon; now and then a launch is a long one. */
static void be_late(dal_commands queue)
{
    int most = random_once(&queue->dice, 50) ? 27 : 18;
    struct timespec nap;
    if (!random_once(&queue->dice, 3))
        return;
    nap = (struct timespec){
        .tv_nsec = 1 + random_below(&queue->dice, 1 << random_below(&queue->dice, most))};
    nanosleep(&nap, NULL);
}

static void carry_out(dal_commands queue, struct command *command)
{
    if (command->bytes)
        memmove(command->to, command->from, command->bytes);
    for (uint64_t k = 0; k < command->firings; k++)
        late_kernel(command->name, command->windows, k);
    for (unsigned i = 0; i < command->event_count; i++)
        release_event(command->events[i]);
    pthread_mutex_lock(&queue->machine->lock);
    queue->carried++;
    pthread_mutex_unlock(&queue->machine->lock);
    complete_event(queue->machine, command->done);
    free(command);
}

static void *carry_out_all(void *argument)
{
    dal_commands queue = argument;
    int over = 0;
    while (!over) {
        uint32_t sequence = dal_wake_prepare(&queue->wake);
        struct command *command = take_command(queue, &over);
        if (command || over)
            dal_wake_cancel(&queue->wake);
        else
            dal_wake_wait(&queue->wake, sequence, -1);
        if (!command)
            continue;
        be_late(queue);
        carry_out(queue, command);
    }
    return NULL;
}

/* ---- queues ---------------------------------------------------------------------------------- */

static int flush(dal_commands queue, const struct dal_subject *subject)
{
    (void)subject;
    pthread_mutex_lock(&queue->machine->lock);
    queue->flushed = queue->queued;
    pthread_mutex_unlock(&queue->machine->lock);
    dal_wake_signal(&queue->wake);
    return DAL_OK;
}

static int is_through(dal_commands queue)
{
    int through;
    pthread_mutex_lock(&queue->machine->lock);
    through = queue->carried == queue->queued;
    pthread_mutex_unlock(&queue->machine->lock);
    return through;
}

static int finish(dal_commands queue, const struct dal_subject *subject)
{
    const struct timespec nap = {.tv_nsec = 1000};
    flush(queue, subject);
    while (!is_through(queue))
        nanosleep(&nap, NULL);
    return DAL_OK;
}

static int enqueue(dal_commands queue, const struct command *what, const dal_event *events,
                   unsigned count, dal_event *done)
{
    struct command *command = make_zeros(sizeof(*command));
    *command = *what;
    if (count > 4 * LATE_PORTS)
        dal_schedule_fail("too many events for the devices");
    for (unsigned i = 0; i < count; i++) {
        retain(events[i]);
        command->events[i] = events[i];
    }
    command->event_count = count;
    command->done = make_event(done);
    pthread_mutex_lock(&queue->machine->lock);
    *queue->end = command;
    queue->end = &command->next;
    queue->queued++;
    pthread_mutex_unlock(&queue->machine->lock);
    return DAL_OK;
}

static int commands(struct dal_device *device, int timed, dal_commands *made)
{
    struct machine *machine = device->info.native[0];
    dal_commands queue = make_zeros(sizeof(*queue));
    (void)timed;
    queue->machine = machine;
    queue->end = &queue->first;
    pthread_mutex_lock(&machine->lock);
    random_seed(&queue->dice, chance + (uint64_t)machine->queue_count);
    machine->queues[machine->queue_count++] = queue;
    pthread_mutex_unlock(&machine->lock);
    if (pthread_create(&queue->thread, NULL, carry_out_all, queue))
        dal_schedule_fail("no thread");
    *made = queue;
    return DAL_OK;
}

static void commands_free(struct dal_device *device, dal_commands queue)
{
    (void)device;
    pthread_mutex_lock(&queue->machine->lock);
    queue->ends = 1;
    queue->flushed = queue->queued;
    pthread_mutex_unlock(&queue->machine->lock);
    dal_wake_signal(&queue->wake);
    pthread_join(queue->thread, NULL);
    pthread_mutex_lock(&queue->machine->lock);
    for (int i = 0; i < queue->machine->queue_count; i++)
        if (queue->machine->queues[i] == queue)
            queue->machine->queues[i] = NULL;
    pthread_mutex_unlock(&queue->machine->lock);
    free(queue);
}

static int marker(dal_commands queue, const struct dal_subject *subject, dal_event *done)
{
    (void)subject;
    return enqueue(queue, &(struct command){0}, NULL, 0, done);
}

static int barrier(dal_commands queue, const struct dal_subject *subject, const dal_event *events,
                   unsigned count)
{
    (void)subject;
    return enqueue(queue, &(struct command){0}, events, count, NULL);
}

static int write_to(dal_commands queue, const struct dal_subject *subject, dal_memory to, size_t at,
                    const void *host, size_t bytes, int wait, dal_event *done)
{
    const struct command command = {.to = to->bytes + at, .from = host, .bytes = bytes};
    enqueue(queue, &command, NULL, 0, done);
    return wait ? finish(queue, subject) : DAL_OK;
}

static int read_from(dal_commands queue, const struct dal_subject *subject, dal_memory from,
                     size_t at, void *host, size_t bytes, const dal_event *events, unsigned count,
                     dal_event *done)
{
    const struct command command = {.to = host, .from = from->bytes + at, .bytes = bytes};
    (void)subject;
    return enqueue(queue, &command, events, count, done);
}

static int copy_within(dal_commands queue, const struct dal_subject *subject, dal_memory from,
                       size_t from_at, dal_memory to, size_t to_at, size_t bytes, dal_event *done)
{
    const struct command command = {
        .to = to->bytes + to_at, .from = from->bytes + from_at, .bytes = bytes};
    (void)subject;
    return enqueue(queue, &command, NULL, 0, done);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static int memory(struct dal_device *device, const struct dal_subject *subject,
                  enum dal_memory_use use, size_t bytes, void *host, dal_memory *made)
{
    (void)device;
    (void)subject;
    *made = make_zeros(sizeof(**made));
    (*made)->bytes = make_zeros(bytes);
    if (use == DAL_MEMORY_OVER_HOST)
        memcpy((*made)->bytes, (*made)->host = host, bytes);
    else
        memset((*made)->bytes, 0xa5, bytes);
    return DAL_OK;
}

static void memory_free(struct dal_device *device, dal_memory memory)
{
    (void)device;
    free(memory->bytes);
    free(memory);
}

static int shared_memory(struct dal_device *device, const struct dal_subject *subject, size_t bytes,
                         void **host, dal_memory *made)
{
    memory(device, subject, DAL_MEMORY_PLAIN, bytes, NULL, made);
    *host = (*made)->bytes;
    return DAL_OK;
}

static void shared_memory_free(struct dal_device *device, void *host, dal_memory memory)
{
    (void)host;
    memory_free(device, memory);
}

static int pinned(struct dal_device *device, const struct dal_subject *subject,
                  dal_commands commands, size_t bytes, void **host, void **handle)
{
    (void)device;
    (void)subject;
    (void)commands;
    *host = *handle = make_zeros(bytes);
    return DAL_OK;
}

static void pinned_free(struct dal_device *device, dal_commands commands, void *host, void *handle)
{
    (void)device;
    (void)commands;
    (void)handle;
    free(host);
}

static int map(dal_commands queue, const struct dal_subject *subject, dal_memory memory,
               size_t bytes, enum dal_map_access access, int wait, void **mapped)
{
    const struct command command = {.to = memory->host,
                                    .from = memory->bytes,
                                    .bytes = access == DAL_MAP_OVERWRITE ? 0 : bytes};
    memory->mapped = bytes;
    *mapped = memory->host;
    enqueue(queue, &command, NULL, 0, NULL);
    return wait ? finish(queue, subject) : DAL_OK;
}

static int unmap(dal_commands queue, const struct dal_subject *subject, dal_memory memory,
                 void *mapped)
{
    const struct command command = {.to = memory->bytes, .from = mapped, .bytes = memory->mapped};
    (void)subject;
    return enqueue(queue, &command, NULL, 0, NULL);
}

/* ---- kernels --------------------------------------------------------------------------------- */

static int function(struct dal_device *device, const struct dal_subject *process,
                    const struct dal_function_source *source, dal_function *made)
{
    (void)device;
    (void)process;
    *made = make_zeros(sizeof(**made));
    strncpy((*made)->name, source->name, sizeof((*made)->name) - 1);
    return DAL_OK;
}

static void function_free(dal_function function)
{
    free(function);
}

static int function_limits(struct dal_device *device, const struct dal_subject *process,
                           dal_function function, size_t *work_items, uint64_t *local_bytes)
{
    (void)device;
    (void)process;
    (void)function;
    *work_items = ITEMS;
    *local_bytes = 0;
    return DAL_OK;
}

static int fits(struct dal_device *device, const struct dal_subject *process, const char *text,
                const char *options, const char *macro, uint64_t limit)
{
    (void)device;
    (void)process;
    (void)text;
    (void)options;
    (void)macro;
    (void)limit;
    return 1;
}

static int set_memory(dal_function function, const struct dal_subject *subject, unsigned number,
                      dal_memory memory)
{
    (void)subject;
    function->memories[number / 2] = memory;
    return DAL_OK;
}

static int set_value(dal_function function, const struct dal_subject *subject, unsigned number,
                     size_t bytes, const void *value)
{
    (void)subject;
    memcpy(&function->offsets[number / 2], value, bytes);
    return DAL_OK;
}

static int launch(dal_commands queue, const struct dal_subject *subject, dal_function function,
                  const struct dal_launch *launch, const dal_event *events, unsigned count,
                  dal_event *done)
{
    struct command command = {.firings = launch->global[0] / launch->local[0]};
    (void)subject;
    memcpy(command.name, function->name, sizeof(command.name));
    for (int i = 0; i < LATE_PORTS; i++)
        if (function->memories[i])
            command.windows[i] = function->memories[i]->bytes + function->offsets[i];
    return enqueue(queue, &command, events, count, done);
}

/* ---- devices --------------------------------------------------------------------------------- */

static struct dal_device_info infos[LATE_DEVICES];

static int list_devices(struct dal_device_list *list, enum dal_log_level failures)
{
    (void)failures;
    for (int i = 0; i < LATE_DEVICES; i++)
        infos[i] = (struct dal_device_info){
            .backend = &late_backend,
            .identifier = late_names[i],
            .wildcard = late_names[i],
            .name = late_names[i],
            .type = traits.on_cores ? DAL_DEVICE_CPU : DAL_DEVICE_GPU,
            .compute_units = 2,
            .limits = {.work_group = ITEMS,
                       .work_items = {ITEMS, ITEMS, ITEMS},
                       .align_bytes = 64,
                       .local_bytes = 1 << 15,
                       .global_bytes = LIMIT,
                       .alloc_bytes = LIMIT},
            .traits = {.unified = traits.unified,
                       .fine_svm = traits.fine_svm,
                       .foreign_events = traits.one_context,
                       .calls_back = traits.calls_back},
        };
    *list = (struct dal_device_list){infos, LATE_DEVICES};
    return DAL_OK;
}

static void list_finish(struct dal_device_list *list)
{
    *list = (struct dal_device_list){0};
}

static int open_devices(void **opened, const struct dal_device_list *list,
                        struct dal_device_request *requests, int count, enum dal_log_level failures)
{
    struct machine *machine = make_zeros(sizeof(*machine));
    (void)failures;
    pthread_mutex_init(&machine->lock, NULL);
    for (int i = 0; i < count; i++) {
        struct dal_device *device = requests[i].device = &machine->devices[i];
        *device = (struct dal_device){.backend = &late_backend,
                                      .info = list->info[requests[i].number],
                                      .processor = requests[i].processor,
                                      .context = traits.one_context ? (const void *)machine
                                                                    : (const void *)device,
                                      .id = device,
                                      .whole = device};
        device->info.native[0] = machine;
    }
    *opened = machine;
    return DAL_OK;
}

static void close_devices(void *opened)
{
    free(opened);
}

static int share_memory(const struct dal_device *a, const struct dal_device *b)
{
    return a->context == b->context && traits.share_memory;
}

const struct dal_backend late_backend = {
    .name = "late",
    .capability = "LATE",
    .list = list_devices,
    .list_finish = list_finish,
    .open = open_devices,
    .close = close_devices,
    .share_memory = share_memory,
    .memory = memory,
    .memory_free = memory_free,
    .shared_memory = shared_memory,
    .shared_memory_free = shared_memory_free,
    .pinned = pinned,
    .pinned_free = pinned_free,
    .map = map,
    .unmap = unmap,
    .commands = commands,
    .commands_free = commands_free,
    .flush = flush,
    .finish = finish,
    .marker = marker,
    .barrier = barrier,
    .write = write_to,
    .read = read_from,
    .copy = copy_within,
    .state = state,
    .times = times,
    .retain = retain,
    .release = release_event,
    .call_back = call_back,
    .function = function,
    .function_free = function_free,
    .function_limits = function_limits,
    .fits = fits,
    .set_memory = set_memory,
    .set_value = set_value,
    .launch = launch,
};
