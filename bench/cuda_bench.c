/*
 * Compares the CUDA backend with the driver by hand, and with OpenCL on the same GPU:
 *
 *     launches  a launch among 256 on one queue, through the table of operations
 *     graphs    the same kernel 8 to 512 times: as the queue does it, one by one, and as a graph
 *               made by hand
 *     peers     a kernel on the second GPU that reads the first one's memory in place, beside a
 *               copy by hand and a kernel that reads the copy
 *
 * Prints medians of ROUNDS, in which the ways take turns. Without a second GPU, or peers, the third
 * part is missing.
 */
#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/cuda/driver.h"
#include "rt/devices/devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 9, BATCH = 256, AGAIN = 200, GROUPS = 1056, ITEMS = 256 };
/* Kernels of a graph, and of a whole round. Waiting for the last one hardly counts. */
enum { LEAST_KERNELS = 8, MOST_KERNELS = 512, ALL_KERNELS = 100 * MOST_KERNELS };

static const struct dal_subject bench = {"cuda_bench", DAL_LOG_ERROR};

static const char text[] =
    "__kernel void nothing(__global ulong *at, ulong offset) { if (offset == 1) at[0] = 1; }\n"
    "__kernel void take(__global const ulong *from, __global ulong *to, ulong count)\n"
    "{\n"
    "    ulong sum = 0;\n"
    "    for (ulong i = get_global_id(0); i < count; i += get_global_size(0))\n"
    "        sum ^= from[i];\n"
    "    to[get_global_id(0)] = sum;\n"
    "}\n";

static void must(int status)
{
    if (status < 0)
        exit(1);
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double median(double *values)
{
    qsort(values, ROUNDS, sizeof(*values), by_value);
    return values[ROUNDS / 2];
}

/* An open device with a queue and a kernel that does nothing. */
struct rig {
    const struct dal_backend *backend;
    struct dal_devices *devices;
    struct dal_device *device;
    dal_commands queue;
    dal_function nothing, take;
    dal_memory memory;
};

static dal_function make_function(struct rig *rig, const char *name)
{
    const struct dal_function_source source = {"cuda_bench", text, "", name};
    dal_function function;
    must(rig->backend->function(rig->device, &bench, &source, &function));
    return function;
}

static void set_nothing(struct rig *rig)
{
    const uint64_t offset = 0;
    must(rig->backend->set_memory(rig->nothing, &bench, 0, rig->memory));
    must(rig->backend->set_value(rig->nothing, &bench, 1, sizeof(offset), &offset));
}

/* Makes the queue, the memory and the kernels of an open device. */
static void fill_rig(struct rig *rig, size_t bytes)
{
    must(rig->backend->commands(rig->device, 0, &rig->queue));
    must(rig->backend->memory(rig->device, &bench, DAL_MEMORY_PLAIN, bytes, NULL, &rig->memory));
    rig->nothing = make_function(rig, "nothing");
    rig->take = make_function(rig, "take");
    set_nothing(rig);
}

/* Returns 0 if the backend has no such GPU. */
static int open_rig(struct rig *rig, const char *capability)
{
    struct dal_device_wish wish = {dal_backend_of(capability), "GPU_DEV1", "bench"};
    *rig = (struct rig){.backend = wish.backend};
    if (!rig->backend || dal_devices_open(&rig->devices, &wish, 1, 1, DAL_LOG_NOTHING) < 0)
        return 0;
    rig->device = dal_devices_get(rig->devices, 0);
    fill_rig(rig, 1 << 20);
    return 1;
}

static void empty_rig(struct rig *rig)
{
    rig->backend->function_free(rig->nothing);
    rig->backend->function_free(rig->take);
    rig->backend->commands_free(rig->device, rig->queue);
    rig->backend->memory_free(rig->device, rig->memory);
}

static void close_rig(struct rig *rig)
{
    empty_rig(rig);
    dal_devices_close(rig->devices);
}

/* ---- launches ---------------------------------------------------------------------------------
 */

static void enqueue(struct rig *rig, int kernels)
{
    const struct dal_launch launch = {.dimensions = 1, .global = {1, 1, 1}, .local = {1, 1, 1}};
    for (int i = 0; i < kernels; i++)
        must(rig->backend->launch(rig->queue, &bench, rig->nothing, &launch, NULL, 0, NULL));
    must(rig->backend->flush(rig->queue, &bench));
}

/* Returns the nanoseconds of a kernel, over `times` batches. */
static double time_batches(struct rig *rig, int kernels, int times)
{
    int64_t begin_ns;
    enqueue(rig, kernels);
    enqueue(rig, kernels);
    must(rig->backend->finish(rig->queue, &bench));
    begin_ns = dal_now_ns();
    for (int i = 0; i < times; i++)
        enqueue(rig, kernels);
    must(rig->backend->finish(rig->queue, &bench));
    return (double)(dal_now_ns() - begin_ns) / kernels / times;
}

static void measure_launches(void)
{
    static const char *const ways[] = {"CUDA", "OPENCL"};
    struct rig rigs[2];
    double times[2][ROUNDS];
    int there[2];
    setenv("DAL_CUDA_GRAPHS", "0", 1);
    for (int i = 0; i < 2; i++)
        there[i] = open_rig(&rigs[i], ways[i]);
    unsetenv("DAL_CUDA_GRAPHS");
    for (int k = 0; k < ROUNDS; k++)
        for (int i = 0; i < 2; i++)
            times[i][k] = there[i] ? time_batches(&rigs[i], BATCH, 20) : 0;
    printf("launches, one by one, ns a launch:");
    for (int i = 0; i < 2; i++) {
        if (there[i])
            printf("  %s %.0f", ways[i], median(times[i]));
        if (there[i])
            close_rig(&rigs[i]);
    }
    printf("\n\n");
}

/* ---- graphs -----------------------------------------------------------------------------------
 */

/* The driver's own way, in the current context of the open device. */
struct by_hand {
    const struct dal_cuda_driver *driver;
    CUmodule module;
    CUfunction nothing;
    CUstream stream;
    CUdeviceptr memory;
};

static void must_drive(int code)
{
    if (code == 0)
        return;
    fprintf(stderr, "cuda_bench: the driver says %d\n", code);
    exit(1);
}

static char *compile_by_hand(void)
{
    static const char by_hand[] = "extern \"C\" __global__ void nothing(unsigned long long *at, "
                                  "unsigned long long offset) { if (offset == 1) at[0] = 1; }\n";
    const struct dal_cuda_compiler *compiler = dal_cuda_compiler();
    nvrtcProgram program;
    size_t bytes;
    char *ptx;
    must_drive(compiler->nvrtcCreateProgram(&program, by_hand, "by_hand", 0, NULL, NULL));
    must_drive(compiler->nvrtcCompileProgram(program, 0, NULL));
    must_drive(compiler->nvrtcGetPTXSize(program, &bytes));
    ptx = dal_calloc(bytes, 1);
    if (!ptx)
        exit(1);
    must_drive(compiler->nvrtcGetPTX(program, ptx));
    compiler->nvrtcDestroyProgram(&program);
    return ptx;
}

static void make_by_hand(struct by_hand *hand)
{
    char *ptx = compile_by_hand();
    *hand = (struct by_hand){.driver = dal_cuda_driver()};
    must_drive(hand->driver->cuModuleLoadData(&hand->module, ptx));
    must_drive(hand->driver->cuModuleGetFunction(&hand->nothing, hand->module, "nothing"));
    must_drive(hand->driver->cuStreamCreate(&hand->stream, CU_STREAM_NON_BLOCKING));
    must_drive(hand->driver->cuMemAlloc_v2(&hand->memory, 1 << 20));
    dal_free(ptx);
}

static void wait_by_hand(const struct by_hand *hand)
{
    CUevent event;
    must_drive(hand->driver->cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    must_drive(hand->driver->cuEventRecord(event, hand->stream));
    must_drive(hand->driver->cuEventSynchronize(event));
    must_drive(hand->driver->cuEventDestroy_v2(event));
}

static CUgraphExec graph_by_hand(struct by_hand *hand, int kernels)
{
    unsigned long long offset = 0;
    void *arguments[] = {&hand->memory, &offset};
    CUgraph graph;
    CUgraphExec made;
    must_drive(
        hand->driver->cuStreamBeginCapture_v2(hand->stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    for (int i = 0; i < kernels; i++)
        must_drive(hand->driver->cuLaunchKernel(hand->nothing, 1, 1, 1, 1, 1, 1, 0, hand->stream,
                                                arguments, NULL));
    must_drive(hand->driver->cuStreamEndCapture(hand->stream, &graph));
    must_drive(hand->driver->cuGraphInstantiateWithFlags(&made, graph, 0));
    must_drive(hand->driver->cuGraphDestroy(graph));
    return made;
}

static double time_by_hand(struct by_hand *hand, CUgraphExec graph, int kernels)
{
    int64_t begin_ns;
    must_drive(hand->driver->cuGraphLaunch(graph, hand->stream));
    wait_by_hand(hand);
    begin_ns = dal_now_ns();
    for (int i = 0; i < ALL_KERNELS / kernels; i++)
        must_drive(hand->driver->cuGraphLaunch(graph, hand->stream));
    wait_by_hand(hand);
    return (double)(dal_now_ns() - begin_ns) / ALL_KERNELS;
}

static void measure_graph(struct rig *held, struct rig *single, struct by_hand *hand, int kernels)
{
    CUgraphExec graph = graph_by_hand(hand, kernels);
    double times[3][ROUNDS], middle[3];
    for (int k = 0; k < ROUNDS; k++) {
        times[0][k] = time_batches(held, kernels, ALL_KERNELS / kernels);
        times[1][k] = time_batches(single, kernels, ALL_KERNELS / kernels);
        times[2][k] = time_by_hand(hand, graph, kernels);
    }
    for (int i = 0; i < 3; i++)
        middle[i] = median(times[i]);
    printf("%8d %10.0f %12.0f %10.0f %10.2f\n", kernels, middle[0], middle[1], middle[2],
           middle[2] / middle[0]);
    must_drive(hand->driver->cuGraphExecDestroy(graph));
}

static void measure_graphs(void)
{
    struct rig held, single;
    struct by_hand hand;
    if (!open_rig(&held, "CUDA"))
        return;
    single = held;
    setenv("DAL_CUDA_GRAPHS", "0", 1);
    fill_rig(&single, 1 << 20);
    unsetenv("DAL_CUDA_GRAPHS");
    make_by_hand(&hand);
    printf("ns a kernel\n%8s %10s %12s %10s %10s\n", "kernels", "queue", "one by one", "by hand",
           "by hand/queue");
    for (int kernels = LEAST_KERNELS; kernels <= MOST_KERNELS; kernels *= 2)
        measure_graph(&held, &single, &hand, kernels);
    must_drive(hand.driver->cuStreamDestroy_v2(hand.stream));
    must_drive(hand.driver->cuMemFree_v2(hand.memory));
    must_drive(hand.driver->cuModuleUnload(hand.module));
    empty_rig(&single);
    close_rig(&held);
    printf("\n");
}

/* ---- peers ------------------------------------------------------------------------------------
 */

enum way { IN_PLACE, COPIED, WAYS };

/* Returns the bytes a nanosecond of a kernel on `b`. It reads `bytes` in a's memory or in a
 * copy. */
static double time_peer(struct rig *a, struct rig *b, dal_memory to, size_t bytes, enum way way)
{
    const struct dal_launch launch = {
        .dimensions = 1, .global = {(size_t)GROUPS * ITEMS, 1, 1}, .local = {ITEMS, 1, 1}};
    const uint64_t count = bytes / sizeof(uint64_t);
    int64_t begin_ns = 0;
    must(b->backend->set_memory(b->take, &bench, 0, way == IN_PLACE ? a->memory : b->memory));
    must(b->backend->set_memory(b->take, &bench, 1, to));
    must(b->backend->set_value(b->take, &bench, 2, sizeof(count), &count));
    for (int i = -2; i < AGAIN; i++) {
        if (i == 0) {
            must(b->backend->finish(b->queue, &bench));
            begin_ns = dal_now_ns();
        }
        if (way == COPIED)
            must(b->backend->copy(b->queue, &bench, a->memory, 0, b->memory, 0, bytes, NULL));
        must(b->backend->launch(b->queue, &bench, b->take, &launch, NULL, 0, NULL));
        must(b->backend->flush(b->queue, &bench));
    }
    must(b->backend->finish(b->queue, &bench));
    return (double)bytes * AGAIN / (double)(dal_now_ns() - begin_ns);
}

static void measure_size(struct rig *a, struct rig *b, dal_memory to, size_t bytes)
{
    double rates[WAYS][ROUNDS];
    for (int k = 0; k < ROUNDS; k++)
        for (enum way way = 0; way < WAYS; way++)
            rates[way][k] = time_peer(a, b, to, bytes, way);
    printf("%8zu %10.1f %10.1f\n", bytes >> 10, median(rates[IN_PLACE]), median(rates[COPIED]));
}

static void measure_peers(void)
{
    static const size_t sizes[] = {256 << 10, 2 << 20, 16 << 20};
    const struct dal_backend *cuda = dal_backend_of("CUDA");
    struct dal_device_wish wishes[] = {{cuda, "GPU_DEV1", "bench"}, {cuda, "GPU_DEV2", "bench"}};
    struct rig rigs[2] = {{.backend = cuda}, {.backend = cuda}};
    struct dal_devices *devices;
    dal_memory to;
    if (!cuda || dal_devices_open(&devices, wishes, 2, 1, DAL_LOG_NOTHING) < 0)
        return;
    for (int i = 0; i < 2; i++) {
        rigs[i].device = dal_devices_get(devices, i);
        fill_rig(&rigs[i], 16 << 20);
    }
    must(cuda->memory(rigs[1].device, &bench, DAL_MEMORY_PLAIN,
                      (size_t)GROUPS * ITEMS * sizeof(uint64_t), NULL, &to));
    if (dal_device_share_memory(rigs[0].device, rigs[1].device)) {
        printf("GB/s\n%8s %10s %10s\n", "KB", "in place", "copied");
        for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
            measure_size(&rigs[0], &rigs[1], to, sizes[i]);
    }
    cuda->memory_free(rigs[1].device, to);
    for (int i = 0; i < 2; i++)
        empty_rig(&rigs[i]);
    dal_devices_close(devices);
}

int main(void)
{
    if (!dal_cuda_driver() || !dal_cuda_compiler()) {
        fprintf(stderr, "cuda_bench: there is no CUDA here\n");
        return 1;
    }
    measure_launches();
    measure_graphs();
    measure_peers();
    return 0;
}
