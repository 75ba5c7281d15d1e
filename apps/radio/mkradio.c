/*
 * mkradio: makes a recording of an FM station whose sound is known, always the same bytes.
 *
 * The station is 256 kHz above the middle, a neighbour 400 kHz below the station, and there is
 * noise from a fixed seed. The multiplex of a station is a sum of sines, so its phase is known in
 * closed form: nothing is integrated or filtered here. mkradio -h lists what can be asked for.
 */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI         3.14159265358979323846
#define RATE       1024000.0
#define DEVIATION  75000.0
#define STATION    256000.0
#define NEIGHBOUR  (STATION - 400000.0)
#define MOST_LINES 64

struct line {
    double amplitude, hertz, phase; /* amplitude * sin(2 pi hertz t + phase) */
};

struct station {
    struct line lines[MOST_LINES];
    int count;
};

struct recording {
    const char *left, *right; /* tones, "HERTZ:AMPLITUDE,.." */
    double seconds, noise, neighbour, emphasis;
    int mono;
};

/* Returns 0, or -1 when there are too many. */
static int add_line(struct station *s, double amplitude, double hertz, double phase)
{
    if (s->count == MOST_LINES)
        return -1;
    s->lines[s->count++] = (struct line){amplitude, hertz, phase};
    return 0;
}

/* A tone of one side: half of it in left + right, half in left - right (sign -1 for the right) on a
 * carrier of 38 kHz, of which there are the two sidebands. */
static int add_tone(struct station *s, const struct recording *r, double hertz, double amplitude,
                    int sign)
{
    double raise = 2 * PI * hertz * r->emphasis * 1e-6, phase = atan(raise);
    double half = 0.45 * amplitude * sqrt(1 + raise * raise);

    if (r->mono)
        return add_line(s, 2 * half, hertz, phase);
    if (add_line(s, half, hertz, phase) != 0 ||
        add_line(s, sign * half / 2, 38000 - hertz, PI / 2 - phase) != 0)
        return -1;
    return add_line(s, -sign * half / 2, 38000 + hertz, PI / 2 + phase);
}

/* Adds the tones of a list. Returns 0, or -1 when it is not one. */
static int add_tones(struct station *s, const struct recording *r, const char *list, int sign)
{
    while (*list) {
        double hertz, amplitude;
        int read = 0;
        if (sscanf(list, "%lf:%lf%n", &hertz, &amplitude, &read) != 2 || !(hertz >= 20) ||
            !(hertz <= 15000) || !(amplitude >= 0 && amplitude <= 1))
            return -1;
        if (add_tone(s, r, hertz, amplitude, sign) != 0)
            return -1;
        list += read;
        if (*list == ',' && list[1])
            list++;
        else if (*list)
            return -1;
    }
    return 0;
}

/* Of the carrier, t seconds after the start. */
static double turned(const struct station *s, double t)
{
    double phase = 0;
    int i;

    for (i = 0; i < s->count; i++) {
        const struct line *line = &s->lines[i];
        phase -= DEVIATION * line->amplitude / line->hertz *
                 cos(2 * PI * fmod(line->hertz * t, 1) + line->phase);
    }
    return phase;
}

/* Splitmix64 (Steele et al. 2014); above 0 and below 1. */
static double random_part(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;

    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return ((double)((x ^ x >> 31) >> 11) + 0.5) / 9007199254740992.0;
}

static unsigned char as_byte(double value)
{
    double scaled = floor(value * 128 + 128);

    return (unsigned char)(scaled < 0 ? 0 : scaled > 255 ? 255 : scaled);
}

static int write_samples(const struct recording *r, const struct station *s,
                         const struct station *neighbour, FILE *file)
{
    long count = lrint(r->seconds * RATE), n;
    uint64_t state = 20;

    for (n = 0; n < count; n++) {
        double t = (double)n / RATE;
        double here = 2 * PI * fmod(STATION * t, 1) + turned(s, t);
        double there = 2 * PI * fmod(NEIGHBOUR * t, 1) + turned(neighbour, t);
        double radius = r->noise * sqrt(-2 * log(random_part(&state)));
        double angle = 2 * PI * random_part(&state);
        putc(as_byte(0.25 * cos(here) + r->neighbour * cos(there) + radius * cos(angle)), file);
        putc(as_byte(0.25 * sin(here) + r->neighbour * sin(there) + radius * sin(angle)), file);
    }
    return ferror(file) ? -1 : 0;
}

static const char usage_text[] =
    "usage: mkradio [options] RECORDING\n"
    "  -s SECONDS      how long (2), up to 3600\n"
    "  -l TONES        left: HERTZ:AMPLITUDE,.. (400:0.35,3000:0.15)\n"
    "  -r TONES        right (1000:0.4,10000:0.05)\n"
    "  -m              mono: no pilot; both sides have all tones\n"
    "  -e MICROSECONDS of the emphasis (50); 0 for none\n"
    "  -n NOISE        of I and of Q, where the station has 0.25 (0.01)\n"
    "  -c NEIGHBOUR    its amplitude (0.35)\n";

/* A number from 0 to `most`; -1 when the text is none. */
static double number(const char *text, double most)
{
    char *end;
    double value = strtod(text, &end);

    return *text && !*end && value >= 0 && value <= most ? value : -1;
}

/* Returns 0, or -1 when an option is wrong. */
static int read_options(struct recording *r, int argc, char **argv)
{
    int option;

    while ((option = getopt(argc, argv, "s:l:r:me:n:c:h")) != -1)
        switch (option) {
        case 's':
            r->seconds = number(optarg, 3600);
            break;
        case 'l':
            r->left = optarg;
            break;
        case 'r':
            r->right = optarg;
            break;
        case 'm':
            r->mono = 1;
            break;
        case 'e':
            r->emphasis = number(optarg, 1000);
            break;
        case 'n':
            r->noise = number(optarg, 1);
            break;
        case 'c':
            r->neighbour = number(optarg, 1);
            break;
        case 'h':
            fputs(usage_text, stdout);
            exit(0);
        default:
            return -1;
        }
    return r->seconds <= 0 || r->emphasis < 0 || r->noise < 0 || r->neighbour < 0 ||
                   argc != optind + 1
               ? -1
               : 0;
}

int main(int argc, char **argv)
{
    struct recording r = {"400:0.35,3000:0.15", "1000:0.4,10000:0.05", 2, 0.01, 0.35, 50, 0};
    struct station s = {.count = 0}, neighbour = {.count = 0};
    FILE *file;
    int failed;

    if (read_options(&r, argc, argv) != 0 || add_tones(&s, &r, r.left, 1) != 0 ||
        add_tones(&s, &r, r.right, -1) != 0 || (!r.mono && add_line(&s, 0.1, 19000, 0) != 0)) {
        fputs(usage_text, stderr);
        return 2;
    }
    add_line(&neighbour, 0.8, 2000, 0);
    file = fopen(argv[optind], "wb");
    if (file) {
        failed = write_samples(&r, &s, &neighbour, file);
        if (fclose(file) == 0 && failed == 0)
            return 0;
    }
    fprintf(stderr, "mkradio: %s: %s\n", argv[optind], strerror(errno));
    return 1;
}
