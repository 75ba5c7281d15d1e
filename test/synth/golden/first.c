#include "dal.h"

struct _local_states {
    int count;
};

int first_fire(DALProcess *p)
{
    int row[4] = {p->local->count, 10, 20, 30};

    DAL_write(PORT_out, row, sizeof(row), p);
    return ++p->local->count == 50;
}
