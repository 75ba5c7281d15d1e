/* in 1, back 1,2, forth 2,1, out 0,1: what came back, and how often it did. */
#include "dal.h"
struct _local_states {
    unsigned sum;
};
int left_fire(DALProcess *p)
{
    unsigned number, *forth;
    int k;
    DAL_read(PORT_in, &number, sizeof(number), p);
    p->local->sum = (p->local->sum * 31 + number) % 1000003;
    for (k = 0; k < TOKEN_back_RATE; k++) {
        DAL_read(PORT_back, &number, sizeof(number), p);
        p->local->sum = (p->local->sum * 31 + number) % 1000003;
    }
    forth = DAL_write_begin(PORT_forth, TOKEN_forth_SIZE, TOKEN_forth_RATE, TOKEN_forth_RATE, 0, p);
    for (k = 0; k < TOKEN_forth_RATE; k++)
        forth[k] = p->local->sum + (unsigned)k;
    DAL_write_end(PORT_forth, forth, p);
    if (DAL_PHASE)
        DAL_write(PORT_out, &p->local->sum, sizeof(number), p);
    return 0;
}
