/*
 * parts: networks of one installed part, on one core; what does a sample cost?
 *
 * The limit is compiled here: apps/synthetic/part_by_hand.c, or input_by_hand.c for what comes from
 * outside. It is a loop over blocks of the same length, with the same library. Source and Sink are
 * in both.
 */
#define _GNU_SOURCE
#include "bench/dalbench.h"

#include "rt/base/alloc.h"
#include "rt/base/child.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the programs of both sides are given, by -p. */
struct given {
    char *texts[BENCH_ARGS];
    int count;
};

static int give_sound(struct bench *bench, struct given *given);
static int give_video(struct bench *bench, struct given *given);
static int give_packets(struct bench *bench, struct given *given);

#define SIGNAL(name, package, block)                                                               \
    {                                                                                              \
        name, package, "part_by_hand", "ns/sample", NULL, block                                    \
    }
#define INPUT(name, package, unit, give, block)                                                    \
    {                                                                                              \
        name, package, "input_by_hand", unit, give, block                                          \
    }
#define VIDEO "libavformat libavcodec libswscale libavutil"

static const struct measured_part {
    const char *name, *packages; /* of pkg-config; "": it needs none */
    const char *by_hand, *unit;
    int (*give)(struct bench *bench, struct given *given); /* NULL: Source.tokens */
    long block;                                            /* samples of a firing */
} parts[] = {
    SIGNAL("fir", "", 256),
    SIGNAL("fir", "", 4096),
    SIGNAL("biquad", "", 256),
    SIGNAL("biquad", "", 4096),
    SIGNAL("fft", "fftw3f", 1024),
    SIGNAL("fft", "fftw3f", 4096),
    INPUT("sound_in", "sndfile", "ns/sample", give_sound, 256),
    INPUT("sound_in", "sndfile", "ns/sample", give_sound, 4096),
    INPUT("video_in", VIDEO, "ns/frame", give_video, 1),
    INPUT("udp_in", "", "ns/packet", give_packets, 64),
};

static const struct bench_binding one_core[] = {{.process = "*", .processor = "core_0"}, {0}};

/* Returns whether pkg-config knows the packages. */
static int has_packages(struct bench *bench, const char *packages)
{
    const char *argv[] = {"sh", "-c",     "exec ${PKG_CONFIG:-pkg-config} --exists \"$1\"",
                          "sh", packages, NULL};
    char *errors = dal_format("%s/missing", bench->folder), *output = NULL;
    struct dal_child child = {.argv = argv, .folder = bench->folder, .errors = errors};
    int status = errors ? dal_child_run(&child, &output) : DAL_ERR_NOMEM;
    dal_free_all(output, errors);
    return status == 0;
}

/* ---- what comes from outside ----------------------------------------------------------------- */

static int give_text(struct given *given, char *text)
{
    if (text)
        given->texts[given->count++] = text;
    return text ? DAL_OK : DAL_ERR_NOMEM;
}

/* Writes a file of a head, and of the same bytes so many times. Both sides get its name. */
static int give_file(struct bench *bench, struct given *given, const void *head, size_t head_bytes,
                     const void *bytes, size_t size, int times)
{
    char *name = dal_format("%s/part_in", bench->folder);
    FILE *file = name ? fopen(name, "wb") : NULL;
    int is_written = file && fwrite(head, 1, head_bytes, file) == head_bytes;
    for (int i = 0; is_written && i < times; i++)
        is_written = fwrite(bytes, 1, size, file) == size;
    is_written &= file && fclose(file) == 0;
    if (name && !is_written)
        dal_log(DAL_LOG_ERROR, "cannot write %s", name);
    if (is_written)
        give_text(given, dal_format("Part.Read.file=%s", name));
    dal_free(name);
    return is_written && given->count ? DAL_OK : DAL_ERR_IO;
}

static void put_number(unsigned char *at, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(number >> 8 * i);
}

/* WAV: one channel of 16 bits. */
static int give_sound(struct bench *bench, struct given *given)
{
    static int16_t samples[1 << 16];
    unsigned char head[] =
        "RIFF____WAVEfmt \20\0\0\0\1\0\1\0\x80\xbb\0\0\0\x77\1\0\2\0\20\0data____";
    const int times = bench_is_tiny(bench) ? 8 : 512;

    for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++)
        samples[i] = (int16_t)(i * i % 65521);
    put_number(head + 4, 36 + (uint32_t)(sizeof(samples) * (size_t)times));
    put_number(head + 40, (uint32_t)(sizeof(samples) * (size_t)times));
    return give_file(bench, given, head, sizeof(head) - 1, samples, sizeof(samples), times);
}

/* The video of apps/mjpeg, several times. */
static int give_video(struct bench *bench, struct given *given)
{
    char *name = dal_format("%s/mjpeg/dog.mjpeg", bench->apps);
    FILE *file = name ? fopen(name, "rb") : NULL;
    const size_t most = 1 << 20;
    char *bytes = dal_calloc(1, most);
    size_t size = file && bytes ? fread(bytes, 1, most, file) : 0;
    int status = DAL_ERR_IO;
    if (size)
        status = give_file(bench, given, "", 0, bytes, size, bench_is_tiny(bench) ? 1 : 20);
    else if (name)
        dal_log(DAL_LOG_ERROR, "cannot read %s", name);
    if (file)
        fclose(file);
    dal_free_all(name, bytes);
    return status;
}

/* Returns a port of UDP that is free; 0 without one. */
static int find_port(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof(at);
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&at, bytes) != 0 ||
        getsockname(fd, (struct sockaddr *)&at, &bytes) != 0)
        at.sin_port = 0;
    if (fd >= 0)
        close(fd);
    return ntohs(at.sin_port);
}

static int give_packets(struct bench *bench, struct given *given)
{
    const int port = find_port(), packets = bench_is_tiny(bench) ? 6400 : 64000;
    int status = give_text(given, dal_format("Part.Receive.port=%d", port));
    if (!status)
        status = give_text(given, dal_format("Part.Receive.count=%d", packets));
    return status ? status : give_text(given, dal_format("Source.port=%d", port));
}

/* ---- both sides ------------------------------------------------------------------------------ */

/* Compiles the loop by hand, with the options that dalsynth gives to C. */
static int build_by_hand(struct bench *bench, const struct measured_part *part, char **program)
{
    static const char text[] =
        "exec ${CC:-cc} -std=gnu11 -O3 -ffp-contract=off -w -DPART_%s -DVAR_block=%ld "
        "-I \"$DAL_PARTS\"/common -o \"$1\" \"$2\" %s%s%s -lm";
    const char *ask = *part->packages ? "$(${PKG_CONFIG:-pkg-config} --cflags --libs " : "";
    char *command =
        dal_format(text, part->name, part->block, ask, part->packages, *part->packages ? ")" : "");
    char *source = dal_format("%s/synthetic/%s.c", bench->apps, part->by_hand);
    const char *argv[] = {"sh", "-c", command, "sh", NULL, source, NULL};
    struct bench_run run = {0};
    int status = DAL_ERR_NOMEM;
    argv[4] = *program = dal_format("%s/by_hand_%s_%ld", bench->folder, part->name, part->block);
    if (command && source && *program)
        status = bench_execute(bench, NULL, argv, &run);
    dal_free_all(run.output, command, source);
    return status;
}

static int synthesise(struct bench *bench, const struct measured_part *part, char **program)
{
    char *specification = dal_format("synthetic/part_%s.xml", part->name);
    char *name = dal_format("part_%s", part->name);
    struct bench_network network = {
        .specification = specification,
        .program = name,
        .variables = {{"block", part->block}},
        .bindings = one_core,
    };
    int status = DAL_ERR_NOMEM;
    if (specification && name)
        status = bench_synthesise(bench, &network, program, NULL);
    dal_free_all(specification, name);
    return status;
}

/* Gives both sides as many samples as take the time of a run. */
static int give_tokens(struct bench *bench, const struct measured_part *part, const char *by_hand,
                       struct given *given)
{
    struct bench_program hand = {
        .bench = bench, .file = by_hand, .arguments = {"Source.tokens=4096000"}, .scale = 1};
    struct bench_result found;
    long tokens = 409600;
    int status = DAL_OK;
    if (!bench_is_tiny(bench)) {
        status = bench_run_program(&hand, &found);
        if (!status)
            tokens = bench_tokens(bench, 1, found.value, part->block);
    }
    return status ? status : give_text(given, dal_format("Source.tokens=%ld", tokens));
}

static int compare(struct bench *bench, const struct measured_part *part, const char *network,
                   const char *by_hand)
{
    struct given given = {.count = 0};
    struct bench_program ours = {.bench = bench, .file = network, .scale = 1}, hand;
    const struct bench_side mine = {.run = bench_run_program, .context = &ours},
                            limit = {.run = bench_run_program, .context = &hand};
    struct bench_record model = {
        .experiment = "parts", .param = (double)part->block, .unit = part->unit};
    int status = part->give ? part->give(bench, &given) : give_tokens(bench, part, by_hand, &given);
    snprintf(model.name, sizeof(model.name), "%s", part->name);
    for (int i = 0; i < given.count; i++)
        ours.arguments[i] = given.texts[i];
    hand = ours;
    hand.file = by_hand;
    if (!status)
        status = bench_compare(bench, &model, &mine, &limit, 1);
    for (int i = 0; i < given.count; i++)
        dal_free(given.texts[i]);
    return status;
}

static int measure_part(struct bench *bench, const struct measured_part *part)
{
    char *network = NULL, *by_hand = NULL;
    int status;
    if (*part->packages && !has_packages(bench, part->packages)) {
        bench_say("parts: no package %s, nothing of %s", part->packages, part->name);
        return DAL_OK;
    }
    status = build_by_hand(bench, part, &by_hand);
    if (!status)
        status = synthesise(bench, part, &network);
    if (!status)
        status = compare(bench, part, network, by_hand);
    dal_free_all(network, by_hand);
    return status;
}

int bench_parts(struct bench *bench)
{
    char *folder = dal_format("%s/../parts", bench->apps); /* installed, and of the sources */
    char *path = folder ? realpath(folder, NULL) : NULL;
    const char *chosen = getenv("DAL_PARTS");
    int status = path ? DAL_OK : DAL_ERR_IO;
    if (path)
        setenv("DAL_PARTS", path, !chosen || !*chosen);
    else
        dal_log(DAL_LOG_ERROR, "no parts in %s", folder);
    for (size_t i = 0; !status && i < sizeof(parts) / sizeof(parts[0]); i++)
        status = measure_part(bench, &parts[i]);
    dal_free(folder);
    free(path);
    return status;
}
