#include "dal.h"
struct pair {
    int a[2];
};
int braces_fire(DALProcess *p)
{
    int x = 0, both[2];
    DAL_read(PORT_in, &x, sizeof(x), p);
    {
        const int rows[][2] = {[1] = {x, x + 1}, [0] = {0}};
        const struct pair pair = (struct pair){{x}}, other = {{0}};
        memcpy(both, (int[]){rows[1][1], pair.a[0] + other.a[1]}, sizeof(both));
    }
    x = both[0];
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
