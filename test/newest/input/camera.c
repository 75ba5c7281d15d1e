/* Frames whose words all have the frame's number. */
#include <dal.h>
#include <stdint.h>
#include <unistd.h>

typedef struct _local_states {
    long count, nap_us;
    int32_t sent;
} Camera_State;

void camera_init(DALProcess *p)
{
    DAL_getParameterInt("count", &p->local->count, p);
    DAL_getParameterInt("nap_us", &p->local->nap_us, p);
}

int camera_fire(DALProcess *p)
{
    int32_t *frame;
    if (p->local->sent == p->local->count)
        return 1;
    frame = DAL_write_begin("out", sizeof(*frame), 4096, 4096, 0, p);
    for (int i = 0; i < 4096; i++)
        frame[i] = p->local->sent;
    DAL_write_end("out", frame, p);
    p->local->sent++;
    if (p->local->nap_us)
        usleep((useconds_t)p->local->nap_us);
    return 0;
}

void camera_finish(DALProcess *p)
{
    (void)p;
}
