/*
 * Every kind of channel that the machine offers, with random rates, initial tokens, capacities,
 * token sizes and shadow copies: the consumer gets the producer's tokens, all of them, in order.
 *
 * Tokens are numbered; byte b of token t is pattern(t, b). A device end writes or checks its
 * windows with a kernel. Two devices are wanted for `context`: POCL_DEVICES="pthread basic" (or
 * "cpu cpu-minimal", newer) gives them.
 */
#include "channels/channel.h"
#include "channels/device_end.h"
#include "rt/base/alloc.h"

#include "rt/base/gcd.h"
#include "test/suite.h"

#include <stdlib.h>
#include <string.h>

enum { HOST, DEVICE_0, DEVICE_1 };
enum { CASES = 8, MOST_COPIES = 5 };

static const char kernels[] =
    "uchar pattern(ulong t, ulong b) { return (uchar)(t * 131 + b * 29 + (t >> 8)); }\n"
    "__kernel void produce(__global uchar *base, ulong at, ulong first, ulong token) {\n"
    "    ulong i = get_global_id(0);\n"
    "    base[at + i] = pattern(first + i / token, i % token);\n"
    "}\n"
    "__kernel void consume(__global const uchar *base, ulong at, ulong first, ulong token,\n"
    "                      __global int *wrong) {\n"
    "    ulong i = get_global_id(0);\n"
    "    if (base[at + i] != pattern(first + i / token, i % token)) atomic_inc(wrong);\n"
    "}\n";

static unsigned char pattern(uint64_t t, uint64_t b)
{
    return (unsigned char)(t * 131 + b * 29 + (t >> 8));
}

static struct dal_ocl *ocl;
static int device_count;
static struct dal_wake wake;
static int transfers; /* on queues of their own */

struct side {
    struct dal_end *end;
    struct dal_queue *queue;
    cl_kernel kernel;
    cl_mem wrong;  /* consumer: mismatches seen by the kernel */
    uint64_t next; /* number of the next token */
    uint64_t mismatches;
};

static unsigned rounds(void)
{
    const char *text = getenv("DAL_TEST_ROUNDS");
    return text ? (unsigned)atoi(text) : 400;
}

static uint64_t some(uint64_t most)
{
    return 1 + (uint64_t)rand() % most;
}

/* ---- host ends ------------------------------------------------------------------------------- */

static void host_step(struct side *side, uint64_t firings)
{
    unsigned char *window = dal_end_acquire(side->end, firings);
    size_t token = side->end->channel->desc->token_bytes, i;
    for (i = 0; i < firings * side->end->firing_bytes; i++) {
        unsigned char byte = pattern(side->next + i / token, i % token);
        if (side->end->output)
            window[i] = byte;
        else
            side->mismatches += window[i] != byte;
    }
    dal_end_release(side->end, window, firings);
}

/* ---- device ends ----------------------------------------------------------------------------- */

static int launched(const struct dal_update *update, cl_event event)
{
    struct dal_queue *queue = update->object;
    (void)event;
    queue->launches--;
    return DAL_OK;
}

static int device_step(struct side *side, uint64_t firings)
{
    cl_ulong at, first = side->next, token = side->end->channel->desc->token_bytes;
    size_t items = firings * side->end->firing_bytes, group = 1; /* one build of the kernel */
    struct dal_argument argument;
    cl_event fences[2];
    cl_uint k, count = 0;
    int status = dal_device_end_acquire(side->end, firings, &argument);
    at = argument.offset;
    for (k = 0; k < 2; k++)
        if (argument.fences[k])
            fences[count++] = argument.fences[k];
    if (status == DAL_OK)
        status = clSetKernelArg(side->kernel, 0, sizeof(cl_mem), &argument.memory) |
                 clSetKernelArg(side->kernel, 1, sizeof(at), &at) |
                 clSetKernelArg(side->kernel, 2, sizeof(first), &first) |
                 clSetKernelArg(side->kernel, 3, sizeof(token), &token);
    if (status == DAL_OK)
        status = DAL_CL("test", clEnqueueNDRangeKernel,
                        (side->queue->commands, side->kernel, 1, NULL, &items, &group, count,
                         count ? fences : NULL, NULL));
    if (status == DAL_OK)
        status = dal_device_end_release(side->end, firings);
    if (status == DAL_OK)
        status = dal_queue_defer(side->queue, DAL_AT_COMPLETION,
                                 (struct dal_update){.apply = launched, .object = side->queue});
    return status < 0 ? status : dal_queue_launched(side->queue);
}

/* ---- one channel ----------------------------------------------------------------------------- */

static int step(struct side *side)
{
    uint64_t firings = dal_end_ready(side->end, some(MOST_COPIES));
    if (firings == 0 || (side->queue && !dal_queue_has_room(side->queue)))
        return 0;
    if (!side->queue)
        host_step(side, firings);
    else if (device_step(side, firings) < 0)
        return -1;
    side->next += firings * side->end->rate;
    return 1;
}

static int service(struct dal_queue *queue)
{
    if (!queue)
        return 0;
    if (rand() % 4 == 0 && dal_queue_flush(queue) < 0)
        return -1;
    return dal_queue_poll(queue);
}

static int settle(struct dal_queue *queue)
{
    if (!queue)
        return 0;
    if (dal_queue_flush(queue) < 0 || clFinish(queue->commands) != CL_SUCCESS)
        return -1;
    if (queue->downloads && clFinish(queue->downloads->commands) != CL_SUCCESS)
        return -1;
    return dal_queue_poll(queue);
}

static int drive(struct side *producer, struct side *consumer, uint64_t capacity)
{
    unsigned round;
    for (round = 0; round < rounds(); round++) {
        struct side *side = rand() % 2 ? producer : consumer;
        if (step(side) < 0 || service(producer->queue) < 0 || service(consumer->queue) < 0)
            return -1;
        if (dal_channel_fill(producer->end->channel) > capacity)
            return -1;
        if (round % 16 == 0 && (settle(producer->queue) < 0 || settle(consumer->queue) < 0))
            return -1;
    }
    for (round = 0; round < 1000; round++)
        if (step(consumer) < 0 || settle(producer->queue) < 0 || settle(consumer->queue) < 0)
            return -1;
    return 0;
}

static int open_side(struct side *side, int where, int output, struct dal_queue *queues)
{
    cl_int zero = 0, error;
    int status;
    *side = (struct side){0};
    if (where == HOST)
        return DAL_OK;
    side->queue = &queues[where];
    status = dal_ocl_kernel(side->queue->device, "test", "test.cl", kernels, "",
                            output ? "produce" : "consume", &side->kernel);
    if (status < 0 || output)
        return status;
    side->wrong =
        clCreateBuffer(side->queue->device->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                       sizeof(zero), &zero, &error);
    return error ? error : clSetKernelArg(side->kernel, 4, sizeof(cl_mem), &side->wrong);
}

static void close_side(struct side *side)
{
    cl_int wrong = 0;
    if (side->wrong) {
        clEnqueueReadBuffer(side->queue->commands, side->wrong, CL_TRUE, 0, sizeof(wrong), &wrong,
                            0, NULL, NULL);
        clReleaseMemObject(side->wrong);
        side->mismatches += (uint64_t)wrong;
    }
    if (side->kernel)
        clReleaseKernel(side->kernel);
}

static struct dal_channel_desc random_desc(enum dal_channel_kind kind)
{
    static const uint64_t tokens[] = {1, 3, 4, 12, 100, 1000};
    struct dal_channel_desc desc = {.name = "c", .kind = kind, .consumer = 1, .rate_in = some(7)};
    uint64_t g, least;
    desc.rate_out = some(7);
    desc.token_bytes = tokens[rand() % 6];
    desc.initial_tokens = (uint64_t)rand() % 12;
    g = dal_gcd(desc.rate_in, desc.rate_out);
    least = desc.rate_in + desc.rate_out - g + desc.initial_tokens % g;
    if (least < desc.initial_tokens)
        least = desc.initial_tokens;
    desc.capacity = least + (uint64_t)rand() % 20;
    return desc;
}

static unsigned char *initial_data(const struct dal_channel_desc *desc)
{
    unsigned char *data = calloc(desc->initial_tokens + 1, desc->token_bytes);
    uint64_t i;
    for (i = 0; i < desc->initial_tokens * desc->token_bytes; i++)
        data[i] = pattern(i / desc->token_bytes, i % desc->token_bytes);
    return data;
}

static int try_channel(enum dal_channel_kind kind, int from, int to, enum dal_channel_kind wanted)
{
    struct dal_channel_desc desc = random_desc(kind);
    unsigned char *data = initial_data(&desc);
    struct dal_queue_config config = {.depth = 8, .transfers = transfers};
    struct dal_queue queues[3] = {{0}};
    struct side producer, consumer;
    struct dal_channel *channel = NULL;
    uint64_t most = (uint64_t)(rand() % 2) * MOST_COPIES;
    int i, good = 0, status = DAL_OK;
    desc.initial_data = data;
    for (i = 1; status == DAL_OK && i <= device_count && i < 3; i++)
        status = dal_queue_init(&queues[i], dal_ocl_device(ocl, i - 1), &config, &wake);
    if (status == DAL_OK)
        status = open_side(&producer, from, 1, queues) | open_side(&consumer, to, 0, queues);
    if (status == DAL_OK)
        status = dal_channel_create(
            &channel, &desc, &(struct dal_end_config){.queue = producer.queue, .firings = most},
            &(struct dal_end_config){.queue = consumer.queue, .firings = most});
    if (status == DAL_OK) {
        producer.end = &channel->producer;
        consumer.end = &channel->consumer;
        producer.next = desc.initial_tokens;
        good = drive(&producer, &consumer, desc.capacity) == 0 && channel->kind == wanted &&
               producer.next - consumer.next < desc.rate_out && consumer.next > 0;
    }
    close_side(&producer);
    close_side(&consumer);
    good = good && producer.mismatches + consumer.mismatches == 0;
    if (!good)
        printf("p %llu c %llu d %llu capacity %llu token %llu: %llu sent, %llu received\n",
               (unsigned long long)desc.rate_in, (unsigned long long)desc.rate_out,
               (unsigned long long)desc.initial_tokens, (unsigned long long)desc.capacity,
               (unsigned long long)desc.token_bytes, (unsigned long long)producer.next,
               (unsigned long long)consumer.next);
    dal_channel_destroy(channel);
    for (i = 1; i < 3; i++)
        dal_queue_finish(&queues[i]);
    free(data);
    return good;
}

static void try_kind(enum dal_channel_kind kind, int from, int to, enum dal_channel_kind wanted)
{
    int i;
    if ((from > to ? from : to) > device_count) {
        printf("needs %d OpenCL devices, there are %d; ", from > to ? from : to, device_count);
        return;
    }
    for (i = 0; i < 2 * CASES; i++) {
        transfers = i % 2;
        if (!try_channel(kind, from, to, wanted)) {
            CU_FAIL("tokens got lost, moved or changed");
            return;
        }
    }
    CU_PASS("all tokens arrived");
}

static enum dal_channel_kind unified(void)
{
    int fine = device_count && dal_ocl_device(ocl, 0)->info.fine_svm;
    return fine ? DAL_CHANNEL_UNIFIED : DAL_CHANNEL_STAGED;
}

static void core(void)
{
    try_kind(DAL_CHANNEL_CORE, HOST, HOST, DAL_CHANNEL_CORE);
}

static void cores(void)
{
    try_kind(DAL_CHANNEL_CORES, HOST, HOST, DAL_CHANNEL_CORES);
}

static void device(void)
{
    try_kind(DAL_CHANNEL_DEVICE, DEVICE_0, DEVICE_0, DAL_CHANNEL_DEVICE);
}

static void context(void)
{
    int one =
        device_count > 1 && dal_ocl_device(ocl, 0)->context == dal_ocl_device(ocl, 1)->context;
    try_kind(DAL_CHANNEL_CONTEXT, DEVICE_0, DEVICE_1,
             one ? DAL_CHANNEL_CONTEXT : DAL_CHANNEL_STAGED);
}

static void to_unified(void)
{
    try_kind(DAL_CHANNEL_UNIFIED, HOST, DEVICE_0, unified());
}

static void from_unified(void)
{
    try_kind(DAL_CHANNEL_UNIFIED, DEVICE_0, HOST, unified());
}

static void to_staged(void)
{
    try_kind(DAL_CHANNEL_STAGED, HOST, DEVICE_0, DAL_CHANNEL_STAGED);
}

static void from_staged(void)
{
    try_kind(DAL_CHANNEL_STAGED, DEVICE_0, HOST, DAL_CHANNEL_STAGED);
}

static void across_staged(void)
{
    try_kind(DAL_CHANNEL_STAGED, DEVICE_0, DEVICE_1, DAL_CHANNEL_STAGED);
}

static void to_naive(void)
{
    try_kind(DAL_CHANNEL_NAIVE, HOST, DEVICE_0, DAL_CHANNEL_NAIVE);
}

static void from_naive(void)
{
    try_kind(DAL_CHANNEL_NAIVE, DEVICE_0, HOST, DAL_CHANNEL_NAIVE);
}

static void same_naive(void)
{
    try_kind(DAL_CHANNEL_NAIVE, DEVICE_0, DEVICE_0, DAL_CHANNEL_NAIVE);
}

/* ---- ends ------------------------------------------------------------------------------------ */

static void pass(struct dal_end *end, uint64_t firings)
{
    dal_end_release(end, dal_end_acquire(end, firings), firings);
}

static void closing(void)
{
    struct dal_channel_desc desc = {.name = "c",
                                    .kind = DAL_CHANNEL_CORES,
                                    .capacity = 4,
                                    .token_bytes = 4,
                                    .rate_in = 1,
                                    .rate_out = 2};
    struct dal_channel *channel;
    struct dal_end_config none = {0};
    CU_ASSERT_EQUAL_FATAL(dal_channel_create(&channel, &desc, &none, &none), DAL_OK);
    CU_ASSERT_EQUAL(dal_end_ready(&channel->producer, 9), 4);
    pass(&channel->producer, 3);
    CU_ASSERT_EQUAL(dal_end_ready(&channel->producer, 9), 1);
    CU_ASSERT_EQUAL(dal_end_ready(&channel->consumer, 9), 1);
    dal_end_close(&channel->producer);
    CU_ASSERT_FALSE(dal_end_finished(&channel->consumer));
    pass(&channel->consumer, 1);
    CU_ASSERT_TRUE(dal_end_finished(&channel->consumer));
    CU_ASSERT_FALSE(dal_end_finished(&channel->producer));
    dal_end_close(&channel->consumer);
    CU_ASSERT_TRUE(dal_end_finished(&channel->producer));
    pass(&channel->producer, dal_end_ready(&channel->producer, 9));
    CU_ASSERT_EQUAL(dal_end_ready(&channel->producer, 9), 4);
    dal_channel_destroy(channel);
}

/* A kind that needs what is not there is refused by name. */
static void refused(void)
{
    struct dal_channel_desc desc = {.name = "c",
                                    .kind = DAL_CHANNEL_STAGED,
                                    .capacity = 4,
                                    .token_bytes = 4,
                                    .rate_in = 1,
                                    .rate_out = 1};
    struct dal_channel *channel;
    struct dal_end_config none = {0};
    CU_ASSERT_EQUAL(dal_channel_create(&channel, &desc, &none, &none), DAL_ERR_UNSUPPORTED);
    CU_ASSERT_PTR_NULL(channel);
}

static void open_devices(void)
{
    static const char *names[2] = {"first", "second"};
    const char *identifiers[2];
    struct dal_ocl_list list;
    size_t i;
    if (dal_ocl_list_init(&list) < 0)
        return;
    for (i = 0; i < list.count && i < 2; i++)
        identifiers[i] = list.info[i].identifier;
    if (i && dal_ocl_open(&ocl, identifiers, names, (int)i, 1) == DAL_OK)
        device_count = (int)i;
    dal_ocl_list_finish(&list);
}

int main(void)
{
    static const struct test tests[] = {
        {"closing", closing},
        {"refused", refused},
        {"core", core},
        {"cores", cores},
        {"device", device},
        {"context", context},
        {"host to device, unified", to_unified},
        {"device to host, unified", from_unified},
        {"host to device, staged", to_staged},
        {"device to host, staged", from_staged},
        {"device to device, staged", across_staged},
        {"host to device, naive", to_naive},
        {"device to host, naive", from_naive},
        {"device to itself, naive", same_naive},
    };
    const char *seed = getenv("DAL_TEST_SEED");
    int failed;
    srand(seed ? (unsigned)atoi(seed) : 1);
    open_devices();
    failed = run_suite("channels", tests, sizeof(tests) / sizeof(tests[0]));
    dal_ocl_destroy(ocl);
    return failed;
}
