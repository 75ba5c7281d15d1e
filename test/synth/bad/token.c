#include "dal.h"

struct large {
    char bytes[6];
};

int Middle_fire(DALProcess *p)
{
    struct large *out = DAL_write_begin(PORT_out, sizeof(*out), 1, 1, 0, p);
    *out = (struct large){{0}};
    DAL_write_end(PORT_out, out, p);
    return 0;
}
