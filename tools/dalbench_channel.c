/*
 * channel: how many GB/s a channel carries between Producer and Consumer, over the size of a token,
 * the shadow copies (S) and the work-items (I). Thesis, section 6.2.
 *
 * Limits: for both on one device, the same kernels by hand, each launched once for as many tokens
 * as the channel has room for; for core to device and back, the device's transfer rate with pinned
 * memory.
 */
#include "tools/dalbench.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"

#include "work.h"

#include <stdio.h>
#include <string.h>

enum { CAPACITY_BYTES = 32 << 20, TINY_BYTES = 1 << 20 };

/* Both kernels in turn for all tokens of a round, as many rounds as the network has. */
struct by_hand {
    struct bench_pair pair;
    long rounds, skip; /* of them, the first `skip` are not timed */
    cl_mem pinned;
    void *mapped;
    int download;
};

static int64_t now_finished(struct by_hand *hand)
{
    clFinish(hand->pair.queue);
    return dal_now_ns();
}

static int read_results(struct bench_pair *pair, uint64_t *sum)
{
    long i;
    int status = DAL_CL("dalbench", clEnqueueReadBuffer,
                        (pair->queue, pair->results, CL_TRUE, 0, 4 * (size_t)pair->shape.tokens,
                         pair->found, 0, NULL, NULL));

    for (i = 0; !status && i < pair->shape.tokens; i++)
        *sum = work_sum(*sum, pair->found[i]);
    return status;
}

static double rate(const struct bench_pair *pair, long rounds, int64_t ns)
{
    return (double)pair->shape.token_bytes * (double)pair->shape.tokens * (double)rounds /
           (double)ns;
}

/* Checks what every round finds. */
static int run_checked(struct by_hand *hand, struct bench_result *result)
{
    struct bench_pair *pair = &hand->pair;
    long n;
    int status = bench_pair_reset(pair);

    result->sum = WORK_SUM_START;
    result->has_sum = 1;
    for (n = 0; !status && n < hand->rounds; n++) {
        status = bench_pair_produce(pair, pair->shape.tokens);
        if (!status)
            status = bench_pair_consume(pair, pair->shape.tokens);
        if (!status)
            status = read_results(pair, &result->sum);
    }
    return status;
}

static int run_timed(struct by_hand *hand, struct bench_result *result)
{
    struct bench_pair *pair = &hand->pair;
    int64_t start = now_finished(hand);
    long n;
    int status = DAL_OK;

    for (n = 0; !status && n < hand->rounds - hand->skip; n++) {
        status = bench_pair_produce(pair, pair->shape.tokens);
        if (!status)
            status = bench_pair_consume(pair, pair->shape.tokens);
    }
    result->value = rate(pair, n, now_finished(hand) - start);
    return status;
}

static int run_kernels(void *context, struct bench_result *result)
{
    int status = run_checked(context, result);

    return status ? status : run_timed(context, result);
}

static int transfer(struct by_hand *hand)
{
    struct bench_pair *pair = &hand->pair;
    size_t bytes = (size_t)pair->shape.token_bytes * (size_t)pair->shape.tokens;

    if (hand->download)
        return DAL_CL("dalbench", clEnqueueReadBuffer,
                      (pair->queue, pair->data, CL_FALSE, 0, bytes, hand->mapped, 0, NULL, NULL));
    return DAL_CL("dalbench", clEnqueueWriteBuffer,
                  (pair->queue, pair->data, CL_FALSE, 0, bytes, hand->mapped, 0, NULL, NULL));
}

static int run_transfers(void *context, struct bench_result *result)
{
    struct by_hand *hand = context;
    int64_t start = now_finished(hand);
    long n;
    int status = DAL_OK;

    for (n = 0; !status && n < hand->rounds - hand->skip; n++)
        status = transfer(hand);
    result->value = rate(&hand->pair, n, now_finished(hand) - start);
    return status;
}

static int pin(struct by_hand *hand)
{
    struct bench_pair *pair = &hand->pair;
    size_t bytes = (size_t)pair->shape.token_bytes * (size_t)pair->shape.tokens;
    int status = DAL_CL_NEW(
        "dalbench", hand->pinned, clCreateBuffer,
        (pair->device->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &error));

    if (!status)
        status = DAL_CL_NEW("dalbench", hand->mapped, clEnqueueMapBuffer,
                            (pair->queue, hand->pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                             bytes, 0, NULL, NULL, &error));
    if (!status)
        memset(hand->mapped, 1, bytes);
    return status;
}

static void finish(struct by_hand *hand)
{
    if (hand->mapped)
        clEnqueueUnmapMemObject(hand->pair.queue, hand->pinned, hand->mapped, 0, NULL, NULL);
    if (hand->pair.queue)
        clFinish(hand->pair.queue);
    if (hand->pinned)
        clReleaseMemObject(hand->pinned);
    bench_pair_finish(&hand->pair);
}

/* ---- cases ----------------------------------------------------------------------------------- */

enum limit { KERNELS, UPLOAD, DOWNLOAD };

static const struct place {
    const char *name;
    int producer, consumer; /* device, or -1: a core */
    const char *kind;       /* of the channel, or NULL: as dalsynth chooses */
    enum limit limit;
} places[] = {
    {"same device", 0, 0, NULL, KERNELS},        {"same device, naive", 0, 0, "naive", KERNELS},
    {"core to device", -1, 0, NULL, UPLOAD},     {"device to core", 0, -1, NULL, DOWNLOAD},
    {"device to device 2", 0, 1, NULL, KERNELS}, {"device 2 to device", 1, 0, NULL, KERNELS},
};

/* One point: where, how large, how parallel. */
struct point {
    const struct place *place;
    long bytes, copies, items;
    const char *name;
};

static struct bench_binding binding(const char *process, int device, const struct point *point)
{
    static const char *const names[] = {"device_0", "device_1"};

    if (device < 0)
        return (struct bench_binding){.process = process, .source = 0, .processor = "core_0"};
    return (struct bench_binding){.process = process,
                                  .source = 1,
                                  .processor = names[device],
                                  .copies = (int)point->copies,
                                  .items = (int)point->items};
}

static long channel_bytes(const struct bench *bench)
{
    return bench->effort.run_ns < 10000000 ? TINY_BYTES : CAPACITY_BYTES;
}

/* Words at a time: what suits the device. */
static long lanes(const struct bench *bench, int device)
{
    return bench->device[device]->type == CL_DEVICE_TYPE_CPU ? 16 : 4;
}

static int synthesise(struct bench *bench, const struct point *point, long capacity, char **program)
{
    const struct bench_binding bindings[] = {
        {.process = "*", .processor = bench->cores.count > 1 ? "core_1" : "core_0"},
        binding("Producer", point->place->producer, point),
        binding("Consumer", point->place->consumer, point),
        {0},
    };
    struct bench_network network = {
        .specification = "synthetic/channel.xml",
        .program = "channel",
        .variables = {{"tokenbytes", point->bytes},
                      {"capacity", capacity},
                      {"copies", point->copies},
                      {"items", point->items},
                      {"lanes", lanes(bench, point->place->producer < 0 ? point->place->consumer
                                                                        : point->place->producer)}},
        .bindings = bindings,
        .channel = "data",
        .kind = point->place->kind,
    };

    return bench_synthesise(bench, &network, program, NULL);
}

/* Rounds that take long enough, estimated with a short run of the network; 1 in 4 is not timed. */
static int set_rounds(struct bench *bench, struct by_hand *hand, struct bench_program *program,
                      char arguments[2][BENCH_NAME])
{
    struct bench_result probe = {0};
    double round_ns;
    int status;

    hand->rounds = 4;
    hand->skip = 1;
    for (;;) {
        snprintf(arguments[0], BENCH_NAME, "Result.tokens=%ld",
                 hand->rounds * hand->pair.shape.tokens);
        snprintf(arguments[1], BENCH_NAME, "Result.skip=%ld", hand->skip * hand->pair.shape.tokens);
        if (program->scale > 0)
            return DAL_OK;
        program->scale = (double)hand->pair.shape.token_bytes;
        status = bench_run_program(program, &probe);
        if (status)
            return status;
        round_ns =
            (double)hand->pair.shape.token_bytes * (double)hand->pair.shape.tokens / probe.value;
        hand->rounds = 4 * bench_tokens(bench, 1, 4 * round_ns, 1);
        if (hand->rounds > 400)
            hand->rounds = 400;
        hand->skip = hand->rounds / 4;
    }
}

static int compare(struct bench *bench, const struct point *point, struct by_hand *hand,
                   const char *file)
{
    char arguments[2][BENCH_NAME];
    struct bench_program ours = {
        .bench = bench, .file = file, .arguments = {arguments[0], arguments[1]}, .rate = 1};
    const struct bench_side mine = {.run = bench_run_program, .context = &ours};
    const struct bench_side limit = {
        .run = point->place->limit == KERNELS ? run_kernels : run_transfers, .context = hand};
    struct bench_record model = {
        .experiment = "channel", .param = (double)point->bytes, .unit = "GB/s", .rate = 1};
    int status = set_rounds(bench, hand, &ours, arguments);

    snprintf(model.name, sizeof(model.name), "%s", point->name);
    if (!status && point->place->limit != KERNELS)
        status = pin(hand);
    return status ? status : bench_compare(bench, &model, &mine, &limit, 1);
}

static int measure(struct bench *bench, const struct point *point)
{
    long capacity = channel_bytes(bench) / point->bytes;
    struct by_hand hand = {.download = point->place->limit == DOWNLOAD};
    int device = point->place->producer < 0 ? point->place->consumer : point->place->producer;
    char *program = NULL;
    struct bench_shape shape = {.tokens = capacity,
                                .token_bytes = point->bytes,
                                .items = point->items,
                                .lanes = lanes(bench, device)};
    int status = bench_pair_init(bench, &hand.pair, device, &shape);

    if (!status)
        status = synthesise(bench, point, capacity, &program);
    if (!status)
        status = compare(bench, point, &hand, program);
    dal_free(program);
    finish(&hand);
    return status;
}

/* ---- what is swept --------------------------------------------------------------------------- */

static int measure_sizes(struct bench *bench, const struct place *place, long copies, long items)
{
    static const long sizes[] = {512, 4096, 16384, 65536, 262144, 1048576, 4194304};
    size_t i, count = sizeof(sizes) / sizeof(sizes[0]);
    char name[BENCH_NAME];
    int status = DAL_OK;

    snprintf(name, sizeof(name), "%s, S=%ld I=%ld", place->name, copies, items);
    for (i = 0; !status && i < count; i++) {
        struct point point = {
            .place = place, .bytes = sizes[i], .copies = copies, .items = items, .name = name};
        long most = channel_bytes(bench) / sizes[i] / 2; /* of copies: two launches find room */
        if (!bench->effort.fine && (sizes[i] == 16384 || sizes[i] == 262144))
            continue;
        if (most < 1)
            continue;
        if (point.copies > most)
            point.copies = most;
        status = measure(bench, &point);
    }
    return status;
}

int bench_channel(struct bench *bench)
{
    static const long items[] = {1, 16, 64, 256};
    size_t i, k;
    long units, many;
    int status = DAL_OK;

    if (!bench->device[0]) {
        bench_say("channel: no OpenCL device, nothing to measure");
        return DAL_OK;
    }
    units = bench->device[0]->compute_units;
    many = units > 256 ? units : 256;
    for (i = 0; !status && i < sizeof(places) / sizeof(places[0]); i++) {
        const struct place *place = &places[i];
        if ((place->producer == 1 || place->consumer == 1) && !bench->device[1]) {
            bench_say("channel: no second device, no '%s'", place->name);
            continue;
        }
        for (k = 0; !status && i == 0 && k < sizeof(items) / sizeof(items[0]); k++)
            if (bench->effort.fine || items[k] == 16)
                status = measure_sizes(bench, place, units, items[k]);
        if (!status)
            status = measure_sizes(bench, place, many, 16);
    }
    return status;
}
