/* Passes tokens on, and counts its firings in a state that is changed in place. In its seventh
 * firing it does wrong what the parameter says. */
#include "dal.h"

static int *kept;

/* Hides from the compiler that an index is out of bounds. */
static int at(int index)
{
    volatile int hidden = index;
    return hidden;
}

int keep_fire(DALProcess *p)
{
    const int *in = DAL_read_begin(PORT_in, sizeof(int), 100, p);
    int *out = DAL_write_begin(PORT_out, sizeof(int), 100, 100, 0, p);
    const int *before = DAL_read_begin(PORT_before, sizeof(int), 1, p);
    int *after = DAL_write_begin(PORT_after, sizeof(int), 1, 1, 0, p);
    int firing = *before + 1;
    long how = 0;
    DAL_getParameterInt("how", &how, p);
    for (int i = 0; i < 100; i++)
        out[i] = in[i] + (in[0] / 100 + 1 - firing);
    *after = firing;
    if (*before != firing)
        DAL_fail(p, "the windows differ");
    if (how == 1 && firing == 7)
        after[at(1)] = 1;
    if (how == 2 && firing == 7)
        after[at(-2)] = 1;
    if (how == 3 && firing == 8)
        *kept = 1;
    kept = after;
    DAL_write_end(PORT_after, after, p);
    if (*before != firing)
        DAL_fail(p, "the windows differ behind the end call");
    DAL_read_end(PORT_before, before, p);
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
