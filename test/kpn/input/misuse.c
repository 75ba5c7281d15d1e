/* What a KPN process may not do, by the parameter `what`; the word tells where it goes on. */
#include <dal.h>

#include "misuse.h"

int misuse_fire(DALProcess *p)
{
    const char *what = DAL_getParameter("what", p);
    uint32_t value = 1, *window;
    CREATEPORTVAR(name);
    if (strcmp(what, "direction") == 0)
        DAL_read(CREATEPORT(name, PORT_out, 0), &value, sizeof(value), p);
    if (strcmp(what, "window") == 0) {
        window = DAL_write_begin(PORT_out, sizeof(*window), 1, 1, 0, p);
        window = DAL_write_begin(PORT_out, sizeof(*window), 1, 1, 0, p);
        *window = 0;
    }
    if (strcmp(what, "none") == 0) { /* of the first window, which has no tokens */
        window = DAL_write_begin(PORT_out, sizeof(*window), 0, 0, 0, p);
        if (!window)
            return 1;
        DAL_write_end(PORT_out, window, p);
        DAL_write(PORT_out, &value, sizeof(value), p);
    }
    if (strcmp(what, "negative") == 0)
        DAL_write(PORT_out, &value, -2, p);
    if (strcmp(what, "endless") == 0)
        DAL_write_begin(PORT_out, sizeof(*window), (size_t)1 << 62, (size_t)1 << 62, 0, p);
    if (strcmp(what, "spin") == 0)
        for (;;)
            __asm__ volatile("" ::: "memory");
    if (strcmp(what, "part") == 0)
        DAL_write(PORT_out, &value, 3, p);
    return 1;
}
