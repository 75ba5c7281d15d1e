/* Correct: energies, and pedestals that move; the arithmetic is in correct.h. */
#include "dal.h"
#include "correct.h"

/* All pixels in all frames. A thread of a team has the same parts in each frame. */
static void correct_frames(const uint32_t *in, uint32_t *out, float *state)
{
    int f, n;

    for (f = 0; f < VAR_frames; f++) {
        const uint32_t *words = in + f * (TOKEN_in_SIZE / 4);
        uint32_t *energies = out + f * (TOKEN_out_SIZE / 4);
#pragma omp for schedule(static) nowait
        for (n = 0; n < PARTS; n++) {
            uint32_t *invalid = energies + HEAD_WORDS + PIXELS + n * PART / VAR_width;
            uint32_t found = correct_part(words, state, energies, n * PART, PART, PIXELS);
#pragma omp atomic
            *invalid += found;
        }
    }
}

int Correct_fire(DALProcess *p)
{
    uint32_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    float *before = DAL_read_begin(PORT_before, TOKEN_before_SIZE, 1, p);
    uint32_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    float *state = DAL_write_begin(PORT_after, TOKEN_after_SIZE, 1, 1, 0, p); /* that is `before` */
    int f;

    if (!in || !before || !out || !state)
        return 1;
    for (f = 0; f < VAR_frames; f++)
        correct_head(in + f * (TOKEN_in_SIZE / 4), out + f * (TOKEN_out_SIZE / 4), PIXELS,
                     VAR_rows);
#pragma omp parallel
    correct_frames(in, out, state);
    for (f = 0; f < VAR_frames; f++)
        correct_piece(in + f * (TOKEN_in_SIZE / 4), state, PIXELS);
    DAL_read_end(PORT_in, in, p);
    DAL_read_end(PORT_before, before, p);
    DAL_write_end(PORT_out, out, p);
    DAL_write_end(PORT_after, state, p);
    return 0;
}
