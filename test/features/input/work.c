/* What a process of a pair does, in C and on devices: each token that it writes depends on all that
 * it has read, on the state in place, on its parameter and its constant. */
#include "dal.h"

int work_fire(DALProcess *p)
{
#ifdef COUNTED
    int count = (int)DAL_count(PORT_in, p);
#else
    int count = TOKEN_in_RATE;
#endif
    DAL_WINDOW const unsigned *odd = DAL_CONSTANT(odd, p);
    DAL_WINDOW const unsigned *in = DAL_read_begin(PORT_in, 4, (size_t)count, p);
    unsigned sum = 17, i;
    for (i = 0; i < (unsigned)count; i++)
        sum = sum * 31 + in[i] * odd[i % 3];
#ifdef GAIN
    long gain;
    sum *= DAL_getParameterInt("gain", &gain, p) == 0 ? (unsigned)gain : 0;
#endif
#ifdef TEAM
    unsigned shared = 0, base = sum;
#pragma omp parallel for reduction(+ : shared)
    for (i = 0; i < 64; i++)
        shared += base ^ i;
    sum = shared;
#endif
#ifdef NEWEST
    DAL_WINDOW const unsigned *latest = DAL_read_begin(PORT_latest, 4, 1, p);
    DAL_WINDOW unsigned *last = DAL_write_begin(PORT_last, 4, 1, 1, 0, p);
    sum += *latest;
    DAL_foreach (e : PORT_last)
        last[e] = sum;
    DAL_write_end(PORT_last, last, p);
    DAL_read_end(PORT_latest, latest, p);
#endif
#ifdef STATE
    DAL_WINDOW const unsigned *before = DAL_read_begin(PORT_before, 4, 1, p);
    DAL_WINDOW unsigned *after = DAL_write_begin(PORT_after, 4, 1, 1, 0, p);
    sum += *before;
    DAL_foreach (b : PORT_after)
        after[b] = sum * 3;
    DAL_read_end(PORT_before, before, p);
    DAL_write_end(PORT_after, after, p);
#endif
    DAL_WINDOW unsigned *out = DAL_write_begin(PORT_out, 4, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    DAL_foreach (k : PORT_out) {
        unsigned n;
        for (n = 0; n < TOKEN_out_RATE; n++)
            out[n] = sum + n;
    }
    DAL_write_end(PORT_out, out, p);
#ifdef COUNTS
    DAL_set_count(PORT_out, sum % 7, p);
#endif
    DAL_read_end(PORT_in, in, p);
    return 0;
}
