/* Doubles tokens. In its seventh firing it does wrong what the parameter says. */
#include "dal.h"

static int *kept;

/* Hides from the compiler that an index is out of bounds. */
static int at(int index)
{
    volatile int hidden = index;
    return hidden;
}

int windows_fire(DALProcess *p)
{
    const int rate = 100;
    int *in = DAL_read_begin(PORT_in, sizeof(int), 100, p);
    int *out = DAL_write_begin(PORT_out, sizeof(int), 100, 100, 0, p);
    unsigned char *bytes = DAL_write_begin(PORT_bytes, 1, 100, 100, 0, p);
    int firing = in[0] / rate + 1;
    long how = 0;
    DAL_getParameterInt("how", &how, p);
    for (int i = 0; i < rate; i++) {
        out[i] = 2 * in[i];
        bytes[i] = (unsigned char)in[i];
    }
    for (int i = 0; how == 1 && firing == 7 && i < rate; i++)
        ((short *)(void *)bytes)[i] = (short)in[i];
    if (how == 2 && firing == 7)
        out[at(102)] = 1;
    if (how == 3 && firing == 7)
        out[at(10000)] = 1;
    if (how == 4 && firing == 7)
        out[at(-2)] = 1;
    if (how == 5 && firing == 7)
        out[at(-5000)] = 1;
    if (how == 6 && firing == 7)
        in[3] = 1;
    if (how == 7 && firing == 7)
        out[0] += *(volatile int *)&in[at(101)];
    how == 8 && firing == 8 ? (kept[3] = 1) : 0;
    if (how == 9 && firing == 7)
        bytes[at(-4)] = 1;
    if (how == 12 && firing == 7)
        out[0] += *(volatile int *)&in[at(-1)];
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    DAL_write_end(PORT_bytes, bytes, p);
    if (how == 10 && firing == 7)
        out[3] = 1;
    if (how == 11 && firing == 7)
        in[3] = 1;
    if (how == 13 && firing == 7)
        (void)*(volatile int *)&in[3];
    kept = out;
    return 0;
}
