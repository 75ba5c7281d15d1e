#include <dal.h>

int Mid_fire(DALProcess *p)
{
    int numbers[2];
    DAL_read(PORT_in, numbers, sizeof(numbers), p);
    DAL_write(PORT_out, numbers, sizeof(numbers), p);
    return 0;
}
