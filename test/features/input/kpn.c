/* A process with dynamic rates: it reads numbers one by one, and writes two for each third of them.
 */
#include "dal.h"

struct _local_states {
    unsigned sum;
    int count;
};

int kpn_fire(DALProcess *p)
{
    unsigned in, pair[2];
    int gain = 1;
    DAL_read(PORT_in, &in, 4, p);
#ifdef GAIN
    long value;
    gain = DAL_getParameterInt("gain", &value, p) == 0 ? (int)value : 0;
#endif
    p->local->sum = p->local->sum * 31 + in * (unsigned)gain * DAL_CONSTANT(odd, p)[in % 3];
    if (++p->local->count % 3)
        return 0;
    pair[0] = p->local->sum;
    pair[1] = ~pair[0];
    DAL_write(PORT_out, pair, sizeof(pair), p);
    return 0;
}
