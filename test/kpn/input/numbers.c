/* Sends `count` numbers in runs of growing length: 0, 1 1, 2 2 2, ... up to 100 of one. */
#include <dal.h>

#include "numbers.h"

typedef struct _local_states {
    long left;
    uint32_t value, repeated;
} Numbers_State;

void numbers_init(DALProcess *p)
{
    DAL_getParameterInt("count", &p->local->left, p);
}

int numbers_fire(DALProcess *p)
{
    if (p->local->left == 0)
        return 1;
    DAL_write(PORT_out, &p->local->value, sizeof(p->local->value), p);
    if (++p->local->repeated > p->local->value % 100) {
        p->local->repeated = 0;
        p->local->value++;
    }
    return --p->local->left == 0;
}
