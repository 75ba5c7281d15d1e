/* All of a, then all of b, then all of d. */
#include "dal.h"

int late_z_fire(DALProcess *p)
{
    int v;
    while (!DAL_at_end(PORT_a, p)) {
        DAL_read(PORT_a, &v, sizeof(v), p);
        DAL_printf("a%d ", v);
    }
    while (!DAL_at_end(PORT_b, p)) {
        DAL_read(PORT_b, &v, sizeof(v), p);
        DAL_printf("b%d ", v);
    }
    while (!DAL_at_end(PORT_d, p)) {
        DAL_read(PORT_d, &v, sizeof(v), p);
        DAL_printf("d%d ", v);
    }
    return 1;
}
