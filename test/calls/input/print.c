/* Prints how many numbers came in order. */
#include <dal.h>

typedef struct _local_states {
    int32_t next;
} Print_State;

int print_fire(DALProcess *p)
{
    int32_t number = -1;
    DAL_READ_TOKEN(in, &number, p);
    if (number != p->local->next)
        DAL_fail(p, "%d instead of %d", number, p->local->next);
    p->local->next++;
    return 0;
}

void print_finish(DALProcess *p)
{
    DAL_printf("%d numbers\n", p->local->next);
}
