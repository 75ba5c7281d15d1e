/* What stands behind DOL_detach runs, but moves nothing. */
#include <dol.h>
#include <stdio.h>

int cutter_fire(DOLProcess *p)
{
    static const char text[] = "the quick brown fox jumps over the lazy dog";
    int at, length, status;
    char *window;
    for (at = 0, length = 1; at < (int)sizeof(text); at += length, length = length % 7 + 1)
        if (at + length > (int)sizeof(text))
            length = (int)sizeof(text) - at, DOL_write((void *)"out", text + at, length, p);
        else
            DOL_write((void *)"out", text + at, length, p);
    DOL_detach(p);
    status = DOL_write((void *)"out", text, 1, p);
    printf("%d %d %d %d\n", status, DOL_reserve((void *)"out", &window, 1, p),
           DOL_wtest((void *)"out", 1, p), DOL_release((void *)"out", p));
    return 0;
}
