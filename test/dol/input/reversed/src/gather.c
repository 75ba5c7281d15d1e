#include <dol.h>
#include <stdio.h>

int gather_fire(DOLProcess *p)
{
    CREATEPORTVAR(port);
    int i, n;
    for (i = 0; i < 8; i++) {
        CREATEPORT(port, "in", 1, i, 8);
        DOL_read((void *)port, &n, sizeof(n), p);
        printf("%d%s", n, i < 7 ? " " : "\n");
    }
    return 0;
}
