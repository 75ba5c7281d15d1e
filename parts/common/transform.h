/* transform.h: one plan of FFTW, with memory that suits it. */
#ifndef PARTS_TRANSFORM_H
#define PARTS_TRANSFORM_H

#include "dal.h"

#include <fftw3.h>

enum { TRANSFORM_REAL = 1, TRANSFORM_COMPLEX = 2 }; /* floats of a sample */

struct transform {
    fftwf_plan plan;
    float *in, *out;
};

/* Plans a transform of `size` samples. The plan is made without a measurement, so it is always the
 * same. Without memory it ends the program with an error. */
static inline void transform_init(struct transform *t, int size, int floats, int is_inverse,
                                  DALProcess *p)
{
    size_t room = (2 * (size_t)size + 2) * sizeof(float);

    fftwf_make_planner_thread_safe();
    t->in = fftwf_malloc(room);
    t->out = fftwf_malloc(room);
    if (!t->in || !t->out)
        ;
    else if (floats == TRANSFORM_COMPLEX)
        t->plan = fftwf_plan_dft_1d(size, (fftwf_complex *)t->in, (fftwf_complex *)t->out,
                                    is_inverse ? FFTW_BACKWARD : FFTW_FORWARD, FFTW_ESTIMATE);
    else if (is_inverse)
        t->plan = fftwf_plan_dft_c2r_1d(size, (fftwf_complex *)t->in, t->out, FFTW_ESTIMATE);
    else
        t->plan = fftwf_plan_dft_r2c_1d(size, t->in, (fftwf_complex *)t->out, FFTW_ESTIMATE);
    if (!t->plan)
        DAL_fail(p, "there is no memory for a transform of %d samples", size);
}

/* Transforms without a copy where the plan suits the memory as it lies. Not for the inverse to real
 * samples, which spoils what it reads. */
static inline void transform_run(const struct transform *t, int floats, const float *in, float *out,
                                 size_t in_bytes, size_t out_bytes)
{
    int is_aligned = !fftwf_alignment_of((float *)in) && !fftwf_alignment_of(out);

    if (is_aligned && floats == TRANSFORM_COMPLEX) {
        fftwf_execute_dft(t->plan, (fftwf_complex *)in, (fftwf_complex *)out);
    } else if (is_aligned) {
        fftwf_execute_dft_r2c(t->plan, (float *)in, (fftwf_complex *)out);
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
    fftwf_free(t->in);
    fftwf_free(t->out);
}

#endif
