/*
 * spectrum: how strong which frequencies are, as lines "kHz dB" for gnuplot.
 *
 *     spectrum KIND FILE
 *
 * KIND is what the file has: `samples` (pairs of bytes, 1024 kHz), `multiplex` (doubles, 256 kHz),
 * `left` or `right` (of a WAV file of the receiver). Means over half overlapping
 * windows of Blackman and Harris; 0 dB is a full sine. Exit status: 0, or 1 after an error, or 2
 * for a wrong command line.
 */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI   3.14159265358979323846
#define SIZE 4096
#define HEAD 256 /* bytes in which the data of a WAV file begin */

struct kind {
    const char *name;
    double khz;
    int bytes; /* of one sample */
    int both;  /* negative frequencies, too */
};

static const struct kind kinds[] = {
    {"samples", 1024, 2, 1},
    {"multiplex", 256, 8, 0},
    {"left", 48, 8, 0},
    {"right", 48, 8, 0},
};

static double complex value_of(const struct kind *kind, const unsigned char *at)
{
    double wide = 0;
    float pair[2] = {0};

    if (kind->both)
        return (at[0] - 127.5 + (at[1] - 127.5) * I) / 128;
    if (strcmp(kind->name, "multiplex") == 0) {
        memcpy(&wide, at, sizeof(wide));
        return wide;
    }
    memcpy(pair, at, sizeof(pair));
    return (double)pair[kind->name[0] == 'r'];
}

/* In place, by halves (Cooley and Tukey 1965). */
static void transform(double complex *x, double complex *spare, int size)
{
    int half = size / 2, i;

    if (size == 1)
        return;
    for (i = 0; i < half; i++) {
        spare[i] = x[2 * i];
        spare[half + i] = x[2 * i + 1];
    }
    transform(spare, x, half);
    transform(spare + half, x, half);
    for (i = 0; i < half; i++) {
        double complex turned = cexp(-2 * I * PI * i / size) * spare[half + i];
        x[i] = spare[i] + turned;
        x[half + i] = spare[i] - turned;
    }
}

/* Adds the power of SIZE samples to `power`. */
static void add_window(const struct kind *kind, const unsigned char *data, double *power)
{
    static double complex x[SIZE], spare[SIZE];
    int i;

    for (i = 0; i < SIZE; i++) {
        double t = 2 * PI * i / SIZE;
        double window = 0.35875 - 0.48829 * cos(t) + 0.14128 * cos(2 * t) - 0.01168 * cos(3 * t);
        x[i] = window * value_of(kind, data + i * kind->bytes);
    }
    transform(x, spare, SIZE);
    for (i = 0; i < SIZE; i++)
        power[i] += creal(x[i]) * creal(x[i]) + cimag(x[i]) * cimag(x[i]);
}

/* A full sine has a line of half its amplitude, or a whole one where there is one line. */
static void print_lines(const struct kind *kind, const double *power, long windows)
{
    double full = 0.35875 * SIZE * (kind->both ? 1 : 0.5);
    int i;

    for (i = kind->both ? -SIZE / 2 : 0; i < SIZE / 2; i++)
        printf("%.4f %.2f\n", kind->khz * i / SIZE,
               10 * log10(power[(i + SIZE) % SIZE] / ((double)windows * full * full) + 1e-20));
}

/* Where the samples begin; -1 when the file is none of this kind. */
static long find_start(const struct kind *kind, FILE *file)
{
    char head[HEAD];
    size_t count, i;

    if (kind->khz != 48)
        return 0;
    count = fread(head, 1, sizeof(head), file);
    for (i = 12; i + 8 < count && memcmp(head, "RIFF", 4) == 0; i++)
        if (memcmp(head + i, "data", 4) == 0)
            return (long)i + 8;
    return -1;
}

/* Returns 0, or -1 when there is less than a window. */
static int show(const struct kind *kind, FILE *file)
{
    static unsigned char data[SIZE * 8];
    static double power[SIZE];
    size_t bytes = (size_t)(SIZE * kind->bytes);
    long start = find_start(kind, file), windows;

    for (windows = 0; start >= 0; windows++) {
        if (fseek(file, start + windows * (long)bytes / 2, SEEK_SET) != 0 ||
            fread(data, 1, bytes, file) != bytes)
            break;
        add_window(kind, data, power);
    }
    if (windows <= 0)
        return -1;
    print_lines(kind, power, windows);
    return 0;
}

int main(int argc, char **argv)
{
    size_t i, count = sizeof(kinds) / sizeof(*kinds);
    FILE *file;
    int failed;

    for (i = 0; argc == 3 && i < count && strcmp(kinds[i].name, argv[1]) != 0; i++)
        ;
    if (argc != 3 || i == count) {
        fprintf(stderr, "usage: spectrum samples|multiplex|left|right FILE\n");
        return 2;
    }
    file = fopen(argv[2], "rb");
    failed = !file || show(&kinds[i], file) != 0;
    if (failed)
        fprintf(stderr, "spectrum: %s cannot be read, or is too short\n", argv[2]);
    if (file)
        fclose(file);
    return failed || fflush(stdout) != 0;
}
