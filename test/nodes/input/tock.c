#include <dal.h>

int Tock_fire(DALProcess *p)
{
    int number;
    DAL_read(PORT_in, &number, sizeof(number), p);
    return number != 1;
}
