/*
 * photon.h: the numbers that the processes of the photon counter share, in C and in kernels.
 *
 * A frame is cut into strips of VAR_rows rows, and a token is a strip. VAR_frames frames are a
 * block: of each strip in turn, its tokens of all frames of the block follow each other. So what a
 * strip keeps from frame to frame is used VAR_frames times while it is near.
 *
 *     words      a head, then 16 bits a pixel: bits 0 to 13 the ADC, bits 14 and 15 the gain's code
 *     state      PLANES planes of floats of a strip: see below
 *     energies   a head, a float a pixel in keV, then for each row how many words were invalid
 *     counts     a head, then a uint32 a pixel: photons of all frames of the block
 *     sums       a head, that of the last frame in it, then a float a pixel in keV; HEAD_KIND is
 * KIND_FRAME if all frames are there
 *     largest    a head, then a float for each frame of the block, -infinity if there is none
 *     drift      a head, then a float a pixel in ADU
 *     clusters   a head, then LIST_WORDS of uint32 for each row: how many clusters there are, and
 * the first VAR_clusters of them; their rows are one above those of the strip
 */
#ifndef PHOTON_H
#define PHOTON_H

/* A head is 16 uint32. */
enum { HEAD_KIND, HEAD_PIECE, HEAD_STRIP, HEAD_LOW, HEAD_HIGH, HEAD_WORDS = 16 };

/* What a token is: nothing (the end of a recording is filled up with it), a strip of a frame with
 * its number in HEAD_LOW and HEAD_HIGH, or a piece of the calibration: half a plane of the state.
 */
enum { KIND_NONE, KIND_FRAME, KIND_PIECE };

#define PIXELS (VAR_rows * VAR_width) /* of a strip */
#define STRIPS (VAR_height / VAR_rows)

/* Parts of a strip, none of which has pixels of two rows: what threads share. */
#ifdef _OPENMP
#define PART (VAR_width / (VAR_width % 64 == 0 ? 4 : VAR_width % 32 == 0 ? 2 : 1))
#else
#define PART VAR_width
#endif
#define PARTS (PIXELS / PART)

/* The state of a strip. For each of three gain stages: the pedestal in ADU, 1/gain in keV/ADU, and
 * how far from its pedestal a dark pixel may be, in ADU. A masked pixel has the gain's inverse 0.
 */
#define STAGES        3
#define PLANE_PED     0
#define PLANE_INVERSE 3
#define PLANE_LIMIT   6
#define PLANES        9
#define PIECES        (2 * PLANES)

/* What moves a pedestal, a part of the difference; and a photon. */
#define STEP   (1.0f / VAR_window)
#define PHOTON (0.001f * VAR_energy)

/* A cluster in a list: its place (y * 65536 + x), and the floats of its sum and its peak in keV. */
#define CLUSTER_WORDS 3
#define LIST_WORDS    (4 + CLUSTER_WORDS * VAR_clusters)

#ifdef VAR_rows
#if VAR_width % 16 != 0 || VAR_width < 16 || VAR_width > 65536 || VAR_height > 65536
#error "width is a multiple of 16, up to 65536, and height up to 65536"
#endif
#if VAR_rows < 2 || VAR_height % VAR_rows != 0
#error "rows is 2 or more, and divides height"
#endif
#ifdef VAR_few
#if VAR_more % VAR_few != 0 || VAR_most % VAR_more != 0 || VAR_frames % VAR_most != 0
#error "few divides more, more divides most, and most divides frames"
#endif
#endif
#endif

#endif
