/*
 * The n-th allocation fails, the n-th OpenCL call fails, for every n of a network with fan-out: a
 * core sends to two kernels, the first of them to the second and to the core. Every run ends, with
 * an error exactly when one was made, and gives everything back (AddressSanitizer looks).
 */
#include "rt/base/alloc.h"
#include "rt/network.h"
#include "rt/ocl/ocl.h"

#include "test/suite.h"

#include <string.h>

enum { TOKENS = 16, MOST = 2000, UNTOUCHED = 40 };

struct _local_states {
    int next;
};

static int received, wrong;

static int source_fire(DALProcess *p)
{
    int number = p->local->next++;
    DAL_write("out", &number, sizeof(number), p);
    return p->local->next == TOKENS;
}

static int sink_fire(DALProcess *p)
{
    int number = 0;
    DAL_read("in", &number, sizeof(number), p);
    wrong += number != 2 * p->local->next++;
    received++;
    return 0;
}

static const struct dal_unit_port out_port[] = {{.bytes = 4, .must = 4}},
                                  in_port[] = {{.bytes = 4}};

static void run_source(DALProcess *p, struct dal_activation *a)
{
    struct dal_window windows[1];
    unsigned char *first[1];
    dal_unit_run(p, a, source_fire, out_port, 1, windows, first);
}

static void run_sink(DALProcess *p, struct dal_activation *a)
{
    struct dal_window windows[1];
    unsigned char *first[1];
    dal_unit_run(p, a, sink_fire, in_port, 1, windows, first);
}

static const struct dal_code source = {
    .local_bytes = sizeof(struct _local_states), .fire = source_fire, .run = run_source};
static const struct dal_code sink = {
    .local_bytes = sizeof(struct _local_states), .fire = sink_fire, .run = run_sink};
static const struct dal_kernel twice = {
    .name = "twice",
    .file = "twice.cl",
    .text = "__kernel void twice(__global const uchar *a, ulong x, __global uchar *b, ulong y) {\n"
            "    size_t i = get_group_id(0);\n"
            "    ((__global int *)(b + y))[i] = 2 * ((__global const int *)(a + x))[i];\n"
            "}\n",
    .options = ""};

static const struct dal_kernel look = {
    .name = "look",
    .file = "look.cl",
    .text =
        "__kernel void look(__global const uchar *a, ulong x, __global const uchar *b, ulong y)\n"
        "{\n"
        "}\n",
    .options = ""};

static enum dal_channel_kind kind;

static int run_once(void)
{
    static const int core[] = {0}, device[] = {1};
    static const struct dal_processor_desc processors[] = {
        {.name = "core_0", .kind = DAL_PROCESSOR_CORE, .core = -1},
        {.name = "device_0", .kind = DAL_PROCESSOR_OPENCL, .identifier = "CPU_DEV1"}};
    static const struct dal_port_desc ports[][2] = {
        {{.name = "out", .output = 1, .channel = 0, .rate = 1}},
        {{.name = "in", .channel = 0, .rate = 1},
         {.name = "out", .output = 1, .channel = 1, .rate = 1}},
        {{.name = "in", .channel = 1, .rate = 1}},
        {{.name = "a", .channel = 2, .rate = 1}, {.name = "b", .channel = 3, .rate = 1}}};
    static const struct dal_process_desc processes[] = {{.name = "Source",
                                                         .base = "Source",
                                                         .processors = core,
                                                         .processor_count = 1,
                                                         .code = &source,
                                                         .shadow_copies = 1,
                                                         .block = 8,
                                                         .ports = ports[0],
                                                         .port_count = 1},
                                                        {.name = "Twice",
                                                         .base = "Twice",
                                                         .kind = DAL_PROCESS_OPENCL,
                                                         .processors = device,
                                                         .processor_count = 1,
                                                         .kernel = &twice,
                                                         .work_items = 1,
                                                         .shadow_copies = 4,
                                                         .ports = ports[1],
                                                         .port_count = 2},
                                                        {.name = "Sink",
                                                         .base = "Sink",
                                                         .processors = core,
                                                         .processor_count = 1,
                                                         .code = &sink,
                                                         .shadow_copies = 1,
                                                         .block = 8,
                                                         .ports = ports[2],
                                                         .port_count = 1},
                                                        {.name = "Look",
                                                         .base = "Look",
                                                         .kind = DAL_PROCESS_OPENCL,
                                                         .processors = device,
                                                         .processor_count = 1,
                                                         .kernel = &look,
                                                         .work_items = 1,
                                                         .shadow_copies = 3,
                                                         .ports = ports[3],
                                                         .port_count = 2}};
    struct dal_channel_desc channels[] = {{.name = "there",
                                           .kind = kind,
                                           .producer = 0,
                                           .consumer = 1,
                                           .capacity = 8,
                                           .token_bytes = 4,
                                           .rate_in = 1,
                                           .rate_out = 1,
                                           .next_of_port = 2},
                                          {.name = "back",
                                           .kind = kind,
                                           .producer = 1,
                                           .consumer = 2,
                                           .capacity = 8,
                                           .token_bytes = 4,
                                           .rate_in = 1,
                                           .rate_out = 1,
                                           .next_of_port = 3},
                                          {.name = "beside",
                                           .kind = kind,
                                           .producer = 0,
                                           .consumer = 3,
                                           .capacity = 8,
                                           .token_bytes = 4,
                                           .rate_in = 1,
                                           .rate_out = 1},
                                          {.name = "again",
                                           .kind = DAL_CHANNEL_DEVICE,
                                           .producer = 1,
                                           .consumer = 3,
                                           .capacity = 8,
                                           .token_bytes = 4,
                                           .rate_in = 1,
                                           .rate_out = 1}};
    struct dal_net net = {.version = DAL_NET_VERSION,
                          .name = "faults",
                          .processors = processors,
                          .processor_count = 2,
                          .processes = processes,
                          .process_count = 4,
                          .channels = channels,
                          .channel_count = 4,
                          .queue_depth = 4,
                          .policy = "fcfs"};
    struct dal_network_options options = {.strict = 1};
    struct dal_network *network;
    int status;
    received = wrong = 0;
    status = dal_network_create(&network, &net, &options);
    if (status == DAL_OK)
        status = dal_network_run(network);
    dal_network_destroy(network);
    return status;
}

/* Fails at 1, 2, 3, ... until runs are not touched by it any more. One that is may still end well:
 * a platform that does not answer is passed over when the device is another's. */
static void sweep(void (*fail_at)(unsigned long n))
{
    unsigned long n, errors = 0;
    int good = 1, untouched = 0;
    for (n = 1; good && untouched < UNTOUCHED && n < MOST; n++) {
        int status;
        fail_at(n);
        status = run_once();
        fail_at(0);
        good = wrong == 0 && received <= TOKENS && (status < 0 || received == TOKENS);
        untouched = status < 0 ? 0 : untouched + 1;
        errors += status < 0;
    }
    CU_ASSERT_TRUE(good);
    CU_ASSERT_EQUAL(untouched, UNTOUCHED);
    CU_ASSERT_TRUE(errors > 5);
    printf("%lu places; ", errors);
}

static void no_fault(void)
{
    CU_ASSERT_EQUAL(run_once(), DAL_OK);
    CU_ASSERT_EQUAL(received, TOKENS);
    CU_ASSERT_EQUAL(wrong, 0);
}

static void allocations(void)
{
    sweep(dal_alloc_fail_at);
}

static void opencl_calls(void)
{
    sweep(dal_ocl_fail_at);
}

static void each_kind(void (*test)(void))
{
    static const enum dal_channel_kind kinds[] = {DAL_CHANNEL_UNIFIED, DAL_CHANNEL_STAGED,
                                                  DAL_CHANNEL_NAIVE};
    size_t i;
    for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        kind = kinds[i];
        test();
    }
}

static void no_fault_each(void)
{
    each_kind(no_fault);
}

static void allocations_each(void)
{
    each_kind(allocations);
}

static void opencl_calls_each(void)
{
    each_kind(opencl_calls);
}

int main(void)
{
    static const struct test tests[] = {
        {"no fault", no_fault_each},
        {"allocations", allocations_each},
        {"OpenCL calls", opencl_calls_each},
    };
    return run_suite("fan-out faults", tests, sizeof(tests) / sizeof(tests[0]));
}
