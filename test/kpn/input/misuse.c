/* What a KPN process may not do, by the parameter `what`; the word tells where it goes on. */
#include <dal.h>

#include "misuse.h"

int misuse_fire(DALProcess *p)
{
    const char *what = DAL_getParameter("what", p);
    uint32_t value = 1, *window;
    CREATEPORTVAR(name);
    if (!strcmp(what, "direction"))
        DAL_read(CREATEPORT(name, PORT_out, 0), &value, sizeof(value), p);
    if (!strcmp(what, "window")) {
        window = DAL_write_begin(PORT_out, sizeof(*window), 1, 1, 0, p);
        window = DAL_write_begin(PORT_out, sizeof(*window), 1, 1, 0, p);
        *window = 0;
    }
    if (!strcmp(what, "spin"))
        for (;;)
            __asm__ volatile("" ::: "memory");
    if (!strcmp(what, "part"))
        DAL_write(PORT_out, &value, 3, p);
    return 1;
}
