/* Makes red, green and blue of I420, in parts of 65536, rounded. Each colour is that of the four
 * pixels it belongs to. The numbers follow from ITU-R BT.601 and BT.709. */
#include "dal.h"

enum { bt601, bt709 };
enum { limited, full };
enum { WIDTH = VAR_width, HEIGHT = VAR_height, HALF = 32768 };
_Static_assert(WIDTH % 2 == 0 && HEIGHT % 2 == 0, "width and height are to be even");

/* What a step of Y adds to all; of V to red, of U to green, of V to green, of U to blue. */
static const int factors[2][2][5] = {
    [bt601] = {[limited] = {76309, 104597, -25675, -53279, 132201},
               [full] = {65536, 91881, -22553, -46802, 116130}},
    [bt709] = {[limited] = {76309, 117489, -13975, -34925, 138438},
               [full] = {65536, 103206, -12276, -30679, 121609}},
};

static uint8_t to_byte(int value)
{
    value >>= 16;
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

static void convert_line(uint8_t *out, const uint8_t *luma, const uint8_t *blue, const uint8_t *red)
{
    const int *f = factors[VAR_matrix][VAR_range];

    for (int x = 0; x < WIDTH; x++) {
        int y = f[0] * (luma[x] - (VAR_range == limited ? 16 : 0)) + HALF;
        int u = blue[x / 2] - 128, v = red[x / 2] - 128;
        out[3 * x] = to_byte(y + f[1] * v);
        out[3 * x + 1] = to_byte(y + f[2] * u + f[3] * v);
        out[3 * x + 2] = to_byte(y + f[4] * u);
    }
}

int Rgb_fire(DALProcess *p)
{
    const uint8_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, 1, p);
    const uint8_t *blue = in + (long)WIDTH * HEIGHT, *red = blue + (long)WIDTH * HEIGHT / 4;
    uint8_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, 1, 1, 0, p);

    if (!in || !out)
        return 1;
    for (long y = 0; y < HEIGHT; y++)
        convert_line(out + 3 * WIDTH * y, in + WIDTH * y, blue + WIDTH / 2 * (y / 2),
                     red + WIDTH / 2 * (y / 2));
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
