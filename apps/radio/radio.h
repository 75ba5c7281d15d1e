/*
 * radio.h: the numbers that the processes of the receiver share, in C and in kernels.
 *
 * The block (VAR_block, the variable `block` of the network) is the unit of all tokens:
 *
 *     samples     4 * block signed bytes I, Q of 1024 kHz; a zero byte stands for half a step
 *     baseband    block floats I, then block floats Q, of 256 kHz
 *     multiplex   block floats of 256 kHz; 1 is the full deviation, 75 kHz
 *     bands       STREAMS times block floats of 48 kHz: see resample.h
 *     audio       block pairs of floats, left and right, of 48 kHz
 *
 * So 16 blocks of the multiplex become 3 blocks of the bands. A block is a multiple of 96.
 */
#ifndef RADIO_H
#define RADIO_H

#define RATE_SAMPLES 1024000
#define RATE_AUDIO   48000

#define DECIMATION 4
#define TUNE_TAPS  64
#define TUNE_AGE   (TUNE_TAPS / DECIMATION) /* outputs for which a sample counts */

#define UP         3 /* the resampler's ratio, 3/16 */
#define DOWN       16
#define PHASE_TAPS 240
#define STREAMS    5

/* The resampler's phases 0, 1 and 2 begin with block 0, 6 and 11 of sixteen. The first output of a
 * phase has its oldest input this far behind the phase's first sample; it is negative. */
#define RESAMPLE_START(phase, block)                                                               \
    ((phase) * ((block) / UP * DOWN) - ((phase)*DOWN + UP - 1) / UP * (block) - (PHASE_TAPS - 1))

/* Partial sums of a result of the resampler: they fix the order of additions. */
#define LANES 16

#ifdef VAR_block
#if VAR_block % 96 != 0 || VAR_block < 96
#error "block is a multiple of 96"
#endif
#endif

#endif
