/* Source: sends packets to the part that receives, and more when those have come. */
#define _GNU_SOURCE
#include "dal.h"
#include "packets.h"

#include <unistd.h>

struct _local_states {
    struct packets packets;
    long left;
};

void Source_init(DALProcess *p)
{
    long port = 0;

    DAL_getParameterInt("tokens", &p->local->left, p);
    DAL_getParameterInt("port", &port, p);
    if (packets_open(&p->local->packets, (int)port, 0) != 0)
        DAL_fail(p, "there is no socket for port %ld", port);
}

int Source_fire(DALProcess *p)
{
    char credit;

    DAL_READ_TOKEN(credit, &credit, p);
    if (p->local->left <= 0)
        return 1;
    p->local->left -= PACKETS;
    packets_send(&p->local->packets);
    return 0;
}

void Source_finish(DALProcess *p)
{
    close(p->local->packets.sender);
}
