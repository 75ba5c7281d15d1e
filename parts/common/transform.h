/* transform.h: one plan of FFTW, with memory that suits it. */
#ifndef PARTS_TRANSFORM_H
#define PARTS_TRANSFORM_H

#include "dal.h"

#include <fftw3.h>
#include <stdlib.h>
#include <string.h>

enum { TRANSFORM_REAL = 1, TRANSFORM_COMPLEX = 2 }; /* floats of a sample */

struct transform {
    fftwf_plan plan;
    fftwf_plan shifted; /* the same for an output half of 16 bytes further; NULL: it is not */
    float *in, *out;
};

static inline fftwf_plan transform_plan(float *in, float *out, int size, int floats, int is_inverse)
{
    if (floats == TRANSFORM_COMPLEX)
        return fftwf_plan_dft_1d(size, (fftwf_complex *)in, (fftwf_complex *)out,
                                 is_inverse ? FFTW_BACKWARD : FFTW_FORWARD, FFTW_ESTIMATE);
    if (is_inverse)
        return fftwf_plan_dft_c2r_1d(size, (fftwf_complex *)in, out, FFTW_ESTIMATE);
    return fftwf_plan_dft_r2c_1d(size, in, (fftwf_complex *)out, FFTW_ESTIMATE);
}

/* Keeps the plan for shifted outputs if it computes what the other does, to the last bit. */
static inline void transform_compare(struct transform *t)
{
    char *one = fftwf_sprint_plan(t->plan);
    char *other = t->shifted ? fftwf_sprint_plan(t->shifted) : NULL;

    if (t->shifted && (!one || !other || strcmp(one, other) != 0)) {
        fftwf_destroy_plan(t->shifted);
        t->shifted = NULL;
    }
    free(one);
    free(other);
}

/* Plans a transform of `size` samples. The plan is made without a measurement, so it is always the
 * same. Without memory it ends the program with an error. */
static inline void transform_init(struct transform *t, int size, int floats, int is_inverse,
                                  DALProcess *p)
{
    size_t room = (2 * (size_t)size + 4) * sizeof(float);

    fftwf_make_planner_thread_safe();
    t->in = fftwf_malloc(room);
    t->out = fftwf_malloc(room);
    if (t->in && t->out)
        t->plan = transform_plan(t->in, t->out, size, floats, is_inverse);
    if (!t->plan) {
        DAL_fail(p, "there is no memory for a transform of %d samples", size);
        return;
    }
    if (!is_inverse) {
        t->shifted = transform_plan(t->in, t->out + 2, size, floats, 0);
        transform_compare(t);
    }
}

/* Transforms without a copy where the plan suits the memory as it lies. Not for the inverse to real
 * samples, which spoils what it reads. */
static inline void transform_run(const struct transform *t, int floats, const float *in, float *out,
                                 size_t in_bytes, size_t out_bytes)
{
    const int shift = fftwf_alignment_of(out);
    const fftwf_plan plan = shift == 0 ? t->plan : shift == 8 ? t->shifted : NULL;

    if (plan && !fftwf_alignment_of((float *)in) && floats == TRANSFORM_COMPLEX) {
        fftwf_execute_dft(plan, (fftwf_complex *)in, (fftwf_complex *)out);
    } else if (plan && !fftwf_alignment_of((float *)in)) {
        fftwf_execute_dft_r2c(plan, (float *)in, (fftwf_complex *)out);
    } else {
        memcpy(t->in, in, in_bytes);
        fftwf_execute(t->plan);
        memcpy(out, t->out, out_bytes);
    }
}

static inline void transform_finish(struct transform *t)
{
    if (t->plan)
        fftwf_destroy_plan(t->plan);
    if (t->shifted)
        fftwf_destroy_plan(t->shifted);
    fftwf_free(t->in);
    fftwf_free(t->out);
}

#endif
