/* Report: how many events there were, and a checksum over all of them; with "print", each of them.
 */
#include "dal.h"

#include "events.h"
#include <stdint.h>

struct _local_states {
    uint64_t checksum;
    long blocks, events, print;
};

void Report_init(DALProcess *p)
{
    DAL_getParameterInt("print", &p->local->print, p);
}

int Report_fire(DALProcess *p)
{
    LocalState s = p->local;
    size_t count = DAL_count(PORT_in, p);
    const struct event *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, count, p);

    for (size_t i = 0; i < count; i++) {
        const unsigned char *bytes = (const unsigned char *)&in[i];
        for (size_t k = 0; k < sizeof(in[i]); k++)
            s->checksum = (s->checksum ^ bytes[k]) * 0x100000001b3u;
        if (s->print)
            DAL_printf("%ld %d %d %d %d\n", s->blocks, in[i].at, in[i].height, in[i].area,
                       in[i].centre);
    }
    s->checksum = (s->checksum ^ count) * 0x100000001b3u;
    s->events += (long)count;
    s->blocks++;
    DAL_read_end(PORT_in, in, p);
    return 0;
}

void Report_finish(DALProcess *p)
{
    DAL_printf("%ld events in %ld blocks, checksum %016llx\n", p->local->events, p->local->blocks,
               (unsigned long long)p->local->checksum);
}
