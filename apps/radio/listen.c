/*
 * listen: how good is a WAV file of the receiver?
 *
 *     listen [-l HERTZ,..] [-r HERTZ,..] WAV [REFERENCE]
 *
 * On each side, the tones of both sides are fitted by least squares. It prints the level of each
 * tone, the ratio of a side's own tones to what is left when all tones are taken away (SNR), and to
 * the other side's (separation), in dB. With what `reference` writes it also prints the SNR against
 * that. The first half second and the last tenth
 * do not count: the receiver fills its last blocks with silence. Levels are of a full sine. Exit
 * status: 0, or 1 after an error, or 2 for a wrong command line.
 */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PI    3.14159265358979323846
#define RATE  48000
#define SKIP  (RATE / 2)
#define TAIL  (RATE / 10)
#define TONES 8                   /* most of one side */
#define TERMS (1 + 2 * 2 * TONES) /* of a fit: a constant, and two for each tone */

struct sound {
    double *side[2];
    long count; /* pairs */
};

struct tones {
    double hertz[2 * TONES];
    int side[2 * TONES];
    int count;
};

static uint32_t number_at(const unsigned char *at, int bytes)
{
    uint32_t value = 0;

    while (bytes-- > 0)
        value = value << 8 | at[bytes];
    return value;
}

/* The whole file, which the caller frees; NULL with a message. */
static unsigned char *read_file(const char *name, long *bytes)
{
    FILE *file = fopen(name, "rb");
    unsigned char *data = NULL;

    if (file && fseek(file, 0, SEEK_END) == 0 && (*bytes = ftell(file)) > 0) {
        rewind(file);
        data = malloc((size_t)*bytes);
        if (data && fread(data, 1, (size_t)*bytes, file) != (size_t)*bytes) {
            free(data);
            data = NULL;
        }
    }
    if (!data)
        fprintf(stderr, "listen: %s cannot be read, or is empty\n", name);
    if (file)
        fclose(file);
    return data;
}

/* Takes pairs of floats (bits 32) or doubles (64). Returns 0, or -1. */
static int take_pairs(struct sound *s, const unsigned char *data, long bytes, int bits)
{
    long i;

    s->count = bytes / (2 * bits / 8);
    s->side[0] = malloc(((size_t)s->count * 2 + 1) * sizeof(double));
    if (!s->side[0])
        return -1;
    s->side[1] = s->side[0] + s->count;
    for (i = 0; i < 2 * s->count; i++) {
        const unsigned char *at = data + i * (bits / 8);
        double value;
        float single;
        memcpy(&single, at, bits == 32 ? sizeof(single) : 0);
        memcpy(&value, at, bits == 64 ? sizeof(value) : 0);
        s->side[i % 2][i / 2] = bits == 32 ? (double)single : value;
    }
    return 0;
}

/* A WAV file of two channels, by the chunks of RIFF. Returns 0, or -1 with a message. */
static int take_wav(struct sound *s, const unsigned char *data, long bytes, const char *name)
{
    long at = 12, length;
    int bits = 0;

    for (; bytes > 44 && memcmp(data, "RIFF", 4) == 0 && at + 8 <= bytes; at += 8 + length) {
        length = (long)number_at(data + at + 4, 4);
        if (length > bytes - at - 8)
            break;
        if (memcmp(data + at, "fmt ", 4) == 0 && length >= 16 &&
            number_at(data + at + 10, 2) == 2 && number_at(data + at + 12, 4) == RATE)
            bits = (int)number_at(data + at + 22, 2);
        if (memcmp(data + at, "data", 4) == 0 && bits == 32)
            return take_pairs(s, data + at + 8, length, bits);
        length += length % 2;
    }
    fprintf(stderr, "listen: %s is no WAV file of the receiver\n", name);
    return -1;
}

/* Term i of a fit at pair n: the constant, or a cosine or sine of a tone. */
static double term(const struct tones *t, int i, long n)
{
    double turn;

    if (i == 0)
        return 1;
    turn = 2 * PI * fmod(t->hertz[(i - 1) / 2] * (double)n / RATE, 1);
    return i % 2 ? cos(turn) : sin(turn);
}

/* Solves the `size` equations in `m`, with the right side behind each row (Gauss). */
static void solve(double m[TERMS][TERMS + 1], int size, double *x)
{
    int i, j, k;

    for (i = 0; i < size; i++)
        for (j = i + 1; j < size; j++) {
            double factor = m[j][i] / m[i][i];
            for (k = i; k <= size; k++)
                m[j][k] -= factor * m[i][k];
        }
    for (i = size - 1; i >= 0; i--) {
        x[i] = m[i][size];
        for (k = i + 1; k < size; k++)
            x[i] -= m[i][k] * x[k];
        x[i] /= m[i][i];
    }
}

/* Fits all terms to a side. Returns the power that is left. */
static double fit(const struct tones *t, const double *side, long count, double *x)
{
    double m[TERMS][TERMS + 1] = {{0}}, value[TERMS], left = 0;
    int size = 1 + 2 * t->count, i, j;
    long n;

    for (n = SKIP; n < count; n++) {
        for (i = 0; i < size; i++)
            value[i] = term(t, i, n);
        for (i = 0; i < size; i++) {
            for (j = 0; j < size; j++)
                m[i][j] += value[i] * value[j];
            m[i][size] += value[i] * side[n];
        }
    }
    solve(m, size, x);
    for (n = SKIP; n < count; n++) {
        double rest = side[n];
        for (i = 0; i < size; i++)
            rest -= x[i] * term(t, i, n);
        left += rest * rest;
    }
    return left / (double)(count - SKIP);
}

static double decibels(double power)
{
    return 10 * log10(power + 1e-30);
}

static void judge_side(const struct sound *s, const struct tones *t, int side)
{
    static const char *const names[] = {"left", "right"};
    double x[TERMS], own = 0, other = 0;
    double left = fit(t, s->side[side], s->count - TAIL, x);
    int i;

    for (i = 0; i < t->count; i++) {
        double power = x[1 + 2 * i] * x[1 + 2 * i] + x[2 + 2 * i] * x[2 + 2 * i];
        *(t->side[i] == side ? &own : &other) += power / 2;
        if (t->side[i] == side)
            printf("%s %g Hz %.2f dB\n", names[side], t->hertz[i], decibels(power));
    }
    printf("%s SNR %.1f dB\n", names[side], decibels(own / left));
    printf("%s separation %.1f dB\n", names[side], decibels(own / other));
}

static void compare(const struct sound *s, const struct sound *wanted)
{
    double signal = 0, error = 0;
    long n;
    int i;

    for (n = SKIP; n < s->count && n < wanted->count; n++)
        for (i = 0; i < 2; i++) {
            double difference = s->side[i][n] - wanted->side[i][n];
            signal += wanted->side[i][n] * wanted->side[i][n];
            error += difference * difference;
        }
    printf("reference SNR %.1f dB\n", decibels(signal / (error + 1e-30)));
}

static int has_tone(const struct tones *t, double hertz)
{
    int i;

    for (i = 0; i < t->count; i++)
        if (fabs(t->hertz[i] - hertz) < 1)
            return 1;
    return 0;
}

/* Adds the tones of a list, each at least 1 Hz from all others. Returns 0, or -1 when it is not
 * one.
 */
static int add_tones(struct tones *t, const char *list, int side)
{
    int count;

    for (count = 0; *list; count++) {
        char *end;
        double hertz = strtod(list, &end);
        if (count == TONES || end == list || !(hertz >= 1 && hertz < RATE / 2) ||
            has_tone(t, hertz) || (*end && *end != ','))
            return -1;
        t->hertz[t->count] = hertz;
        t->side[t->count++] = side;
        list = end + (*end == ',');
    }
    return 0;
}

/* `reference` is NULL for none. Returns the exit status. */
static int judge(const struct tones *t, const char *wav, const char *reference)
{
    struct sound s = {.count = 0}, wanted = {.count = 0};
    long bytes = 0, more = 0;
    unsigned char *data = read_file(wav, &bytes), *doubles = NULL;
    int status = 1;

    if (data && take_wav(&s, data, bytes, wav) == 0)
        status = 0;
    if (status == 0 && reference) {
        doubles = read_file(reference, &more);
        status = !doubles || take_pairs(&wanted, doubles, more, 64) != 0;
    }
    if (status == 0 && (s.count <= SKIP + 2 * TAIL || (reference && wanted.count <= SKIP))) {
        fprintf(stderr, "listen: less than 0.7 seconds of sound\n");
        status = 1;
    }
    if (status == 0) {
        judge_side(&s, t, 0);
        judge_side(&s, t, 1);
        if (reference)
            compare(&s, &wanted);
    }
    free(data);
    free(doubles);
    free(s.side[0]);
    free(wanted.side[0]);
    return status;
}

int main(int argc, char **argv)
{
    const char *left = "400,3000", *right = "1000,10000";
    struct tones t = {.count = 0};
    int option, wrong = 0;

    while ((option = getopt(argc, argv, "l:r:")) != -1)
        if (option == 'l')
            left = optarg;
        else if (option == 'r')
            right = optarg;
        else
            wrong = 1;
    if (wrong || argc - optind < 1 || argc - optind > 2 || add_tones(&t, left, 0) != 0 ||
        add_tones(&t, right, 1) != 0) {
        fprintf(stderr, "usage: listen [-l HERTZ,..] [-r HERTZ,..] WAV [REFERENCE]\n");
        return 2;
    }
    return judge(&t, argv[optind], argv[optind + 1]);
}
