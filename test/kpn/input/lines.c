#include <dal.h>

int lines_fire(DALProcess *p)
{
    char line[64];
    long room;
    int length;
    if (DAL_getParameterInt("room", &room, p))
        return 1;
    length = DAL_read_line(PORT_in, line, (int)room, p);
    if (length <= 0)
        return 1;
    DAL_printf("%d %zu %s%s", length, strlen(line), line, line[length - 1] == '\n' ? "" : "|\n");
    return 0;
}
