#define _DEFAULT_SOURCE
#include <dal.h>
#include <unistd.h>

int Tick_fire(DALProcess *p)
{
    int number = 1;
    DAL_write(PORT_out, &number, sizeof(number), p);
    usleep(1000);
    return 0;
}
