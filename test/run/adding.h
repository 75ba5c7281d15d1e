/*
 * A network in hand-written tables, for the tests of include/dal_run.h: an open port, a stage that
 * adds one, fired on a core or a pool, as a KPN process or by the clock, and an open port.
 */
#pragma once

#include "include/dal_run.h"
#include "include/net.h"

enum { IN, STAGE, OUT, RATE = 4 };

struct _local_states {
    uint64_t fail_at; /* a parameter: the token behind which it fails; 0: never */
};

static const struct dal_state state = {sizeof(struct _local_states),
                                       _Alignof(struct _local_states)};

static void stage_init(DALProcess *p)
{
    long number = 0;
    DAL_getParameterInt("fail", &number, p);
    p->local->fail_at = (uint64_t)number;
}

/* Adds one to four tokens. */
static int stage_fire(DALProcess *p)
{
    uint64_t numbers[RATE];
    DAL_read("in", numbers, sizeof(numbers), p);
    for (int i = 0; i < RATE; i++)
        if (p->local->fail_at && numbers[i]++ == p->local->fail_at)
            DAL_fail(p, "as it was told to");
        else if (!p->local->fail_at)
            numbers[i]++;
    DAL_write("out", numbers, sizeof(numbers), p);
    return 0;
}

static void run_stage(DALProcess *p, struct dal_activation *a)
{
    static const struct dal_unit_port ports[] = {{.bytes = 8 * RATE},
                                                 {.bytes = 8 * RATE, .must = 8 * RATE}};
    struct dal_window windows[2];
    unsigned char *first[2];
    dal_unit_run(p, a, p->fire, ports, 2, windows, first);
}

static const struct dal_code stage = {
    .state = &state, .init = stage_init, .fire = stage_fire, .run = run_stage};
static const struct dal_code waiting = {.state = &state, .init = stage_init, .fire = stage_fire};

static const struct dal_processor_desc cores[] = {
    {.name = "core_0", .kind = DAL_PROCESSOR_CORE, .core = -1},
    {.name = "core_1", .kind = DAL_PROCESSOR_CORE, .core = -1}};
static const int both[] = {0, 1};
static const struct dal_open_desc tokens = {
    .type = "uint64_t", .kind = 'u', .count = 1, .token_bytes = 8};
static const struct dal_port_desc
    in_ports[] = {{.name = "out", .output = 1, .channel = 0, .rate = 1}},
    out_ports[] = {{.name = "in", .channel = 1, .rate = 1}},
    stage_ports[] = {{.name = "in", .channel = 0, .rate = RATE},
                     {.name = "out", .output = 1, .channel = 1, .rate = RATE}};
static const struct dal_parameter_desc parameters[] = {{.name = "fail", .value = "0"}};

#define OPEN(name_, ports_)                                                                        \
    {                                                                                              \
        .name = (name_), .base = (name_), .kind = DAL_PROCESS_KPN, .processors = both,             \
        .processor_count = 2, .code = &dal_open_code, .open = &tokens, .shadow_copies = 1,         \
        .block = 1, .ports = (ports_), .port_count = 1, .io = 1, .origin = {                       \
            "net.xml",                                                                             \
            1                                                                                      \
        }                                                                                          \
    }
#define ADDING(kind_, code_, cores_, period_)                                                      \
    {                                                                                              \
        .name = "Stage", .base = "Stage", .kind = (kind_), .processors = both,                     \
        .processor_count = (cores_), .code = (code_), .shadow_copies = 1, .block = 8,              \
        .ports = stage_ports, .port_count = 2, .parameters = parameters, .parameter_count = 1,     \
        .periodic = (period_), .origin = {                                                         \
            "net.xml",                                                                             \
            2                                                                                      \
        }                                                                                          \
    }

static const struct dal_process_desc on_a_core[] = {
    OPEN("numbers", in_ports), ADDING(DAL_PROCESS_C, &stage, 1, NULL), OPEN("sums", out_ports)};
static const struct dal_process_desc on_a_pool[] = {
    OPEN("numbers", in_ports), ADDING(DAL_PROCESS_C, &stage, 2, NULL), OPEN("sums", out_ports)};
static const struct dal_process_desc as_kpn[] = {
    OPEN("numbers", in_ports), ADDING(DAL_PROCESS_KPN, &waiting, 1, NULL), OPEN("sums", out_ports)};
static const struct dal_period_desc often = {.period_ns = 1, .deadline_ns = 1, .repetitions = 1};
static const struct dal_process_desc by_the_clock[] = {
    OPEN("numbers", in_ports), ADDING(DAL_PROCESS_C, &stage, 1, &often), OPEN("sums", out_ports)};

#define CHANNEL(name_, from, to, in, out)                                                          \
    {                                                                                              \
        .name = (name_), .kind = DAL_CHANNEL_CORES, .producer = (from), .consumer = (to),          \
        .capacity = 32, .token_bytes = 8, .rate_in = (in), .rate_out = (out)                       \
    }
static const struct dal_channel_desc channels[] = {CHANNEL("in", IN, STAGE, 1, RATE),
                                                   CHANNEL("out", STAGE, OUT, RATE, 1)};
static const struct dal_channel_desc kpn_channels[] = {CHANNEL("in", IN, STAGE, 1, 1),
                                                       CHANNEL("out", STAGE, OUT, 1, 1)};

#define NET(processes_, channels_)                                                                 \
    {                                                                                              \
        .version = DAL_NET_VERSION, .name = "adding", .processors = cores, .processor_count = 2,   \
        .processes = (processes_), .process_count = 3, .channels = (channels_),                    \
        .channel_count = 2, .queue.depth = 4, .queue.policy = "fcfs"                               \
    }
static const struct dal_net nets[] = {NET(on_a_core, channels), NET(on_a_pool, channels),
                                      NET(as_kpn, kpn_channels), NET(by_the_clock, channels)};
enum { NETS = sizeof(nets) / sizeof(nets[0]) };
