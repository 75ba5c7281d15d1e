/*
 * mktaps: writes taps.h, the filters of the receiver, to standard output.
 *
 * All filters are a sinc in a Kaiser window (Kaiser 1974), the polynomial is one through
 * Chebyshev's points. Everything is computed in double and rounded to float once. reference.c has a
 * design of its own, with which it checks this one.
 */
#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846

#define TUNE_TAPS  64  /* at 1024 kHz */
#define TUNE_EDGE  120 /* kHz, half of the amplitude is left there */
#define PHASES     3   /* of the resampler: 256 kHz * 3 / 16 = 48 kHz */
#define PHASE_TAPS 240 /* of each, so 720 at 768 kHz */
#define AUDIO_EDGE 17  /* kHz: all to 15, nothing from 19 on */
#define TERMS      9   /* of the polynomial: atan(x) = x * sum of terms x^2i, x from 0 to 1 */

static double bessel_i0(double x)
{
    double sum = 1, term = 1;
    int i;

    for (i = 1; i < 64; i++) {
        term *= x / (2 * i) * (x / (2 * i));
        sum += term;
    }
    return sum;
}

/* Tap `at` of `count`: a low pass with its edge at `edge` of the rate, and a sum of about 1. */
static double low_pass(int at, int count, double edge, double beta)
{
    double middle = 0.5 * (count - 1), t = at - middle, part = t / middle;
    double window = bessel_i0(beta * sqrt(1 - part * part)) / bessel_i0(beta);

    return (t == 0 ? 2 * edge : sin(2 * PI * edge * t) / (PI * t)) * window;
}

static void print_number(double value, int *column)
{
    printf("%s%.9ef,", *column == 0 ? "\n    " : " ", value);
    *column = (*column + 1) % 5;
}

static void print_tune(void)
{
    int j, column = 0;

    printf("\nRADIO_TABLE float tune_taps[%d] = {", TUNE_TAPS);
    for (j = 0; j < TUNE_TAPS; j++)
        print_number(low_pass(j, TUNE_TAPS, TUNE_EDGE / 1024.0, 6.2), &column);
    printf("\n};\n");
}

/* The low pass moved up to `shift` kHz, and there its real (0) or imaginary (1) part. They are in
 * the order of the samples, the oldest first. */
static void print_branch(int phase, double shift, int imaginary, int *column)
{
    int i;

    for (i = 0; i < PHASE_TAPS; i++) {
        int age = PHASE_TAPS - 1 - i;
        double tap =
            PHASES * low_pass(PHASES * age + phase, PHASES * PHASE_TAPS, AUDIO_EDGE / 768.0, 5.65);
        double angle = 2 * PI * shift * (PHASES * age + phase) / 768.0;
        print_number(tap * (imaginary ? sin(angle) : cos(angle)), column);
    }
}

static void print_resample(void)
{
    static const struct {
        double shift;
        int imaginary;
    } filters[] = {{0, 0}, {38, 0}, {38, 1}, {19, 0}, {19, 1}};
    int phase, filter, column = 0;

    printf("\nRADIO_TABLE float resample_taps[%d] = {", PHASES * 5 * PHASE_TAPS);
    for (phase = 0; phase < PHASES; phase++)
        for (filter = 0; filter < 5; filter++)
            print_branch(phase, filters[filter].shift, filters[filter].imaginary, &column);
    printf("\n};\n");
}

/* The polynomial in x^2 through TERMS points: Newton's differences, multiplied out. */
static void print_atan(void)
{
    double at[TERMS], difference[TERMS], term[TERMS] = {0};
    int i, j, column = 0;

    for (i = 0; i < TERMS; i++) {
        at[i] = 0.5 + 0.5 * cos(PI * (2 * i + 1) / (2 * TERMS));
        difference[i] = atan(sqrt(at[i])) / sqrt(at[i]);
    }
    for (j = 1; j < TERMS; j++)
        for (i = TERMS - 1; i >= j; i--)
            difference[i] = (difference[i] - difference[i - 1]) / (at[i] - at[i - j]);
    for (i = TERMS - 1; i >= 0; i--) {
        for (j = TERMS - 1; j > 0; j--)
            term[j] = term[j - 1] - at[i] * term[j];
        term[0] = difference[i] - at[i] * term[0];
    }
    printf("\nRADIO_TABLE float atan_terms[%d] = {", TERMS);
    for (i = 0; i < TERMS; i++)
        print_number(term[i], &column);
    printf("\n};\n");
}

int main(void)
{
    printf(
        "/* taps.h: the filters of the receiver, as mktaps writes them; radio.h tells what they"
        " are. A kernel\n * defines RADIO_TABLE first. */\n#ifndef RADIO_TAPS_H\n#define"
        " RADIO_TAPS_H\n\n/* clang-format off */\n#ifndef RADIO_TABLE\n#define RADIO_TABLE static"
        " const\n#endif\n");
    print_tune();
    print_resample();
    print_atan();
    printf("/* clang-format on */\n\n#endif\n");
    return fflush(stdout) == 0 ? 0 : 1;
}
