/*
 * mjpeg: frames/s of the video network: on one core, on all, and with the filters on a device over
 * shadow copies (S) and work-items (I). Scherer 2013, section 6.5.
 *
 * Limits: a loop over the same C functions deals the frames to as many threads as there are cores.
 * The same kernels run beside one thread that decodes the next S frames. Two more are decoding
 * alone on all cores, and the filters alone on the device. With a second device, the filters on
 * both in turn are compared with the same network on one. The same is done without decoding: one
 * core writes frames, another one counts them, and they go through the filters between
 * (filters.xml).
 */
#define _GNU_SOURCE
#include "bench/dalbench.h"

#include "rt/base/alloc.h"
#include "rt/base/clock.h"

#include "checksum.h"
#include "flow.h"
#include "frame.h"
#include "gauss.h"
#include "jpeg.h"
#include "sobel.h"
#include "stream.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 320,
    HEIGHT = 240,
    PIXELS = WIDTH * HEIGHT,
    CPU_ITEMS = 64, /* that suit such devices */
    GPU_ITEMS = 256,
    TOKEN = PIXELS + 512, /* an image on a device, so that the next starts where a sub-buffer can */
    MOST_THREADS = 64,
    MOST_FRAMES = 4096, /* in the file */
    FILL_RUNS =
        5, /* a run of the network is so many times as long: it starts with empty channels */
};

struct video {
    char *data;
    size_t bytes;
    const unsigned char *frames[MOST_FRAMES];
    size_t sizes[MOST_FRAMES];
    long count;
    int checked; /* True when the next run finds the checksum, and plays the video once. */
};

/* Returns the frames of a side that plays the video `loops` times. */
static long frames_of(const struct video *video, long loops)
{
    return video->checked ? video->count : video->count * loops;
}

static int load_video(struct bench *bench, struct video *video)
{
    char *name = dal_format("%s/mjpeg/dog.mjpeg", bench->apps);
    FILE *file = name ? fopen(name, "rb") : NULL;
    struct stream stream = {0};
    enum { MOST = 16 << 20 };

    video->data = dal_alloc(MOST);
    if (file && video->data)
        stream = (struct stream){.data = (unsigned char *)video->data,
                                 .size = fread(video->data, 1, MOST, file)};
    while (video->count < MOST_FRAMES &&
           stream_next(&stream, &video->frames[video->count], &video->sizes[video->count]))
        video->count++;
    if (file)
        fclose(file);
    if (video->count == 0)
        dal_log(DAL_LOG_ERROR, "no video in %s", name ? name : "the apps folder");
    dal_free(name);
    return video->count ? DAL_OK : DAL_ERR_IO;
}

static void decode_frame(struct jpeg_decoder *decoder, const struct video *video, long n,
                         unsigned char *image)
{
    n %= video->count;
    jpeg_decode(decoder, video->frames[n], video->sizes[n], image, WIDTH, HEIGHT);
}

static uint64_t add_frame(uint64_t sum, const unsigned char *decoded, const unsigned char *motion)
{
    return checksum_add(checksum_add(sum, decoded, PIXELS), motion, PIXELS);
}

/* ---- cores ----------------------------------------------------------------------------------- */

struct by_hand {
    struct bench *bench;
    struct video *video;
    int threads, decode_only;
    long loops;
    unsigned char *kept; /* the decoded image and the motion of every frame, when checked */
};

/* Frames from..to of one thread. */
struct share {
    struct by_hand *hand;
    int number;
    long from, to;
    int failed;
};

/* The images of one frame. The `edges` of this frame and of the last one take turns. */
struct images {
    unsigned char decoded[PIXELS], blurred[PIXELS], edges[2][PIXELS], motion[PIXELS];
    uint16_t gauss[GAUSS_SCRATCH(WIDTH)];
    int16_t sobel[SOBEL_SCRATCH(WIDTH)];
    float flow[FLOW_SCRATCH(WIDTH)];
};

static void filter_frame(struct share *share, struct images *i, struct jpeg_decoder *decoder,
                         long n)
{
    decode_frame(decoder, share->hand->video, n, i->decoded);
    if (share->hand->decode_only)
        return;
    gauss_image(i->decoded, i->blurred, WIDTH, HEIGHT, i->gauss);
    sobel_image(i->blurred, i->edges[n & 1], WIDTH, HEIGHT, i->sobel);
    if (n < share->from || n == 0) /* there is none before, or only that one is needed */
        return;
    flow_image(i->edges[n & 1], i->edges[(n + 1) & 1], i->motion, WIDTH, HEIGHT, i->flow);
}

static void keep_frame(struct share *share, const struct images *i, long n)
{
    unsigned char *place = share->hand->kept;
    if (!share->hand->video->checked || !place)
        return;
    memcpy(place + (size_t)n * 2 * PIXELS, i->decoded, PIXELS);
    memcpy(place + ((size_t)n * 2 + 1) * PIXELS, i->motion, PIXELS);
}

static void *work_share(void *context)
{
    struct share *share = context;
    struct by_hand *hand = share->hand;
    struct images *images = dal_calloc(1, sizeof(*images));
    struct jpeg_decoder decoder;
    if (!images || jpeg_decoder_init(&decoder) != 0) {
        share->failed = 1;
        dal_free(images);
        return NULL;
    }
    dal_core_pin(hand->bench->cores.numbers[share->number]);
    for (long n = share->from > 0 ? share->from - 1 : 0; n < share->to; n++) {
        filter_frame(share, images, &decoder, n);
        if (n >= share->from)
            keep_frame(share, images, n);
    }
    jpeg_decoder_finish(&decoder);
    dal_free(images);
    return NULL;
}

static int run_threads(struct by_hand *hand, long frames)
{
    pthread_t threads[MOST_THREADS];
    struct share shares[MOST_THREADS];
    int started = 0, failed = 0;
    for (int i = 0; i < hand->threads; i++) {
        shares[i] = (struct share){.hand = hand,
                                   .number = i,
                                   .from = frames * i / hand->threads,
                                   .to = frames * (i + 1) / hand->threads};
        if (pthread_create(&threads[i], NULL, work_share, &shares[i]) != 0)
            break;
        started++;
    }
    for (int i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
        failed |= shares[i].failed;
    }
    return failed || started < hand->threads ? DAL_ERR_SYSTEM : DAL_OK;
}

static int run_by_hand(void *context, struct bench_result *result)
{
    struct by_hand *hand = context;
    long n, frames = frames_of(hand->video, hand->loops);
    int64_t start = dal_now_ns();
    int status;
    status = run_threads(hand, frames);
    result->value = (double)frames * 1e9 / (double)(dal_now_ns() - start);
    result->has_sum = hand->video->checked && !hand->decode_only;
    result->sum = CHECKSUM_START;
    for (n = 0; result->has_sum && n < frames; n++)
        result->sum = add_frame(result->sum, hand->kept + (size_t)n * 2 * PIXELS,
                                hand->kept + ((size_t)n * 2 + 1) * PIXELS);
    return status;
}

/* ---- a device -------------------------------------------------------------------------------- */

enum { GAUSS, SOBEL, FLOW, KERNELS };

/* A batch of up to S frames in flight, with its images in pinned memory. */
struct batch {
    unsigned char *tokens; /* S decoded images, then S of motion */
    cl_event done;
    long frames;
};

struct device {
    struct video *video;
    long copies, items;
    int filters_only;
    long loops, filter_loops;
    struct bench_device cl;
    cl_kernel kernels[KERNELS];
    cl_mem decoded, blurred, motion;
    cl_mem before, edges; /* S + 1 images, and a view of it that starts with the second */
    struct batch batches[2];
    struct jpeg_decoder decoder;
    uint64_t sum;
};

static const struct {
    const char *file, *name;
} programs[KERNELS] = {
    [GAUSS] = {"mjpeg/gauss.cl", "Gauss"},
    [SOBEL] = {"mjpeg/sobel.cl", "Sobel"},
    [FLOW] = {"mjpeg/opticalflow.cl", "Opticalflow"},
};

static int make_kernels(struct bench *bench, struct device *d)
{
    char *options = dal_format("-I%s/mjpeg -DVAR_width=%d -DVAR_height=%d -DTOKEN_in_SIZE=%d "
                               "-DTOKEN_out_SIZE=%d -DTOKEN_previous_SIZE=%d",
                               bench->apps, WIDTH, HEIGHT, TOKEN, TOKEN, TOKEN);
    int status = options ? DAL_OK : DAL_ERR_NOMEM;
    for (int i = 0; !status && i < KERNELS; i++)
        status = bench_make_kernel(bench, &d->cl, programs[i].file, programs[i].name, options,
                                   &d->kernels[i]);
    dal_free(options);
    return status;
}

static int make_buffers(struct device *d)
{
    cl_mem *const buffers[] = {&d->decoded, &d->blurred, &d->motion};
    size_t i, bytes = (size_t)d->copies * TOKEN;
    int status = bench_make_buffer(&d->cl, bytes + TOKEN, &d->before);
    if (!status)
        status = bench_make_view(&d->cl, d->before, TOKEN, bytes, &d->edges);
    for (i = 0; !status && i < sizeof(buffers) / sizeof(buffers[0]); i++)
        status = bench_make_buffer(&d->cl, bytes, buffers[i]);
    return status;
}

static int make_batch(struct device *d, struct batch *batch)
{
    int status = bench_make_pinned(&d->cl, 2 * (size_t)d->copies * TOKEN, &batch->tokens);
    for (long k = 0; !status && k < d->copies; k++)
        image_set_valid(batch->tokens + k * TOKEN, TOKEN, 1);
    return status;
}

static int set_arguments(struct device *d)
{
    const struct {
        int kernel;
        cl_uint index;
        cl_mem memory;
    } arguments[] = {
        {GAUSS, 0, d->decoded}, {GAUSS, 1, d->blurred}, {SOBEL, 0, d->blurred},
        {SOBEL, 1, d->edges},   {FLOW, 0, d->edges},    {FLOW, 1, d->before},
        {FLOW, 2, d->motion},
    };
    int status = DAL_OK;

    for (size_t i = 0; !status && i < sizeof(arguments) / sizeof(arguments[0]); i++)
        status = bench_set_buffer(d->kernels[arguments[i].kernel], arguments[i].index,
                                  &arguments[i].memory);
    return status;
}

static int open_device(struct bench *bench, struct device *d)
{
    int status;
    if (jpeg_decoder_init(&d->decoder) != 0)
        return DAL_ERR_NOMEM;
    status = bench_device_open(bench, &d->cl, 0);
    if (!status)
        status = make_kernels(bench, d);
    if (!status)
        status = make_buffers(d);
    if (!status)
        status = make_batch(d, &d->batches[0]);
    if (!status)
        status = make_batch(d, &d->batches[1]);
    return status ? status : set_arguments(d);
}

static void close_device(struct device *d)
{
    bench_device_close(&d->cl);
    jpeg_decoder_finish(&d->decoder);
}

/* Launches the three filters for `frames` frames, in order. The last image is the next batch's
 * first `before`. */
static int launch_filters(struct device *d, long frames)
{
    int status = DAL_OK;
    for (int i = 0; !status && i < KERNELS; i++)
        status = bench_launch(&d->cl, d->kernels[i], d->items, frames, NULL);
    return status ? status
                  : DAL_CL("dalbench", clEnqueueCopyBuffer,
                           (d->cl.queue, d->before, d->before, (size_t)frames * TOKEN, 0, TOKEN, 0,
                            NULL, NULL));
}

static int send_batch(struct device *d, struct batch *batch)
{
    size_t bytes = (size_t)batch->frames * TOKEN;
    unsigned char *motion = batch->tokens + (size_t)d->copies * TOKEN;
    int status =
        DAL_CL("dalbench", clEnqueueWriteBuffer,
               (d->cl.queue, d->decoded, CL_FALSE, 0, bytes, batch->tokens, 0, NULL, NULL));
    if (!status)
        status = launch_filters(d, batch->frames);
    if (!status)
        status =
            DAL_CL("dalbench", clEnqueueReadBuffer,
                   (d->cl.queue, d->motion, CL_FALSE, 0, bytes, motion, 0, NULL, &batch->done));
    return status ? status : DAL_CL("dalbench", clFlush, (d->cl.queue));
}

/* Waits for a batch and reads it. */
static int receive_batch(struct device *d, struct batch *batch)
{
    int status;
    if (!batch->done)
        return DAL_OK;
    status = DAL_CL("dalbench", clWaitForEvents, (1, &batch->done));
    clReleaseEvent(batch->done);
    batch->done = NULL;
    for (long k = 0; d->video->checked && k < batch->frames; k++)
        d->sum = add_frame(d->sum, batch->tokens + (size_t)k * TOKEN,
                           batch->tokens + (size_t)(d->copies + k) * TOKEN);
    return status;
}

/* Decodes a batch while the device has the last one, in one thread. */
static int play_video(struct device *d, long frames)
{
    long b;
    int status = DAL_OK;
    for (long n = b = 0; !status && n < frames; n += d->copies, b++) {
        struct batch *batch = &d->batches[b % 2];
        status = receive_batch(d, batch);
        if (status)
            break;
        batch->frames = frames - n < d->copies ? frames - n : d->copies;
        for (long k = 0; k < batch->frames; k++)
            decode_frame(&d->decoder, d->video, n + k, batch->tokens + k * TOKEN);
        status = send_batch(d, batch);
    }
    for (long k = 0; k < 2; k++, b++) {
        int late = receive_batch(d, &d->batches[b % 2]);
        status = status ? status : late;
    }
    return status;
}

/* Runs the filters alone, again and again on the images on the device, in whole launches. */
static int filter_only(struct device *d, long *frames)
{
    long n;
    int status = DAL_OK;
    for (n = 0; !status && n < *frames; n += d->copies)
        status = launch_filters(d, d->copies);
    *frames = n;
    return status;
}

static int run_device(void *context, struct bench_result *result)
{
    struct device *d = context;
    long frames = frames_of(d->video, d->filters_only ? d->filter_loops : d->loops);
    cl_uint zero = 0;
    int64_t start;
    int status = DAL_CL("dalbench", clEnqueueFillBuffer,
                        (d->cl.queue, d->before, &zero, sizeof(zero), 0, TOKEN, 0, NULL, NULL));
    clFinish(d->cl.queue);
    d->sum = CHECKSUM_START;
    start = dal_now_ns();
    if (!status)
        status = d->filters_only ? filter_only(d, &frames) : play_video(d, frames);
    clFinish(d->cl.queue);
    result->value = (double)frames * 1e9 / (double)(dal_now_ns() - start);
    result->has_sum = d->video->checked && !d->filters_only;
    result->sum = d->sum;
    return status;
}

static int run_filters(void *context, struct bench_result *result)
{
    struct device *d = context;
    int status;
    d->filters_only = 1;
    status = run_device(d, result);
    d->filters_only = 0;
    return status;
}

/* ---- the network ----------------------------------------------------------------------------- */

struct network {
    struct bench *bench;
    struct video *video;
    char *program;
    long loops;
    long frames;  /* ends after so many, if not 0 */
    int one_core; /* True: the whole program, its device's threads too, is on the first core. */
};

/* Reads Screen's output: the checksum from standard output, the rate from standard error. */
static int read_rate(struct bench *bench, double *rate)
{
    char *name = dal_format("%s/log", bench->folder), line[256];
    FILE *file = name ? fopen(name, "r") : NULL;
    double seconds;
    long frames;
    *rate = 0;
    while (file && fgets(line, sizeof(line), file))
        if (sscanf(line, "%ld frames in %lf s, %lf", &frames, &seconds, rate) == 3)
            break;
    if (file)
        fclose(file);
    dal_free(name);
    if (*rate > 0)
        return DAL_OK;
    dal_log(DAL_LOG_ERROR, "Screen does not tell its rate");
    return DAL_ERR_PROCESS;
}

/* Confines programs from now on to the first core; *all becomes what they were allowed before. PoCL
 * starts as many threads as its variable says. */
static void confine(struct bench *bench, cpu_set_t *all)
{
    sched_getaffinity(0, sizeof(*all), all);
    dal_core_pin(bench->cores.numbers[0]);
    setenv("POCL_MAX_PTHREAD_COUNT", "1", 1);
}

static void unconfine(const cpu_set_t *all)
{
    sched_setaffinity(0, sizeof(*all), all);
    unsetenv("POCL_MAX_PTHREAD_COUNT");
}

static int run_network(void *context, struct bench_result *result)
{
    struct network *network = context;
    struct video *video = network->video;
    struct bench_run run = {0};
    char *input = dal_format("Split.input=%s/mjpeg/dog.mjpeg", network->bench->apps);
    char loop[BENCH_NAME], frames[BENCH_NAME], checksum[BENCH_NAME];
    const char *argv[] = {network->program, "-p", input,    "-p", loop, "-p",
                          frames,           "-p", checksum, NULL};
    int status = input ? DAL_OK : DAL_ERR_NOMEM;
    cpu_set_t all;
    snprintf(loop, sizeof(loop), "Split.loop=%ld", video->checked ? 1 : network->loops);
    snprintf(frames, sizeof(frames), "Split.frames=%ld", video->checked ? 0 : network->frames);
    snprintf(checksum, sizeof(checksum), "Screen.checksum=%d", video->checked);
    if (network->one_core)
        confine(network->bench, &all);
    if (!status)
        status = bench_execute(network->bench, NULL, argv, &run);
    if (network->one_core)
        unconfine(&all);
    if (!status && video->checked) {
        unsigned long long sum;
        result->has_sum = sscanf(run.output, "checksum %llx", &sum) == 1;
        result->sum = sum;
    }
    if (!status)
        status = read_rate(network->bench, &result->value);
    dal_free(run.output);
    dal_free(input);
    return status;
}

static const struct bench_binding one_core[] = {{.process = "*", .processor = "core_0"}, {0}};
static const struct bench_binding all_cores[] = {{.process = "*", .processor = "core_*"}, {0}};

/* Mappings with the three filters on devices, and the rest on all cores. */
struct filters_on {
    struct bench_binding bindings[5];
};

static struct filters_on bind_filters(const char *devices, long copies, long items)
{
    return (struct filters_on){{{.process = "*", .processor = "core_*"},
                                bench_bind("Gauss", 1, devices, copies, items),
                                bench_bind("Sobel", 1, devices, copies, items),
                                bench_bind("Opticalflow", 1, devices, copies, items)}};
}

/* Synthesises the network. On one core, decoders side by side would only need longer channels. */
static int synthesise(struct bench *bench, const struct bench_binding *bindings, const char *output,
                      struct network *network)
{
    long cores = (long)bench->cores.count;
    struct bench_network n = {
        .specification = "mjpeg/mjpeg.xml",
        .program = "mjpeg",
        .output = output,
        .variables = {{"decoders", bindings == one_core ? 1
                                   : cores > 3          ? cores
                                                        : 3}},
        .bindings = bindings,
    };
    return bench_synthesise(bench, &n, &network->program, NULL);
}

/* ---- the experiment -------------------------------------------------------------------------- */

/* A limit, and the times that it plays the video. */
struct limit {
    struct bench_side side;
    long *loops;
};

/* Sets the passes over the video, so that they take `runs` times as long as a run should. */
static int set_loops(struct bench *bench, const struct video *video, const struct bench_side *side,
                     int runs, long *loops)
{
    struct bench_result probe = {0};
    double aim = (double)bench->effort.run_ns * runs, ns = 0;
    int status = DAL_OK;
    for (*loops = 1; !status; *loops *= 4) {
        status = side->run(side->context, &probe);
        ns = (double)video->count * (double)*loops * 1e9 / probe.value;
        if (ns >= aim / 4)
            break;
    }
    if (!status)
        *loops = (long)((double)*loops * aim / ns) + 1;
    return status;
}

/* Compares the checksum of one pass, and then the rates. */
static int compare_rates(struct bench *bench, struct video *video, const char *name, double param,
                         struct network *network, const struct limit *limit, int count)
{
    struct bench_side limits[BENCH_LIMITS];
    struct bench_record model = {
        .experiment = "mjpeg", .param = param, .unit = "frames/s", .rate = 1};
    const struct bench_side mine = {.run = run_network, .context = network};
    struct bench_result found;
    int status;
    for (int i = 0; i < count; i++)
        limits[i] = limit[i].side;
    snprintf(model.name, sizeof(model.name), "%s", name);
    video->checked = 1;
    status = bench_agree(bench, &model, &mine, limits, count, &found);
    video->checked = 0;
    if (!status)
        status = set_loops(bench, video, &mine, FILL_RUNS, &network->loops);
    for (int i = 0; !status && i < count; i++)
        status = set_loops(bench, video, &limits[i], 1, limit[i].loops);
    return status ? status : bench_measure(bench, &model, &mine, limits, count);
}

static int measure_cores(struct bench *bench, struct video *video, int threads)
{
    struct network network = {.bench = bench, .video = video};
    struct by_hand hand = {.bench = bench, .video = video, .threads = threads};
    const struct limit limit = {{.run = run_by_hand, .context = &hand}, &hand.loops};
    int status = synthesise(bench, threads == 1 ? one_core : all_cores, NULL, &network);
    hand.kept = dal_calloc((size_t)video->count, (size_t)2 * PIXELS);
    if (!status && !hand.kept)
        status = DAL_ERR_NOMEM;
    if (!status)
        status = compare_rates(bench, video, threads == 1 ? "C, one core" : "C, all cores", threads,
                               &network, &limit, 1);
    dal_free(hand.kept);
    dal_free(network.program);
    return status;
}

/* Sets sizes that suit such devices, if dalsynth chooses. */
static void shape_batches(const struct bench *bench, struct device *device)
{
    int is_cpu = bench->device[0]->type == DAL_DEVICE_CPU;
    if (!device->copies)
        device->copies = is_cpu ? 4 : 256;
    if (!device->items)
        device->items = is_cpu ? CPU_ITEMS : GPU_ITEMS;
}

/* Measures a device. With 0 for both, dalsynth chooses. */
static int measure_device(struct bench *bench, struct video *video, int threads, long copies,
                          long items)
{
    struct network network = {.bench = bench, .video = video};
    struct by_hand hand = {.bench = bench, .video = video, .threads = threads, .decode_only = 1};
    struct device device = {.video = video, .copies = copies, .items = items};
    const struct limit limits[] = {
        {{.run = run_device, .context = &device, .name = "OpenCL by hand"}, &device.loops},
        {{.run = run_by_hand, .context = &hand, .name = "decoding alone"}, &hand.loops},
        {{.run = run_filters, .context = &device, .name = "filters alone"}, &device.filter_loops},
    };
    const struct filters_on filters = bind_filters("device_0", copies, items);
    char name[BENCH_NAME];
    int status;
    shape_batches(bench, &device);
    status = open_device(bench, &device);
    if (copies)
        snprintf(name, sizeof(name), "filters on device, S=%ld I=%ld", copies, items);
    else
        snprintf(name, sizeof(name), "filters on device, S and I chosen");
    if (!status)
        status = synthesise(bench, filters.bindings, NULL, &network);
    if (!status)
        status = compare_rates(bench, video, name, (double)copies, &network, limits, BENCH_LIMITS);
    close_device(&device);
    dal_free(network.program);
    return status;
}

/* Compares the filters on both devices with the same network on the first. */
static int measure_both(struct bench *bench, struct video *video, int threads)
{
    enum { FRAMES = 64, ITEMS = 256 };
    struct network network = {.bench = bench, .video = video},
                   alone = {.bench = bench, .video = video};
    struct by_hand hand = {.bench = bench, .video = video, .threads = threads, .decode_only = 1};
    const struct limit limits[] = {
        {{.run = run_network, .context = &alone, .name = "one of them"}, &alone.loops},
        {{.run = run_by_hand, .context = &hand, .name = "decoding alone"}, &hand.loops},
    };
    char name[BENCH_NAME];
    const struct filters_on one = bind_filters("device_0", FRAMES, ITEMS),
                            both = bind_filters("device_0 device_1", FRAMES, ITEMS);
    int status = synthesise(bench, one.bindings, "one-device", &alone);

    snprintf(name, sizeof(name), "filters on two devices, S=%d I=%d", FRAMES, ITEMS);
    if (!status)
        status = synthesise(bench, both.bindings, NULL, &network);
    if (!status)
        status = compare_rates(bench, video, name, FRAMES, &network, limits, 2);
    dal_free(network.program);
    dal_free(alone.program);
    return status;
}

/* ---- nothing to decode ----------------------------------------------------------------------- */

static int synthesise_alone(struct bench *bench, const char *devices, const char *output,
                            char **program)
{
    const struct filters_on filters = bind_filters(devices, 0, 0);
    struct bench_network network = {.specification = "mjpeg/filters.xml",
                                    .program = "filters",
                                    .output = output,
                                    .bindings = filters.bindings};
    return bench_synthesise(bench, &network, program, NULL);
}

static void set_frames(char argument[BENCH_NAME], long frames)
{
    snprintf(argument, BENCH_NAME, "Numbers.frames=%ld", frames);
}

/* Compares the images once, and then the rates. Both sides have the same arguments; `limit` is a
 * network, too, or there is none. */
static int compare_alone(struct bench *bench, const struct bench_record *model,
                         struct bench_program *ours, char arguments[2][BENCH_NAME],
                         const struct bench_side *limits, int count)
{
    enum { CHECKED = 200, PROBED = 1000 };
    const struct bench_side mine = {.run = bench_run_program, .context = ours};
    struct bench_result found;
    int status;

    set_frames(arguments[0], CHECKED);
    snprintf(arguments[1], BENCH_NAME, "Count.checksum=1");
    status = bench_agree(bench, model, &mine, limits, count, &found);
    snprintf(arguments[1], BENCH_NAME, "Count.checksum=0");
    set_frames(arguments[0], PROBED);
    for (int i = 0; !status && i < 2; i++) { /* the longer run measures better */
        status = bench_run_program(ours, &found);
        set_frames(arguments[0], FILL_RUNS * bench_tokens(bench, 1, 1e9 / found.value, 1));
    }
    return status ? status : bench_measure(bench, model, &mine, limits, count);
}

/* Compares with the kernels on images that the device has; they give no sum. */
static int compare_with_kernels(struct bench *bench, struct video *video,
                                const struct bench_record *model, struct bench_program *ours,
                                char arguments[2][BENCH_NAME])
{
    struct device device = {.video = video};
    const struct bench_side limit = {
        .run = run_filters, .context = &device, .name = "filters alone"};
    int status;
    shape_batches(bench, &device);
    status = open_device(bench, &device);
    if (!status)
        status = set_loops(bench, video, &limit, 1, &device.filter_loops);
    if (!status)
        status = compare_alone(bench, model, ours, arguments, &limit, 1);
    close_device(&device);
    return status;
}

/* Returns whether both devices are of one kind. */
static int are_alike(const struct dal_device_info *const *devices)
{
    return devices[0] && devices[1] && strcmp(devices[0]->name, devices[1]->name) == 0;
}

/* Compares one device with the kernels on its images, and two of a kind with one. */
static int measure_alone(struct bench *bench, struct video *video)
{
    char arguments[2][BENCH_NAME], *one = NULL, *both = NULL;
    struct bench_program on_one = {.bench = bench,
                                   .arguments = {arguments[0], arguments[1]},
                                   .scale = 1e9,
                                   .rate = 1},
                         on_both = on_one;
    const struct bench_side limit = {
        .run = bench_run_program, .context = &on_one, .name = "one of them"};
    struct bench_record model = {
        .experiment = "mjpeg", .name = "nothing to decode", .unit = "frames/s", .rate = 1};
    int status = synthesise_alone(bench, "device_0", "filters-1", &one);
    on_one.file = one;
    if (!status)
        status = compare_with_kernels(bench, video, &model, &on_one, arguments);
    if (!status && are_alike(bench->device)) {
        status = synthesise_alone(bench, "device_0 device_1", "filters-2", &both);
        on_both.file = both;
        snprintf(model.name, sizeof(model.name), "nothing to decode, two alike");
        if (!status)
            status = compare_alone(bench, &model, &on_both, arguments, &limit, 1);
    }
    dal_free(one);
    dal_free(both);
    return status;
}

static int measure_devices(struct bench *bench, struct video *video, int threads)
{
    enum { QUICK = 1, CPU = 2, GPU = 4 };
    static const struct {
        long copies, items;
        int when;
    } points[] = {
        {0, 0, QUICK | CPU | GPU},
        {1, 64, QUICK | CPU},
        {2, 64, CPU},
        {4, 1, CPU},
        {4, 16, QUICK | CPU},
        {4, 64, QUICK | CPU | GPU},
        {4, 256, CPU},
        {16, 64, CPU | GPU},
        {16, 256, QUICK | CPU | GPU},
        {64, 64, CPU | GPU},
        {64, 256, QUICK | GPU},
        {128, 256, GPU},
        {256, 256, QUICK | GPU},
        {512, 256, GPU},
    };
    int kind = bench->device[0]->type == DAL_DEVICE_CPU ? CPU : GPU;
    int status = DAL_OK;

    for (size_t i = 0; !status && i < sizeof(points) / sizeof(points[0]); i++)
        if ((points[i].when & kind) && (bench->effort.fine || (points[i].when & QUICK)))
            status = measure_device(bench, video, threads, points[i].copies, points[i].items);
    return status;
}

/* ---- the thesis ------------------------------------------------------------------------------ */

/* A row of bars of figure 6.8: where the filters are, and over which S. */
struct bars {
    const char *name; /* "kernels, GPU" */
    int one_core;
    const long *copies; /* ends with 0 */
};

/* The checksum that was found by hand. */
static int recall_sum(void *context, struct bench_result *result)
{
    result->sum = *(uint64_t *)context;
    result->has_sum = 1;
    return DAL_OK;
}

/* Finds it. */
static int sum_by_hand(struct bench *bench, struct video *video, uint64_t *sum)
{
    struct by_hand hand = {.bench = bench, .video = video, .threads = 1};
    struct bench_result result = {0};
    int status;
    hand.kept = dal_calloc((size_t)video->count, (size_t)2 * PIXELS);
    video->checked = 1;
    status = hand.kept ? run_by_hand(&hand, &result) : DAL_ERR_NOMEM;
    video->checked = 0;
    dal_free(hand.kept);
    *sum = result.sum;
    return status;
}

/* Returns the frames of a run of the thesis: as many launches with large S as with S = 16, and
 * fewer frames where they would take too long. A frame by one work-item takes a GPU part of a
 * second. */
static long frames_of_run(const struct bench *bench, long copies, double rate)
{
    enum { MOST_SECONDS = 2, LEAST = 16 };
    double wanted = (double)bench->effort.frames * fmax((double)copies / 16, 1);
    return (long)fmax(fmin(wanted, rate * MOST_SECONDS), LEAST);
}

/* Measures the frames/s of a mapping, after a look at its checksum. */
static int measure_mapping(struct network *network, const struct bench_binding *bindings,
                           const struct bench_record *model, uint64_t sum)
{
    const struct bench_side mine = {.run = run_network, .context = network},
                            known = {.run = recall_sum, .context = &sum};
    struct bench *bench = network->bench;
    struct bench_result found;
    int status = synthesise(bench, bindings, NULL, network);
    network->video->checked = 1;
    if (!status)
        status = bench_agree(bench, model, &mine, &known, 1, &found);
    network->video->checked = 0;
    if (!status) {
        network->frames = frames_of_run(bench, model->copies, found.value);
        network->loops = network->frames / network->video->count + 1;
    }
    if (!status)
        status = bench_measure(bench, model, &mine, NULL, 0);
    dal_free(network->program);
    network->program = NULL;
    return status;
}

static int measure_c(struct bench *bench, struct video *video, int one, uint64_t sum)
{
    struct network network = {.bench = bench, .video = video, .one_core = one};
    struct bench_record model = {
        .experiment = "video", .unit = "frames/s", .rate = 1, .param = one ? 1 : 0};
    snprintf(model.name, sizeof(model.name), one ? "C, one core" : "C, all cores");
    return measure_mapping(&network, one ? one_core : all_cores, &model, sum);
}

/* Returns whether a point is measured: with the least S every I, with the usual I every S. */
static int is_wanted(const struct bench *bench, const struct bars *bars, long copies, long items)
{
    long usual = bench->device[0]->type == DAL_DEVICE_CPU ? CPU_ITEMS : GPU_ITEMS;
    if (bench_is_tiny(bench))
        return items == 1 && copies == 1;
    return items == usual || copies == bars->copies[0];
}

static int measure_bars(struct bench *bench, struct video *video, const struct bars *bars,
                        uint64_t sum)
{
    static const long all_items[] = {1, 4, 16, 64, 256};
    struct network network = {.bench = bench, .video = video, .one_core = bars->one_core};
    int status = DAL_OK;
    for (const long *s = bars->copies; !status && *s; s++)
        for (size_t k = 0; !status && k < sizeof(all_items) / sizeof(all_items[0]); k++) {
            long items = all_items[k];
            struct filters_on filters = bind_filters("device_0", *s, items);
            struct bench_record model = {.experiment = "video",
                                         .unit = "frames/s",
                                         .rate = 1,
                                         .copies = *s,
                                         .items = items,
                                         .param = (double)*s};
            if (bars->one_core)
                filters.bindings[0].processor = "core_0";
            snprintf(model.name, sizeof(model.name), "%s, S=%ld I=%ld", bars->name, *s, items);
            if (is_wanted(bench, bars, *s, items))
                status = measure_mapping(&network, filters.bindings, &model, sum);
        }
    return status;
}

int bench_video(struct bench *bench, int of_cores)
{
    static const long one[] = {1, 0}, more[] = {1, 2, 3, 4, 8, 16, 0},
                      most[] = {1, 2, 3, 4, 8, 16, 64, 256, 0}; /* to fill a GPU of today */
    static const struct bars on_one = {"kernels, one core", 1, one},
                             on_all = {"kernels, all cores", 0, more},
                             on_gpu = {"kernels, GPU", 0, most};
    struct video video = {0};
    uint64_t sum = 0;
    int status = load_video(bench, &video);
    if (!status)
        status = sum_by_hand(bench, &video, &sum);
    for (int k = 1; !status && of_cores && k >= 0; k--)
        status = measure_c(bench, &video, k, sum);
    if (!status && of_cores && bench->device[0]) {
        status = measure_bars(bench, &video, &on_one, sum);
        status = status ? status : measure_bars(bench, &video, &on_all, sum);
    }
    if (!status && !of_cores)
        status = measure_bars(bench, &video, &on_gpu, sum);
    dal_free(video.data);
    return status;
}

/* ---- the experiment of all others ------------------------------------------------------------ */

int bench_mjpeg(struct bench *bench)
{
    struct video video = {0};
    int threads = bench->cores.count < MOST_THREADS ? (int)bench->cores.count : MOST_THREADS;
    int status = load_video(bench, &video);
    if (!status)
        status = measure_cores(bench, &video, 1);
    if (!status && threads > 1)
        status = measure_cores(bench, &video, threads);
    if (!bench->device[0])
        bench_say("mjpeg: no OpenCL device, cores alone");
    else if (!status)
        status = measure_devices(bench, &video, threads);
    if (!status && bench->device[0])
        status = measure_alone(bench, &video);
    if (!status && bench->device[1])
        status = measure_both(bench, &video, threads);
    dal_free(video.data);
    return status;
}
