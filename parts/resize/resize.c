/* Makes pictures of another size. The middle of a pixel is half a pixel behind its begin, in both
 * pictures. A place in the input is counted in parts of 2048 of a pixel. */
#include "dal.h"

enum { nearest, bilinear };
enum { BITS = 11, ONE = 1 << BITS, CHANNELS = VAR_channels };

/* Where between two pixels a value is taken: that many parts of the second one. */
struct place {
    int first, second, parts;
};

static struct place find_place(int number, int from, int to)
{
    int64_t middle = (2 * (int64_t)number + 1) * from; /* in parts of 2 * to */
    int64_t at;
    struct place place = {0};

    if (VAR_kind == nearest) {
        place.first = place.second = (int)(middle / (2 * to));
        return place;
    }
    at = (middle - to) * ONE;
    at = at < 0 ? 0 : at / (2 * to);
    place.first = (int)(at >> BITS);
    place.second = place.first + 1 < from ? place.first + 1 : from - 1;
    place.parts = (int)(at & (ONE - 1));
    return place;
}

static void make_line(uint8_t *out, const uint8_t *upper, const uint8_t *lower, int parts)
{
    for (int x = 0; x < VAR_towidth; x++) {
        struct place at = find_place(x, VAR_width, VAR_towidth);
        for (int c = 0; c < CHANNELS; c++) {
            int first = at.first * CHANNELS + c, second = at.second * CHANNELS + c;
            int above = upper[first] * (ONE - at.parts) + upper[second] * at.parts;
            int below = lower[first] * (ONE - at.parts) + lower[second] * at.parts;
            int64_t sum = (int64_t)above * (ONE - parts) + (int64_t)below * parts;
            out[x * CHANNELS + c] = (uint8_t)((sum + ONE * ONE / 2) >> (2 * BITS));
        }
    }
}

int Resize_fire(DALProcess *p)
{
    const uint8_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, 1, p);
    uint8_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, 1, 1, 0, p);

    if (!in || !out)
        return 1;
    for (int y = 0; y < VAR_toheight; y++) {
        struct place at = find_place(y, VAR_height, VAR_toheight);
        make_line(out + (long)y * VAR_towidth * CHANNELS,
                  in + (long)at.first * VAR_width * CHANNELS,
                  in + (long)at.second * VAR_width * CHANNELS, at.parts);
    }
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
