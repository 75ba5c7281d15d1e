/*
 * correct.h: words of the detector become energies, and the pedestals follow the dark pixels.
 *
 *     E = (adc - ped[g]) * inverse[g]                 g is the gain stage of the word
 *     ped[g] += (adc - ped[g]) * STEP                 if |adc - ped[g]| <= limit[g]
 *
 * The codes 0, 1 and 3 are the stages 0, 1 and 2. Code 2 is invalid: it has no energy and is
 * counted. Most pixels are in stage 0, so sixteen that are go together; the arithmetic is the same.
 */
#ifndef PHOTON_CORRECT_H
#define PHOTON_CORRECT_H

#include "photon.h"

#include <stdint.h>
#include <string.h>

#define LANES 16
typedef float lanes __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int32_t lane_masks __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef uint16_t lane_words __attribute__((vector_size(2 * LANES), aligned(2), may_alias));

/* Do all of these words have the code 0? */
static inline int correct_is_plain(const uint16_t *words)
{
    uint64_t w[LANES / 4];

    memcpy(w, words, sizeof(w));
    return ((w[0] | w[1] | w[2] | w[3]) & 0xc000c000c000c000u) == 0;
}

/* Sixteen pixels of stage 0. */
static inline void correct_lanes(const uint16_t *words, float *ped, const float *inverse,
                                 const float *limit, float *energies)
{
    lanes adc = __builtin_convertvector(*(const lane_words *)words, lanes);
    lanes away = adc - *(lanes *)ped, most = *(const lanes *)limit;
    lane_masks dark = (away <= most) & (-away <= most);

    *(lanes *)energies = away * *(const lanes *)inverse;
    *(lanes *)ped += (lanes)((lane_masks)(away * STEP) & dark);
}

/* A pixel of any stage. `state` is at its place in the first plane. Returns 1 if it is invalid. */
static inline uint32_t correct_pixel(unsigned word, float *state, float *energy, int pixels)
{
    unsigned code = word >> 14, stage = code == 3 ? 2 : code;
    float *ped = state + (PLANE_PED + (int)stage) * pixels;
    float limit, away;

    if (code == 2) {
        *energy = 0.0f;
        return 1;
    }
    limit = ped[PLANE_LIMIT * pixels];
    away = (float)(word & 0x3fff) - *ped;
    *energy = away * ped[PLANE_INVERSE * pixels];
    *ped += away <= limit && -away <= limit ? away * STEP : 0.0f;
    return 0;
}

/* Pixels next to each other, of a strip of `pixels`. Returns how many words are invalid. */
static inline uint32_t correct_row(const uint16_t *words, float *state, float *energies, int width,
                                   int pixels)
{
    uint32_t invalid = 0;
    int x, i;

    for (x = 0; x < width; x += LANES)
        if (correct_is_plain(words + x))
            correct_lanes(words + x, state + x, state + PLANE_INVERSE * pixels + x,
                          state + PLANE_LIMIT * pixels + x, energies + x);
        else
            for (i = x; i < x + LANES; i++)
                invalid += correct_pixel(words[i], state + i, energies + i, pixels);
    return invalid;
}

/* What of a token does not depend on its words: its head, no invalid words so far and, without a
 * frame, no energies. */
static inline void correct_head(const uint32_t *words, uint32_t *energies, int pixels, int rows)
{
    uint32_t *to = energies + HEAD_WORDS;

    memcpy(energies, words, HEAD_WORDS * sizeof(*words));
    memset(to + pixels, 0, (size_t)rows * sizeof(*to));
    if (words[HEAD_KIND] != KIND_FRAME)
        memset(to, 0, (size_t)pixels * sizeof(*to));
}

/* A piece of the calibration goes to the state. */
static inline void correct_piece(const uint32_t *words, float *state, int pixels)
{
    if (words[HEAD_KIND] == KIND_PIECE)
        memcpy(state + words[HEAD_PIECE] * (size_t)(pixels / 2), words + HEAD_WORDS,
               (size_t)pixels / 2 * sizeof(*state));
}

/* `count` pixels of a row, from `at` on, if the token is a frame. Returns how many words are
 * invalid. */
static inline uint32_t correct_part(const uint32_t *words, float *state, uint32_t *energies, int at,
                                    int count, int pixels)
{
    if (words[HEAD_KIND] != KIND_FRAME)
        return 0;
    return correct_row((const uint16_t *)(words + HEAD_WORDS) + at, state + at,
                       (float *)(energies + HEAD_WORDS) + at, count, pixels);
}

/* A token: `state` is changed in place. */
static inline void correct_strip(const uint32_t *words, float *state, uint32_t *energies, int width,
                                 int rows)
{
    int pixels = width * rows, y;

    correct_head(words, energies, pixels, rows);
    correct_piece(words, state, pixels);
    for (y = 0; y < rows; y++)
        energies[HEAD_WORDS + pixels + y] =
            correct_part(words, state, energies, y * width, width, pixels);
}

#endif
