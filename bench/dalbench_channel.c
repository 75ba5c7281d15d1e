/*
 * channel: how many GB/s a channel carries between Producer and Consumer, over the size of a token,
 * the shadow copies (S) and the work-items (I). Scherer 2013, section 6.2.
 *
 * Limits: if both are on devices of one platform and memory, the same kernels by hand on one of
 * them. Each is launched once for as many tokens as the channel holds. Between core and device, it
 * is the rate of transfers of that size with pinned memory. Of two transfers in a row the slower
 * one counts, of two directions both at once. If the core fills or reads every word, it may be
 * slower than that: then the limit is what one core can do by itself.
 */
#include "bench/dalbench.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"

#include "work.h"

#include <stdio.h>
#include <string.h>

enum {
    CAPACITY_BYTES = 32 << 20,
    TINY_BYTES = 1 << 20,
    /* Results come a batch at a time. This many make one more hardly count; of small batches, few
     * rounds have as many. */
    LEAST_ROUNDS = 32,
    FEW_ROUNDS = 4,
    MOST_ROUNDS = 4000,
};

enum part { KERNELS, UPLOAD, DOWNLOAD, FILL, DRAIN, BOTH_WAYS, OTHER_UPLOAD, PARTS };

/* The way by hand, in rounds of a whole channel's tokens. */
struct by_hand {
    struct bench *bench;
    const struct place *place;
    struct bench_pair pair, other; /* the place's device, and its second one */
    unsigned char *pinned, *back;  /* of `pair`; of `other`, or of the other direction */
    cl_command_queue down;         /* for the other direction */
    long rounds;                   /* that the sum is over */
    int checked;                   /* True when the next run finds the sum. */
};

/* The places of the ends, the kind of channel, and the limit. */
enum { SAME, NAIVE, FILLED = 5, READ };
static const struct place {
    const char *name;
    int producer, consumer; /* device, or -1 for a core */
    int source;             /* of the core's process */
    const char *kind;       /* of the channel; NULL: dalsynth chooses */
    int relay;              /* True: to the device and back. */
    enum part parts[2];     /* the limit is the slower of these; PARTS: only one */
    int fine;               /* True when all sizes are worth measuring. */
} places[] = {
    [SAME] = {"same device", 0, 0, 0, NULL, 0, {KERNELS, PARTS}, 0},
    [NAIVE] = {"same device, naive", 0, 0, 0, "naive", 0, {KERNELS, PARTS}, 0},
    {"core to device", -1, 0, 2, NULL, 0, {UPLOAD, PARTS}, 1},
    {"device to core", 0, -1, 2, NULL, 0, {DOWNLOAD, PARTS}, 1},
    {"core to device and back", -1, -1, 2, NULL, 1, {BOTH_WAYS, PARTS}, 0},
    [FILLED] = {"core to device, filled", -1, 0, 0, NULL, 0, {UPLOAD, FILL}, 0},
    [READ] = {"device to core, read", 0, -1, 0, NULL, 0, {DOWNLOAD, DRAIN}, 0},
    {"device to device 2", 0, 1, 0, NULL, 0, {DOWNLOAD, OTHER_UPLOAD}, 0},
    {"device 2 to device", 1, 0, 0, NULL, 0, {DOWNLOAD, OTHER_UPLOAD}, 0},
};

/* One point: the place, the sizes, the copies. */
struct point {
    const struct place *place;
    long bytes, copies, items;
    const char *name;
};

static long channel_bytes(const struct bench *bench)
{
    return bench->effort.run_ns < 10000000 ? TINY_BYTES : CAPACITY_BYTES;
}

static long capacity_of(const struct bench *bench, const struct point *point)
{
    return channel_bytes(bench) / point->bytes;
}

static long least_rounds(const struct bench *bench, const struct point *point)
{
    return point->copies * LEAST_ROUNDS < capacity_of(bench, point) ? FEW_ROUNDS : LEAST_ROUNDS;
}

static long round_bytes(const struct bench_pair *pair)
{
    return pair->shape.token_bytes * pair->shape.tokens;
}

static unsigned char *token(const struct by_hand *hand, unsigned char *memory, long n)
{
    return memory + n * hand->pair.shape.token_bytes;
}

/* ---- parts ----------------------------------------------------------------------------------- */

static int both_kernels(struct by_hand *hand, long round)
{
    struct bench_pair *pair = &hand->pair;
    int status = bench_pair_produce(pair, pair->shape.tokens);
    (void)round;
    return status ? status : bench_pair_consume(pair, pair->shape.tokens);
}

static int write_round(const struct bench_pair *pair, const unsigned char *from)
{
    return DAL_CL(
        "dalbench", clEnqueueWriteBuffer,
        (pair->cl.queue, pair->data, CL_FALSE, 0, (size_t)round_bytes(pair), from, 0, NULL, NULL));
}

static int read_round(const struct bench_pair *pair, cl_command_queue queue, cl_mem data,
                      unsigned char *to)
{
    return DAL_CL("dalbench", clEnqueueReadBuffer,
                  (queue, data, CL_FALSE, 0, (size_t)round_bytes(pair), to, 0, NULL, NULL));
}

static int upload_round(struct by_hand *hand, long round)
{
    (void)round;
    return write_round(&hand->pair, hand->pinned);
}

static int download_round(struct by_hand *hand, long round)
{
    (void)round;
    return read_round(&hand->pair, hand->pair.cl.queue, hand->pair.data, hand->pinned);
}

static int other_upload(struct by_hand *hand, long round)
{
    (void)round;
    return write_round(&hand->other, hand->back);
}

/* Transfers both ways, with two buffers, so that neither direction waits for the other. */
static int both_ways(struct by_hand *hand, long round)
{
    int status = upload_round(hand, round);
    if (!status)
        status = read_round(&hand->pair, hand->down, hand->other.data, hand->back);
    if (!status)
        status = DAL_CL("dalbench", clFlush, (hand->pair.cl.queue));
    return status ? status : DAL_CL("dalbench", clFlush, (hand->down));
}

static int fill_round(struct by_hand *hand, long round)
{
    for (long n = 0; n < hand->pair.shape.tokens; n++)
        work_produce((uint32_t *)token(hand, hand->pinned, n), hand->pair.shape.token_bytes / 4,
                     (uint32_t)round, 0);
    return DAL_OK;
}

static int drain_round(struct by_hand *hand, long round)
{
    (void)round;
    for (long n = 0; n < hand->pair.shape.tokens; n++)
        hand->pair.found[n] = work_consume((uint32_t *)token(hand, hand->pinned, n),
                                           hand->pair.shape.token_bytes / 4);
    return DAL_OK;
}

static int (*const parts[PARTS])(struct by_hand *hand, long round) = {
    [KERNELS] = both_kernels,      [UPLOAD] = upload_round, [DOWNLOAD] = download_round,
    [FILL] = fill_round,           [DRAIN] = drain_round,   [BOTH_WAYS] = both_ways,
    [OTHER_UPLOAD] = other_upload,
};

static int finish_all(const struct by_hand *hand)
{
    int status = DAL_CL("dalbench", clFinish, (hand->pair.cl.queue));
    if (!status && hand->other.cl.queue)
        status = DAL_CL("dalbench", clFinish, (hand->other.cl.queue));
    return status || !hand->down ? status : DAL_CL("dalbench", clFinish, (hand->down));
}

/* Finds the GB/s of one part. It runs two rounds, then more and more, until they take long
 * enough. */
static int time_part(struct by_hand *hand, enum part part, double *rate)
{
    int64_t start, ns = 0;
    int status = finish_all(hand);
    for (long rounds = 2; !status && rounds < MOST_ROUNDS; rounds *= 2) {
        start = dal_now_ns();
        for (long n = 0; !status && n < rounds; n++)
            status = parts[part](hand, n);
        if (!status)
            status = finish_all(hand);
        ns = dal_now_ns() - start;
        *rate = (double)round_bytes(&hand->pair) * (double)rounds / (double)ns;
        if (ns >= hand->bench->effort.run_ns / 2)
            break;
    }
    return status;
}

/* ---- what the network has to find ------------------------------------------------------------ */

/* Makes a round's tokens where Consumer reads them: in pair.data, or in host memory. */
static int produce_checked(struct by_hand *hand, long round)
{
    int status;
    if (hand->place->producer >= 0) {
        status = bench_pair_produce(&hand->pair, hand->pair.shape.tokens);
    } else {
        for (long n = 0; hand->place->source && n < hand->pair.shape.tokens; n++)
            *(uint32_t *)token(hand, hand->pinned, n) = (uint32_t)round;
        status = hand->place->source ? DAL_OK : fill_round(hand, round);
        if (!status)
            status = upload_round(hand, round);
    }
    if (!status && hand->place->consumer < 0)
        status = download_round(hand, round);
    return status ? status : finish_all(hand);
}

static int consume_checked(struct by_hand *hand)
{
    struct bench_pair *pair = &hand->pair;
    long last = pair->shape.token_bytes / 4 - 1;
    int status;
    if (hand->place->consumer >= 0) {
        status = bench_pair_consume(pair, pair->shape.tokens);
        return status ? status : bench_pair_read(pair);
    }
    if (!hand->place->source)
        return drain_round(hand, 0);
    for (long n = 0; n < pair->shape.tokens; n++) {
        const uint32_t *words = (uint32_t *)token(hand, hand->pinned, n);
        pair->found[n] = words[0] + words[last];
    }
    return DAL_OK;
}

static int run_checked(struct by_hand *hand, struct bench_result *result)
{
    struct bench_pair *pair = &hand->pair;
    int status = bench_pair_reset(pair);
    result->sum = WORK_SUM_START;
    result->has_sum = 1;
    for (long n = 0; !status && n < hand->rounds; n++) {
        status = produce_checked(hand, n);
        if (!status)
            status = consume_checked(hand);
        for (long k = 0; !status && k < pair->shape.tokens; k++)
            result->sum = work_sum(result->sum, pair->found[k]);
    }
    return status;
}

static int run_by_hand(void *context, struct bench_result *result)
{
    struct by_hand *hand = context;
    const enum part *part = hand->place->parts;
    double second = 0;
    int status;
    if (hand->checked)
        return run_checked(hand, result);
    status = time_part(hand, part[0], &result->value);
    if (!status && part[1] != PARTS)
        status = time_part(hand, part[1], &second);
    if (second > 0 && second < result->value)
        result->value = second;
    return status;
}

/* ---- by hand: setting up --------------------------------------------------------------------- */

static int pin_round(struct bench_pair *pair, unsigned char **pinned)
{
    return bench_make_pinned(&pair->cl, (size_t)round_bytes(pair), pinned);
}

/* Returns the words at a time that suit the device. */
static long lanes(const struct bench *bench, int device)
{
    return bench->device[device]->type == DAL_DEVICE_CPU ? 16 : 4;
}

static int needs(const struct by_hand *hand, enum part part)
{
    return hand->place->parts[0] == part || hand->place->parts[1] == part;
}

static int open_device(struct by_hand *hand, struct bench_pair *pair, int device,
                       const struct point *point, long tokens)
{
    struct bench_shape shape = {.tokens = tokens,
                                .token_bytes = point->bytes,
                                .items = point->items,
                                .lanes = lanes(hand->bench, device)};
    return bench_pair_init(hand->bench, pair, device, &shape);
}

static int set_up(struct by_hand *hand, const struct point *point, long tokens)
{
    int first = point->place->producer, second = point->place->consumer;
    int other = needs(hand, OTHER_UPLOAD) ? second : first < 0 ? second : first;
    int status;
    if (point->place->relay)
        first = second = other = 0;
    status = open_device(hand, &hand->pair, first < 0 ? second : first, point, tokens);
    if (!status && !needs(hand, KERNELS))
        status = pin_round(&hand->pair, &hand->pinned);
    if (status || (!needs(hand, OTHER_UPLOAD) && !needs(hand, BOTH_WAYS)))
        return status;
    status = open_device(hand, &hand->other, other, point, tokens);
    if (!status)
        status = pin_round(&hand->other, &hand->back);
    return status || !needs(hand, BOTH_WAYS) ? status
                                             : bench_make_queue(&hand->other.cl, &hand->down);
}

static void tear_down(struct by_hand *hand)
{
    if (hand->down)
        clReleaseCommandQueue(hand->down);
    bench_pair_finish(&hand->pair);
    bench_pair_finish(&hand->other);
}

/* ---- the network ----------------------------------------------------------------------------- */

static struct bench_binding bind_end(const char *process, int device, const struct point *point)
{
    static const char *const names[] = {"device_0", "device_1"};
    return device < 0 ? bench_bind(process, point->place->source, "core_0", 0, 0)
                      : bench_bind(process, 1, names[device], point->copies, point->items);
}

static int synthesise(struct bench *bench, const struct point *point, const char *output,
                      char **program)
{
    const char *core_1 = bench->cores.count > 1 ? "core_1" : "core_0";
    const struct place *place = point->place;
    struct bench_binding bindings[] = {
        {.process = "*", .processor = core_1},
        bind_end("Producer", place->producer, point),
        bind_end("Consumer", place->consumer, point),
        bind_end("Relay", 0, point),
        {0},
    };
    struct bench_network network = {
        .specification = place->relay ? "synthetic/relay.xml" : "synthetic/channel.xml",
        .program = place->relay ? "relay" : "channel",
        .output = output,
        .variables = {{"tokenbytes", point->bytes},
                      {"capacity", capacity_of(bench, point)},
                      {"copies", point->copies},
                      {"items", point->items},
                      {"lanes", lanes(bench, place->producer > 0 ? place->producer : 0)}},
        .bindings = bindings,
        .channel = "data",
        .kind = place->kind,
    };
    if (place->relay)
        bindings[2].processor = core_1;
    if (place->relay)
        bindings[3].source = 0;
    else
        bindings[3].process = NULL;
    return bench_synthesise(bench, &network, program, NULL);
}

/* ---- the comparison -------------------------------------------------------------------------- */

struct arguments {
    char tokens[BENCH_NAME], skip[BENCH_NAME];
};

/* Sets the rounds. The first quarter of them is not timed. */
static void set_rounds(struct arguments *arguments, long rounds, long capacity)
{
    snprintf(arguments->tokens, BENCH_NAME, "Result.tokens=%ld", rounds * capacity);
    snprintf(arguments->skip, BENCH_NAME, "Result.skip=%ld", rounds / 4 * capacity);
}

static struct bench_program program_of(struct bench *bench, const struct point *point,
                                       const struct arguments *arguments, const char *file)
{
    return (struct bench_program){.bench = bench,
                                  .file = file,
                                  .arguments = {arguments->tokens, arguments->skip},
                                  .rate = 1,
                                  .scale = (double)point->bytes};
}

/* Returns the rounds that take long enough at that many GB/s, a multiple of `least`. */
static long long_enough(const struct bench *bench, double rate, long least)
{
    long rounds = bench_tokens(bench, 1, (double)channel_bytes(bench) / rate, least);
    return rounds < MOST_ROUNDS ? rounds : MOST_ROUNDS;
}

/* Compares a point with the other network, or with the way by hand if `other` is NULL. */
static int compare_point(struct bench *bench, const struct point *point, const char *file,
                         const char *other, struct by_hand *hand)
{
    struct arguments arguments;
    long capacity = capacity_of(bench, point);
    struct bench_program ours = program_of(bench, point, &arguments, file),
                         theirs = program_of(bench, point, &arguments, other);
    const struct bench_side mine = {.run = bench_run_program, .context = &ours};
    const struct bench_side limit = {.run = other ? bench_run_program : run_by_hand,
                                     .context = other ? (void *)&theirs : hand};
    struct bench_record model = {.experiment = "channel",
                                 .copies = point->copies,
                                 .items = point->items,
                                 .param = (double)point->bytes,
                                 .unit = "GB/s",
                                 .rate = 1};
    struct bench_result found;
    int status;
    snprintf(model.name, sizeof(model.name), "%s", point->name);
    hand->rounds = least_rounds(bench, point);
    set_rounds(&arguments, hand->rounds, capacity);
    hand->checked = 1;
    status = bench_agree(bench, &model, &mine, &limit, 1, &found);
    hand->checked = 0;
    if (status)
        return status;
    set_rounds(&arguments, long_enough(bench, found.value, hand->rounds), capacity);
    return bench_measure(bench, &model, &mine, &limit, 1);
}

/* Returns whether two devices are of one platform and share memory. They then need no transfers
 * between them. */
static int is_one_context(const struct bench *bench, const struct place *place)
{
    const struct dal_device_info *from, *to;
    if (place->producer < 0 || place->consumer < 0 || place->producer == place->consumer)
        return 0;
    from = bench->device[place->producer];
    to = bench->device[place->consumer];
    return strcmp(from->platform, to->platform) == 0 && from->traits.unified && to->traits.unified;
}

static int measure_point(struct bench *bench, const struct point *point)
{
    struct by_hand hand = {.bench = bench, .place = point->place};
    struct point same = *point;
    char *program = NULL, *other = NULL;
    int status;
    same.place = &places[0];
    if (is_one_context(bench, point->place))
        status = synthesise(bench, &same, "same-device", &other);
    else
        status = set_up(&hand, point, capacity_of(bench, point));
    if (!status)
        status = synthesise(bench, point, NULL, &program);
    if (!status)
        status = compare_point(bench, point, program, other, &hand);
    dal_free(program);
    dal_free(other);
    tear_down(&hand);
    return status;
}

/* ---- what is swept --------------------------------------------------------------------------- */

/* Shadow copies: a number, or a part of the channel's tokens. */
struct copies {
    long number, part;
};

/* Sizes of tokens: that of tests; those of goals, and two of them; those of figure 6.2, and its
 * ends and middle; all. */
enum sizes { ONE = 1, FEW = 2, PAIR = 4, FIGURE = 8, SPAN = 16, ALL = 32 };

static int measure_sizes(struct bench *bench, const struct place *place, struct copies copies,
                         long items, enum sizes which)
{
    static const struct {
        long bytes;
        int in;
    } sizes[] = {{512, FIGURE | SPAN | ALL},
                 {4096, FEW | FIGURE | ALL},
                 {65536, ONE | FEW | PAIR | FIGURE | SPAN | ALL},
                 {262144, ALL},
                 {1048576, FEW | PAIR | FIGURE | ALL},
                 {4194304, FIGURE | SPAN | ALL}};
    size_t i, count = sizeof(sizes) / sizeof(sizes[0]);
    char name[BENCH_NAME], shadow[24];
    int status = DAL_OK;

    if (copies.part == 1)
        snprintf(shadow, sizeof(shadow), "all");
    else if (copies.part)
        snprintf(shadow, sizeof(shadow), "1/%ld", copies.part);
    else
        snprintf(shadow, sizeof(shadow), "%ld", copies.number);
    snprintf(name, sizeof(name), "%s%s, S=%s I=%ld", place->name,
             is_one_context(bench, place) ? ", one context" : "", shadow, items);
    for (i = 0; !status && i < count; i++) {
        long most = channel_bytes(bench) / sizes[i].bytes; /* the channel's capacity */
        struct point point = {.place = place,
                              .bytes = sizes[i].bytes,
                              .copies = copies.part ? most / copies.part : copies.number,
                              .items = items,
                              .name = name};
        if (most < 2 || !(sizes[i].in & (int)which))
            continue;
        if (point.copies > most)
            point.copies = most;
        if (point.copies < 1)
            point.copies = 1;
        status = measure_point(bench, &point);
    }
    return status;
}

static int is_there(const struct bench *bench, const struct place *place)
{
    if (bench->device[1] || (place->producer != 1 && place->consumer != 1))
        return 1;
    bench_say("channel: no second device, no '%s'", place->name);
    return 0;
}

/* Measures figure 6.2 on one device: S is the compute units, also of the naive channel. */
static int measure_same(struct bench *bench, long usual)
{
    static const struct {
        long items;
        int quick;
    } more[] = {{1, 1}, {16, 0}, {64, 0}, {256, 0}};
    const struct copies units = {.number = bench->device[0]->compute_units};
    enum sizes quick = bench->effort.thesis ? FIGURE : SPAN;
    enum sizes which = bench_is_tiny(bench) ? ONE : bench->effort.fine ? ALL : quick;
    int status = DAL_OK, every = which != ONE && (bench->effort.fine || bench->effort.thesis);
    for (size_t k = 0; !status && k < sizeof(more) / sizeof(more[0]); k++)
        if (every || (which != ONE && more[k].quick) || more[k].items == usual)
            status = measure_sizes(bench, &places[SAME], units, more[k].items, which);
    return status ? status : measure_sizes(bench, &places[NAIVE], units, usual, which);
}

/* Measures figure 6.2 between core and device, with the same S: all bytes are written and read. */
static int measure_between(struct bench *bench, long items)
{
    const struct copies units = {.number = bench->device[0]->compute_units};
    enum sizes which = bench_is_tiny(bench) ? ONE : FIGURE;
    int status = measure_sizes(bench, &places[FILLED], units, items, which);
    return status ? status : measure_sizes(bench, &places[READ], units, items, which);
}

int bench_channel(struct bench *bench)
{
    long items = bench->device[0]->type == DAL_DEVICE_CPU ? 16 : 256;
    int fine = bench->effort.fine, status = measure_same(bench, items);
    enum sizes few = bench_is_tiny(bench) ? ONE : fine ? FEW : PAIR;
    if (bench->effort.thesis)
        return status ? status : measure_between(bench, items);
    if (!status) /* every launch finds the one before it done, so a launch may take all */
        status = measure_sizes(bench, &places[SAME], (struct copies){.part = 1}, items,
                               fine ? ALL : few);
    for (size_t i = NAIVE + 1; !status && i < sizeof(places) / sizeof(places[0]); i++)
        if ((fine || i != FILLED) && (fine || i != READ) && is_there(bench, &places[i]))
            status = measure_sizes(bench, &places[i], (struct copies){.part = 8}, items,
                                   fine && places[i].fine ? ALL : few);
    return status;
}
