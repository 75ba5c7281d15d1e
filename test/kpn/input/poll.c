/* Asks for space without waiting, for `count` numbers; says so when nobody reads them. */
#include <dal.h>
#include <sched.h>

#include "poll.h"

int poll_fire(DALProcess *p)
{
    long count;
    uint32_t i;
    DAL_getParameterInt("count", &count, p);
    for (i = 0; i < count; i++) {
        int space;
        while ((space = DAL_wtest(PORT_out, sizeof(i), p)) == 0)
            sched_yield();
        if (space < 0) {
            DAL_printf("nobody reads any more\n");
            return 1;
        }
        DAL_write(PORT_out, &i, sizeof(i), p);
    }
    return 1;
}
