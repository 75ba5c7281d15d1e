#include <dal.h>

/* What it writes does not depend on how much it gets at once. */
int some_fire(DALProcess *p)
{
    char text[64];
    long most;
    int length;
    if (DAL_getParameterInt("most", &most, p))
        return 1;
    length = DAL_read_some(PORT_in, text, (int)most, p);
    if (length > most)
        DAL_fail(p, "%d bytes of %ld", length, most);
    for (int i = 0; i < length; i++) {
        int value = text[i];
        DAL_write(PORT_out, &value, sizeof(value), p);
    }
    return length <= 0;
}
