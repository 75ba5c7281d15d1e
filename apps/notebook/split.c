/* Splits samples into low and high tones by a filter of first order. */
#include "dal.h"

struct _local_states {
    float last;
};

int Split_fire(DALProcess *p)
{
    float in[TOKEN_in_RATE], low[TOKEN_in_RATE], high[TOKEN_in_RATE];

    DAL_read(PORT_in, in, sizeof(in), p);
    for (int i = 0; i < TOKEN_in_RATE; i++) {
        p->local->last += 0.25f * (in[i] - p->local->last);
        low[i] = p->local->last;
        high[i] = in[i] - low[i];
    }
    DAL_write(PORT_low, low, sizeof(low), p);
    DAL_write(PORT_high, high, sizeof(high), p);
    return 0;
}
