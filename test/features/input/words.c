/* What a process of a pair does that goes over its tokens word by word; on devices see words.cl. */
#include "dal.h"

int words_fire(DALProcess *p)
{
#ifdef COUNTED
    size_t count = DAL_count(PORT_in, p), i;
#else
    size_t count = TOKEN_in_RATE, i;
#endif
    const unsigned *odd = DAL_CONSTANT(odd, p);
    const unsigned *in = DAL_read_begin(PORT_in, 4, count, p);
    unsigned *out = DAL_write_begin(PORT_out, 4, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    unsigned more = 0;
#ifdef STATE
    const unsigned *before = DAL_read_begin(PORT_before, 4, 1, p);
    unsigned *after = DAL_write_begin(PORT_after, 4, 1, 1, 0, p);
    more = *before;
    *after = more * 3 + in[0];
    DAL_read_end(PORT_before, before, p);
    DAL_write_end(PORT_after, after, p);
#endif
#ifdef NEWEST
    const unsigned *latest = DAL_read_begin(PORT_latest, 4, 1, p);
    unsigned *last = DAL_write_begin(PORT_last, 4, 1, 1, 0, p);
    more = *latest;
    *last = more + in[0];
    DAL_write_end(PORT_last, last, p);
    DAL_read_end(PORT_latest, latest, p);
#endif
    for (i = 0; i < count; i++)
        out[i] = in[i] * 31 + odd[in[i] % 3] + more;
    DAL_write_end(PORT_out, out, p);
#ifdef COUNTS
    DAL_set_count(PORT_out, (int)count, p);
#endif
    DAL_read_end(PORT_in, in, p);
    return 0;
}
