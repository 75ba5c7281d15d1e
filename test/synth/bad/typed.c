#include "dal.h"

struct large {
    char bytes[16];
};

int Middle_fire(DALProcess *p)
{
    struct large *out = DAL_WRITE_TOKENS(struct large, out, 1, 1, 0, p);
    *out = (struct large){{0}};
    DAL_READ_TOKEN(in, out, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
