/* Measure: the events among the pulses, in C. */
#include "dal.h"

#include "measure.h"

int Measure_fire(DALProcess *p)
{
    size_t count = DAL_count(PORT_in, p);
    const struct pulse *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, count, p);

    for (size_t i = 0; i < count; i++) {
        struct event event = {in[i].at, in[i].samples[HALF], area_of(&in[i]), centre_of(&in[i])};
        if (is_event(&in[i]))
            DAL_write(PORT_out, &event, sizeof(event), p);
    }
    DAL_read_end(PORT_in, in, p);
    return 0;
}
