/* Measure, for a core or a device. */
#include "dal.h"

#include "measure.h"

int Measure_fire(DALProcess *p)
{
    const int count = (int)DAL_count(PORT_in, p);
    DAL_WINDOW const struct pulse *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, (size_t)count, p);
    DAL_WINDOW struct event *out =
        DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    int events = 0;

    for (int i = 0; i < count; i++)
        events += is_event(&in[i]);
    DAL_foreach (all : PORT_out) {
        for (int i = 0, found = 0; i < count; i++) {
            if (is_event(&in[i])) {
                out[found].at = in[i].at;
                out[found].height = in[i].samples[HALF];
                out[found].area = area_of(&in[i]);
                out[found++].centre = centre_of(&in[i]);
            }
        }
    }
    DAL_write_end(PORT_out, out, p);
    DAL_set_count(PORT_out, (size_t)events, p);
    DAL_read_end(PORT_in, in, p);
    return 0;
}
