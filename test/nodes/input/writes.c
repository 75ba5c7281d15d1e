/* Many tokens before the one that the reader wants first. */
#include <dal.h>

int Writes_fire(DALProcess *p)
{
    int number = 0;
    long dead = 0;
    DAL_getParameterInt("dead", &dead, p);
    if (dead)
        DAL_read(PORT_back, &number, sizeof(number), p);
    for (number = 0; number < 40; number++)
        DAL_write(PORT_many, &number, sizeof(number), p);
    DAL_write(PORT_first, &number, sizeof(number), p);
    DAL_read(PORT_back, &number, sizeof(number), p);
    DAL_printf("back came %d\n", number);
    return 1;
}
