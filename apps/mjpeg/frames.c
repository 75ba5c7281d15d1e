/*
 * Frames: a picture that moves, ready in memory; `in` has its number. So the filters are fed as
 * fast as cores can write, and decoding is no limit.
 */
#include "dal.h"
#include "frame.h"

#define SPEED  2    /* pixels a frame, up and to the left */
#define STRIDE 2053 /* bytes between rows of the texture, which goes round */

/* Bytes without a visible order, at least a row more than the places where one may start. */
#define P1(i)  ((i) * (i) >> 4 ^ (i)*29 >> 2) & 0xff
#define P4(i)  P1(i), P1((i) + 1), P1((i) + 2), P1((i) + 3)
#define P16(i) P4(i), P4((i) + 4), P4((i) + 8), P4((i) + 12)
#define P64(i) P16(i), P16((i) + 16), P16((i) + 32), P16((i) + 48)
#define P1K(i)                                                                                     \
    P64(i), P64((i) + 64), P64((i) + 128), P64((i) + 192), P64((i) + 256), P64((i) + 320),         \
        P64((i) + 384), P64((i) + 448), P64((i) + 512), P64((i) + 576), P64((i) + 640),            \
        P64((i) + 704), P64((i) + 768), P64((i) + 832), P64((i) + 896), P64((i) + 960)
static const unsigned char texture[] = {P1K(0), P1K(1024), P1K(2048), P1K(3072)};
#define STARTS (sizeof(texture) / 2)
#define LENGTH (sizeof(texture) - STARTS)

static void draw_row(unsigned char *row, size_t start)
{
    size_t x, length;

    for (x = 0; x < VAR_width; x += length) {
        length = VAR_width - x < LENGTH ? VAR_width - x : LENGTH;
        memcpy(row + x, texture + start % STARTS, length);
        start += length;
    }
}

int Frames_fire(DALProcess *p)
{
    const uint32_t *number = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    unsigned char *image =
        DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    size_t y;

    if (!number || !image)
        return 1;
    for (y = 0; y < VAR_height; y++)
        draw_row(image + y * VAR_width, (y + *number * SPEED) * STRIDE + *number * SPEED);
    image_set_valid(image, TOKEN_out_SIZE, 1);
    DAL_read_end(PORT_in, number, p);
    DAL_write_end(PORT_out, image, p);
    return 0;
}
