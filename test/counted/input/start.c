/* Start: packets of 0 to `most` numbers; every second of the first ones is empty or full. */
#include "dal.h"

#include <stdint.h>

struct _local_states {
    long firings, fired;
    uint32_t state, number;
};

void Start_init(DALProcess *p)
{
    DAL_getParameterInt("firings", &p->local->firings, p);
    p->local->state = 7;
}

int Start_fire(DALProcess *p)
{
    LocalState s = p->local;
    uint32_t count;

    if (s->fired++ >= s->firings)
        return 1;
    s->state = s->state * 1664525u + 1013904223u;
    count = (s->state >> 8) % (VAR_most + 1);
    if (s->fired < 100 && s->fired % 2)
        count = s->fired % 4 == 1 ? 0 : VAR_most;
    if (count % 2) { /* one after the other, or in place */
        for (uint32_t i = 0; i < count; i++, s->number++)
            DAL_write(PORT_out, &s->number, sizeof(s->number), p);
    } else if (count) {
        uint32_t *out =
            DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
        for (uint32_t i = 0; i < count; i++)
            out[i] = s->number++;
        DAL_write_end(PORT_out, out, p);
        DAL_set_count(PORT_out, count, p);
    }
    return 0;
}
