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
    if (strcmp(what, "spin") == 0)
        for (;;)
            __asm__ volatile("" ::: "memory");
    if (strcmp(what, "part") == 0)
        DAL_write(PORT_out, &value, 3, p);
    return 1;
}
