/* Sends the number of each frame, or -1 if its words differ. */
#include <dal.h>
#include <stdint.h>
#include <unistd.h>

typedef struct _local_states {
    long count, nap_us, fired;
} Show_State;

void show_init(DALProcess *p)
{
    DAL_getParameterInt("count", &p->local->count, p);
    DAL_getParameterInt("nap_us", &p->local->nap_us, p);
}

int show_fire(DALProcess *p)
{
    const int32_t *frame = DAL_read_begin("in", sizeof(*frame), 4096, p);
    int32_t number = frame[0];
    for (int i = 1; i < 4096; i++)
        if (frame[i] != number)
            number = -1;
    DAL_read_end("in", frame, p);
    DAL_write("out", &number, sizeof(number), p);
    if (p->local->nap_us)
        usleep((useconds_t)p->local->nap_us);
    return ++p->local->fired == p->local->count;
}

void show_finish(DALProcess *p)
{
    (void)p;
}
