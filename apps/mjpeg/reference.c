/*
 * reference: the pipeline as a plain loop over the same functions, on one core, with no framework.
 *
 *     reference [-f FRAMES] [-l LOOP] WIDTH HEIGHT VIDEO [DUMP]
 *
 * It tells how fast the functions are by themselves, and what Screen must see: the checksum and
 * the dump are those of the network. FRAMES and LOOP are as for Split. Exit status: 0, or 1 after
 * an error, or 2 for a wrong command line.
 */
#include "checksum.h"
#include "flow.h"
#include "gauss.h"
#include "jpeg.h"
#include "sobel.h"
#include "stream.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct reference {
    int width, height;
    long frames, loop; /* most frames, 0 = all; times the file is played, 0 = for ever */
    struct stream stream;
    struct jpeg_decoder decoder;
    unsigned char *decoded, *blurred, *edges[2], *motion;
    void *scratch;
    FILE *dump;
    uint64_t sum;
    double checking; /* s spent on the checksum and the dump */
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int map_video(struct stream *stream, const char *name)
{
    struct stat status;
    int file = open(name, O_RDONLY | O_CLOEXEC);
    void *map = MAP_FAILED;

    if (file >= 0 && fstat(file, &status) == 0 && status.st_size > 0) {
        stream->size = (size_t)status.st_size;
        map = mmap(NULL, stream->size, PROT_READ, MAP_PRIVATE, file, 0);
    }
    if (file >= 0)
        close(file);
    if (map == MAP_FAILED) {
        fprintf(stderr, "reference: %s cannot be read\n", name);
        return -1;
    }
    stream->data = map;
    return 0;
}

static size_t most(size_t a, size_t b)
{
    return a > b ? a : b;
}

static int make_images(struct reference *r)
{
    size_t pixels = (size_t)r->width * (size_t)r->height;
    size_t scratch = most(
        GAUSS_SCRATCH(r->width) * sizeof(uint16_t),
        most(SOBEL_SCRATCH(r->width) * sizeof(int16_t), FLOW_SCRATCH(r->width) * sizeof(float)));

    r->decoded = calloc(5, pixels);
    r->scratch = malloc(scratch);
    if (!r->decoded || !r->scratch || jpeg_decoder_init(&r->decoder) != 0) {
        fprintf(stderr, "reference: out of memory\n");
        return -1;
    }
    r->blurred = r->decoded + pixels;
    r->edges[0] = r->blurred + pixels;
    r->edges[1] = r->edges[0] + pixels;
    r->motion = r->edges[1] + pixels;
    return 0;
}

/* What Screen does with a frame; the time for it is not the pipeline's. */
static void check(struct reference *r)
{
    size_t pixels = (size_t)r->width * (size_t)r->height;
    double start = now();

    r->sum = checksum_add(r->sum, r->decoded, pixels);
    r->sum = checksum_add(r->sum, r->motion, pixels);
    if (r->dump) {
        fwrite(r->decoded, 1, pixels, r->dump);
        fwrite(r->motion, 1, pixels, r->dump);
    }
    r->checking += now() - start;
}

static int next_frame(struct reference *r, const unsigned char **jpeg, size_t *bytes, long *passes)
{
    if (r->frames > 0 && r->decoder.frames >= r->frames)
        return 0;
    while (!stream_next(&r->stream, jpeg, bytes)) {
        if (++*passes == r->loop || r->decoder.frames == 0)
            return 0;
        r->stream.at = 0;
    }
    return 1;
}

/* Inlined into run() once with the usual size, which is then as constant as in the network. */
static inline __attribute__((always_inline)) void play(struct reference *r, int width, int height)
{
    const unsigned char *jpeg;
    size_t bytes;
    long passes = 0, n;

    for (n = 0; next_frame(r, &jpeg, &bytes, &passes); n++) {
        unsigned char *edges = r->edges[n & 1], *before = r->edges[(n + 1) & 1];

        jpeg_decode(&r->decoder, jpeg, bytes, r->decoded, width, height);
        gauss_image(r->decoded, r->blurred, width, height, r->scratch);
        sobel_image(r->blurred, edges, width, height, r->scratch);
        if (n > 0)
            flow_image(edges, before, r->motion, width, height, r->scratch);
        check(r);
    }
}

static int run(struct reference *r)
{
    double start = now(), time;

    r->sum = CHECKSUM_START;
    if (r->width == 320 && r->height == 240)
        play(r, 320, 240);
    else
        play(r, r->width, r->height);
    time = now() - start - r->checking;
    if (r->decoder.damaged > 0 || r->decoder.undecodable > 0)
        fprintf(stderr, "reference: warning: %ld of %ld frames damaged, %ld undecodable\n",
                r->decoder.damaged, r->decoder.frames, r->decoder.undecodable);
    printf("checksum %016llx\n", (unsigned long long)r->sum);
    printf("%ld frames in %.3f s, %.1f frames/s\n", r->decoder.frames, time,
           (double)r->decoder.frames / time);
    if (r->dump && (ferror(r->dump) | fclose(r->dump)) != 0) {
        fprintf(stderr, "reference: the dump cannot be written\n");
        return 1;
    }
    if ((ferror(stdout) | fflush(stdout)) != 0) {
        fprintf(stderr, "reference: standard output cannot be written\n");
        return 1;
    }
    return r->decoder.frames > 0 ? 0 : 1;
}

static int usage(void)
{
    fprintf(stderr, "usage: reference [-f FRAMES] [-l LOOP] WIDTH HEIGHT VIDEO [DUMP]\n");
    return 2;
}

int main(int argc, char **argv)
{
    struct reference r = {.loop = 1};
    int option, status = 1;

    while ((option = getopt(argc, argv, "f:l:")) != -1) {
        if (option == 'f')
            r.frames = atol(optarg);
        else if (option == 'l')
            r.loop = atol(optarg);
        else
            return usage();
    }
    if (argc - optind < 3 || argc - optind > 4)
        return usage();
    r.width = atoi(argv[optind]);
    r.height = atoi(argv[optind + 1]);
    if (r.width < 16 || r.height < 16 || r.width > 65500 || r.height > 65500)
        return usage();
    if (argc - optind == 4 && !(r.dump = fopen(argv[optind + 3], "wb"))) {
        fprintf(stderr, "reference: %s cannot be written\n", argv[optind + 3]);
        return 1;
    }
    if (map_video(&r.stream, argv[optind + 2]) == 0 && make_images(&r) == 0)
        status = run(&r);
    jpeg_decoder_finish(&r.decoder);
    free(r.decoded);
    free(r.scratch);
    if (r.stream.data)
        munmap((void *)r.stream.data, r.stream.size);
    return status;
}
