/* A frame whose words all have its number, on a core or a device. */
#include <dal.h>

int render_fire(DALProcess *p)
{
    DAL_WINDOW const int *number = DAL_read_begin(PORT_in, 4, 1, p);
    DAL_WINDOW int *frame = DAL_write_begin(PORT_out, 4, 4096, 4096, 0, p);
    DAL_foreach (b : PORT_out) {
        for (int i = 0; i < 4096; i++)
            frame[i] = *number;
    }
    DAL_write_end(PORT_out, frame, p);
    DAL_read_end(PORT_in, number, p);
    return 0;
}
