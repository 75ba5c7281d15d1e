/*
 * Faults of networks in somebody else's program (include/dal_run.h): the n-th thread is not made,
 * or the n-th call of OpenCL fails, for every n while a run is opened, written, read and closed.
 * The program is told, has no file and no thread more than before, and the next run is right.
 *
 * The stage between the two open ports adds one: on a pool of two cores, or on a device.
 */
#include "include/dal_run.h"
#include "include/net.h"
#include "rt/backend/backend.h"
#include "rt/base/error.h"
#include "rt/ocl/backend.h"
#include "rt/ocl/ocl.h"

#include "test/left.h"
#include "test/suite.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { IN, STAGE, OUT, RATE = 4, TOKENS = 32, UNTOUCHED = 5, MOST = 2000 };

/* ---- networks -------------------------------------------------------------------------------- */

static int stage_fire(DALProcess *p)
{
    uint64_t numbers[RATE];
    DAL_read("in", numbers, sizeof(numbers), p);
    for (int i = 0; i < RATE; i++)
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

static const struct dal_code stage = {.fire = stage_fire, .run = run_stage};
static const struct dal_kernel add = {
    .name = "add",
    .file = "add.cl",
    .text =
        "__kernel void add(__global const uchar *a, ulong x, __global uchar *b, ulong y) {\n"
        "    __global const ulong *in = (__global const ulong *)(a + x) + 4 * get_group_id(0);\n"
        "    __global ulong *out = (__global ulong *)(b + y) + 4 * get_group_id(0);\n"
        "    for (int i = 0; i < 4; i++)\n"
        "        out[i] = in[i] + 1;\n"
        "}\n",
    .options = ""};

static const struct dal_processor_desc processors[] = {
    {.name = "core_0", .kind = DAL_PROCESSOR_CORE, .core = -1},
    {.name = "core_1", .kind = DAL_PROCESSOR_CORE, .core = -1},
    {.name = "device_0", .kind = DAL_PROCESSOR_OPENCL, .identifier = "CPU_DEV1"}};
static const int cores[] = {0, 1}, device[] = {2};
static const struct dal_open_desc tokens = {
    .type = "uint64_t", .kind = 'u', .count = 1, .token_bytes = 8};
static const struct dal_port_desc
    in_ports[] = {{.name = "out", .output = 1, .channel = 0, .rate = 1}},
    out_ports[] = {{.name = "in", .channel = 1, .rate = 1}},
    stage_ports[] = {{.name = "in", .channel = 0, .rate = RATE},
                     {.name = "out", .output = 1, .channel = 1, .rate = RATE}};

static struct dal_process_desc open_port(const char *name, const struct dal_port_desc *ports)
{
    return (struct dal_process_desc){.name = name,
                                     .base = name,
                                     .kind = DAL_PROCESS_KPN,
                                     .processors = cores,
                                     .processor_count = 1,
                                     .code = &dal_open_code,
                                     .open = &tokens,
                                     .shadow_copies = 1,
                                     .block = 1,
                                     .ports = ports,
                                     .port_count = 1,
                                     .io = 1};
}

static struct dal_process_desc stage_of(int on_device)
{
    return (struct dal_process_desc){.name = "Stage",
                                     .base = "Stage",
                                     .kind = on_device ? DAL_PROCESS_DEVICE : DAL_PROCESS_C,
                                     .processors = on_device ? device : cores,
                                     .processor_count = on_device ? 1 : 2,
                                     .code = on_device ? NULL : &stage,
                                     .kernel = on_device ? &add : NULL,
                                     .work_items = 1,
                                     .shadow_copies = on_device ? 4 : 1,
                                     .block = 8,
                                     .ports = stage_ports,
                                     .port_count = 2};
}

static struct dal_channel_desc channel(const char *name, enum dal_channel_kind kind, int producer,
                                       uint64_t rate_in, uint64_t rate_out)
{
    return (struct dal_channel_desc){.name = name,
                                     .kind = kind,
                                     .producer = producer,
                                     .consumer = producer + 1,
                                     .capacity = TOKENS,
                                     .token_bytes = 8,
                                     .rate_in = rate_in,
                                     .rate_out = rate_out};
}

/* ---- one run --------------------------------------------------------------------------------- */

/* Writes, reads and closes. Returns the first error. */
static int use(struct dal_run *run)
{
    uint64_t numbers[TOKENS], sums[TOKENS];
    int64_t written, count;
    int closed;
    for (uint64_t i = 0; i < TOKENS; i++)
        numbers[i] = 10 * i;
    CU_ASSERT_TRUE(dal_run_fd(run, OUT) >= 0);
    written = dal_run_write(run, IN, numbers, TOKENS, DAL_FOREVER);
    CU_ASSERT_TRUE(dal_run_end(run, IN) == DAL_OK);
    count = dal_run_read(run, OUT, sums, TOKENS, DAL_FOREVER);
    for (int64_t i = 0; i < count; i++)
        CU_ASSERT_EQUAL(sums[i], 10 * (uint64_t)i + 1);
    closed = dal_run_close(run);
    CU_ASSERT_TRUE(closed < 0 || (written == TOKENS && count == TOKENS));
    CU_ASSERT_TRUE(closed < 0 || *dal_run_message(NULL) == 0);
    return closed;
}

/* Returns the first error of a run, which has a text. */
static int run_once(const struct dal_net *net)
{
    static const struct dal_run_options options = {.strict = 1};
    struct dal_run *run;
    int status = dal_run_open(&run, net, &options);
    CU_ASSERT_EQUAL(status < 0, run == NULL);
    if (run)
        status = use(run);
    CU_ASSERT_TRUE(status == DAL_OK || *dal_run_message(NULL) != 0);
    return status;
}

/* ---- sweeps ---------------------------------------------------------------------------------- */

/* The linker gives all calls of pthread_create() to this. */
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*function)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*function)(void *), void *argument);

static _Atomic unsigned long threads_to_fail;
static _Atomic int thread_failed;

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*function)(void *), void *argument)
{
    if (atomic_load(&threads_to_fail) && atomic_fetch_sub(&threads_to_fail, 1) == 1) {
        atomic_store(&thread_failed, 1);
        return EAGAIN;
    }
    return __real_pthread_create(thread, attributes, function, argument);
}

static void no_thread(unsigned long n)
{
    atomic_store(&threads_to_fail, n);
}

static int was_no_thread(void)
{
    return atomic_exchange(&thread_failed, 0);
}

static void no_call(unsigned long n)
{
    dal_backend_fail_with(n, CL_OUT_OF_RESOURCES, 0);
}

static int was_no_call(void)
{
    return dal_backend_failed() != NULL;
}

/* What fails at its n-th place. */
struct fault {
    void (*fail_at)(unsigned long n); /* 0: nowhere */
    int (*failed)(void);              /* Has it failed since then? */
    int few;                          /* True: so few places that a stride would miss all. */
};

/* Fails at 1, 2, 3, ... until a few runs in a row come to no fault. */
static void sweep(const struct dal_net *net, const struct fault *fault)
{
    unsigned long stride = fault->few ? 1 : suite_stride(), errors = 0, untouched = 0, n;
    int files, threads;
    CU_ASSERT_EQUAL_FATAL(run_once(net), DAL_OK);
    files = count_entries("/proc/self/fd");
    threads = count_threads();
    for (n = fault->few ? 1 : suite_first(); untouched < UNTOUCHED && n < MOST; n += stride) {
        int status;
        fault->fail_at(n);
        status = run_once(net);
        fault->fail_at(0);
        untouched = fault->failed() ? 0 : untouched + stride;
        CU_ASSERT_TRUE(status == DAL_OK || untouched == 0);
        errors += status < 0;
        CU_ASSERT_EQUAL(run_once(net), DAL_OK);
        CU_ASSERT_EQUAL(count_entries("/proc/self/fd"), files);
        CU_ASSERT_TRUE(has_threads(threads));
    }
    CU_ASSERT_TRUE(untouched >= UNTOUCHED);
    CU_ASSERT_TRUE(errors > 1 / stride);
    printf("%lu places; ", errors);
}

static void sweep_kind(int on_device, enum dal_channel_kind kind, const struct fault *fault)
{
    const struct dal_process_desc processes[] = {open_port("numbers", in_ports),
                                                 stage_of(on_device), open_port("sums", out_ports)};
    const struct dal_channel_desc channels[] = {channel("in", kind, IN, 1, RATE),
                                                channel("out", kind, STAGE, RATE, 1)};
    const struct dal_net net = {.version = DAL_NET_VERSION,
                                .name = "adding",
                                .processors = processors,
                                .processor_count = on_device ? 3 : 2,
                                .processes = processes,
                                .process_count = 3,
                                .channels = channels,
                                .channel_count = 2,
                                .queue.depth = 4,
                                .queue.policy = "fcfs"};
    sweep(&net, fault);
}

static int has_device(void)
{
    struct dal_device_list list;
    int count = 0;
    if (dal_backend_opencl.list(&list, DAL_LOG_NOTE) < 0)
        return 0;
    for (size_t i = 0; i < list.count; i++)
        count += list.info[i].type == DAL_DEVICE_CPU;
    dal_backend_opencl.list_finish(&list);
    return count > 0;
}

static void threads_fail(void)
{
    static const struct fault thread = {no_thread, was_no_thread, 1};
    sweep_kind(0, DAL_CHANNEL_CORES, &thread);
    if (has_device())
        sweep_kind(1, DAL_CHANNEL_STAGED, &thread);
}

static void calls_fail(void)
{
    static const struct fault call = {no_call, was_no_call, 0};
    if (!has_device()) {
        printf("no device of OpenCL; ");
        return;
    }
    sweep_kind(1, DAL_CHANNEL_UNIFIED, &call);
    sweep_kind(1, DAL_CHANNEL_STAGED, &call);
}

int main(void)
{
    static const struct test tests[] = {{"threads", threads_fail}, {"OpenCL calls", calls_fail}};
    setenv("DAL_KERNEL_CACHE", "off", 1);
    return run_suite("faults of dal_run", tests, sizeof(tests) / sizeof(tests[0]));
}
