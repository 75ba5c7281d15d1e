/* Runs of equal numbers become pairs (number, how many): reads as long as the run goes on. */
#include <dal.h>

#include "encode.h"

int encode_fire(DALProcess *p)
{
    uint32_t run[2], next;
    DAL_read(PORT_in, &run[0], sizeof(run[0]), p);
    run[1] = 1;
    while (!DAL_at_end(PORT_in, p)) {
        DAL_read(PORT_in, &next, sizeof(next), p);
        if (next == run[0]) {
            run[1]++;
            continue;
        }
        DAL_write(PORT_out, run, sizeof(run), p);
        run[0] = next;
        run[1] = 1;
    }
    DAL_write(PORT_out, run, sizeof(run), p);
    return 1;
}
