#include "dal.h"
struct both {
    const int *in;
    int *out;
};
static struct both begin(DALProcess *p)
{
    return (struct both){DAL_read_begin(PORT_in, TOKEN_in_SIZE, 1, p),
                         DAL_write_begin(PORT_out, TOKEN_out_SIZE, 1, 1, 0, p)};
}
int fails_fire(DALProcess *p)
{
    struct both both = begin(p);
    int none;
    if (!both.in || both.out == NULL)
        return 1;
    if (!(both.in != NULL) || !both.out) {
        none = 1;
        return -1;
    }
    *both.out = *both.in;
    DAL_read_end(PORT_in, (void *)both.in, p);
    DAL_write_end(PORT_out, both.out, p);
    if (DAL_read(PORT_in, &none, 0, p) != 0 ||
        !(DAL_write(PORT_out, &none, sizeof(none), p) == sizeof(none)))
        return 2;
    return 0;
}
