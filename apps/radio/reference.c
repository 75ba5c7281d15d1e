/*
 * reference: what the receiver has to make of a recording, in double and as the textbook has it.
 *
 *     reference RECORDING SOUND [MULTIPLEX]
 *
 * Nothing is shared with the network: filters are designed here and are convolved sample by sample,
 * carriers are multiplied by cosines, angles come from the C library. SOUND gets pairs of doubles
 * at 48 kHz, MULTIPLEX doubles at 256 kHz. The emphasis is that of 50 microseconds. Exit status: 0,
 * or 1 after an error, or 2 for a wrong command line.
 */
#include <complex.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI       3.14159265358979323846
#define TUNE     64  /* taps at 1024 kHz */
#define RESAMPLE 720 /* taps at 768 kHz */

struct radio {
    unsigned char *samples;
    long pairs;                         /* of samples */
    double tune[TUNE], audio[RESAMPLE]; /* impulse responses */
    double *multiplex;                  /* pairs / 4 */
};

/* The modified Bessel function of order 0, by its integral: the mean of exp(x cos t). */
static double bessel(double x)
{
    double sum = 0;
    int i;

    for (i = 0; i < 256; i++)
        sum += exp(x * cos(PI * (i + 0.5) / 256));
    return sum / 256;
}

/* A sinc in a Kaiser window. */
static void design(double *taps, int count, double edge, double rate, double beta, double gain)
{
    int i;

    for (i = 0; i < count; i++) {
        double t = (2.0 * i - (count - 1)) / 2, u = 2.0 * i / (count - 1) - 1;
        double w = 2 * PI * edge / rate;
        taps[i] = gain * w / PI * (t == 0 ? 1 : sin(w * t) / (w * t)) *
                  bessel(beta * sqrt(fmax(0, 1 - u * u))) / bessel(beta);
    }
}

/* Sample n, brought down by 256 kHz; silence outside of the recording is half a step. */
static double complex sample(const struct radio *r, long n)
{
    double i = n < 0 ? 128 : r->samples[2 * n], q = n < 0 ? 128 : r->samples[2 * n + 1];

    return (i - 127.5 + (q - 127.5) * I) / 128 * cexp(-0.5 * I * PI * (double)(n & 3));
}

static void receive(struct radio *r)
{
    double complex last = 0;
    long m;
    int j;

    for (m = 0; m < r->pairs / 4; m++) {
        double complex sum = 0;
        for (j = 0; j < TUNE; j++)
            sum += r->tune[j] * sample(r, 4 * m + 3 - j);
        r->multiplex[m] = carg(sum * conj(last)) * 256000 / (2 * PI * 75000);
        last = sum;
    }
    r->multiplex[0] = 0;
}

/* Output k at 48 kHz of the multiplex, after a carrier of `hertz` was brought down to 0. */
static double complex band(const struct radio *r, long k, double hertz)
{
    double complex sum = 0;
    long q = 16 * k / 3;
    int phase = (int)(16 * k % 3), j;

    for (j = 0; 3 * j + phase < RESAMPLE && q - j >= 0; j++) {
        double part = fmod(hertz * (double)(q - j) / 256000, 1);
        sum += r->audio[3 * j + phase] * r->multiplex[q - j] * cexp(-2 * I * PI * part);
    }
    return sum;
}

/* exp(-1 / (50e-6 * 48000)), and the zero that makes 15 kHz as low as an RC filter does. */
static void deemphasis(double *pole, double *zero)
{
    double w = 2 * PI * 15000 / 48000, rc = 1 / hypot(1, 2 * PI * 15000 * 50e-6);
    double low = 0, high = 1;
    int i;

    *pole = exp(-1 / (50e-6 * 48000));
    for (i = 0; i < 60; i++) {
        *zero = (low + high) / 2;
        if ((1 - *pole) * cabs((1 + *zero * cexp(-I * w)) / (1 - *pole * cexp(-I * w))) /
                (1 + *zero) >
            rc)
            low = *zero;
        else
            high = *zero;
    }
}

/* Writes the sound. The resonators of the receiver are low passes here, around the pilot. A
 * difference of phases is a mean of frequencies, so it lowers what is around 38 kHz. */
static int write_sound(const struct radio *r, FILE *file)
{
    double complex pilot = 0, first = 0;
    double pole, zero, follow = 1 / 480.0, lowered = PI * 38 / 256, in[2] = {0}, out[2] = {0};
    long k;
    int i;

    deemphasis(&pole, &zero);
    for (k = 0; 16 * k / 3 < r->pairs / 4; k++) {
        double sum = creal(band(r, k, 0)), difference = 0;
        double complex carrier;
        first += follow * (band(r, k, 19000) - first);
        pilot += follow * (first - pilot);
        carrier = I * pilot * pilot / (cabs(pilot) * cabs(pilot));
        if (cabs(pilot) * cabs(pilot) >= 1e-4)
            difference = 2 * creal(band(r, k, 38000) * conj(carrier)) * lowered / sin(lowered);
        for (i = 0; i < 2; i++) {
            double side = (sum + (i == 0 ? difference : -difference)) / 0.9;
            out[i] = pole * out[i] + (1 - pole) / (1 + zero) * (side + zero * in[i]);
            in[i] = side;
        }
        fwrite(out, sizeof(*out), 2, file);
    }
    return ferror(file) ? -1 : 0;
}

static int write_multiplex(const struct radio *r, FILE *file)
{
    fwrite(r->multiplex, sizeof(*r->multiplex), (size_t)(r->pairs / 4), file);
    return ferror(file) ? -1 : 0;
}

/* Returns 0, or -1 with a message. */
static int read_recording(struct radio *r, const char *name)
{
    FILE *file = fopen(name, "rb");
    long bytes = -1;

    if (file && fseek(file, 0, SEEK_END) == 0)
        bytes = ftell(file);
    if (bytes >= 8) {
        r->pairs = bytes / 2;
        r->samples = malloc((size_t)r->pairs * 2);
        r->multiplex = calloc((size_t)r->pairs / 4, sizeof(*r->multiplex));
        rewind(file);
        if (!r->samples || !r->multiplex ||
            fread(r->samples, 2, (size_t)r->pairs, file) != (size_t)r->pairs)
            bytes = -1;
    }
    if (bytes < 8)
        fprintf(stderr, "reference: %s cannot be read, or is too short\n", name);
    if (file)
        fclose(file);
    return bytes < 8 ? -1 : 0;
}

static int write_file(const struct radio *r, const char *name,
                      int (*write)(const struct radio *r, FILE *file))
{
    FILE *file = fopen(name, "wb");
    int failed = -1;

    if (file) {
        failed = write(r, file);
        if (fclose(file) != 0)
            failed = -1;
    }
    if (failed)
        fprintf(stderr, "reference: %s: %s\n", name, strerror(errno));
    return failed;
}

int main(int argc, char **argv)
{
    struct radio r = {0};
    int status = 1;

    if (argc != 3 && argc != 4) {
        fprintf(stderr, "usage: reference RECORDING SOUND [MULTIPLEX]\n");
        return 2;
    }
    if (read_recording(&r, argv[1]) == 0) {
        design(r.tune, TUNE, 120, 1024, 6.2, 1);
        design(r.audio, RESAMPLE, 17, 768, 5.65, 3);
        receive(&r);
        status = write_file(&r, argv[2], write_sound) != 0 ||
                 (argc == 4 && write_file(&r, argv[3], write_multiplex) != 0);
    }
    free(r.samples);
    free(r.multiplex);
    return status;
}
