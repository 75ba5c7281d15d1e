/*
 * mkphoton: makes frames of a pixel detector whose photons are known, always the same bytes.
 *
 *     mkphoton [options] NAME
 *
 * writes NAME.gains, NAME.dark, NAME.frames, NAME.truth and NAME.true (files.h). The detector has
 * three gain stages, +40, -1.4 and -0.1 ADU/keV with 2 % of spread, pedestals about 2000, 14000 and
 * 14000, and a noise of 5, 1 and 1 ADU. On it falls light in rings around a bright spot, 12.4 keV a
 * photon. Each photon is drawn; a pixel is read in the lowest stage that is not saturated. The
 * truth is how many photons fell on each pixel in each frame; NAME.true is the image of all frames.
 * Without arguments, mkphoton lists what can be asked for.
 */
#include "files.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>

#define KEV       12.4
#define STAGES    3
#define MOST_LONE 64 /* photons of a pixel that share their charge one by one */

struct detector {
    int width, height;
    long frames, darks;
    double noise, rate, share, drift;
    long bad; /* pixels */
    uint64_t random;
    double *ped[STAGES], *gain[STAGES], *light; /* of each pixel; light: photons a frame */
    unsigned char *broken;
    float *charge; /* of a frame, in photons */
    uint16_t *words, *truth;
    uint32_t *image; /* photons of all frames */
};

static const double sigma[STAGES] = {5, 1, 1};

/* Splitmix64 (Steele et al. 2014). */
static uint64_t next(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;

    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* From 0 up to 1. */
static double part(uint64_t *state)
{
    return (double)(next(state) >> 11) / 9007199254740992.0;
}

/* Normal but for its ends: eight equal ones, so the C library has no say in it. */
static double normal(uint64_t *state)
{
    uint64_t a = next(state), b = next(state);
    double sum = 0;
    int i;

    for (i = 0; i < 64; i += 16)
        sum += (double)(a >> i & 0xffff) + (double)(b >> i & 0xffff);
    return (sum - 8 * 32767.5) / 65536 * 1.224744871391589; /* sqrt(12 / 8) */
}

/* How many photons of a mean: drawn one by one (Knuth 1997), or nearly normal where they are many.
 */
static long poisson(uint64_t *state, double mean)
{
    double least = mean < 30 ? exp(-mean) : 0, product = 1;
    long count = -1;

    if (mean >= 30)
        return lrint(fmax(0, mean + sqrt(mean) * normal(state)));
    do {
        product *= part(state);
        count++;
    } while (product > least);
    return count;
}

/* Photons a frame at a place: two rings, a spot in the middle, and a little everywhere. */
static double light_at(const struct detector *d, int x, int y)
{
    double dx = x - d->width / 2.0, dy = y - d->height / 2.0;
    double size = d->height / 512.0, r = sqrt(dx * dx + dy * dy) / size;
    double first = (r - 90) / 5, second = (r - 200) / 8, spot = r / 9;

    return d->rate * (0.002 + 0.4 * exp(-first * first) + 0.1 * exp(-second * second) +
                      3000 * exp(-spot * spot));
}

static int make_detector(struct detector *d)
{
    static const double ped[STAGES] = {2000, 14000, 14000}, gain[STAGES] = {40, -1.4, -0.1};
    size_t pixels = (size_t)d->width * (size_t)d->height, i;
    int g;

    for (g = 0; g < STAGES; g++) {
        d->ped[g] = malloc(pixels * sizeof(double));
        d->gain[g] = malloc(pixels * sizeof(double));
        for (i = 0; d->ped[g] && d->gain[g] && i < pixels; i++) {
            d->ped[g][i] = ped[g] + 30 * normal(&d->random);
            d->gain[g][i] = gain[g] * (1 + 0.02 * normal(&d->random));
        }
    }
    d->light = malloc(pixels * sizeof(double));
    d->broken = calloc(pixels, 1);
    d->charge = malloc(pixels * sizeof(float));
    d->words = malloc(pixels * sizeof(uint16_t));
    d->truth = malloc(pixels * sizeof(uint16_t));
    d->image = calloc(pixels, sizeof(uint32_t));
    for (g = 0; g < STAGES; g++)
        if (!d->ped[g] || !d->gain[g])
            return -1;
    if (!d->light || !d->broken || !d->charge || !d->words || !d->truth || !d->image)
        return -1;
    for (i = 0; i < pixels; i++)
        d->light[i] = light_at(d, (int)(i % (size_t)d->width), (int)(i / (size_t)d->width));
    for (i = 0; i < (size_t)d->bad; i++)
        d->broken[next(&d->random) % pixels] = 1;
    return 0;
}

/* At most `bad` pixels: one may be drawn twice. */
static long count_broken(const struct detector *d)
{
    size_t pixels = (size_t)d->width * (size_t)d->height, i;
    long count = 0;

    for (i = 0; i < pixels; i++)
        count += d->broken[i];
    return count;
}

/* A word of a stage, as far as it fits. */
static int in_stage(struct detector *d, size_t i, int stage, double photons)
{
    double adc = d->ped[stage][i] + d->gain[stage][i] * photons * KEV +
                 d->noise * sigma[stage] * normal(&d->random);

    return (int)floor(adc + 0.5);
}

static uint16_t word(struct detector *d, size_t i, double photons)
{
    int adc = in_stage(d, i, 0, photons);

    if (adc <= 0x3fff)
        return (uint16_t)(adc < 0 ? 0 : adc);
    adc = in_stage(d, i, 1, photons);
    if (adc >= 0)
        return (uint16_t)((adc > 0x3fff ? 0x3fff : adc) | 1 << 14);
    adc = in_stage(d, i, 2, photons);
    return (uint16_t)((adc < 0 ? 0 : adc > 0x3fff ? 0x3fff : adc) | 3 << 14);
}

/* How much of a photon's charge goes to the left (-1) or right (+1) of where it fell, and where. */
static double shared(struct detector *d, int *side)
{
    double at = part(&d->random), away = at < 0.5 ? at : 1 - at;

    *side = at < 0.5 ? -1 : 1;
    return away < d->share ? (d->share - away) / (2 * d->share) : 0;
}

static void add_charge(struct detector *d, int x, int y, double charge)
{
    if (x >= 0 && x < d->width && y >= 0 && y < d->height)
        d->charge[(size_t)y * (size_t)d->width + (size_t)x] += (float)charge;
}

static void add_photon(struct detector *d, int x, int y)
{
    int right, down;
    double across = shared(d, &right), along = shared(d, &down);

    add_charge(d, x, y, (1 - across) * (1 - along));
    add_charge(d, x + right, y, across * (1 - along));
    add_charge(d, x, y + down, (1 - across) * along);
    add_charge(d, x + right, y + down, across * along);
}

/* Draws the photons of a frame. A broken pixel has none: nobody could know. */
static void draw_frame(struct detector *d)
{
    int x, y;

    memset(d->charge, 0, (size_t)d->width * (size_t)d->height * sizeof(*d->charge));
    for (y = 0; y < d->height; y++)
        for (x = 0; x < d->width; x++) {
            size_t i = (size_t)y * (size_t)d->width + (size_t)x;
            long k = d->broken[i] ? 0 : poisson(&d->random, d->light[i]), n;
            k = k > 11000 ? 11000 : k;
            d->truth[i] = (uint16_t)k;
            for (n = 0; d->share > 0 && n < k && n < MOST_LONE; n++)
                add_photon(d, x, y);
            add_charge(d, x, y, (double)(k - n));
        }
}

static void put_frame(FILE *file, uint64_t number, const uint16_t *data, size_t pixels)
{
    uint64_t head[2] = {number, number * 28};

    fwrite(head, sizeof(head), 1, file);
    fwrite(data, sizeof(*data), pixels, file);
}

static void write_frames(struct detector *d, FILE *frames, FILE *truth)
{
    size_t pixels = (size_t)d->width * (size_t)d->height, i;
    long n;

    for (n = 0; n < d->frames; n++) {
        draw_frame(d);
        for (i = 0; i < pixels; i++)
            d->words[i] = d->broken[i] ? (uint16_t)next(&d->random) : word(d, i, d->charge[i]);
        for (i = 0; i < pixels; i++) {
            d->ped[0][i] += d->drift;
            d->image[i] += d->truth[i];
        }
        put_frame(frames, (uint64_t)n, d->words, pixels);
        put_frame(truth, (uint64_t)n, d->truth, pixels);
    }
}

/* No light, and each stage in turn. A broken pixel is in another stage now and then. */
static void write_darks(struct detector *d, FILE *file)
{
    size_t pixels = (size_t)d->width * (size_t)d->height, i;
    long n;
    int g;

    for (g = 0; g < STAGES; g++)
        for (n = 0; n < d->darks; n++) {
            for (i = 0; i < pixels; i++) {
                int stage = d->broken[i] && n % 4 == 3 ? (g + 1) % STAGES : g;
                int code = stage == 2 ? 3 : stage, adc = in_stage(d, i, stage, 0);
                d->words[i] = (uint16_t)((adc < 0 ? 0 : adc > 0x3fff ? 0x3fff : adc) | code << 14);
            }
            put_frame(file, (uint64_t)(g * d->darks + n), d->words, pixels);
        }
}

static void write_gains(struct detector *d, FILE *file)
{
    int g;

    for (g = 0; g < STAGES; g++)
        fwrite(d->gain[g], sizeof(double), (size_t)d->width * (size_t)d->height, file);
}

/* Creates NAME.EXTENSION; NULL with a message. */
static FILE *create(const struct detector *d, const char *name, const char *extension,
                    const char *magic, long darks)
{
    struct file_head head = {.width = (uint32_t)d->width,
                             .height = (uint32_t)d->height,
                             .frames = (uint32_t)(darks > 0 ? STAGES * darks : d->frames),
                             .dark = {(uint32_t)darks, (uint32_t)darks, (uint32_t)darks}};
    char path[4096], why[4200];
    FILE *file;

    memcpy(head.magic, magic, sizeof(head.magic));
    snprintf(path, sizeof(path), "%s.%s", name, extension);
    file = file_create(path, &head, why, sizeof(why));
    if (!file)
        fprintf(stderr, "mkphoton: %s\n", why);
    return file;
}

/* Closes it. Returns 0, or -1 with a message. */
static int finish(FILE *file, const char *name)
{
    int failed = !file || ferror(file);

    if (file && (fclose(file) != 0 || failed))
        fprintf(stderr, "mkphoton: %s: %s\n", name, strerror(errno));
    return failed ? -1 : 0;
}

static int write_all(struct detector *d, const char *name)
{
    FILE *gains = create(d, name, "gains", "dalgains", 0);
    FILE *dark = create(d, name, "dark", "dalframe", d->darks);
    FILE *frames = create(d, name, "frames", "dalframe", 0);
    FILE *truth = create(d, name, "truth", "dalframe", 0);
    FILE *image = create(d, name, "true", "dalimage", 0);
    int failed;

    if (gains && dark && frames && truth && image) {
        write_gains(d, gains);
        write_darks(d, dark);
        write_frames(d, frames, truth);
        fwrite(d->image, sizeof(*d->image), (size_t)d->width * (size_t)d->height, image);
    }
    failed = finish(gains, name);
    failed |= finish(dark, name);
    failed |= finish(frames, name);
    failed |= finish(image, name);
    return finish(truth, name) | failed;
}

static const char usage_text[] =
    "usage: mkphoton [options] NAME\n"
    "  -w WIDTH        pixels (1024)\n"
    "  -h HEIGHT       pixels (512)\n"
    "  -n FRAMES       (100)\n"
    "  -k DARKS        dark frames of each stage (100)\n"
    "  -s NOISE        times the usual one (1)\n"
    "  -r RATE         of photons, times the usual one (1)\n"
    "  -c SHARE        pixels at whose border a photon shares its charge, up to 0.5 (0)\n"
    "  -d DRIFT        of the pedestals of stage 0, ADU a frame (0)\n"
    "  -b BAD          broken pixels, at most (0)\n"
    "  -x SEED         other photons and noise (1)\n";

/* A number in a range; anything else ends the program. */
static double number(const char *text, double least, double most)
{
    char *end;
    double value = strtod(text, &end);

    if (*text && !*end && value >= least && value <= most)
        return value;
    fputs(usage_text, stderr);
    exit(2);
}

static void read_options(struct detector *d, int argc, char **argv)
{
    int option;

    while ((option = getopt(argc, argv, "w:h:n:k:s:r:c:d:b:x:")) != -1) {
        if (option == 'w')
            d->width = (int)number(optarg, 1, 65536);
        else if (option == 'h')
            d->height = (int)number(optarg, 1, 65536);
        else if (option == 'n')
            d->frames = (long)number(optarg, 1, 1e6);
        else if (option == 'k')
            d->darks = (long)number(optarg, 1, 1e5);
        else if (option == 's')
            d->noise = number(optarg, 0, 100);
        else if (option == 'r')
            d->rate = number(optarg, 0, 1e6);
        else if (option == 'c')
            d->share = number(optarg, 0, 0.5);
        else if (option == 'd')
            d->drift = number(optarg, -100, 100);
        else if (option == 'b')
            d->bad = (long)number(optarg, 0, 1e9);
        else if (option == 'x')
            d->random = (uint64_t)number(optarg, 0, 1e9);
        else
            number("", 0, 0);
    }
}

int main(int argc, char **argv)
{
    static struct detector d = {1024, 512, 100, 100, 1, 1, 0, 0, 0, 1, {0}, {0}, 0, 0, 0, 0, 0, 0};
    int failed = 1, g;

    read_options(&d, argc, argv);
    if (argc != optind + 1)
        number("", 0, 0);
    if (make_detector(&d) != 0)
        fprintf(stderr, "mkphoton: out of memory\n");
    else
        failed = write_all(&d, argv[optind]) != 0;
    if (!failed)
        fprintf(stderr, "%s: %ld pixels are broken\n", argv[optind], count_broken(&d));
    for (g = 0; g < STAGES; g++) {
        free(d.ped[g]);
        free(d.gain[g]);
    }
    free(d.light);
    free(d.broken);
    free(d.charge);
    free(d.words);
    free(d.truth);
    free(d.image);
    return failed;
}
