/*
 * loop: the photon counter as somebody would write it for one core, without a framework.
 *
 *     loop TIMES CALIBRATION FRAMES [IMAGE]
 *
 * It calls the functions of the processes' headers in turn, strip by strip and in blocks as the
 * network has them, and says how fast that is. A pedestal is changed where it is. The frames are
 * played TIMES times. IMAGE gets the bytes that the network's has. Exit status: 0, or 1 after an
 * error, or 2 for a wrong command line.
 */
#define VAR_width    1024
#define VAR_height   512
#define VAR_rows     2
#define VAR_frames   100
#define VAR_clusters 128
#define VAR_energy   12400
#define VAR_window   100
#define VAR_few      2
#define VAR_more     10
#define VAR_most     100
#include "cluster.h"
#include "correct.h"
#include "count.h"
#include "largest.h"
#include "rate.h"
#include "strips.h"
#include "sum.h"

#include <stdlib.h>

struct loop {
    FILE *in;
    uint64_t frames, clusters; /* frames: of all times */
    uint32_t in_file;          /* frames */
    float state[STRIPS][PLANES * PIXELS];
    uint32_t words[HEAD_WORDS + PIXELS / 2];
    /* of a block: those of this strip and of the one before, in turn */
    uint32_t energies[2][VAR_frames][HEAD_WORDS + PIXELS + VAR_rows];
    uint32_t lists[HEAD_WORDS + VAR_rows * LIST_WORDS];
    uint32_t image[STRIPS][PIXELS];
    float sums[3][PIXELS]; /* over few, more and most frames, as far as they have come */
    float largest[VAR_frames];
    float first[STRIPS][PIXELS]; /* pedestals of stage 0 */
};

/* Returns 0, or -1 with a message. */
static int read_calibration(struct loop *l, const char *name)
{
    struct file_head head;
    char why[300] = "";
    FILE *file = file_open(name, "dalcalib", &head, why, sizeof(why));
    int plane, strip, failed = 0;

    if (file && file_fits(&head, name, VAR_width, VAR_height, why, sizeof(why)) &&
        file_has(file, name, PLANES * FRAME, sizeof(float), why, sizeof(why)))
        for (plane = 0; plane < PLANES; plane++)
            for (strip = 0; strip < STRIPS; strip++)
                failed |=
                    fread(l->state[strip] + plane * PIXELS, sizeof(float), PIXELS, file) != PIXELS;
    for (strip = 0; strip < STRIPS; strip++)
        memcpy(l->first[strip], l->state[strip] + PLANE_PED * PIXELS, sizeof(l->first[strip]));
    if (*why || failed)
        fprintf(stderr, "loop: %s\n", *why ? why : name);
    if (file)
        fclose(file);
    return *why || failed ? -1 : 0;
}

/* Adds a frame's energies to the three sums, one of which goes on to the next when it is complete.
 */
static void add_energies(struct loop *l, const float *energies, int f)
{
    static const int spans[] = {1, VAR_few, VAR_more, VAR_most};
    int level, i;

    for (level = 0; level < 3 && (f + 1) % spans[level] == 0; level++) {
        const float *from = level == 0 ? energies : l->sums[level - 1];
        if ((f + 1 - spans[level]) % spans[level + 1] == 0)
            memcpy(l->sums[level], from, sizeof(l->sums[level]));
        else
            for (i = 0; i < PIXELS; i++)
                l->sums[level][i] += from[i];
    }
}

/* A strip of one frame. Returns 0, or -1 when the file cannot be read. */
static int do_frame(struct loop *l, int strip, uint64_t frame, int f)
{
    uint32_t *now = l->energies[strip % 2][f], *list = l->lists + HEAD_WORDS;
    const float *energies = (const float *)(now + HEAD_WORDS);
    struct cluster_strip s = {now,
                              l->energies[1 - strip % 2][f],
                              l->state[strip],
                              l->state[strip > 0 ? strip - 1 : 0],
                              VAR_width,
                              VAR_rows,
                              VAR_clusters};
    float largest;
    int y;

    memset(l->words, 0, HEAD_WORDS * sizeof(*l->words));
    l->words[HEAD_KIND] = KIND_FRAME;
    l->words[HEAD_STRIP] = (uint32_t)strip;
    if (read_strip(l->in, frame % l->in_file, strip, l->words) != 0)
        return -1;
    correct_strip(l->words, l->state[strip], now, VAR_width, VAR_rows);
    count_strip(energies, l->image[strip], PIXELS, PHOTON);
    add_energies(l, energies, f);
    largest = largest_of(energies, PIXELS);
    l->largest[f] = strip == 0 || l->largest[f] < largest ? largest : l->largest[f];
    cluster_strip(&s, l->lists);
    for (y = 0; y < VAR_rows; y++, list += LIST_WORDS)
        l->clusters += list[0] < VAR_clusters ? list[0] : VAR_clusters;
    return 0;
}

/* All strips of a block of frames. */
static int do_block(struct loop *l, uint64_t first)
{
    int strip, f;

    for (strip = 0; strip < STRIPS; strip++)
        for (f = 0; f < VAR_frames && first + (uint64_t)f < l->frames; f++)
            if (do_frame(l, strip, first + (uint64_t)f, f) != 0)
                return -1;
    return 0;
}

/* Does everything. Returns the exit status. */
static int run(struct loop *l, const char *image)
{
    struct file_head head = {.magic = "dalimag", .width = VAR_width, .height = VAR_height};
    double start = seconds(), time;
    uint64_t block, photons = 0;
    double drift = 0;
    size_t i;
    int failed = 0;
    FILE *file;

    for (block = 0; !failed && block * VAR_frames < l->frames; block++)
        failed = do_block(l, block * VAR_frames) != 0;
    for (i = 0; i < FRAME; i++)
        drift += (double)(l->state[i / PIXELS][i % PIXELS] - l->first[i / PIXELS][i % PIXELS]);
    time = seconds() - start;
    for (i = 0; i < FRAME; i++)
        photons += l->image[i / PIXELS][i % PIXELS];
    head.magic[7] = 'e';
    file = image ? fopen(image, "wb") : NULL;
    if (file) {
        failed |= fwrite(&head, sizeof(head), 1, file) != 1;
        failed |= fwrite(l->image, sizeof(uint32_t), FRAME, file) != FRAME;
        failed |= fclose(file) != 0;
    }
    fprintf(stderr, "%llu photons, %llu clusters, drift %.3f ADU\n", (unsigned long long)photons,
            (unsigned long long)l->clusters, drift / (double)FRAME);
    tell_rate((double)l->frames, time);
    if (failed || (image && !file))
        fprintf(stderr, "loop: a file cannot be read or written\n");
    return failed || (image && !file);
}

int main(int argc, char **argv)
{
    struct loop *l = calloc(1, sizeof(*l));
    struct file_head head;
    char why[300] = "";
    long times = argc >= 4 ? atol(argv[1]) : 0;
    int status = 1;

    if (!l || (argc != 4 && argc != 5) || times < 1) {
        fprintf(stderr, "usage: loop TIMES CALIBRATION FRAMES [IMAGE]\n");
        free(l);
        return 2;
    }
    l->in = file_open(argv[3], "dalframe", &head, why, sizeof(why));
    if (!l->in || !file_fits(&head, argv[3], VAR_width, VAR_height, why, sizeof(why)) ||
        !file_has(l->in, argv[3], head.frames, FRAME_BYTES, why, sizeof(why)))
        fprintf(stderr, "loop: %s\n", why);
    else if (read_calibration(l, argv[2]) == 0) {
        l->in_file = head.frames;
        l->frames = (uint64_t)times * head.frames;
        status = run(l, argc == 5 ? argv[4] : NULL);
    }
    if (l->in)
        fclose(l->in);
    free(l);
    return status;
}
