#include <dal.h>

int spin_fire(DALProcess *p)
{
    static volatile int go_on = 1;
    FILE *file;
    DAL_printf("printed before\n");
    file = fopen(DAL_getParameter("mark", p), "w");
    if (file)
        fclose(file);
    while (go_on)
        ;
    return 1;
}
