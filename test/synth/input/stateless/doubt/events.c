/* 7 calls 'DAL_send_event', which may keep something */
#include "dal.h"
int events_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    DAL_send_event("more", p);
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
