/* Makes each pixel a sum of the nine around it. */
#include "dal.h"

#include "../common/numbers.h"

enum { WIDTH = VAR_width, HEIGHT = VAR_height, CHANNELS = VAR_channels, LINE = WIDTH * CHANNELS };
enum { MOST = 100000 }; /* so that no sum leaves an int */

struct _local_states {
    uint8_t lines[3][LINE + 2 * CHANNELS];
    const char *text; /* that the numbers are of; a value of a parameter stays where it is */
    int numbers[9];
};

/* Copies a line, with a pixel more at each end. */
static void widen(uint8_t *line, const uint8_t *in)
{
    memcpy(line, in, CHANNELS);
    memcpy(line + CHANNELS, in, LINE);
    memcpy(line + CHANNELS + LINE, in + LINE - CHANNELS, CHANNELS);
}

static uint8_t finish_sum(int sum)
{
    int value =
        (sum < 0 ? sum - VAR_divisor / 2 : sum + VAR_divisor / 2) / VAR_divisor + VAR_offset;

    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

static void make_line(uint8_t *out, uint8_t lines[3][LINE + 2 * CHANNELS], const int *k)
{
    const uint8_t *a = lines[0], *b = lines[1], *c = lines[2];

    for (int i = 0; i < LINE; i++) {
        const int l = i, m = i + CHANNELS, r = i + 2 * CHANNELS;
        out[i] = finish_sum(k[0] * a[l] + k[1] * a[m] + k[2] * a[r] + k[3] * b[l] + k[4] * b[m] +
                            k[5] * b[r] + k[6] * c[l] + k[7] * c[m] + k[8] * c[r]);
    }
}

/* Follows the nine numbers. Returns whether the program goes on. */
static int follow_numbers(DALProcess *p)
{
    const char *text = DAL_getParameter("numbers", p);
    int is_first = !p->local->text, is_good;
    double numbers[9];
    char why[NUMBERS_WHY];

    if (text == p->local->text)
        return 1;
    p->local->text = text;
    is_good = numbers_read(numbers, 9, NUMBERS_BELOW(double), text, why);
    for (int i = 0; i < 9 && is_good; i++) {
        is_good = fabs(numbers[i]) <= MOST && floor(numbers[i]) >= numbers[i];
        if (!is_good)
            snprintf(why, sizeof(why), "%g is no integer from %d to %d", numbers[i], -MOST, MOST);
    }
    if (!is_good)
        return numbers_refuse("convolve3", "numbers", why, is_first, p);
    for (int i = 0; i < 9; i++)
        p->local->numbers[i] = (int)numbers[i];
    return 1;
}

int Convolve_fire(DALProcess *p)
{
    const uint8_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, 1, p);
    uint8_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, 1, 1, 0, p);
    const int *k = p->local->numbers;

    if (!in || !out || !follow_numbers(p))
        return 1;
    for (int y = 0; y < HEIGHT; y++) {
        for (int i = 0; i < 3; i++) {
            int from = y + i - 1;
            from = from < 0 ? 0 : from < HEIGHT ? from : HEIGHT - 1;
            widen(p->local->lines[i], in + (long)from * LINE);
        }
        make_line(out + (long)y * LINE, p->local->lines, k);
    }
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
