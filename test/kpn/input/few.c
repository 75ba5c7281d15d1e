/* Reads three numbers, and ends. */
#include <dal.h>

#include "few.h"

typedef struct _local_states {
    int count;
} Few_State;

int few_fire(DALProcess *p)
{
    uint32_t value;
    DAL_read(PORT_in, &value, sizeof(value), p);
    return ++p->local->count == 3;
}
