/*
 * The runtime without dalsynth: a chain of C processes in hand-written tables, on one core, on
 * two, and on a pool of cores, with small and large capacities. The sink counts and checks. In one
 * network the source's port has two readers beside the chain; the second ends early.
 *
 *   DAL_TEST_TOKENS=N    tokens in each run (20000)
 *   DAL_TEST_SINGLES=N   tokens through a channel that holds one, between two cores (as many)
 */
#include "rt/network/network.h"
#include "rt/observe/stats.h"

#include "test/suite.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STAGES = 4, LAST = STAGES - 1, READERS = 2, MOST = STAGES + READERS };

static long tokens_wanted = 20000, singles_wanted;
static uint64_t received, wrong, finishes;
static int failing_stage = -1, lazy;
static uint32_t copies = 1;
static int stages = STAGES; /* of the chain that is run */
static int readers;
static const struct dal_observer *const *observers; /* NULL: the usual ones */
static unsigned cut;                                /* one run in so many is asked to end early */
static uint64_t read_aside;
static uint64_t enough;     /* tokens after which the sink ends, in a firing that reads nothing */
static uint64_t sink_took;  /* tokens that it has released */
static uint64_t silent_at;  /* the source ends with this number, which it does not write */
static uint64_t overtakers; /* firings that the first one of a stage waits for */
static uint64_t overtook;   /* of these: done */
static int was_overtaken;   /* true if it did not wait in vain */
static int workers_made;

struct _local_states {
    uint64_t next;
};

static const struct dal_state state = {sizeof(struct _local_states),
                                       _Alignof(struct _local_states)};

static int stage_of(DALProcess *p)
{
    return DAL_getIndex(0, p);
}

/* Numbers 0, 1, 2, ... up to tokens_wanted, the last one with the end. */
static int source_fire(DALProcess *p)
{
    uint64_t number = p->local->next++;
    if (lazy && number == 5)
        return 0; /* forgets to write */
    if (silent_at && number == silent_at)
        return 1;
    DAL_write("out", &number, sizeof(number), p);
    return p->local->next >= (uint64_t)tokens_wanted;
}

/* In the first firing of the first stage: waits for others of that stage, 20 s at most. */
static void wait_for_others(const uint64_t *number)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    if (*number > 0)
        __atomic_fetch_add(&overtook, 1, __ATOMIC_RELAXED);
    for (int i = 0; *number == 0 && !was_overtaken && i < 20000; i++) {
        was_overtaken = __atomic_load_n(&overtook, __ATOMIC_RELAXED) >= overtakers;
        nanosleep(&nap, NULL);
    }
}

static int stage_fire(DALProcess *p)
{
    uint64_t *in = DAL_read_begin("in", sizeof(*in), 1, p);
    uint64_t *out = DAL_write_begin("out", sizeof(*out), 1, 1, 0, p);
    *out = *in + 1;
    if (overtakers && stage_of(p) == 1)
        wait_for_others(in);
    DAL_read_end("in", in, p);
    DAL_write_end("out", out, p);
    if (failing_stage == stage_of(p) && *in > 100)
        DAL_fail(p, "as it was told to");
    return 0;
}

static int sink_fire(DALProcess *p)
{
    uint64_t number = 0;
    if (enough && p->local->next == enough)
        return 1;
    DAL_read("in", &number, sizeof(number), p);
    wrong += number != p->local->next++ + (uint64_t)stages - 2;
    received++;
    return 0;
}

/* Two tokens a firing, or one and only a few of them. */
static int reader_fire(DALProcess *p)
{
    uint64_t numbers[2];
    int k, count = stage_of(p) == STAGES ? 2 : 1;
    DAL_read("in", numbers, (size_t)count * sizeof(*numbers), p);
    for (k = 0; k < count; k++) {
        if (numbers[k] != p->local->next)
            DAL_fail(p, "%llu instead of %llu", (unsigned long long)numbers[k],
                     (unsigned long long)p->local->next);
        p->local->next++;
    }
    return count == 1 && p->local->next == 50;
}

static void reader_finish(DALProcess *p)
{
    __atomic_fetch_add(&read_aside, p->local->next, __ATOMIC_RELAXED);
}

static void count_finish(DALProcess *p)
{
    (void)p;
    __atomic_fetch_add(&finishes, 1, __ATOMIC_RELAXED);
}

static const struct dal_unit_port in_port = {.bytes = 8}, out_port = {.bytes = 8, .must = 8},
                                  pair_port = {.bytes = 16};

static void run_code(DALProcess *p, struct dal_activation *a)
{
    struct dal_unit_port ports[2] = {in_port, out_port};
    struct dal_window windows[2];
    unsigned char *first[2];
    int stage = stage_of(p);
    static unsigned runs;
    if (cut && __atomic_fetch_add(&runs, 1, __ATOMIC_RELAXED) % cut == 0)
        __atomic_store_n(&a->enough, 1, __ATOMIC_RELAXED);
    if (stage == 0)
        dal_unit_run(p, a, p->fire, &ports[1], 1, windows, first);
    else if (stage == STAGES)
        dal_unit_run(p, a, p->fire, &pair_port, 1, windows, first);
    else
        dal_unit_run(p, a, p->fire, ports, stage >= stages - 1 ? 1 : 2, windows, first);
}

static const struct dal_code source = {
    .state = &state, .fire = source_fire, .finish = count_finish, .run = run_code};
static const struct dal_code stage = {.fire = stage_fire, .finish = count_finish, .run = run_code};
static const struct dal_code sink = {
    .state = &state, .fire = sink_fire, .finish = count_finish, .run = run_code};

static const struct dal_code reader = {
    .state = &state, .fire = reader_fire, .finish = reader_finish, .run = run_code};

/* Puts the readers behind the chain in the tables. */
static void add_readers(struct dal_net *net, struct dal_process_desc *processes,
                        struct dal_channel_desc *channels, struct dal_port_desc (*ports)[2])
{
    static const int where[READERS][2] = {{1, 0}, {0, 1}}, index[READERS] = {STAGES, STAGES + 1};
    int channel = 0;
    for (int i = 0; i < readers; i++) {
        ports[STAGES + i][0] = (struct dal_port_desc){
            .name = "in", .channel = LAST + i, .rate = (uint64_t)(READERS - i)};
        processes[STAGES + i] = (struct dal_process_desc){.name = "reader",
                                                          .base = "reader",
                                                          .processors = where[i],
                                                          .processor_count = 1 + i,
                                                          .code = &reader,
                                                          .block = processes[0].block,
                                                          .shadow_copies = 1,
                                                          .ports = ports[STAGES + i],
                                                          .port_count = 1,
                                                          .index = &index[i],
                                                          .index_count = 1};
        channels[LAST + i] = channels[0];
        channels[LAST + i].consumer = STAGES + i;
        channels[LAST + i].rate_out = (uint64_t)(READERS - i);
        channels[LAST + i].next_of_port = 0;
        channels[channel].next_of_port = LAST + i;
        channel = LAST + i;
    }
    net->process_count += readers;
    net->channel_count += readers;
}

/* Runs the chain, process i on processors[i]; returns the network's status. */
static int run_chain(const int (*processors)[2], const int *processor_counts, uint64_t capacity,
                     uint64_t block)
{
    static const struct dal_processor_desc cores[] = {
        {.name = "core_0", .kind = DAL_PROCESSOR_CORE, .core = -1},
        {.name = "core_1", .kind = DAL_PROCESSOR_CORE, .core = -1}};
    static const int indices[STAGES] = {0, 1, 2, 3};
    struct dal_process_desc processes[MOST];
    struct dal_channel_desc channels[MOST];
    struct dal_port_desc ports[MOST][2];
    struct dal_net net = {.version = DAL_NET_VERSION,
                          .name = "chain",
                          .processors = cores,
                          .processor_count = 2,
                          .processes = processes,
                          .process_count = stages,
                          .channels = channels,
                          .channel_count = stages - 1,
                          .queue.depth = 4,
                          .queue.policy = "fcfs"};
    struct dal_network_options options = {.observers = observers};
    struct dal_network *network;
    int status;
    memset(processes, 0, sizeof(processes));
    memset(channels, 0, sizeof(channels));
    for (int i = 0; i < stages; i++) {
        int n = 0;
        if (i > 0)
            ports[i][n++] = (struct dal_port_desc){.name = "in", .channel = i - 1, .rate = 1};
        if (i < stages - 1)
            ports[i][n++] =
                (struct dal_port_desc){.name = "out", .output = 1, .channel = i, .rate = 1};
        processes[i] =
            (struct dal_process_desc){.name = "p",
                                      .base = "p",
                                      .processors = processors[i],
                                      .processor_count = processor_counts[i],
                                      .code = i == 0            ? &source
                                              : i == stages - 1 ? &sink
                                                                : &stage,
                                      .block = block,
                                      .shadow_copies = i > 0 && i < stages - 1 ? copies : 1,
                                      .ports = ports[i],
                                      .port_count = n,
                                      .index = &indices[i],
                                      .index_count = 1,
                                      .origin = {"net.xml", i}};
    }
    for (int i = 0; i < stages - 1; i++)
        channels[i] = (struct dal_channel_desc){.name = "c",
                                                .kind = DAL_CHANNEL_CORES,
                                                .producer = i,
                                                .consumer = i + 1,
                                                .capacity = capacity,
                                                .token_bytes = sizeof(uint64_t),
                                                .rate_in = 1,
                                                .rate_out = 1};
    add_readers(&net, processes, channels, ports);
    received = wrong = finishes = read_aside = 0;
    status = dal_network_create(&network, &net, &options);
    if (status == DAL_OK)
        status = dal_network_run(network);
    if (status == DAL_OK)
        workers_made = network->worker_count;
    if (status == DAL_OK)
        sink_took = atomic_load(&network->channels[stages - 2]->consumer.visible);
    if (status == DAL_OK && observers)
        status = dal_network_report(network);
    dal_network_destroy(network);
    return status;
}

static const int one_core[STAGES][2] = {{0}, {0}, {0}, {0}};
static const int two_cores[STAGES][2] = {{0}, {1}, {0}, {1}};
static const int pool[STAGES][2] = {{0, 1}, {0, 1}, {0, 1}, {0, 1}};
static const int single[STAGES] = {1, 1, 1, 1};
static const int both[STAGES] = {2, 2, 2, 2};

static void check_all_arrived(int status)
{
    CU_ASSERT_EQUAL(status, DAL_OK);
    CU_ASSERT_EQUAL(received, (uint64_t)tokens_wanted);
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(finishes, (uint64_t)stages);
}

static void on_one_core(void)
{
    check_all_arrived(run_chain(one_core, single, 100, 64));
    check_all_arrived(run_chain(one_core, single, 1, 1));
}

static void on_two_cores(void)
{
    check_all_arrived(run_chain(two_cores, single, 100, 64));
    check_all_arrived(run_chain(two_cores, single, 7, 3));
}

static void capacity_one(void)
{
    long tokens = tokens_wanted;
    check_all_arrived(run_chain(two_cores, single, 1, 1));
    tokens_wanted = singles_wanted;
    stages = 2;
    check_all_arrived(run_chain(two_cores, single, 1, 1));
    stages = STAGES;
    tokens_wanted = tokens;
}

static void on_a_pool(void)
{
    check_all_arrived(run_chain(pool, both, 100, 64));
    check_all_arrived(run_chain(pool, both, 2, 1));
}

/* A second core is of no use to one process, unless others need the first or it has copies. */
static void cores_of_use(void)
{
    static const int aside[STAGES][2] = {{0}, {0, 1}, {0}, {0}}, counts[STAGES] = {1, 2, 1, 1};
    static const int first[STAGES][2] = {{0, 1}, {0}, {0}, {0}}, two_first[STAGES] = {2, 1, 1, 1};
    check_all_arrived(run_chain(aside, counts, 100, 64));
    CU_ASSERT_EQUAL(workers_made, 2);
    check_all_arrived(run_chain(first, two_first, 100, 64));
    CU_ASSERT_EQUAL(workers_made, 2);
    copies = 2;
    check_all_arrived(run_chain(aside, counts, 100, 64));
    CU_ASSERT_EQUAL(workers_made, 2);
    copies = 1;
    check_all_arrived(run_chain(pool, both, 100, 64));
    CU_ASSERT_EQUAL(workers_made, 2);
}

static void shadow_copies(void)
{
    copies = 2;
    check_all_arrived(run_chain(pool, both, 100, 64));
    check_all_arrived(run_chain(pool, both, 8, 1));
    check_all_arrived(run_chain(pool, both, 1, 1));
    copies = 1;
}

/* A copy that takes long holds up nobody but the reader: the other one goes on. */
static void slow_copy(void)
{
    copies = 2;
    overtakers = 3;
    for (stages = STAGES - 1; stages <= STAGES; stages++) {
        overtook = 0;
        was_overtaken = 0;
        check_all_arrived(run_chain(pool, both, 100, 64));
        CU_ASSERT(was_overtaken);
    }
    stages = STAGES;
    overtakers = 0;
    copies = 1;
}

/* Runs are cut short, in copies that others wait for as well. */
static void cut_short(void)
{
    for (cut = 1; cut <= 5; cut += 2) {
        on_one_core();
        on_two_cores();
        on_a_pool();
        shadow_copies();
    }
    cut = 0;
}

static void check_readers(int status)
{
    check_all_arrived(status);
    CU_ASSERT_EQUAL(read_aside, (uint64_t)tokens_wanted / 2 * 2 + 50);
}

static void several_readers(void)
{
    long all = tokens_wanted;
    tokens_wanted = all / 4;
    readers = READERS;
    check_readers(run_chain(one_core, single, 100, 64));
    check_readers(run_chain(two_cores, single, 100, 64));
    check_readers(run_chain(two_cores, single, 2, 1));
    check_readers(run_chain(pool, both, 64, 16));
    check_readers(run_chain(pool, both, 3, 1));
    readers = 0;
    tokens_wanted = all;
}

/* What a firing has not read is not taken from the channel, also if it is the last. */
static void ends_unread(void)
{
    enough = 100;
    CU_ASSERT_EQUAL(run_chain(one_core, single, 64, 16), DAL_OK);
    CU_ASSERT_EQUAL(sink_took, enough);
    CU_ASSERT_EQUAL(run_chain(two_cores, single, 7, 3), DAL_OK);
    CU_ASSERT_EQUAL(sink_took, enough);
    CU_ASSERT_EQUAL(received, enough);
    enough = 0;
    CU_ASSERT_EQUAL(run_chain(two_cores, single, 7, 3), DAL_OK);
    CU_ASSERT_EQUAL(sink_took, (uint64_t)tokens_wanted);
}

/* What it has not written is not sent. */
static void ends_unwritten(void)
{
    silent_at = 100;
    CU_ASSERT_EQUAL(run_chain(one_core, single, 64, 16), DAL_OK);
    CU_ASSERT_EQUAL(received, silent_at);
    CU_ASSERT_EQUAL(run_chain(two_cores, single, 7, 3), DAL_OK);
    CU_ASSERT_EQUAL(received, silent_at);
    CU_ASSERT_EQUAL(wrong, 0);
    silent_at = 0;
}

static void failing_process(void)
{
    failing_stage = 2;
    CU_ASSERT_EQUAL(run_chain(two_cores, single, 10, 4), DAL_ERR_PROCESS);
    CU_ASSERT_EQUAL(run_chain(pool, both, 10, 4), DAL_ERR_PROCESS);
    failing_stage = -1;
}

static void unwritten_output(void)
{
    lazy = 1;
    CU_ASSERT_EQUAL(run_chain(two_cores, single, 10, 4), DAL_ERR_PROCESS);
    CU_ASSERT_TRUE(received <= 5);
    lazy = 0;
}

/* ---- observers ------------------------------------------------------------------------------- */

enum { OBSERVERS = 3 };

/* The calls, as "install 0", of observers 0, 1, 2; one of them may fail. */
static char calls[400];
static const char *failing_call = "";
static int is_first_wanted;

static int note_call(const char *call, int number)
{
    char text[20];
    snprintf(text, sizeof(text), "%s %d", call, number);
    snprintf(calls + strlen(calls), sizeof(calls) - strlen(calls), "%s%s", *calls ? ", " : "",
             text);
    return strcmp(text, failing_call) == 0 ? DAL_ERR_IO : DAL_OK;
}

#define OBSERVER(i)                                                                                \
    static int install_##i(struct dal_network *network, void **state)                              \
    {                                                                                              \
        *state = network;                                                                          \
        return note_call("install", i);                                                            \
    }                                                                                              \
    static int start_##i(struct dal_network *network, void **state)                                \
    {                                                                                              \
        CU_ASSERT_PTR_EQUAL(*state, network);                                                      \
        CU_ASSERT_EQUAL(received, 0);                                                              \
        return note_call("start", i);                                                              \
    }                                                                                              \
    static int stop_##i(struct dal_network *network, void *state)                                  \
    {                                                                                              \
        CU_ASSERT_PTR_EQUAL(state, network);                                                       \
        return note_call("stop", i);                                                               \
    }                                                                                              \
    static void warn_##i(const struct dal_network *network, const void *state)                     \
    {                                                                                              \
        CU_ASSERT_PTR_EQUAL(state, network);                                                       \
        note_call("warn", i);                                                                      \
    }                                                                                              \
    static int write_##i(const struct dal_reports *all)                                            \
    {                                                                                              \
        CU_ASSERT_EQUAL(all->count, 1);                                                            \
        return note_call("write", i);                                                              \
    }                                                                                              \
    static void destroy_##i(void *state)                                                           \
    {                                                                                              \
        CU_ASSERT_PTR_NOT_NULL(state);                                                             \
        note_call("destroy", i);                                                                   \
    }

OBSERVER(0)
OBSERVER(1)
OBSERVER(2)

static int first_wanted(void)
{
    return is_first_wanted;
}

#define ROW(i, wanted)                                                                             \
    {                                                                                              \
        .name = "o", .is_wanted = wanted, .needs = DAL_NEEDS_REPORT, .install = install_##i,       \
        .start = start_##i, .stop = stop_##i, .warn = warn_##i, .write = write_##i,                \
        .destroy = destroy_##i                                                                     \
    }

/* Runs the chain with the three observers. */
static int observe_chain(const char *failing)
{
    static const struct dal_observer list[OBSERVERS] = {ROW(0, first_wanted), ROW(1, NULL),
                                                        ROW(2, NULL)};
    static const struct dal_observer *const rows[] = {&list[0], &list[1], &list[2], NULL};
    int status;
    *calls = '\0';
    failing_call = failing;
    observers = rows;
    status = run_chain(one_core, single, 10, 4);
    observers = NULL;
    return status;
}

static void observed(void)
{
    is_first_wanted = 1;
    CU_ASSERT_EQUAL(observe_chain(""), DAL_OK);
    CU_ASSERT_STRING_EQUAL(calls, "install 0, install 1, install 2, start 0, start 1, start 2, "
                                  "stop 2, stop 1, stop 0, warn 0, warn 1, warn 2, "
                                  "write 0, write 1, write 2, destroy 2, destroy 1, destroy 0");
    is_first_wanted = 0;
    CU_ASSERT_EQUAL(observe_chain(""), DAL_OK);
    CU_ASSERT_STRING_EQUAL(calls, "install 1, install 2, start 1, start 2, stop 2, stop 1, "
                                  "warn 1, warn 2, write 1, write 2, destroy 2, destroy 1");
    is_first_wanted = 1;
}

/* One that fails ends the network; those before it are stopped, and all are destroyed. */
static void failing_observers(void)
{
    CU_ASSERT_EQUAL(observe_chain("install 1"), DAL_ERR_IO);
    CU_ASSERT_STRING_EQUAL(calls, "install 0, install 1, destroy 1, destroy 0");
    CU_ASSERT_EQUAL(observe_chain("start 2"), DAL_ERR_IO);
    CU_ASSERT_EQUAL(received, 0);
    CU_ASSERT_STRING_EQUAL(calls, "install 0, install 1, install 2, start 0, start 1, start 2, "
                                  "stop 1, stop 0, destroy 2, destroy 1, destroy 0");
    CU_ASSERT_EQUAL(observe_chain("stop 1"), DAL_ERR_IO);
    CU_ASSERT_STRING_EQUAL(calls, "install 0, install 1, install 2, start 0, start 1, start 2, "
                                  "stop 2, stop 1, stop 0, destroy 2, destroy 1, destroy 0");
    CU_ASSERT_EQUAL(observe_chain("write 0"), DAL_ERR_IO);
    CU_ASSERT_PTR_NOT_NULL(strstr(calls, "write 0, write 1, write 2"));
}

int main(void)
{
    static const struct test tests[] = {
        {"one core", on_one_core},
        {"two cores", on_two_cores},
        {"two cores, capacity one", capacity_one},
        {"a pool of cores", on_a_pool},
        {"cores of use", cores_of_use},
        {"shadow copies", shadow_copies},
        {"a copy that is slow", slow_copy},
        {"readers", several_readers},
        {"runs that are cut short", cut_short},
        {"an end in a firing that reads nothing", ends_unread},
        {"an end in a firing that writes nothing", ends_unwritten},
        {"a process that fails", failing_process},
        {"an output that is not written", unwritten_output},
        {"observers", observed},
        {"observers that fail", failing_observers},
    };
    tokens_wanted = suite_number("DAL_TEST_TOKENS", tokens_wanted);
    singles_wanted = suite_number("DAL_TEST_SINGLES", tokens_wanted);
    return run_suite("network", tests, sizeof(tests) / sizeof(tests[0]));
}
