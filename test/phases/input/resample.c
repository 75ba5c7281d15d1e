/* in 2,1, out 1: a filter of 6 taps in a stream with a zero behind each number, of which every
 * third is kept. Only the products with no zero are made: phase 0 has taps 0, 2, 4, phase 1 the
 * others (a polyphase filter). */
#include "dal.h"
static const int taps[6] = {3, -1, 4, 1, -5, 9};
struct _local_states {
    int before[4];
};
int resample_fire(DALProcess *p)
{
    const int *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    int *at = p->local->before, k, sum = 0;
    for (k = 0; k < TOKEN_in_RATE; k++) {
        at[3] = at[2];
        at[2] = at[1];
        at[1] = at[0];
        at[0] = in[k];
    }
    for (k = 0; k < 3; k++)
        sum += taps[2 * k + (DAL_PHASE ? 1 : 0)] * at[k + 1];
    DAL_read_end(PORT_in, (void *)in, p);
    DAL_write(PORT_out, &sum, sizeof(sum), p);
    return 0;
}
