/*
 * stereo.h: from the bands of the multiplex (resample.h) to left and right.
 *
 * The pilot is a tone at 19 kHz. Two resonators, one behind the other, leave nothing else of its
 * band. left - right is on a carrier of 38 kHz, which has the phase of the pilot twice: that is, of
 * the square of the pilot. Without a pilot both sides are left + right.
 *
 * A transmitter raises high tones (pre-emphasis); what lowers them again has a pole where the
 * transmitter has its zero, and a zero that makes the gain right at 15 kHz, too.
 */
#ifndef RADIO_STEREO_H
#define RADIO_STEREO_H

#include "radio.h"

#include <math.h>
#include <string.h>

#define STEREO_PI 3.14159265358979323846
/* Of the pilot's power, which is 0.0025: what is below this is noise. */
#define STEREO_LEAST 1e-4f
/* How fast the resonators follow: a time constant of 10 ms. */
#define STEREO_FOLLOW 0.00208333333f

/* left - right is twice the imaginary part. And a discriminator takes the mean of the frequency
 * over a sample, by which 38 kHz of 256 kHz are lowered: x / sin(x), x = 38 pi / 256. */
#define STEREO_RAISE 2.07437014f

struct stereo {
    float turn_re, turn_im;   /* of the pilot, from one sample to the next */
    float re[2], im[2];       /* the resonators */
    float gain0, gain1, pole; /* of the de-emphasis */
    float old[2], side[2];    /* of each side: what came in and what went out last */
    int mono;                 /* wanted: left + right at both sides */
};

/* `us` is the time constant of the emphasis, 50 in Europe and 75 in America; 0 for none. */
static inline void stereo_init(struct stereo *s, double us, int mono)
{
    double turn = 2 * STEREO_PI * 19000 / RATE_AUDIO, high = 2 * STEREO_PI * 15000;
    double pole = us > 0 ? exp(-1e6 / (us * RATE_AUDIO)) : 0, c = cos(high / RATE_AUDIO);
    double wanted = 1 / (1 + high * high * us * us * 1e-12), zero = 0;

    /* (1 + zero^2 + 2 zero c) / (1 + zero)^2 = part: what the pole alone leaves too much of power
     */
    if (us > 0) {
        double part = wanted * (1 + pole * pole - 2 * pole * c) / ((1 - pole) * (1 - pole));
        double half = (c - part) / (1 - part);
        zero = -half - sqrt(half * half - 1);
    }
    memset(s, 0, sizeof(*s));
    s->turn_re = (float)cos(turn);
    s->turn_im = (float)sin(turn);
    s->gain0 = (float)((1 - pole) / (1 + zero));
    s->gain1 = (float)(zero * (1 - pole) / (1 + zero));
    s->pole = (float)pole;
    s->mono = mono;
}

/* Takes a sample of the pilot's band. */
static inline void stereo_follow(struct stereo *s, float re, float im)
{
    int i;

    for (i = 0; i < 2; i++) {
        float turned_re = s->turn_re * s->re[i] - s->turn_im * s->im[i];
        float turned_im = s->turn_re * s->im[i] + s->turn_im * s->re[i];
        re = turned_re + STEREO_FOLLOW * (re - turned_re);
        im = turned_im + STEREO_FOLLOW * (im - turned_im);
        s->re[i] = re;
        s->im[i] = im;
    }
}

/* Is there a pilot now, with a fifth of its power or more? What is no station has less. */
static inline int stereo_has_pilot(const struct stereo *s)
{
    return s->re[1] * s->re[1] + s->im[1] * s->im[1] >= 5.0f * STEREO_LEAST;
}

/* left - right, of a sample of its band. */
static inline float stereo_difference(const struct stereo *s, float re, float im)
{
    float x = s->re[1], y = s->im[1], power = x * x + y * y;
    float part = im * (x * x - y * y) - re * (2.0f * x * y);

    return s->mono || power < STEREO_LEAST ? 0.0f : STEREO_RAISE * part / power;
}

static inline float stereo_side(struct stereo *s, int side, float in)
{
    float out = s->pole * s->side[side] + (s->gain0 * in + s->gain1 * s->old[side]);

    s->old[side] = in;
    s->side[side] = out;
    return out;
}

/* One block: `in` has STREAMS times `block` floats, `out` gets `block` pairs. 0.9 of the deviation
 * belongs to the sound, 0.1 to the pilot. */
static inline void stereo_block(struct stereo *s, const float *restrict in, float *restrict out,
                                int block)
{
    int k;

    for (k = 0; k < block; k++) {
        float sum = in[k], difference;
        stereo_follow(s, in[3 * block + k], in[4 * block + k]);
        difference = stereo_difference(s, in[block + k], in[2 * block + k]);
        out[2 * k] = stereo_side(s, 0, (sum + difference) * 1.11111111f);
        out[2 * k + 1] = stereo_side(s, 1, (sum - difference) * 1.11111111f);
    }
}

#endif
