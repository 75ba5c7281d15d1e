/* Adds low and high tones, each as loud as its parameter says in percent. */
#include "dal.h"

int Mix_fire(DALProcess *p)
{
    float low[TOKEN_low_RATE], high[TOKEN_high_RATE];
    long bass, treble;

    DAL_getParameterInt("bass", &bass, p);
    DAL_getParameterInt("treble", &treble, p);
    DAL_read(PORT_low, low, sizeof(low), p);
    DAL_read(PORT_high, high, sizeof(high), p);
    for (int i = 0; i < TOKEN_low_RATE; i++)
        low[i] = 0.01f * ((float)bass * low[i] + (float)treble * high[i]);
    DAL_write(PORT_out, low, sizeof(low), p);
    return 0;
}
