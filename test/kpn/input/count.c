/* Counts from 0, and tells at the end how often it was fired. */
#include <dal.h>

struct _local_states {
    int fired;
};

int count_fire(DALProcess *p)
{
    int number;
    p->local->fired++;
    DAL_read(PORT_before, &number, sizeof(number), p);
    DAL_write(PORT_out, &number, sizeof(number), p);
    number++;
    DAL_write(PORT_after, &number, sizeof(number), p);
    return 0;
}

void count_finish(DALProcess *p)
{
    DAL_printf("fired %d times\n", p->local->fired);
}
