#include "dal.h"
struct _local_states {
    int next, wrong;
};
int Sink_fire(DALProcess *p)
{
    int number;
    DAL_read(PORT_in, &number, sizeof(number), p);
    p->local->wrong += number != 3 * p->local->next++;
    return 0;
}
void Sink_finish(DALProcess *p)
{
    DAL_printf("%d tokens, %d out of place\n", p->local->next, p->local->wrong);
}
