/* Windows of other sizes than those that were released, larger than the channel as well. */
#include <dol.h>

int doubler_fire(DOLProcess *p)
{
    int *in, *out, i;
    DOL_capture((void *)"in", (void **)&in, 5 * sizeof(int), p);
    DOL_reserve((void *)"out", (void **)&out, 5 * sizeof(int), p);
    for (i = 0; i < 5; i++)
        out[i] = 2 * in[i];
    DOL_consume((void *)"in", p);
    DOL_release((void *)"out", p);
    return 0;
}
