#include "dal.h"
struct _local_states {
    int n;
};
void Pass_init(DALProcess *p)
{
    p->local->n = 0;
}
int Pass_fire(DALProcess *p)
{
    int i, x;
    for (i = 0; i < TOKEN_in_RATE; i++) {
        DAL_read((void *)PORT_in, &x, sizeof(x), p);
        DAL_write((void *)PORT_out, &x, sizeof(x), p);
    }
    p->local->n++;
    return 0;
}
void Pass_finish(DALProcess *p)
{
    p->local->n = 0;
}
