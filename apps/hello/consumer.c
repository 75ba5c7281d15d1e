/* Consumer: prints what arrives. */
#include "dal.h"

#include <errno.h>

struct _local_states {
    long count;
};

int Consumer_fire(DALProcess *p)
{
    int32_t square;

    if (DAL_read(PORT_squares, &square, sizeof(square), p) < 0)
        return 1;
    if (DAL_printf("%d\n", square) < 0) {
        DAL_fail(p, "standard output: %s", strerror(errno));
        return 1;
    }
    p->local->count++;
    return 0;
}

void Consumer_finish(DALProcess *p)
{
    DAL_printf("%ld squares\n", p->local->count);
}
