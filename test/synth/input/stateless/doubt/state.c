/* state.c has a state at p->local */
#include "dal.h"
struct _local_states {
    int count;
};
int state_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x++;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
