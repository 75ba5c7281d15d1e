/*
 * lanes.h: rows of an image sixteen columns at a time, for the kernels.
 *
 * A group is sixteen columns. Where the width is no multiple of sixteen, the last group of a row
 * starts earlier, and keeps what the one before does not have.
 *
 * vload16 and vstore16 go element by element on some devices: with PoCL 3.1 a filter took up to
 * five times as long. A member of a packed structure may lie anywhere, too, and is moved as one.
 */
#ifndef MJPEG_LANES_H
#define MJPEG_LANES_H

#define LANES        16
#define ROW_GROUPS   ((VAR_width + LANES - 1) / LANES)
#define START(group) min((group)*LANES, VAR_width - LANES)
#define SKIP(group)  ((group)*LANES - START(group)) /* columns that the group before has */

/*
 * Filters in two passes keep the first one's results of a tile in local memory, a row of floats for
 * each of its rows: WIDE groups, and one more at either side. PITCH is odd, so that a column's
 * floats lie in different banks. With wider frames a tile could be one group, of which the
 * neighbours on the left are two groups away.
 */
#if VAR_width > 24960
#error "frames are at most 24960 pixels wide"
#endif
#define TILES  ((ROW_GROUPS + 39) / 40)
#define WIDE   ((ROW_GROUPS + TILES - 1) / TILES)
#define PASSED (WIDE + 2)
#define PITCH  (PASSED * LANES + 1)
/* Where a group starts in the row of a tile whose first group is given. */
#define COLUMN(group, first) (START(group) - ((first)-1) * LANES)

/* Images lie at multiples of 64 bytes (frame.h), so groups of such rows lie at multiples of 16. */
#define GROUP_ALIGNMENT (VAR_width % LANES == 0 ? LANES : 1)

struct __attribute__((packed)) pixels {
    uchar16 lanes;
};

struct __attribute__((packed, aligned(GROUP_ALIGNMENT))) group {
    uchar16 lanes;
};

struct __attribute__((packed, aligned(4))) floats {
    float16 lanes;
};

/* Sixteen pixels from anywhere. */
static inline uchar16 load_pixels(__global const uchar *from)
{
    return ((__global const struct pixels *)from)->lanes;
}

/* Those of a group. */
static inline uchar16 load_group(__global const uchar *row, int group)
{
    return ((__global const struct group *)(row + START(group)))->lanes;
}

/* The pixels to the left and to the right of a group's, which are `here`; the border replicated. */
static inline uchar16 load_left(__global const uchar *row, int group, uchar16 here)
{
    return group > 0 ? load_pixels(row + START(group) - 1) : here.s00123456789abcde;
}

static inline uchar16 load_right(__global const uchar *row, int group, uchar16 here)
{
    return group < ROW_GROUPS - 1 ? load_pixels(row + START(group) + 1) : here.s123456789abcdeff;
}

static inline void store_group(uchar16 value, __global uchar *row, int group)
{
    uchar part[LANES];
    int i;

    if (SKIP(group) == 0) {
        ((__global struct group *)(row + START(group)))->lanes = value;
        return;
    }
    vstore16(value, 0, part);
    for (i = SKIP(group); i < LANES; i++)
        row[START(group) + i] = part[i];
}

/* Sixteen floats of a tile's row. */
static inline float16 load_floats(__local const float *at)
{
    return ((__local const struct floats *)at)->lanes;
}

/* Those of a group, which starts at `at`; the image's first and last are replicated on. */
static inline void store_floats(float16 value, __local float *at, int group, int border)
{
    float part[LANES];
    int i;

    if (SKIP(group) == 0) {
        ((__local struct floats *)at)->lanes = value;
    } else {
        vstore16(value, 0, part);
        for (i = SKIP(group); i < LANES; i++)
            at[i] = part[i];
    }
    for (i = 1; group == 0 && i <= border; i++)
        at[-i] = value.s0;
    for (i = 0; group == ROW_GROUPS - 1 && i < border; i++)
        at[LANES + i] = value.sf;
}

#endif
