/*
 * Welford: running mean and sum of squared differences of the dark frames, for each pixel and stage
 * (Welford 1962). Its state is a channel to itself, with one initial token of zeros for each strip.
 */
#include "dal.h"
#include "darks.h"

static void add_frame(struct sums *s, const uint32_t *token)
{
    const uint16_t *words = (const uint16_t *)(token + HEAD_WORDS);
    uint32_t stage = token[HEAD_PIECE], code = stage == 2 ? 3 : stage;
    double *mean = s->mean[stage], *squares = s->squares[stage];
    uint32_t *count = s->count[stage];
    int i;

    for (i = 0; i < PIXELS; i++) {
        double away = (double)(words[i] & 0x3fff) - mean[i];
        uint32_t right = words[i] >> 14 == code;
        double most = right ? away : 0;
        count[i] += right;
        mean[i] += most / (count[i] ? (double)count[i] : 1);
        squares[i] += most * ((double)(words[i] & 0x3fff) - mean[i]);
        s->mask[i] |= !right;
    }
}

int Welford_fire(DALProcess *p)
{
    uint32_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    struct sums *before = DAL_READ_TOKENS(struct sums, before, 1, p);
    struct sums *after = DAL_WRITE_TOKENS(struct sums, after, 1, 1, 0, p);
    int f;

    if (!in || !before || !after)
        return 1;
    *after = *before;
    memcpy(after->head, in, sizeof(after->head));
    for (f = 0; f < VAR_frames; f++)
        if (in[f * (TOKEN_in_SIZE / 4) + HEAD_KIND] == KIND_FRAME)
            add_frame(after, in + f * (TOKEN_in_SIZE / 4));
    DAL_read_end(PORT_in, in, p);
    DAL_read_end(PORT_before, before, p);
    DAL_write_end(PORT_after, after, p);
    return 0;
}
