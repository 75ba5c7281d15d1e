/* Takes one from the right, then one from the left: the left must hold a whole burst. */
#include <dal.h>

#include "merge.h"

int merge_fire(DALProcess *p)
{
    uint32_t pair[2];
    DAL_read(PORT_right, &pair[1], sizeof(pair[1]), p);
    DAL_read(PORT_left, &pair[0], sizeof(pair[0]), p);
    DAL_write(PORT_out, pair, sizeof(pair), p);
    return 0;
}
