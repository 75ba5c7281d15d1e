/* The numbers of the frames. */
#include <dal.h>
#include <stdint.h>
#include <unistd.h>

typedef struct _local_states {
    long count, nap_us;
    int32_t sent;
} Count_State;

void count_init(DALProcess *p)
{
    DAL_getParameterInt("count", &p->local->count, p);
    DAL_getParameterInt("nap_us", &p->local->nap_us, p);
}

int count_fire(DALProcess *p)
{
    if (p->local->sent == p->local->count)
        return 1;
    DAL_write("out", &p->local->sent, sizeof(p->local->sent), p);
    p->local->sent++;
    if (p->local->nap_us)
        usleep((useconds_t)p->local->nap_us);
    return 0;
}

void count_finish(DALProcess *p)
{
    (void)p;
}
