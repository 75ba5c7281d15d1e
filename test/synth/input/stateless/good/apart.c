#include "dal.h"
struct __attribute__((packed, may_alias)) word {
    int value;
};
int apart_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    struct __attribute__((packed, may_alias)) part {
        int value;
    };
    x += ((struct part *)&x)->value + ((struct word *)&x)->value;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
