#include "dal.h"

/* Two tokens of each: what came straight from First, and what the kernels made of it. */
int Last_fire(DALProcess *p)
{
    int near[8], sum[8] = {0}, i, k;

    DAL_read(PORT_near, near, sizeof(near), p);
    for (i = 0; i < VAR_kernels; i++) {
        CREATEPORTVAR(port);
        int *row;
        CREATEPORT(port, "in", 1, i, VAR_kernels);
        row = DAL_read_begin(port, TOKEN_in_SIZE, TOKEN_in_RATE, p);
        for (k = 0; k < 8; k++)
            sum[k] += row[k] - near[k];
        DAL_read_end(port, row, p);
    }
    for (k = 0; k < 8; k += 4)
        DAL_printf("%d %d: %d %d %d %d\n", near[k], near[k + 3], sum[k], sum[k + 1], sum[k + 2],
                   sum[k + 3]);
    return 0;
}
