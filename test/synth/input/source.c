#include "dal.h"
struct _local_states {
    int32_t next;
};
int Source_fire(DALProcess *p)
{
    int32_t token[4] = {p->local->next, 1, 2, 3};
    DAL_write(PORT_out, token, sizeof(token), p);
    return ++p->local->next == 5;
}
