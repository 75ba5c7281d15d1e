#include <dol.h>
#include <stdio.h>

int paster_fire(DOLProcess *p)
{
    char text[44];
    DOL_read((void *)"in", text, 11, p);
    DOL_read((void *)"in", text + 11, 22, p);
    DOL_read((void *)"in", text + 33, 11, p);
    printf("%s\n", text);
    return 0;
}
