/* Small networks of two or three processes, in each of which the monitor or a worker sees something
 * at an awkward moment. */
#include "rt/network/network.h"
#include "test/schedules/protocols.h"
#include "test/schedules/schedules.h"

#include <stdlib.h>

#define expect protocol_expect

enum { REPLIES = 20, CYCLES = 6, BURST = 3, LAST = 4, NAPS = 4, PROCESSES = 3, LINKS = 3 };

#define INPUT(text, number)                                                                        \
    {                                                                                              \
        .name = (text), .channel = (number), .rate = 1                                             \
    }
#define OUTPUT(text, number)                                                                       \
    {                                                                                              \
        .name = (text), .output = 1, .channel = (number), .rate = 1                                \
    }
/* In a phase. */
#define TOKEN(output)                                                                              \
    {                                                                                              \
        sizeof(uint64_t), (output) ? sizeof(uint64_t) : 0, 0                                       \
    }
#define SECOND(output)                                                                             \
    {                                                                                              \
        sizeof(uint64_t), (output) ? sizeof(uint64_t) : 0, sizeof(uint64_t)                        \
    }
#define NOTHING                                                                                    \
    {                                                                                              \
        0, 0, 0                                                                                    \
    }
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static uint64_t asked, answered;

struct small {
    const struct dal_process_desc *processes;
    int process_count;
    int links[LINKS][2]; /* from process, to process: a channel */
    int link_count;
    uint64_t capacity;                 /* 0: 1 */
    int64_t stall_ns, io_ns;           /* 0: 100 s, no limit */
    uint64_t growth_bytes;             /* 0: enough */
    int status;                        /* of the run */
    void *(*meanwhile)(void *control); /* what a thread does to it, or NULL */
};

static const char *const core_names[] = {"0", "1", "2"};
static const int core_numbers[] = {0, 1, 2};

static const struct dal_processor_desc cores[] = {
    {.name = "0", .kind = DAL_PROCESSOR_CORE, .core = -1},
    {.name = "1", .kind = DAL_PROCESSOR_CORE, .core = -1},
    {.name = "2", .kind = DAL_PROCESSOR_CORE, .core = -1}};

static struct dal_process_desc process_on(int first, int count, const struct dal_code *code,
                                          const struct dal_port_desc *ports, int port_count)
{
    return (struct dal_process_desc){.name = core_names[first],
                                     .base = core_names[first],
                                     .kind = DAL_PROCESS_C,
                                     .processors = &core_numbers[first],
                                     .processor_count = count,
                                     .code = code,
                                     .by_phase = code->phases > 0,
                                     .shadow_copies = 1,
                                     .block = 1,
                                     .ports = ports,
                                     .port_count = port_count,
                                     .repetitions = 1,
                                     .origin = {"networks", first}};
}

static struct dal_process_desc kpn_on(int core, const struct dal_code *code,
                                      const struct dal_port_desc *ports, int port_count)
{
    struct dal_process_desc desc = process_on(core, 1, code, ports, port_count);
    desc.kind = DAL_PROCESS_KPN;
    desc.repetitions = 0;
    return desc;
}

static enum dal_channel_kind kind_between(const struct dal_process_desc *from,
                                          const struct dal_process_desc *to)
{
    int one = from->processor_count == 1 && to->processor_count == 1 &&
              from->processors[0] == to->processors[0];
    return one ? DAL_CHANNEL_CORE : DAL_CHANNEL_CORES;
}

static uint64_t rate_at(const struct dal_process_desc *process, int channel)
{
    const struct dal_port_desc *port = process->ports;
    while (port->channel != channel)
        port++;
    return port->rate;
}

static void link_them(struct dal_channel_desc *channels, const struct small *small)
{
    for (int i = 0; i < small->link_count; i++) {
        const struct dal_process_desc *from = &small->processes[small->links[i][0]];
        const struct dal_process_desc *to = &small->processes[small->links[i][1]];
        channels[i] = (struct dal_channel_desc){.name = core_names[i],
                                                .kind = kind_between(from, to),
                                                .producer = small->links[i][0],
                                                .consumer = small->links[i][1],
                                                .capacity = small->capacity ? small->capacity : 1,
                                                .token_bytes = sizeof(uint64_t),
                                                .rate_in = rate_at(from, i),
                                                .rate_out = rate_at(to, i)};
    }
}

static _Atomic int is_over;

/* As a controller does it. */
static void *pause_once(void *argument)
{
    const struct timespec nap = {.tv_nsec = 10000};
    struct dal_control *control = argument;
    dal_control_pause(control);
    while (!dal_control_still(control) && !atomic_load(&is_over))
        nanosleep(&nap, NULL);
    dal_control_resume(control);
    return NULL;
}

static void *break_it(void *control)
{
    dal_control_break(control, DAL_ERR_PROCESS);
    return NULL;
}

static int run_it(struct dal_network *network, void *(*meanwhile)(void *control))
{
    pthread_t thread;
    int status;
    if (meanwhile)
        thread = protocol_start(meanwhile, &network->control);
    status = dal_network_run(network);
    atomic_store(&is_over, 1);
    if (meanwhile)
        pthread_join(thread, NULL);
    return status;
}

/* Returns the firings of the last process. */
static uint64_t run_small(const struct small *small)
{
    const struct dal_monitor_limits limits = {
        .stall_ns = small->stall_ns ? small->stall_ns : INT64_C(100000000000),
        .runs_too = !small->stall_ns,
        .io_ns = small->io_ns,
        .growth_bytes = small->growth_bytes ? small->growth_bytes : 1 << 30};
    const struct dal_network_options options = {.limits = &limits};
    struct dal_channel_desc channels[LINKS];
    struct dal_net net = {.version = DAL_NET_VERSION,
                          .name = "small",
                          .processors = cores,
                          .processor_count = COUNT(cores),
                          .processes = small->processes,
                          .process_count = small->process_count,
                          .channels = channels,
                          .channel_count = small->link_count,
                          .queue.depth = 1,
                          .queue.policy = "fcfs"};
    struct dal_network *network;
    uint64_t fired;
    link_them(channels, small);
    expect(dal_network_create(&network, &net, &options) == DAL_OK, "no network");
    expect(run_it(network, small->meanwhile) == small->status, "a network that ends otherwise");
    fired = dal_count_get(network->processes[small->process_count - 1].firings);
    dal_network_destroy(network);
    return fired;
}

/* ---- replies --------------------------------------------------------------------------------- */

/* Behind the monitor's first nap, which is long. */
static int ask(DALProcess *p)
{
    const struct timespec nap = {.tv_nsec = 11000000};
    uint64_t token = ++asked, answer;
    if (token == 1)
        nanosleep(&nap, NULL);
    DAL_write("out", &token, sizeof(token), p);
    DAL_read("in", &answer, sizeof(answer), p);
    expect(answer == token, "another answer");
    return asked == REPLIES;
}

static int ask_for_ever(DALProcess *p)
{
    ask(p);
    return 0;
}

static int pass_on(DALProcess *p)
{
    uint64_t token;
    DAL_read("in", &token, sizeof(token), p);
    DAL_write("out", &token, sizeof(token), p);
    return 0;
}

static const struct dal_port_desc ask_ports[] = {OUTPUT("out", 0), INPUT("in", 1),
                                                 OUTPUT("more", 2)};
static const struct dal_port_desc answer_ports[] = {INPUT("in", 0), OUTPUT("out", 1)};

/* The monitor looks while a firing has given back its input, and not yet its output: nobody has a
 * token then, and that is no deadlock. */
void reply(void)
{
    static const struct dal_code codes[] = {{.fire = ask}, {.fire = pass_on}};
    const struct dal_process_desc processes[] = {kpn_on(0, &codes[0], ask_ports, 2),
                                                 process_on(1, 1, &codes[1], answer_ports, 2)};
    const struct small small = {
        .processes = processes, .process_count = 2, .links = {{0, 1}, {1, 0}}, .link_count = 2};
    expect(run_small(&small) == REPLIES, "answers are missing");
}

static const struct dal_port_desc last_ports[] = {INPUT("in", 2), OUTPUT("out", 1)};

/* Nobody sleeps when it is broken. */
void reply_is_broken(void)
{
    static const struct dal_code codes[] = {{.fire = ask_for_ever}, {.fire = pass_on}};
    const struct dal_process_desc processes[] = {kpn_on(0, &codes[0], ask_ports, 2),
                                                 process_on(1, 1, &codes[1], answer_ports, 2)};
    const struct small small = {.processes = processes,
                                .process_count = 2,
                                .links = {{0, 1}, {1, 0}},
                                .link_count = 2,
                                .status = DAL_ERR_PROCESS,
                                .meanwhile = break_it};
    run_small(&small);
}

/* By way of another process on the same core, which is told of nothing. The first has room for
 * less than a block, so they are no group. */
void reply_by_two(void)
{
    static const struct dal_code codes[] = {{.fire = ask}, {.fire = pass_on}};
    static const struct dal_port_desc first[] = {INPUT("in", 0), OUTPUT("out", 2)};
    struct dal_process_desc processes[] = {kpn_on(0, &codes[0], ask_ports, 2),
                                           process_on(1, 1, &codes[1], first, 2),
                                           process_on(1, 1, &codes[1], last_ports, 2)};
    const struct small small = {.processes = processes,
                                .process_count = 3,
                                .links = {{0, 1}, {2, 0}, {1, 2}},
                                .link_count = 3};
    processes[1].block = processes[2].block = 2;
    expect(run_small(&small) == REPLIES, "answers are missing");
}

/* The same, where it has tokens for one of its phases alone. */
void reply_by_cycles(void)
{
    static const struct dal_unit_port units[] = {TOKEN(0), TOKEN(1), SECOND(0), SECOND(1)};
    static const struct dal_code codes[] = {
        {.fire = ask}, {.fire = pass_on, .phase_ports = units, .phases = 2}, {.fire = pass_on}};
    static const struct dal_port_desc first[] = {
        {.name = "in", .rate = 2}, {.name = "out", .output = 1, .channel = 2, .rate = 2}};
    const struct dal_process_desc processes[] = {kpn_on(0, &codes[0], ask_ports, 2),
                                                 process_on(1, 1, &codes[1], first, 2),
                                                 process_on(1, 1, &codes[2], last_ports, 2)};
    const struct small small = {.processes = processes,
                                .process_count = 3,
                                .links = {{0, 1}, {2, 0}, {1, 2}},
                                .link_count = 3,
                                .capacity = 2};
    expect(run_small(&small) == REPLIES, "answers are missing");
}

/* ---- phases ---------------------------------------------------------------------------------- */

static void write_burst(const char *port, DALProcess *p)
{
    for (uint64_t i = 0; i < BURST; i++)
        DAL_write((void *)(uintptr_t)port, &i, sizeof(i), p);
}

/* First to one port, then to the other: too much for a reader that takes one of each. */
static int ask_twice(DALProcess *p)
{
    uint64_t token;
    write_burst("out", p);
    write_burst("more", p);
    for (uint64_t i = 0; i < BURST; i++) {
        DAL_read("in", &token, sizeof(token), p);
        expect(token == i, "another answer");
    }
    return (asked += BURST) == BURST * CYCLES;
}

static int answer_by_phase(DALProcess *p)
{
    uint64_t token;
    DAL_read(DAL_getPhase(p) == 0 ? "in" : "more", &token, sizeof(token), p);
    if (DAL_getPhase(p) == 1)
        DAL_write("out", &token, sizeof(token), p);
    return 0;
}

static const struct dal_port_desc phase_ports[] = {INPUT("in", 0), INPUT("more", 2),
                                                   OUTPUT("out", 1)};
static const struct dal_unit_port by_phase[] = {TOKEN(0), NOTHING,  NOTHING,
                                                NOTHING,  TOKEN(0), TOKEN(1)};
static const struct dal_code twice[] = {
    {.fire = ask_twice}, {.fire = answer_by_phase, .phase_ports = by_phase, .phases = 2}};

/* The first one fills a channel that has to grow while the other one is within its cycle. */
void reply_by_phase(void)
{
    const struct dal_process_desc processes[] = {kpn_on(0, &twice[0], ask_ports, 3),
                                                 process_on(1, 1, &twice[1], phase_ports, 3)};
    const struct small small = {.processes = processes,
                                .process_count = 2,
                                .links = {{0, 1}, {1, 0}, {0, 1}},
                                .link_count = 3};
    expect(run_small(&small) == BURST * CYCLES, "answers are missing");
}

/* It may grow once, and has to twice. */
void growth_ends(void)
{
    const struct dal_process_desc processes[] = {kpn_on(0, &twice[0], ask_ports, 3),
                                                 process_on(1, 1, &twice[1], phase_ports, 3)};
    const struct small small = {.processes = processes,
                                .process_count = 2,
                                .links = {{0, 1}, {1, 0}, {0, 1}},
                                .link_count = 3,
                                .growth_bytes = sizeof(uint64_t),
                                .status = DAL_ERR_DEADLOCK};
    run_small(&small);
}

static int feed(DALProcess *p)
{
    write_burst("out", p);
    write_burst("more", p);
    return (asked += BURST) == BURST * CYCLES;
}

static int end_in_phase(DALProcess *p)
{
    uint64_t token;
    DAL_read(DAL_getPhase(p) == 0 ? "in" : "more", &token, sizeof(token), p);
    return DAL_getPhase(p) == 1 && ++answered == LAST;
}

/* It ends within a cycle, which counts once. */
void phase_is_last(void)
{
    static const struct dal_unit_port units[] = {TOKEN(0), NOTHING, NOTHING, TOKEN(0)};
    static const struct dal_code codes[] = {
        {.fire = feed}, {.fire = end_in_phase, .phase_ports = units, .phases = 2}};
    static const struct dal_port_desc ports[2][2] = {{OUTPUT("out", 0), OUTPUT("more", 1)},
                                                     {INPUT("in", 0), INPUT("more", 1)}};
    const struct dal_process_desc processes[] = {kpn_on(0, &codes[0], ports[0], 2),
                                                 process_on(1, 1, &codes[1], ports[1], 2)};
    const struct small small = {
        .processes = processes, .process_count = 2, .links = {{0, 1}, {0, 1}}, .link_count = 2};
    expect(run_small(&small) == LAST, "the last cycle does not count once");
}

/* ---- time ------------------------------------------------------------------------------------ */

static int ask_slowly(DALProcess *p)
{
    const struct timespec nap = {.tv_sec = 1};
    for (uint64_t token = 0; token < NAPS; token++) {
        nanosleep(&nap, NULL);
        DAL_write("out", &token, sizeof(token), p);
    }
    return 1;
}

static int answer_slowly(DALProcess *p)
{
    const struct timespec nap = {.tv_sec = 1 + NAPS};
    uint64_t token;
    DAL_read("in", &token, sizeof(token), p);
    nanosleep(&nap, NULL);
    return 1;
}

/* A firing that is at work is no stall, and one that writes now and then does not hang. */
void firings_take_long(void)
{
    static const struct dal_code codes[] = {{.fire = ask_slowly}, {.fire = answer_slowly}};
    struct dal_process_desc processes[] = {kpn_on(0, &codes[0], ask_ports, 1),
                                           process_on(1, 1, &codes[1], answer_ports, 1)};
    const struct small small = {.processes = processes,
                                .process_count = 2,
                                .links = {{0, 1}},
                                .link_count = 1,
                                .stall_ns = INT64_C(2000000000),
                                .io_ns = INT64_C(2000000000)};
    processes[0].io = 1;
    run_small(&small);
}

/* ---- several workers ------------------------------------------------------------------------- */

static int feed_few(DALProcess *p)
{
    DAL_write("out", &asked, sizeof(asked), p);
    return ++asked == LAST;
}

static int take_token(DALProcess *p)
{
    uint64_t token;
    DAL_read("in", &token, sizeof(token), p);
    return 0;
}

static int feed_slowly(DALProcess *p)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    nanosleep(&nap, NULL);
    return feed_few(p);
}

/* Two processes are one group, and end each by itself. */
static void part(ProcessFire feeds, int workers)
{
    const struct dal_code codes[] = {{.fire = feeds}, {.fire = pass_on}, {.fire = take_token}};
    static const struct dal_port_desc last[] = {INPUT("in", 1)};
    struct dal_process_desc processes[] = {kpn_on(0, &codes[0], ask_ports, 1),
                                           process_on(1, workers, &codes[1], answer_ports, 2),
                                           process_on(1, workers, &codes[2], last, 1)};
    const struct small small = {.processes = processes,
                                .process_count = 3,
                                .links = {{0, 1}, {1, 2}},
                                .link_count = 2,
                                .capacity = 4};
    processes[1].shadow_copies = processes[2].shadow_copies = (uint32_t)workers;
    expect(run_small(&small) == LAST, "firings are missing");
}

/* Two workers share it. */
void group_parts(void)
{
    part(feed_few, 2);
}

/* Its worker sleeps each time. */
void group_parts_asleep(void)
{
    part(feed_slowly, 1);
}

static int feed_many(DALProcess *p)
{
    DAL_write("out", &asked, sizeof(asked), p);
    return ++asked == REPLIES;
}

static int feed_beside(DALProcess *p)
{
    static uint64_t token;
    DAL_write("more", &token, sizeof(token), p);
    return ++token == REPLIES;
}

static int pass_some(DALProcess *p)
{
    pass_on(p);
    return ++answered == REPLIES - 1;
}

static int join_both(DALProcess *p)
{
    uint64_t token, beside;
    DAL_read("in", &token, sizeof(token), p);
    DAL_read("side", &beside, sizeof(beside), p);
    expect(token == beside, "tokens of two firings");
    return 0;
}

/* The first of a group ends in the middle of a block; the second one has tokens from elsewhere,
 * too, and goes on with what it has of both. */
void group_ends_beside(void)
{
    static const struct dal_code codes[] = {
        {.fire = feed_many}, {.fire = feed_beside}, {.fire = pass_some}, {.fire = join_both}};
    static const struct dal_port_desc beside[] = {OUTPUT("more", 2)};
    static const struct dal_port_desc joins[] = {INPUT("in", 1), INPUT("side", 2)};
    struct dal_process_desc processes[] = {
        process_on(0, 1, &codes[0], ask_ports, 1), process_on(2, 1, &codes[1], beside, 1),
        process_on(1, 1, &codes[2], answer_ports, 2), process_on(1, 1, &codes[3], joins, 2)};
    const struct small small = {.processes = processes,
                                .process_count = 4,
                                .links = {{0, 2}, {2, 3}, {1, 3}},
                                .link_count = 3,
                                .capacity = 32};
    processes[2].block = processes[3].block = 4;
    expect(run_small(&small) == REPLIES - 1, "firings are missing");
}

static int end_after_nap(DALProcess *p)
{
    const struct timespec nap = {.tv_nsec = 3000000};
    (void)p;
    if (asked)
        return 1;
    asked = 1;
    nanosleep(&nap, NULL);
    return 0;
}

static void *pause_later(void *control)
{
    const struct timespec nap = {.tv_nsec = 2000000};
    nanosleep(&nap, NULL);
    return pause_once(control);
}

/* Both workers have to hear of the end: one was woken by a pause, and is about to sleep again. */
void workers_end(void)
{
    static const struct dal_code codes[] = {{.fire = end_after_nap}};
    const struct dal_process_desc processes[] = {process_on(0, 2, &codes[0], NULL, 0)};
    struct small small = {.processes = processes, .process_count = 1, .meanwhile = pause_later};
    expect(run_small(&small) == 2, "firings are missing");
}

/* One sleeps. */
void workers_wake(void)
{
    static const struct dal_code codes[] = {{.fire = end_after_nap}};
    const struct dal_process_desc processes[] = {process_on(0, 2, &codes[0], NULL, 0)};
    struct small small = {.processes = processes, .process_count = 1};
    expect(run_small(&small) == 2, "firings are missing");
}

/* A reader that slept goes on to sleep behind a pause, when its writer ends. */
void reader_ends(void)
{
    static const struct dal_code codes[] = {{.fire = end_after_nap}, {.fire = take_token}};
    const struct dal_process_desc processes[] = {kpn_on(0, &codes[0], ask_ports, 1),
                                                 kpn_on(1, &codes[1], answer_ports, 1)};
    const struct small small = {.processes = processes,
                                .process_count = 2,
                                .links = {{0, 1}},
                                .link_count = 1,
                                .meanwhile = pause_later};
    run_small(&small);
}

/* ---- init ------------------------------------------------------------------------------------ */

static int begun; /* plain: one init comes behind the other */

static void count_init(DALProcess *p)
{
    (void)p;
    begun++;
}

static int see_begun(DALProcess *p)
{
    (void)p;
    expect(begun == PROCESSES, "a firing before all inits");
    return 1;
}

void inits_in_turn(void)
{
    static const struct dal_code codes[] = {{.init = count_init, .fire = see_begun}};
    const struct dal_process_desc processes[] = {kpn_on(0, &codes[0], NULL, 0),
                                                 kpn_on(1, &codes[0], NULL, 0),
                                                 kpn_on(2, &codes[0], NULL, 0)};
    const struct small small = {
        .processes = processes, .process_count = PROCESSES, .meanwhile = pause_once};
    run_small(&small);
}
