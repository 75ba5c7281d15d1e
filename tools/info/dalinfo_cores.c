/* Measures the costs of cores: activations, threads that sleep, tokens, memory. */
#include "channels/channel.h"
#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/wake.h"
#include "rt/network/network.h"
#include "tools/info/dalinfo_measure.h"

#include "include/dal_unit.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <time.h>

/* ---- threads --------------------------------------------------------------------------------- */

/* A thread on a core, with its part of a measurement. */
struct part {
    int core;
    void (*work)(void *context);
    void *context;
    int status;
    pthread_t thread;
};

static void *enter_part(void *argument)
{
    struct part *part = argument;
    part->status = dal_core_pin(part->core);
    /* runs even if it is not pinned, since the other thread waits for it */
    part->work(part->context);
    return NULL;
}

static int start_part(struct part *part)
{
    int error = pthread_create(&part->thread, NULL, enter_part, part);
    if (error == 0)
        return DAL_OK;
    dal_log(DAL_LOG_WARNING, "core %d: no thread: %s", part->core, strerror(error));
    return DAL_ERR_SYSTEM;
}

static int join_part(struct part *part)
{
    pthread_join(part->thread, NULL);
    if (part->status < 0)
        dal_log(DAL_LOG_WARNING, "core %d: cannot be bound to: %s", part->core,
                dal_strerror(part->status));
    return part->status;
}

static void take_breath(unsigned long looks)
{
    if (looks % 1024 == 1023)
        sched_yield();
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* ---- firing ---------------------------------------------------------------------------------- */

enum { FIRINGS_A_VALUE = 512 };

/* The state of the one process; one network runs at a time. */
static struct {
    struct measure_run *run;
    int64_t begin_ns;
    unsigned long firings;
} fired;

/* Does nothing but read the clock now and then. */
static int nothing_fire(DALProcess *p)
{
    int64_t now_ns;
    (void)p;
    if (++fired.firings % FIRINGS_A_VALUE != 0)
        return 0;
    now_ns = dal_now_ns();
    if (fired.begin_ns != 0 && !measure_add(fired.run, &fired.run->latency,
                                            (double)(now_ns - fired.begin_ns) / FIRINGS_A_VALUE))
        return 1;
    fired.begin_ns = dal_now_ns();
    return 0;
}

static void run_nothing(DALProcess *p, struct dal_activation *a)
{
    static const struct dal_unit_port ports[2] = {{.bytes = 8}, {.bytes = 8}};
    struct dal_window windows[2];
    unsigned char *first[2];
    dal_unit_run(p, a, nothing_fire, ports, 2, windows, first);
}

/* Measures one process that gets its token back each time, so that no activation has more than one
 * firing. */
int measure_firing(struct measure_run *run, int core)
{
    static const struct dal_code code = {.fire = nothing_fire, .run = run_nothing};
    static const struct dal_port_desc ports[] = {
        {.name = "in", .channel = 0, .rate = 1},
        {.name = "out", .output = 1, .channel = 0, .rate = 1},
    };
    static const struct dal_channel_desc channel = {.name = "token",
                                                    .kind = DAL_CHANNEL_CORE,
                                                    .capacity = 2,
                                                    .token_bytes = 8,
                                                    .rate_in = 1,
                                                    .rate_out = 1,
                                                    .initial_tokens = 1};
    static const int processors[] = {0};
    const struct dal_processor_desc processor = {
        .name = "core", .kind = DAL_PROCESSOR_CORE, .core = core};
    const struct dal_process_desc process = {.name = "nothing",
                                             .base = "nothing",
                                             .processors = processors,
                                             .processor_count = 1,
                                             .code = &code,
                                             .shadow_copies = 1,
                                             .block = 1,
                                             .ports = ports,
                                             .port_count = 2,
                                             .repetitions = 1};
    const struct dal_net net = {.version = DAL_NET_VERSION,
                                .name = "nothing",
                                .processors = &processor,
                                .processor_count = 1,
                                .processes = &process,
                                .process_count = 1,
                                .channels = &channel,
                                .channel_count = 1,
                                .queue.depth = 1,
                                .queue.policy = "fcfs"};
    const struct dal_network_options options = {0};
    struct dal_network *network;
    int status = dal_network_create(&network, &net, &options);
    fired.run = run;
    fired.begin_ns = 0;
    fired.firings = 0;
    if (status == DAL_OK)
        status = dal_network_run(network);
    dal_network_destroy(network);
    return status;
}

/* ---- wake ------------------------------------------------------------------------------------ */

/* Nanoseconds for which the sleeper is left alone, so that its core rests. */
enum { ASLEEP_NS = 100 * 1000, LOST_NS = 200 * 1000 * 1000, MOST_MISSED = 1000 };

struct alarm {
    struct measure_run *run;
    struct dal_wake wake;
    _Atomic int rung, over;
    _Atomic int64_t woken_ns; /* 0: not yet */
};

static void be_woken(void *context)
{
    struct alarm *alarm = context;
    while (!atomic_load(&alarm->over)) {
        uint32_t sequence = dal_wake_prepare(&alarm->wake);
        if (atomic_load(&alarm->rung) || atomic_load(&alarm->over))
            dal_wake_cancel(&alarm->wake);
        else
            dal_wake_wait(&alarm->wake, sequence, LOST_NS);
        if (atomic_exchange(&alarm->rung, 0))
            atomic_store(&alarm->woken_ns, dal_now_ns());
    }
}

/* Wakes the other thread. Returns the nanoseconds that took, or 0 if it was not asleep. */
static int64_t ring_once(struct alarm *alarm)
{
    const struct timespec nap = {.tv_nsec = ASLEEP_NS};
    int64_t begin_ns, woken_ns;
    unsigned long looks = 0;
    int was_asleep;
    nanosleep(&nap, NULL);
    atomic_store(&alarm->woken_ns, 0);
    begin_ns = dal_now_ns();
    atomic_store(&alarm->rung, 1);
    was_asleep = dal_wake_signal(&alarm->wake);
    while ((woken_ns = atomic_load(&alarm->woken_ns)) == 0)
        take_breath(looks++);
    return was_asleep && woken_ns > begin_ns ? woken_ns - begin_ns : 0;
}

static void wake_other(void *context)
{
    struct alarm *alarm = context;
    int wanted = 1, missed = 0;
    while (wanted && missed < MOST_MISSED) {
        int64_t took_ns = ring_once(alarm);
        if (took_ns > 0)
            wanted = measure_add(alarm->run, &alarm->run->latency, (double)took_ns);
        else
            missed++;
    }
    atomic_store(&alarm->over, 1);
    dal_wake_signal(&alarm->wake);
}

int measure_wake(struct measure_run *run, int from, int to)
{
    struct alarm alarm = {.run = run};
    struct part sleeper = {.core = to, .work = be_woken, .context = &alarm};
    struct part waker = {.core = from, .work = wake_other, .context = &alarm};
    int status = start_part(&sleeper), other;
    if (status < 0)
        return status;
    status = start_part(&waker);
    if (status == DAL_OK) {
        status = join_part(&waker);
    } else {
        atomic_store(&alarm.over, 1);
        dal_wake_signal(&alarm.wake);
    }
    other = join_part(&sleeper);
    return status < 0 ? status : other;
}

/* ---- token ----------------------------------------------------------------------------------- */

enum { ROUNDS_A_VALUE = 8, SMALL_TOKEN = 8, LARGE_TOKEN = 1 << 20, LARGE_CAPACITY = 4 };

/* A process that somebody could sleep in. A release looks at it beside the counter. */
struct sleeper {
    struct dal_listener listener;
    struct dal_wake wake;
};

static void notify_sleeper(struct dal_listener *listener)
{
    dal_wake_signal(&((struct sleeper *)listener)->wake);
}

/* Two threads with a channel each way. */
struct pair {
    struct measure_run *run;
    struct sleeper here, there;
    struct dal_channel_desc forth_desc, back_desc;
    struct dal_channel *forth, *back;
    uint64_t sum;
};

/* Waits until there is a window. Returns 0 if the other side has ended. */
static int await_window(struct dal_end *end)
{
    unsigned long looks = 0;
    while (dal_end_ready(end, 1) == 0) {
        if (dal_end_finished(end))
            return 0;
        take_breath(looks++);
    }
    return !dal_end_finished(end);
}

static int pass_on(struct dal_end *end, uint64_t number)
{
    unsigned char *window;
    if (!await_window(end))
        return 0;
    window = dal_end_acquire(end, 1);
    memcpy(window, &number, sizeof(number));
    dal_end_release(end, window, 1);
    return 1;
}

static int take_in(struct dal_end *end, uint64_t *number)
{
    unsigned char *window;
    if (!await_window(end))
        return 0;
    window = dal_end_acquire(end, 1);
    memcpy(number, window, sizeof(*number));
    dal_end_release(end, window, 1);
    return 1;
}

static void serve(void *context)
{
    struct pair *pair = context;
    uint64_t number = 0;
    int wanted = 1;
    while (wanted) {
        int64_t begin_ns = dal_now_ns();
        for (int i = 0; i < ROUNDS_A_VALUE && wanted; i++)
            wanted =
                pass_on(pair->forth->producer, number) && take_in(&pair->back->consumer, &number);
        if (wanted)
            wanted = measure_add(pair->run, &pair->run->latency,
                                 (double)(dal_now_ns() - begin_ns) / (2 * ROUNDS_A_VALUE));
    }
    dal_end_close(pair->forth->producer);
    dal_end_close(&pair->back->consumer);
}

static void return_serve(void *context)
{
    struct pair *pair = context;
    uint64_t number = 0;
    while (take_in(&pair->forth->consumer, &number) && pass_on(pair->back->producer, number + 1))
        continue;
    dal_end_close(&pair->forth->consumer);
    dal_end_close(pair->back->producer);
}

static void write_tokens(void *context)
{
    struct pair *pair = context;
    struct dal_end *end = pair->forth->producer;
    int number = 0;
    while (await_window(end)) {
        unsigned char *window = dal_end_acquire(end, 1);
        memset(window, number++, LARGE_TOKEN);
        dal_end_release(end, window, 1);
    }
    dal_end_close(end);
}

static uint64_t sum_up(const unsigned char *bytes, size_t count)
{
    uint64_t sum = 0, word;
    for (size_t i = 0; i < count; i += sizeof(word)) {
        memcpy(&word, bytes + i, sizeof(word));
        sum += word;
    }
    return sum;
}

/* Reads tokens. The first ones do not count: they are there already, and their pages are new. */
static void read_tokens(void *context)
{
    struct pair *pair = context;
    struct dal_end *end = &pair->forth->consumer;
    int64_t begin_ns = 0;
    int number = 0, wanted = 1;
    while (wanted && await_window(end)) {
        unsigned char *window = dal_end_acquire(end, 1);
        pair->sum += sum_up(window, LARGE_TOKEN);
        dal_end_release(end, window, 1);
        if (++number % LARGE_CAPACITY != 0)
            continue;
        if (number > 2 * LARGE_CAPACITY)
            wanted = measure_add(pair->run, &pair->run->bandwidth,
                                 1e9 * LARGE_TOKEN * LARGE_CAPACITY /
                                     (double)(dal_now_ns() - begin_ns + 1));
        begin_ns = dal_now_ns();
    }
    dal_end_close(end);
}

/* Makes a channel from one side to the other; `desc` lives as long. */
static int make_channel(struct dal_channel **channel, struct dal_channel_desc *desc, size_t bytes,
                        uint64_t capacity, struct sleeper *from, struct sleeper *to)
{
    const struct dal_channel_desc *const descs[] = {desc};
    const struct dal_end_config producer = {
        .listener = &from->listener, .core = -1, .failures = DAL_LOG_WARNING};
    const struct dal_end_config consumer = {.listener = &to->listener, .core = -1};
    *desc = (struct dal_channel_desc){.name = "token",
                                      .kind = DAL_CHANNEL_CORES,
                                      .consumer = 1,
                                      .capacity = capacity,
                                      .token_bytes = bytes,
                                      .rate_in = 1,
                                      .rate_out = 1};
    return dal_port_create(channel, descs, 1, &producer, &consumer);
}

static int run_pair(struct pair *pair, int from, int to, void (*here)(void *context),
                    void (*there)(void *context))
{
    struct part first = {.core = from, .work = here, .context = pair};
    struct part second = {.core = to, .work = there, .context = pair};
    int status = start_part(&second), other;
    if (status < 0)
        return status;
    status = start_part(&first);
    if (status == DAL_OK) {
        status = join_part(&first);
    } else {
        dal_end_close(pair->forth->producer);
        dal_end_close(&pair->back->consumer);
    }
    other = join_part(&second);
    return status < 0 ? status : other;
}

/* Measures latency and bandwidth, each for half of the time. */
int measure_token(struct measure_run *run, int from, int to)
{
    struct pair pair = {.run = run,
                        .here = {.listener = {.notify = notify_sleeper}},
                        .there = {.listener = {.notify = notify_sleeper}}};
    int64_t until_ns = run->until_ns;
    size_t bytes[] = {SMALL_TOKEN, LARGE_TOKEN};
    int status = DAL_OK;
    for (int i = 0; i < 2 && status == DAL_OK; i++) {
        run->until_ns = i ? until_ns : dal_now_ns() + (until_ns - dal_now_ns()) / 2;
        status = make_channel(&pair.forth, &pair.forth_desc, bytes[i], i ? LARGE_CAPACITY : 1,
                              &pair.here, &pair.there);
        if (status == DAL_OK)
            status =
                make_channel(&pair.back, &pair.back_desc, SMALL_TOKEN, 1, &pair.there, &pair.here);
        if (status == DAL_OK)
            status = i ? run_pair(&pair, from, to, write_tokens, read_tokens)
                       : run_pair(&pair, from, to, serve, return_serve);
        dal_channel_destroy(pair.forth);
        dal_channel_destroy(pair.back);
        pair.forth = pair.back = NULL;
    }
    return status;
}

/* ---- copy ------------------------------------------------------------------------------------ */

/* Bytes of a buffer: twice the largest cache, between these two. One buffer is copied to the other,
 * CHUNK bytes at a time, again and again. */
#define LEAST_BUFFER ((size_t)32 << 20)
#define MOST_BUFFER  ((size_t)256 << 20)
#define CHUNK        ((size_t)1 << 20)

struct copying {
    struct measure_run *run;
    size_t bytes;
    int status;
};

static size_t buffer_bytes(const struct dal_cores *cores)
{
    size_t bytes = cores->cache_bytes < MOST_BUFFER / 2 ? 2 * cores->cache_bytes : MOST_BUFFER;
    if (bytes < LEAST_BUFFER)
        bytes = LEAST_BUFFER;
    return bytes / CHUNK * CHUNK;
}

static void copy_around(struct copying *copying, unsigned char *from, unsigned char *to)
{
    size_t at = 0;
    int wanted = 1;
    memset(from, 1, copying->bytes);
    memset(to, 2, copying->bytes);
    while (wanted) {
        int64_t begin_ns = dal_now_ns();
        memcpy(to + at, from + at, CHUNK);
        wanted = measure_add(copying->run, &copying->run->bandwidth,
                             1e9 * CHUNK / (double)(dal_now_ns() - begin_ns + 1));
        at = at + CHUNK < copying->bytes ? at + CHUNK : 0;
    }
}

/* Copies on the core itself, so that the memory is near. */
static void copy_memory(void *context)
{
    struct copying *copying = context;
    unsigned char *from = dal_calloc(1, copying->bytes);
    unsigned char *to = dal_calloc(1, copying->bytes);
    if (from && to)
        copy_around(copying, from, to);
    else
        copying->status = DAL_ERR_NOMEM;
    dal_free(from);
    dal_free(to);
}

int measure_copy(struct measure_run *run, const struct dal_cores *cores, int core)
{
    struct copying copying = {.run = run, .bytes = buffer_bytes(cores)};
    struct part part = {.core = core, .work = copy_memory, .context = &copying};
    int status = start_part(&part);
    if (status == DAL_OK)
        status = join_part(&part);
    if (copying.status < 0)
        dal_log(DAL_LOG_WARNING, "core %d: no two pieces of %zu bytes of memory to copy", core,
                copying.bytes);
    return status < 0 ? status : copying.status;
}
