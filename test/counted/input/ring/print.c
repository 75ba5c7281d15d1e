#include "dal.h"

int Print_fire(DALProcess *p)
{
    size_t count = DAL_count(PORT_a, p);
    const int *a = DAL_read_begin(PORT_a, 4, count, p), *b = DAL_read_begin(PORT_b, 4, count, p);

    for (size_t i = 0; i < count; i++)
        DAL_printf(a[i] == b[i] ? "%d " : "%d, wrong ", a[i]);
    DAL_printf("%s\n", count == DAL_count(PORT_b, p) ? "" : "wrong");
    DAL_read_end(PORT_a, a, p);
    DAL_read_end(PORT_b, b, p);
    return 0;
}
