/* PORT_out_put is the port of just this name; the other two have numbers behind theirs. */
#include <dol.h>

int first_fire(DOLProcess *p)
{
    static const char *const texts[] = {"blank", "minus", "plain"};
    DOL_write((void *)PORT_out_put_0, texts[0], 5, p);
    DOL_write((void *)"out-put", texts[1], 5, p);
    DOL_write((void *)PORT_out_put, texts[2], 5, p);
    DOL_detach(p);
    return 0;
}
