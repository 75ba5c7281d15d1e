#include "dal.h"

static void send(int number, DALProcess *p)
{
    DAL_write(PORT_in, &number, sizeof(number), p);
}

int Middle_fire(DALProcess *p)
{
    int number;
    DAL_read("out", &number, sizeof(number), p);
    send(number, p);
    DAL_write_end(PORT_in, &number, p);
    return DAL_rtest("nowhere", 1, p);
}
