/* Transforms frequencies to samples. */
#include "dal.h"

#include "../common/transform.h"

enum { IN = TOKEN_in_RATE / VAR_block, OUT = TOKEN_out_RATE / VAR_block };

struct _local_states {
    struct transform transform;
};

void Ifft_init(DALProcess *p)
{
    transform_init(&p->local->transform, VAR_size, VAR_channels, 1, p);
}

int Ifft_fire(DALProcess *p)
{
    struct transform *t = &p->local->transform;
    const float *in = DAL_READ_TOKENS(float, in, TOKEN_in_RATE, p);
    float *out = DAL_WRITE_TOKENS(float, out, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);

    if (!in || !out || !t->plan)
        return 1;
    for (int n = 0; n < VAR_block; n++) {
        memcpy(t->in, in + n * IN, IN * sizeof(*in));
        fftwf_execute(t->plan);
        for (int i = 0; i < OUT; i++)
            out[n * OUT + i] = t->out[i] * (1.0f / VAR_size);
    }
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}

void Ifft_finish(DALProcess *p)
{
    transform_finish(&p->local->transform);
}
