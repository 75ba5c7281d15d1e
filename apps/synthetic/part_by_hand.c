/*
 * What part_fir.xml, part_biquad.xml and part_fft.xml do, as a loop: one block of samples after the
 * other. -DPART_fir, -DPART_biquad or -DPART_fft says which, -DVAR_block how long a block is. As a
 * program of dal it takes -p Source.tokens=NUMBER.
 */
#define _GNU_SOURCE
#include "peer.h"
#include "samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static float block[VAR_block];

#if defined(PART_fir)
#include <fir_loop.h> /* of the installed parts */

enum { TAPS = 32, OUT = VAR_block };

static float taps[TAPS], buffer[TAPS - 1 + VAR_block], out[OUT];
static float *in = buffer + TAPS - 1;

static void prepare(void)
{
    int k;

    for (k = 0; k < TAPS; k++)
        taps[k] = (float)(k + 1) / 64;
}

static void compute(void)
{
    memset(out, 0, sizeof(out));
    fir_add(out, in, VAR_block, taps, TAPS, 1);
    memmove(buffer, buffer + VAR_block, (TAPS - 1) * sizeof(*buffer));
}

#elif defined(PART_biquad)
enum { OUT = VAR_block };

static float in[VAR_block], out[OUT];
static double b[3], a[3], past[2];

static void prepare(void)
{
    double w = 2 * 3.14159265358979323846 * 3000 / 48000, c = cos(w);
    double alpha = sin(w) / (2 * 0.7071067811865476);

    b[0] = b[2] = (1 - c) / 2 / (1 + alpha);
    b[1] = (1 - c) / (1 + alpha);
    a[1] = -2 * c / (1 + alpha);
    a[2] = (1 - alpha) / (1 + alpha);
}

static void compute(void)
{
    double first = past[0], second = past[1];
    int i;

    for (i = 0; i < VAR_block; i++) {
        double x = (double)in[i], y = b[0] * x + first;
        first = b[1] * x - a[1] * y + second;
        second = b[2] * x - a[2] * y;
        out[i] = (float)y;
    }
    past[0] = first;
    past[1] = second;
}

#else
#include <fftw3.h>

enum { OUT = 2 * (VAR_block / 2 + 1) };

static float *in, *out;
static fftwf_plan plan;

static void prepare(void)
{
    in = fftwf_malloc(VAR_block * sizeof(*in));
    out = fftwf_malloc(OUT * sizeof(*out));
    plan = fftwf_plan_dft_r2c_1d(VAR_block, in, (fftwf_complex *)out, FFTW_ESTIMATE);
}

static void compute(void)
{
    fftwf_execute(plan);
}
#endif

int main(int argc, char **argv)
{
    unsigned long long sum = 0;
    long tokens = 1, done = 0, number = 0;
    int64_t start;

    if (argc == 3)
        sscanf(argv[2], "Source.tokens=%ld", &tokens);
    prepare();
    samples_fill(block, VAR_block);
    start = peer_used();
    for (; done < tokens; done += VAR_block) {
        samples_write(in, block, VAR_block, number++);
        compute();
        sum += samples_sum(out, OUT);
    }
    printf("tokens %ld ns %lld sum %016llx\n", done, (long long)(peer_used() - start), sum);
    return 0;
}
