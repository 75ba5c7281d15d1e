/* Cluster for a core or a device: as in cluster.h, and with the same bytes. A block of DAL_foreach
 * is the list of a row of a frame. */
#include "dal.h"
#include "photon.h"

#include <math.h>
#include <stdint.h>

#define IN_WORDS  (TOKEN_in_SIZE / 4)
#define OUT_WORDS (TOKEN_out_SIZE / 4)

/* Row y of a strip, or of the one before. */
static inline DAL_WINDOW const float *row(DAL_WINDOW const uint32_t *in,
                                          DAL_WINDOW const uint32_t *before, int y)
{
    DAL_WINDOW const uint32_t *token = y < 0 ? before : in;

    return (DAL_WINDOW const float *)(token + HEAD_WORDS) + (y < 0 ? y + VAR_rows : y) * VAR_width;
}

/* The largest of the four neighbours in front of x, row by row, and of the four behind it. */
static inline float in_front(DAL_WINDOW const float *above, DAL_WINDOW const float *here, int x)
{
    return fmaxf(fmaxf(above[x - 1], above[x]), fmaxf(above[x + 1], here[x - 1]));
}

static inline float behind(DAL_WINDOW const float *here, DAL_WINDOW const float *below, int x)
{
    return fmaxf(fmaxf(below[x - 1], below[x]), fmaxf(below[x + 1], here[x + 1]));
}

/* Searches row y of a strip, which is row `at` of the frame; `planes` is where it lies in the
 * state. */
static inline void search_row(DAL_WINDOW const uint32_t *in, DAL_WINDOW const uint32_t *before,
                              DAL_WINDOW const float *planes, int y, int at,
                              DAL_WINDOW uint32_t *list)
{
    DAL_WINDOW const float *above = row(in, before, y - 1), *here = row(in, before, y);
    DAL_WINDOW const float *below = row(in, before, y + 1);
    uint32_t found = 0;
    int x;

    for (x = 1; x < VAR_width - 1; x++) {
        float noise = planes[PLANE_LIMIT * PIXELS + x] * fabsf(planes[PLANE_INVERSE * PIXELS + x]);
        float left = above[x - 1] + here[x - 1] + below[x - 1];
        float middle = above[x] + here[x] + below[x];
        float sum = left + middle + (above[x + 1] + here[x + 1] + below[x + 1]);
        if ((here[x] > noise || sum > 3.0f * noise) && here[x] > in_front(above, here, x) &&
            here[x] >= behind(here, below, x)) {
            if (found < VAR_clusters) {
                DAL_WINDOW uint32_t *to = list + 4 + CLUSTER_WORDS * found;
                to[0] = (uint32_t)at << 16 | (uint32_t)x;
                ((DAL_WINDOW float *)to)[1] = sum;
                ((DAL_WINDOW float *)to)[2] = here[x];
            }
            found++;
        }
    }
    list[0] = found;
}

int Cluster_fire(DALProcess *p)
{
    DAL_WINDOW const uint32_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    DAL_WINDOW const uint32_t *before =
        DAL_read_begin(PORT_before, TOKEN_before_SIZE, TOKEN_before_RATE, p);
    DAL_WINDOW const float *state = DAL_read_begin(PORT_state, TOKEN_state_SIZE, 1, p);
    DAL_WINDOW const float *state_before =
        DAL_read_begin(PORT_state_before, TOKEN_state_before_SIZE, 1, p);
    DAL_WINDOW uint32_t *out =
        DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);

    DAL_foreach (n : PORT_out) {
        int f = n / VAR_rows, y = n % VAR_rows - 1, i;
        DAL_WINDOW const uint32_t *now = in + f * IN_WORDS;
        DAL_WINDOW uint32_t *to = out + f * OUT_WORDS;
        DAL_WINDOW uint32_t *list = to + HEAD_WORDS + (y + 1) * LIST_WORDS;
        int at = (int)now[HEAD_STRIP] * VAR_rows + y;

        for (i = y + 1; i < HEAD_WORDS; i += VAR_rows)
            to[i] = now[i];
        list[0] = 0;
        if (now[HEAD_KIND] == KIND_FRAME && at >= 1)
            search_row(now, before + f * IN_WORDS,
                       (y < 0 ? state_before + PIXELS : state) + y * VAR_width, y, at, list);
    }
    DAL_read_end(PORT_in, in, p);
    DAL_read_end(PORT_before, before, p);
    DAL_read_end(PORT_state, state, p);
    DAL_read_end(PORT_state_before, state_before, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
