/*
 * darks.h: what the processes of the calibration share, beside photon.h.
 *
 *     words      as in photon.h; HEAD_PIECE is the stage that the frame was taken in, and HEAD_LAST
 * of the first token of a block tells that no more come sums       a head, that of the newest
 * block; then planes of doubles of a strip: mean and sum of squared differences for each stage;
 * then for each stage and pixel how many frames were in it; then a mask for each pixel, 1 where one
 * was in a wrong stage
 */
#ifndef PHOTON_DARKS_H
#define PHOTON_DARKS_H

#include "photon.h"

#include <stdint.h>

enum { HEAD_LAST = HEAD_HIGH + 1 };

struct sums {
    uint32_t head[HEAD_WORDS];
    double mean[STAGES][PIXELS], squares[STAGES][PIXELS];
    uint32_t count[STAGES][PIXELS];
    uint32_t mask[PIXELS];
};

#endif
