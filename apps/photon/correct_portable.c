/* Correct for a core or a device: as in correct.h, and with the same bytes. A block of DAL_foreach
 * is a row of the strip, in all frames. The state is changed in place: `after` is
 * `before`. */
#include "dal.h"
#include "photon.h"

#include <stdint.h>

#define IN_WORDS  (TOKEN_in_SIZE / 4)
#define OUT_WORDS (TOKEN_out_SIZE / 4)

/* What place n of a strip's state is behind a token. */
static inline float behind(DAL_WINDOW const uint32_t *token, float value, int n)
{
    DAL_WINDOW const float *piece = (DAL_WINDOW const float *)(token + HEAD_WORDS);
    int here = token[HEAD_KIND] == KIND_PIECE && (int)token[HEAD_PIECE] == n / (PIXELS / 2);

    return here ? piece[n % (PIXELS / 2)] : value;
}

static inline void correct_row(DAL_WINDOW const uint32_t *token, DAL_WINDOW float *state,
                               DAL_WINDOW uint32_t *out, int row)
{
    DAL_WINDOW const uint16_t *words = (DAL_WINDOW const uint16_t *)(token + HEAD_WORDS);
    DAL_WINDOW float *energies = (DAL_WINDOW float *)(out + HEAD_WORDS);
    uint32_t invalid = 0;
    int x;

    for (x = row * VAR_width; x < (row + 1) * VAR_width; x++) {
        int code = words[x] >> 14, stage = code == 3 ? 2 : code, at = stage * PIXELS + x;
        float adc = (float)(words[x] & 0x3fff);
        if (token[HEAD_KIND] != KIND_FRAME || code == 2) {
            energies[x] = 0.0f;
            invalid += token[HEAD_KIND] == KIND_FRAME;
        } else {
            float away = adc - state[at], limit = state[PLANE_LIMIT * PIXELS + at];
            energies[x] = away * state[PLANE_INVERSE * PIXELS + at];
            state[at] += away <= limit && -away <= limit ? away * STEP : 0.0f;
        }
    }
    out[HEAD_WORDS + PIXELS + row] = invalid;
}

int Correct_fire(DALProcess *p)
{
    DAL_WINDOW const uint32_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    DAL_WINDOW const float *before = DAL_read_begin(PORT_before, TOKEN_before_SIZE, 1, p);
    DAL_WINDOW uint32_t *out =
        DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    DAL_WINDOW float *after = DAL_write_begin(PORT_after, TOKEN_after_SIZE, 1, 1, 0, p);

    DAL_foreach (row : PORT_after) {
        int f, i, x;
        for (f = 0; f < VAR_frames; f++) {
            DAL_WINDOW const uint32_t *token = in + f * IN_WORDS;
            for (i = 0; i < PLANES && token[HEAD_KIND] == KIND_PIECE; i++)
                for (x = row * VAR_width; x < (row + 1) * VAR_width; x++)
                    after[i * PIXELS + x] = behind(token, after[i * PIXELS + x], i * PIXELS + x);
            for (i = row; i < HEAD_WORDS; i += VAR_rows)
                out[f * OUT_WORDS + i] = token[i];
            correct_row(token, after, out + f * OUT_WORDS, row);
        }
    }
    DAL_read_end(PORT_in, in, p);
    DAL_read_end(PORT_before, before, p);
    DAL_write_end(PORT_out, out, p);
    DAL_write_end(PORT_after, after, p);
    return 0;
}
