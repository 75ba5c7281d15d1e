/* Source: asks for the first packets, and for more when those have come. */
#define _GNU_SOURCE
#include "dal.h"
#include "packets.h"

struct _local_states {
    int asked;
};

void Source_init(DALProcess *p)
{
    long port = 0;

    DAL_getParameterInt("port", &port, p);
    p->local->asked = packets_start((int)port);
    if (p->local->asked < 0)
        DAL_fail(p, "nobody sends packets to port %ld", port);
}

int Source_fire(DALProcess *p)
{
    char credit;

    DAL_READ_TOKEN(credit, &credit, p);
    packets_ask(p->local->asked);
    return 0;
}

void Source_finish(DALProcess *p)
{
    packets_stop(p->local->asked);
}
