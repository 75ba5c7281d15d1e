#include <dal.h>
#include <unistd.h>

typedef struct _local_states {
    long count, nap_us, sent;
} Source_State;

void source_init(DALProcess *p)
{
    DAL_getParameterInt("count", &p->local->count, p);
    DAL_getParameterInt("nap_us", &p->local->nap_us, p);
}

int source_fire(DALProcess *p)
{
    int number = (int)p->local->sent;
    if (p->local->sent++ == p->local->count)
        return 1;
    if (p->local->nap_us)
        usleep((useconds_t)p->local->nap_us);
    DAL_write("out", &number, sizeof(number), p);
    return 0;
}

void source_finish(DALProcess *p)
{
    (void)p;
}
