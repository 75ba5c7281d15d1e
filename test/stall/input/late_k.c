/* Six tokens to b, where four have room, then one to a. Before that it is late. */
#include "dal.h"

#include <stdlib.h>
#include <unistd.h>

int late_k_fire(DALProcess *p)
{
    int n;
    usleep(1000 * (useconds_t)atoi(DAL_getParameter("nap", p)));
    for (n = 0; n < 6; n++)
        DAL_write(PORT_b, &n, sizeof(n), p);
    DAL_write(PORT_a, &n, sizeof(n), p);
    return 1;
}
