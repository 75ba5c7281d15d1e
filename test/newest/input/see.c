/* Sends the number of each frame, or -1 if its words differ, from a core or a device. */
#include <dal.h>

int see_fire(DALProcess *p)
{
    DAL_WINDOW const int *frame = DAL_read_begin(PORT_in, 4, 4096, p);
    DAL_WINDOW int *number = DAL_write_begin(PORT_out, 4, 1, 1, 0, p);
    DAL_foreach (b : PORT_out) {
        *number = frame[0];
        for (int i = 1; i < 4096; i++)
            if (frame[i] != frame[0])
                *number = -1;
    }
    DAL_write_end(PORT_out, number, p);
    DAL_read_end(PORT_in, frame, p);
    return 0;
}
