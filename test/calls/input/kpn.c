/* Passes numbers on, one at a time. */
#include "misuse.h"

void kpn_init(DALProcess *p)
{
    keep(p);
    move("init", p, p);
    leave("init", p);
}

int kpn_fire(DALProcess *p)
{
    int32_t number;
    misuse(p);
    DAL_READ_TOKEN(in, &number, p);
    DAL_WRITE_TOKEN(out, &number, p);
    return 0;
}

void kpn_finish(DALProcess *p)
{
    move("finish", p, p);
    leave("finish", p);
}
