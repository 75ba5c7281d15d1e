/* Sends the number of each frame, `gain` times. */
#include <dal.h>
#include <stdint.h>

typedef struct _local_states {
    long fired;
} Gain_State;

void gain_init(DALProcess *p)
{
    p->local->fired = 0;
}

int gain_fire(DALProcess *p)
{
    const int32_t *frame = DAL_read_begin("in", sizeof(*frame), 4096, p);
    int32_t number = frame[0];
    long gain;
    DAL_getParameterInt("gain", &gain, p);
    DAL_read_end("in", frame, p);
    number *= (int32_t)gain;
    DAL_write("out", &number, sizeof(number), p);
    return 0;
}

void gain_finish(DALProcess *p)
{
    (void)p;
}
