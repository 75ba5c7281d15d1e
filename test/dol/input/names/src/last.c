#include <dol.h>
#include <stdio.h>

int last_fire(DOLProcess *p)
{
    char text[3][6] = {{0}};
    DOL_read((void *)"\317\200", text[0], 5, p);
    DOL_read((void *)"a\"b", text[1], 5, p);
    DOL_read((void *)PORT_if, text[2], 5, p);
    printf("%s %s %s\n", text[0], text[1], text[2]);
    return 0;
}
