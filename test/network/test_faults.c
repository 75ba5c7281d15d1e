/*
 * Faults: the n-th allocation fails, the n-th OpenCL call fails, a device disappears at its n-th
 * call, for every n of a small network; kernels that do not build; processes that fail. A core
 * sends to a device, whose two kernels are joined by a channel that the host cannot see, and the
 * second sends to the core; with several readers, a third kernel has what the core and the first
 * one send. Where there are two CPU devices, the second kernel runs on the other one. Distributed
 * ones run on two each, or on two parts of one. Every run ends, with an error exactly when one was
 * made, a message names what failed, all that has arrived is right, and everything is given back
 * (AddressSanitizer looks).
 */
#include "rt/base/alloc.h"
#include "rt/devices/devices.h"
#include "rt/network/network.h"
#include "rt/ocl/backend.h"
#include "rt/ocl/ocl.h"

#include "test/capture.h"
#include "test/suite.h"

#include <stdlib.h>
#include <string.h>

enum { TOKENS = 16, ALL = TOKENS, MOST = 2000, UNTOUCHED = 15 };

struct _local_states {
    int next;
};

static const struct dal_state state = {sizeof(struct _local_states),
                                       _Alignof(struct _local_states)};

/* What the processes do wrong, at the token of that number; 0 for nothing. */
static int source_fails, sink_fails;
static int received, wrong, finished;
static int initial = 1; /* tokens between the kernels */
static int second_is_missing;

static int source_fire(DALProcess *p)
{
    int number = p->local->next++;
    if (source_fails && number == source_fails)
        DAL_fail(p, "told to fail");
    DAL_write("out", &number, sizeof(number), p);
    return p->local->next == TOKENS;
}

/* Twice the number and one more, but for the initial tokens, which have not been doubled. */
static int sink_fire(DALProcess *p)
{
    int number = 0, place = p->local->next++;
    DAL_read("in", &number, sizeof(number), p);
    if (sink_fails && place == sink_fails) {
        DAL_fail(p, "told to fail");
        return 1;
    }
    wrong += number != (place < initial ? 1 : 2 * (place - initial) + 1);
    received++;
    return 0;
}

/* As the kernels. */
static int twice_fire(DALProcess *p)
{
    int pair[2];
    DAL_read("in", pair, sizeof(pair), p);
    pair[0] *= 2;
    pair[1] *= 2;
    DAL_write("out", pair, sizeof(pair), p);
    return 0;
}

static int next_fire(DALProcess *p)
{
    int pair[2];
    DAL_read("in", pair, sizeof(pair), p);
    pair[0]++;
    pair[1]++;
    DAL_write("out", pair, sizeof(pair), p);
    return 0;
}

static void count_finish(DALProcess *p)
{
    (void)p;
    finished++;
}

/* By tokens of a firing; a process without one of the two ports has 0. */
static void run_activation(DALProcess *p, struct dal_activation *a, ProcessFire fire, size_t in,
                           size_t out)
{
    const struct dal_unit_port ports[] = {{.bytes = 4 * in}, {.bytes = 4 * out, .must = 4 * out}};
    struct dal_window windows[2];
    unsigned char *first[2];
    dal_unit_run(p, a, fire, in ? ports : ports + 1, (in > 0) + (out > 0), windows, first);
}

static void run_source(DALProcess *p, struct dal_activation *a)
{
    run_activation(p, a, source_fire, 0, 1);
}

static void run_twice(DALProcess *p, struct dal_activation *a)
{
    run_activation(p, a, twice_fire, 2, 2);
}

static void run_next(DALProcess *p, struct dal_activation *a)
{
    run_activation(p, a, next_fire, 2, 2);
}

static void run_sink(DALProcess *p, struct dal_activation *a)
{
    run_activation(p, a, sink_fire, 1, 0);
}

#define CODE(role)                                                                                 \
    {                                                                                              \
        .state = &state, .fire = role##_fire, .finish = count_finish, .run = run_##role            \
    }
static const struct dal_code source = CODE(source), twice_code = CODE(twice),
                             next_code = CODE(next), sink = CODE(sink);

#define KERNEL(function, rate, more, value)                                                        \
    "__kernel void " #function                                                                     \
    "(__global const uchar *a, ulong x, __global uchar *b, ulong y" more ") {\n"                   \
    "    __global const int *in = (__global const int *)(a + x) + " #rate " * get_group_id(0);\n"  \
    "    __global int *out = (__global int *)(b + y) + " #rate " * get_group_id(0);\n"             \
    "    for (int i = 0; i < " #rate "; i++)\n"                                                    \
    "        out[i] = " value ";\n"                                                                \
    "}\n"
#define TWICE KERNEL(twice, 2, ", int factor", "factor * in[i]")
#define NEXT  KERNEL(next, 2, "", "in[i] + 1")
#define LOOK                                                                                       \
    "__kernel void look(__global const uchar *a, ulong x, __global const uchar *b, ulong y)\n"     \
    "{\n"                                                                                          \
    "}\n"
static const struct dal_parameter_desc factor = {.name = "factor", .value = "2"};
static const struct dal_kernel_value values = {.parameter = "factor", .type = DAL_VALUE_INT};
static const struct dal_kernel twice = {.name = "twice",
                                        .file = "twice.cl",
                                        .text = TWICE,
                                        .options = "",
                                        .values = &values,
                                        .value_count = 1};
static const struct dal_kernel next = {
    .name = "next", .file = "next.cl", .text = NEXT, .options = ""};
static const struct dal_kernel look = {
    .name = "look", .file = "look.cl", .text = LOOK, .options = ""};
/* The same of one program: to build is what takes most of the time here. */
static const struct dal_kernel together[] = {
    {.name = "twice",
     .file = "all.cl",
     .text = TWICE NEXT LOOK,
     .options = "",
     .values = &values,
     .value_count = 1},
    {.name = "next", .file = "all.cl", .text = TWICE NEXT LOOK, .options = ""},
    {.name = "look", .file = "all.cl", .text = TWICE NEXT LOOK, .options = ""}};
/* Both as a group. */
static const struct dal_kernel in_turn = {
    .name = "in_turn",
    .file = "in_turn.cl",
    .text = "__kernel void in_turn(__global const uchar *a, ulong x, __global uchar *b, ulong y,\n"
            "                      ulong rounds, __global uchar *scratch, int factor) {\n"
            "    ulong at = rounds * get_group_id(0) / get_num_groups(0);\n"
            "    ulong end = rounds * (get_group_id(0) + 1) / get_num_groups(0);\n"
            "    __global int *made = (__global int *)(scratch + 128 * get_group_id(0));\n"
            "    for (; at < end; at++) {\n"
            "        for (int i = 0; i < 2; i++)\n"
            "            made[i] = factor * ((__global const int *)(a + x))[2 * at + i];\n"
            "        for (int i = 0; i < 2; i++)\n"
            "            ((__global int *)(b + y))[2 * at + i] = made[i] + 1;\n"
            "    }\n"
            "}\n",
    .options = ""};
/* The same where a token is kept from round to round: behind it, what a round adds, and rounds. */
static const struct dal_kernel in_order = {
    .name = "in_order",
    .file = "in_order.cl",
    .text = "__kernel void in_order(__global const uchar *a, ulong x, __global uchar *b, ulong y,\n"
            "                       ulong rounds, __global uchar *scratch, ulong first,\n"
            "                       int factor) {\n"
            "    __global const int *in = (__global const int *)(a + x);\n"
            "    __global int *kept = (__global int *)scratch, *out = (__global int *)(b + y);\n"
            "    if (first == 0)\n"
            "        kept[3] = 0;\n"
            "    for (ulong at = 0; at < rounds; at++) {\n"
            "        for (int i = 0; i < 2; i++)\n"
            "            kept[1 + i] = factor * in[2 * at + i];\n"
            "        for (int i = 0; i < 2; i++)\n"
            "            out[2 * at + i] = kept[3] == (int)(first + at) ? kept[i] + 1 : -1;\n"
            "        kept[0] = kept[2];\n"
            "        kept[3]++;\n"
            "    }\n"
            "}\n",
    .options = ""};
static const struct dal_kernel broken = {
    .name = "twice", .file = "broken.cl", .text = "#error \"told to\"\n", .options = ""};

/* The ways that tokens may take between core and device. */
struct way {
    const char *name;
    enum dal_channel_kind kind;
    int transfers; /* on queues of their own */
    int several_readers;
    int together;    /* the kernels are of one program, else each of its own */
    int distributed; /* to two devices; 2: tokens stay on theirs */
    int grouped;     /* they are launched as one; 2: and keep a token */
    int masked;      /* the device has no fine-grained SVM: what is shared is mapped */
};
static const struct way ways[] = {
    {"unified", DAL_CHANNEL_UNIFIED, 0, 0, 0, 0, 0, 0},
    {"mapped", DAL_CHANNEL_MAPPED, 0, 0, 1, 0, 0, 1},
    {"staged", DAL_CHANNEL_STAGED, 0, 0, 1, 0, 0, 0},
    {"staged, transfer queues", DAL_CHANNEL_STAGED, 1, 0, 1, 0, 0, 0},
    {"naive, transfer queues", DAL_CHANNEL_NAIVE, 1, 0, 1, 0, 0, 0},
    {"readers, unified", DAL_CHANNEL_UNIFIED, 0, 1, 1, 0, 0, 0},
    {"readers, transfer queues", DAL_CHANNEL_STAGED, 1, 1, 0, 0, 0, 0},
    {"distributed, with a halo", DAL_CHANNEL_STAGED, 1, 1, 1, 1, 0, 0},
    {"distributed, transfer queues", DAL_CHANNEL_STAGED, 1, 0, 1, 2, 0, 0},
    {"group, unified", DAL_CHANNEL_UNIFIED, 0, 0, 1, 0, 1, 0},
    {"group, transfer queues", DAL_CHANNEL_STAGED, 1, 0, 1, 0, 1, 0},
    {"group that keeps a token", DAL_CHANNEL_UNIFIED, 0, 0, 1, 0, 2, 0},
    {"group, distributed, transfer queues", DAL_CHANNEL_STAGED, 1, 0, 1, 2, 1, 0},
};
enum {
    UNIFIED,
    MAPPED,
    STAGED,
    TRANSFERS,
    NAIVE,
    READERS_UNIFIED,
    READERS_TRANSFERS,
    DISTRIBUTED,
    DISTRIBUTED_TRANSFERS,
    GROUP_UNIFIED,
    GROUP_TRANSFERS,
    GROUP_KEEPS,
    GROUP_DISTRIBUTED,
    WAYS
};

static const struct way *way;
static const struct dal_kernel *first_kernel = &twice, *group_kernel = &in_turn;
static uint32_t first_items = 1; /* its work-items */
static int with_fallback, strict = 1;
static struct dal_devices *open_devices, **keep; /* NULL: not kept from run to run */

static int devices; /* 1 or 2 */

static const int core[] = {0}, device[] = {1}, other_device[] = {2}, both[] = {1, 2};
static struct dal_processor_desc processors[] = {
    {.name = "core_0", .kind = DAL_PROCESSOR_CORE, .core = -1},
    {.name = "device_0", .kind = DAL_PROCESSOR_OPENCL, .identifier = "CPU_DEV1"},
    {.name = "device_1", .kind = DAL_PROCESSOR_OPENCL, .identifier = "CPU_DEV2"}};

static struct dal_process_desc host(const char *name, const struct dal_code *code,
                                    const struct dal_port_desc *ports, int count)
{
    return (struct dal_process_desc){.name = name,
                                     .base = name,
                                     .processors = core,
                                     .processor_count = 1,
                                     .code = code,
                                     .shadow_copies = 1,
                                     .block = 8,
                                     .ports = ports,
                                     .port_count = count};
}

static const struct dal_kernel *in_program(const struct dal_kernel *kernel)
{
    for (size_t i = 0; way->together && i < sizeof(together) / sizeof(together[0]); i++)
        if (kernel != &broken && strcmp(together[i].name, kernel->name) == 0)
            return &together[i];
    return kernel;
}

static struct dal_process_desc kernel(const char *name, const struct dal_kernel *kernel,
                                      const int *device, const struct dal_port_desc *ports,
                                      const struct dal_process_desc *fallback)
{
    return (struct dal_process_desc){.name = name,
                                     .base = name,
                                     .kind = DAL_PROCESS_DEVICE,
                                     .processors = device,
                                     .processor_count = 1,
                                     .kernel = in_program(kernel),
                                     .work_items = 1,
                                     .shadow_copies = 4,
                                     .ports = ports,
                                     .port_count = 2,
                                     .fallback = with_fallback ? fallback : NULL};
}

static struct dal_channel_desc channel(const char *name, enum dal_channel_kind kind, int producer,
                                       uint64_t rate_in, uint64_t rate_out)
{
    return (struct dal_channel_desc){.name = name,
                                     .kind = kind,
                                     .producer = producer,
                                     .consumer = producer + 1,
                                     .capacity = 8,
                                     .token_bytes = 4,
                                     .rate_in = rate_in,
                                     .rate_out = rate_out};
}

static void distribute(struct dal_process_desc *process)
{
    process->processors = both;
    process->processor_count = 2;
    process->shadow_copies = 2;
}

/* "Twice" and "Next" as one. */
static struct dal_group_desc group_of_both(void)
{
    static const struct dal_group_member members[] = {{.process = 1, .firings = 1},
                                                      {.process = 2, .firings = 1}};
    static const struct dal_group_port outside[] = {{.member = 0, .port = 0},
                                                    {.member = 1, .port = 1}};
    static const struct dal_group_kept kept = {.channel = 1};
    int keeps = way->grouped == 2;
    return (struct dal_group_desc){.name = "Twice_to_Next",
                                   .members = members,
                                   .member_count = 2,
                                   .ports = outside,
                                   .port_count = 2,
                                   .kernel = keeps ? &in_order : group_kernel,
                                   .kept = &kept,
                                   .kept_count = keeps,
                                   .work_items = 1,
                                   .rounds = way->distributed ? 2 : 4,
                                   .scratch_bytes = 128};
}

static void set_environment(void)
{
    if (way->transfers)
        setenv("DAL_TRANSFER_QUEUES", "1", 1);
    else
        unsetenv("DAL_TRANSFER_QUEUES");
    if (way->masked)
        setenv("DAL_TEST_MASK", "fine_svm", 1);
    else
        unsetenv("DAL_TEST_MASK");
}

/* Returns the network's status, and what it said in `said`, which is the caller's to finish. */
static int run_once(struct capture *said)
{
    static const struct dal_port_desc ports[][2] = {
        {{.name = "out", .output = 1, .channel = 0, .rate = 1}},
        {{.name = "in", .channel = 0, .rate = 2},
         {.name = "out", .output = 1, .channel = 1, .rate = 2}},
        {{.name = "in", .channel = 1, .rate = 2},
         {.name = "out", .output = 1, .channel = 2, .rate = 2}},
        {{.name = "in", .channel = 2, .rate = 1}},
        {{.name = "a", .channel = 3, .rate = 2}, {.name = "b", .channel = 4, .rate = 2}}};
    const struct dal_process_desc second[] = {host("Twice", &twice_code, ports[1], 2),
                                              host("Next", &next_code, ports[2], 2)};
    struct dal_process_desc processes[] = {
        host("Source", &source, ports[0], 1),
        kernel("Twice", first_kernel, device, ports[1], &second[0]),
        kernel("Next", &next, devices > 1 && !way->grouped ? other_device : device, ports[2],
               &second[1]),
        host("Sink", &sink, ports[3], 1), kernel("Look", &look, device, ports[4], NULL)};
    struct dal_channel_desc channels[] = {channel("there", way->kind, 0, 1, 2),
                                          channel("between",
                                                  way->grouped  ? DAL_CHANNEL_GROUP
                                                  : devices > 1 ? DAL_CHANNEL_CONTEXT
                                                                : DAL_CHANNEL_DEVICE,
                                                  1, 2, 2),
                                          channel("back", way->kind, 2, 2, 1),
                                          channel("beside", way->kind, 0, 1, 2),
                                          channel("again", DAL_CHANNEL_DEVICE, 1, 2, 2)};
    int used = way->distributed || devices > 1 ? 2 : 1;
    const struct dal_group_desc group = group_of_both();
    struct dal_net net = {.version = DAL_NET_VERSION,
                          .name = "faults",
                          .groups = &group,
                          .group_count = way->grouped > 0,
                          .processors = processors,
                          .processor_count = 1 + used,
                          .processes = processes,
                          .process_count = way->several_readers ? 5 : 4,
                          .channels = channels,
                          .channel_count = way->several_readers ? 5 : 3,
                          .queue.depth = 4,
                          .queue.policy = "fcfs"};
    struct dal_network_options options = {.strict = strict, .devices = keep};
    struct dal_network *network;
    int i, status, parts = way->distributed && devices == 1;
    initial = way->distributed < 2 && way->grouped != 1;
    processors[1].identifier = parts ? "CPU_DEV1_SUB1" : "CPU_DEV1";
    processors[2].identifier = second_is_missing ? "GPU_DEV99"
                               : parts           ? "CPU_DEV1_SUB2"
                                                 : "CPU_DEV2";
    channels[1].initial_tokens = (uint64_t)initial; /* so that windows cross the ring's end */
    channels[3].consumer = channels[4].consumer = 4;
    channels[4].initial_tokens = (uint64_t)initial;
    for (i = 1; way->distributed && i < 5; i++)
        if (processes[i].kind == DAL_PROCESS_DEVICE)
            distribute(&processes[i]);
    channels[0].next_of_port = way->several_readers ? 3 : 0;
    channels[1].next_of_port = way->several_readers ? 4 : 0;
    processes[1].work_items = first_items;
    if (way->masked) /* each window is a block; those of the second kernel are smaller */
        processes[1].shadow_copies = 1;
    for (int i = 0; i < 3; i++)
        processes[1].work_shape[i] = first_items == 1; /* of three dimensions */
    processes[1].parameters = &factor;
    processes[1].parameter_count = 1;
    received = wrong = finished = 0;
    set_environment();
    CU_ASSERT_EQUAL_FATAL(capture_begin(said), 0);
    status = dal_network_create(&network, &net, &options);
    if (status == DAL_OK)
        status = dal_network_run(network);
    dal_network_destroy(network);
    dal_backend_fail_with(0, 0, 0);
    dal_alloc_fail_at(0);
    capture_end(said);
    return status;
}

/* All arrives, and `text` is said, if it is not NULL, but `absent` is not. */
static void expect_all(const char *text, const char *absent)
{
    struct capture said;
    CU_ASSERT_EQUAL(run_once(&said), DAL_OK);
    CU_ASSERT_EQUAL(received, ALL);
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(!text || strstr(said.text, text));
    CU_ASSERT(!absent || !strstr(said.text, absent));
    capture_finish(&said);
}

/* In the way that is wanted, too. */
static void expect_in_its_way(void)
{
    expect_all(NULL, "by themselves");
}

/* The run ends with `status` and says `text`. */
static void expect_failure(int status, const char *text)
{
    struct capture said;
    CU_ASSERT_EQUAL(run_once(&said), status);
    CU_ASSERT_TRUE(received < ALL);
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, text));
    capture_finish(&said);
}

/* ---- sweeps ---------------------------------------------------------------------------------- */

static void out_of_resources(unsigned long n)
{
    dal_backend_fail_with(n, CL_OUT_OF_RESOURCES, 0);
}

static void disappears(unsigned long n)
{
    dal_backend_fail_with(n, CL_DEVICE_NOT_AVAILABLE, 1);
}

/* Names of calls that failed, " one two ". */
static char failed_calls[1000];

static void note_call(void)
{
    size_t used = strlen(failed_calls);
    const char *call = dal_backend_failed();
    if (call && !strstr(failed_calls, call))
        snprintf(failed_calls + used, sizeof(failed_calls) - used, "%s ", call);
}

/* The first message of a run that failed names the call; where it says more, other words. */
static int is_named(const char *text)
{
    static const struct {
        const char *call, *words;
    } others[] = {{"clSVMAlloc", "no shared virtual memory"},
                  {"clGetDeviceIDs", "no OpenCL device"},
                  {"clGetDeviceInfo", "no OpenCL device"},
                  {"clGetPlatformInfo", "no OpenCL device"},
                  {"a command", "a command of this device"}};
    const char *first = strstr(text, "error: "), *call = dal_backend_failed(), *words;
    const char *end = first ? strchr(first, '\n') : NULL;
    for (size_t i = 0; call && i < sizeof(others) / sizeof(others[0]); i++)
        if (strcmp(others[i].call, call) == 0 && end && (words = strstr(first, others[i].words)) &&
            words < end)
            return 1;
    words = end && call ? strstr(first, call) : NULL;
    return words && words < end;
}

static int finishes(int status)
{
    return status < 0 ? finished <= 4 : finished == (with_fallback ? finished : 2);
}

/* Memory that a device does not have is no error when the process can run elsewhere. */
static int falls_back_from_memory(int status)
{
    static const char *const calls[] = {"clCreateBuffer", "clSVMAlloc", "clEnqueueMapBuffer"};
    const char *call = dal_backend_failed();
    for (size_t i = 0; call && i < sizeof(calls) / sizeof(calls[0]); i++)
        if (strcmp(call, calls[i]) == 0)
            return status == DAL_OK;
    return 1;
}

static unsigned long stride; /* suite_stride() */

/* Fails at 1, 2, 3, ... until runs are not touched by it any more. One that is may still end well:
 * a platform that does not answer is passed over when the device is another's, and a process with a
 * fallback runs from that. With `named`, the message has to name the call. */
static void sweep(void (*fail_at)(unsigned long n), int named)
{
    unsigned long n, errors = 0, untouched = 0;
    int good = 1;
    for (n = suite_first(); good && untouched < UNTOUCHED && n < MOST; n += stride) {
        struct capture said;
        int status, touched;
        fail_at(n);
        status = run_once(&said);
        touched = status < 0 || (fail_at != dal_alloc_fail_at && dal_backend_failed());
        note_call();
        good = wrong == 0 && received <= ALL && (status < 0 || received == ALL) &&
               finishes(status) && (status == DAL_OK || !named || is_named(said.text)) &&
               (!with_fallback || falls_back_from_memory(status));
        if (!good)
            printf("%s, fault %lu, status %d, %d received, %d wrong: %s\n", way->name, n, status,
                   received, wrong, said.text);
        untouched = touched ? 0 : untouched + stride;
        errors += status < 0;
        capture_finish(&said);
    }
    CU_ASSERT_TRUE(good);
    CU_ASSERT(untouched >= UNTOUCHED);
    CU_ASSERT_TRUE(errors > 5 / stride);
    printf("%lu places; ", errors);
}

static void each_way(void (*test)(void))
{
    for (int i = 0; i < WAYS; i++) {
        way = &ways[i];
        test();
    }
    way = &ways[UNIFIED];
}

static void no_fault(void)
{
    each_way(expect_in_its_way);
}

static void allocations_fail(void)
{
    way = &ways[NAIVE];
    sweep(dal_alloc_fail_at, 0);
    way = &ways[MAPPED];
    sweep(dal_alloc_fail_at, 0);
    way = &ways[READERS_TRANSFERS];
    sweep(dal_alloc_fail_at, 0);
    way = &ways[DISTRIBUTED];
    sweep(dal_alloc_fail_at, 0);
    way = &ways[GROUP_KEEPS];
    sweep(dal_alloc_fail_at, 0);
}

static void calls_fail_one_way(void)
{
    sweep(out_of_resources, 1);
}

/* Every kind of call that a network makes is among those that failed. */
static void calls_fail(void)
{
    static const char *const calls[] = {"clGetPlatformIDs",
                                        "clGetDeviceIDs",
                                        "clCreateContext",
                                        "clCreateCommandQueue",
                                        "clCreateProgramWithSource",
                                        "clBuildProgram",
                                        "clCreateKernel",
                                        "clGetKernelWorkGroupInfo",
                                        "clSVMAlloc",
                                        "clCreateBuffer",
                                        "clEnqueueMapBuffer",
                                        "clSetKernelArg",
                                        "clEnqueueNDRangeKernel",
                                        "clEnqueueWriteBuffer",
                                        "clEnqueueReadBuffer",
                                        "clEnqueueCopyBuffer",
                                        "clEnqueueMarkerWithWaitList",
                                        "clFlush",
                                        "clGetEventInfo",
                                        "a command"};
    size_t i;
    failed_calls[0] = '\0';
    each_way(calls_fail_one_way);
#ifdef DAL_CHECKING
    CU_ASSERT(stride > 1 || strstr(failed_calls, "clEnqueueUnmapMemObject"));
#endif
    for (i = 0; stride == 1 && i < sizeof(calls) / sizeof(calls[0]); i++) {
        CU_ASSERT_PTR_NOT_NULL(strstr(failed_calls, calls[i]));
        if (!strstr(failed_calls, calls[i]))
            printf("%s never failed\n", calls[i]);
    }
}

/* Without the calls that open devices and build. */
static void sweep_again(void)
{
    keep = &open_devices;
    expect_all(NULL, NULL);
    sweep(out_of_resources, 1);
    dal_devices_close(open_devices);
    open_devices = NULL;
    keep = NULL;
}

/* A network that is made again has its devices and programs still. */
static void made_again(void)
{
    failed_calls[0] = '\0';
    way = &ways[READERS_TRANSFERS];
    sweep_again();
    CU_ASSERT(stride > 1 || strstr(failed_calls, "clCreateKernel"));
    CU_ASSERT_PTR_NULL(strstr(failed_calls, "clBuildProgram"));
    CU_ASSERT_PTR_NULL(strstr(failed_calls, "clCreateContext"));
    CU_ASSERT_PTR_NULL(strstr(failed_calls, "clGetPlatformIDs"));
}

static void device_disappears(void)
{
    way = &ways[TRANSFERS];
    sweep(disappears, 0);
}

/* Kernels that are in the disk cache are loaded; where that fails, they are compiled. */
static void kernels_from_disk(void)
{
    char folder[] = "/tmp/dal-test_faults.XXXXXX", command[64];
    CU_ASSERT_FATAL(mkdtemp(folder) != NULL);
    setenv("DAL_KERNEL_CACHE", folder, 1);
    failed_calls[0] = '\0';
    way = &ways[STAGED];
    expect_all(NULL, NULL);
    sweep(out_of_resources, 1);
    sweep(dal_alloc_fail_at, 0);
    CU_ASSERT(stride > 1 || strstr(failed_calls, "clCreateProgramWithBinary"));
    setenv("DAL_KERNEL_CACHE", "off", 1);
    snprintf(command, sizeof(command), "rm -rf %s", folder);
    CU_ASSERT(system(command) == 0);
}

/* ---- kernels that do not build --------------------------------------------------------------- */

static void kernel_does_not_build(void)
{
    first_kernel = &broken;
    expect_failure(DAL_ERR_BUILD, "process 'Twice': broken.cl does not build for");
    first_kernel = &twice;
}

/* What stands in the way of a group is said once, and its processes are launched by themselves. */
static void group_does_not_build(void)
{
    struct capture said;
    way = &ways[GROUP_UNIFIED];
    group_kernel = &broken;
    CU_ASSERT_EQUAL(run_once(&said), DAL_OK);
    CU_ASSERT_EQUAL(received, ALL);
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text,
                                  "note: group Twice_to_Next on device_0: a source does "
                                  "not build; its processes are launched by themselves"));
    CU_ASSERT_PTR_NULL(strstr(said.text, "error: "));
    capture_finish(&said);
    group_kernel = &in_turn;
    way = &ways[UNIFIED];
}

static void falls_back(void)
{
    with_fallback = 1;
    first_kernel = &broken;
    expect_failure(DAL_ERR_BUILD, "broken.cl does not build for"); /* strict */
    strict = 0;
    expect_failure(DAL_ERR_BUILD, "error: process 'Twice': broken.cl does not build for");
    first_kernel = &twice;
    first_items = 1u << 30;
    for (way = ways; way < &ways[GROUP_UNIFIED]; way++)
        expect_all("warning: process Twice cannot run on device_0", "process Next");
    first_items = 1;
    way = &ways[STAGED];
    sweep(out_of_resources, 1);
    way = &ways[GROUP_TRANSFERS];
    sweep(out_of_resources, 1);
    way = &ways[READERS_UNIFIED];
    sweep_again();
    strict = 1;
    with_fallback = 0;
}

/* ---- one of two devices ---------------------------------------------------------------------- */

/* What one of them cannot do, the other one does; a group with one less is still a group. */
static void leave_one_out(int number, const char *what)
{
    unsigned long n, left_out = 0, untouched = 0, step = (stride + 2) / 3; /* few are of these */
    way = &ways[number];
    strict = 0;
    for (n = suite_first(); untouched < UNTOUCHED && n < MOST; n += step) {
        struct capture said;
        int status, without;
        out_of_resources(n);
        status = run_once(&said);
        without = strstr(said.text, what) && strstr(said.text, "runs without device_");
        CU_ASSERT_EQUAL(wrong, 0);
        CU_ASSERT(!without || status == DAL_OK || is_named(said.text));
        CU_ASSERT(status < 0 || received == ALL);
        left_out += without && status == DAL_OK;
        untouched = dal_backend_failed() ? 0 : untouched + step;
        capture_finish(&said);
    }
    CU_ASSERT(untouched >= UNTOUCHED);
    CU_ASSERT(left_out > 3 / step);
    printf("%lu times; ", left_out);
    strict = 1;
}

static void one_is_left_out(void)
{
    leave_one_out(DISTRIBUTED_TRANSFERS, "warning: process Twice ");
    leave_one_out(GROUP_DISTRIBUTED, "warning: group Twice_to_Next ");
}

/* What stands for a device that this machine lacks is in use already. */
static void one_is_missing(void)
{
    struct capture said;
    way = &ways[DISTRIBUTED];
    strict = 0;
    second_is_missing = 1;
    CU_ASSERT_EQUAL(run_once(&said), DAL_OK);
    CU_ASSERT_EQUAL(received, ALL);
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, "process Twice runs without device_1"));
    capture_finish(&said);
    second_is_missing = 0;
    strict = 1;
}

/* A processor of a backend that this build, or this machine, does not have. */
static void backend_is_missing(void)
{
    way = &ways[UNIFIED];
    processors[1].kind = DAL_PROCESSOR_CUDA;
    expect_failure(DAL_ERR_NODEVICE, "error: processor 'device_0': this ");
    expect_failure(DAL_ERR_NODEVICE, "CUDA");
    with_fallback = 1;
    strict = 0;
    expect_all("warning: processor 'device_0': this ", "error: ");
    with_fallback = 0;
    strict = 1;
    processors[1].kind = DAL_PROCESSOR_OPENCL;
}

/* ---- processes that fail --------------------------------------------------------------------- */

static void process_fails_one_way(void)
{
    source_fails = 8;
    expect_failure(DAL_ERR_PROCESS, "error: process Source: told to fail");
    source_fails = 0;
    sink_fails = 8;
    expect_failure(DAL_ERR_PROCESS, "error: process Sink: told to fail");
    CU_ASSERT_EQUAL(received, sink_fails);
    CU_ASSERT_EQUAL(finished, 2);
    sink_fails = 0;
}

static void process_fails(void)
{
    each_way(process_fails_one_way);
}

static int count_devices(void)
{
    struct dal_device_list list;
    int count = 0;
    if (dal_backend_opencl.list(&list, DAL_LOG_ERROR) < 0)
        return 0;
    for (size_t i = 0; i < list.count; i++)
        count += list.info[i].type == DAL_DEVICE_CPU;
    dal_backend_opencl.list_finish(&list);
    return count;
}

int main(void)
{
    static const struct test tests[] = {
        {"no fault", no_fault},
        {"allocations", allocations_fail},
        {"OpenCL calls", calls_fail},
        {"OpenCL calls when made again", made_again},
        {"a device that disappears", device_disappears},
        {"kernels from the disk cache", kernels_from_disk},
        {"a kernel that does not build", kernel_does_not_build},
        {"a group that does not build", group_does_not_build},
        {"a process that falls back", falls_back},
        {"one of two devices fails", one_is_left_out},
        {"one of two devices is missing", one_is_missing},
        {"a backend is missing", backend_is_missing},
        {"a process that fails", process_fails},
    };
    stride = suite_stride();
    setenv("DAL_KERNEL_CACHE", "off", 1);
    way = &ways[UNIFIED];
    devices = count_devices() > 1 ? 2 : 1;
    return run_suite("faults", tests, sizeof(tests) / sizeof(tests[0]));
}
