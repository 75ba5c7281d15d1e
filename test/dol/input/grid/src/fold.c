#include <dol.h>
#include <stdio.h>

#define PORT_IN 7

int fold_fire(DOLProcess *p)
{
    CREATEPORTVAR(port);
    int i, sum, all = 0;
    for (i = 0; i < 3; i++) {
        CREATEPORT(port, PORT_IN, 1, i, 3);
        DOL_read((void *)port, &sum, sizeof(sum), p);
        all += sum;
    }
    printf("%d\n", all);
    return 0;
}
