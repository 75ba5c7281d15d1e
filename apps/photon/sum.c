/* Sum: energies added up over few and more frames; the arithmetic is in sum.h. */
#include "dal.h"
#include "sum.h"

/* The pixels of a token that `ratio` others become. */
static void sum_token(const uint32_t *in, size_t words, uint32_t *out, int ratio)
{
    int n;

#pragma omp for schedule(static) nowait
    for (n = 0; n < PARTS; n++)
        sum_pixels(in + HEAD_WORDS + n * PART, words, (float *)(out + HEAD_WORDS) + n * PART, ratio,
                   PART);
}

/* All pixels. A thread of a team has the same parts in both sums. */
static void sum_all(const uint32_t *in, uint32_t *few, uint32_t *more)
{
    int n;

    for (n = 0; n < TOKEN_few_RATE; n++)
        sum_token(in + n * VAR_few * (TOKEN_in_SIZE / 4), TOKEN_in_SIZE / 4,
                  few + n * (TOKEN_few_SIZE / 4), VAR_few);
    sum_token(few, TOKEN_few_SIZE / 4, more, TOKEN_few_RATE);
}

int Sum_fire(DALProcess *p)
{
    uint32_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    uint32_t *few = DAL_write_begin(PORT_few, TOKEN_few_SIZE, TOKEN_few_RATE, TOKEN_few_RATE, 0, p);
    uint32_t *more = DAL_write_begin(PORT_more, TOKEN_more_SIZE, 1, 1, 0, p);
    int n;

    if (!in || !few || !more)
        return 1;
#pragma omp parallel
    sum_all(in, few, more);
    for (n = 0; n < TOKEN_few_RATE; n++)
        sum_head(in + n * VAR_few * (TOKEN_in_SIZE / 4), TOKEN_in_SIZE / 4,
                 few + n * (TOKEN_few_SIZE / 4), VAR_few);
    sum_head(in, TOKEN_in_SIZE / 4, more, TOKEN_in_RATE);
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_few, few, p);
    DAL_write_end(PORT_more, more, p);
    return 0;
}
