/*
 * loop: the receiver as somebody would write it for one core, without a framework.
 *
 *     loop TIMES RECORDING [SOUND]
 *
 * It calls the functions of the processes' headers in turn, with blocks as the network has them,
 * and says how fast that is. The recording is played TIMES times, and filled with silence up to
 * sixteen blocks. SOUND gets pairs of floats, which begin as those of the network. Exit status: 0,
 * or 1 after an error, or 2 for a wrong command line.
 */
#include "discriminate.h"
#include "resample.h"
#include "stereo.h"
#include "tune.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BLOCK   768
#define HISTORY (PHASE_TAPS - 1)

struct loop {
    FILE *in, *out; /* out is NULL for none */
    long times;     /* still to play, this one included */
    double count;   /* pairs of samples */
    struct stereo stereo;
    /* of samples and baseband: this block and the one before, in turn */
    int8_t samples[2][2 * DECIMATION * BLOCK];
    float baseband[2][2 * BLOCK];
    float scratch[TUNE_SCRATCH(BLOCK)];
    float multiplex[HISTORY + DOWN * BLOCK];
    float bands[STREAMS * BLOCK];
    float audio[2 * BLOCK];
};

/* Reads a block; silence where the recording has ended. Returns how many bytes it had. */
static size_t read_block(struct loop *l, int8_t *to)
{
    size_t bytes = sizeof(l->samples[0]), have = 0, i;

    while (have < bytes && l->times > 0) {
        have += fread(to + have, 1, bytes - have, l->in);
        if (have < bytes && --l->times > 0)
            rewind(l->in);
    }
    for (i = 0; i < bytes; i++)
        to[i] ^= -128;
    memset(to + have, 0, bytes - have);
    return have;
}

/* Sixteen blocks of samples, as far as there are any. Returns whether there was one. */
static int play_cycle(struct loop *l)
{
    float *multiplex = l->multiplex + HISTORY;
    int b, phase;

    for (b = 0; b < DOWN; b++) {
        int now = b % 2, then = 1 - now;
        size_t have = read_block(l, l->samples[now]);
        if (b == 0 && have == 0)
            return 0;
        l->count += (double)have / 2;
        tune_block(l->samples[then], l->samples[now], l->baseband[now], BLOCK, l->scratch);
        discriminate_block(l->baseband[then], l->baseband[now], multiplex + b * BLOCK, BLOCK);
    }
    for (phase = 0; phase < UP; phase++) {
        resample_block(l->multiplex + phase * (BLOCK / UP * DOWN), l->bands, BLOCK);
        stereo_block(&l->stereo, l->bands, l->audio, BLOCK);
        if (l->out)
            fwrite(l->audio, sizeof(l->audio), 1, l->out);
    }
    memcpy(l->multiplex, l->multiplex + DOWN * BLOCK, HISTORY * sizeof(*l->multiplex));
    return 1;
}

/* Since a fixed moment. */
static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static FILE *open_file(const char *name, const char *mode)
{
    FILE *file = fopen(name, mode);

    if (!file)
        fprintf(stderr, "loop: %s: %s\n", name, strerror(errno));
    return file;
}

/* Plays everything. Returns the exit status. */
static int play(struct loop *l, const char *out)
{
    double start = seconds(), time;
    int failed = 0;

    while (play_cycle(l))
        ;
    time = seconds() - start;
    if (ferror(l->in)) {
        fprintf(stderr, "loop: the recording cannot be read\n");
        failed = 1;
    }
    if (l->out && (ferror(l->out) | fclose(l->out)) != 0) {
        fprintf(stderr, "loop: %s cannot be written\n", out);
        failed = 1;
    }
    fprintf(stderr, "%.3f s of sound in %.3f s, %.1f million samples/s\n", l->count / RATE_SAMPLES,
            time, 1e-6 * l->count / time);
    return failed;
}

int main(int argc, char **argv)
{
    static struct loop l;
    int status = 1;

    if ((argc != 3 && argc != 4) || (l.times = atol(argv[1])) < 1) {
        fprintf(stderr, "usage: loop TIMES RECORDING [SOUND]\n");
        return 2;
    }
    stereo_init(&l.stereo, 50, 0);
    l.in = open_file(argv[2], "rb");
    if (l.in && argc == 4)
        l.out = open_file(argv[3], "wb");
    if (l.in && (argc == 3 || l.out))
        status = play(&l, argv[3]);
    if (l.in)
        fclose(l.in);
    return status;
}
