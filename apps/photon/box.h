/*
 * box.h: the mean of the (2 r + 1) x (2 r + 1) pixels around each pixel; outside of the frame is 0.
 *
 *     out[y][x] = sum of all |i| <= r, |j| <= r: (in[y + i][x + j] & 0x3fff)  /  (2 r + 1)^2
 *
 * The sums are integers that fit into 31 bits, so every order of additions gives the same bytes.
 * Each becomes a float, correctly rounded, before it is multiplied.
 */
#ifndef PHOTON_BOX_H
#define PHOTON_BOX_H

#define SIDE        (2 * VAR_radius + 1)
#define BOX_PART    (1.0f / (SIDE * SIDE))
#define BOX_ADC(in) ((in)&0x3fff)

#if VAR_radius < 0 || VAR_radius > 128
#error "radius is from 0 to 128"
#endif

#endif
