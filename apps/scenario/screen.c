/* Screen: a line for each sample. */
#include "dal.h"

struct _local_states {
    long count;
};

int Screen_fire(DALProcess *p)
{
    static const char bar[] = "############################################################";
    int32_t sample;

    if (DAL_read(PORT_in, &sample, sizeof(sample), p) < 0)
        return 1;
    DAL_printf("%-6s %3ld %.*s\n", DAL_getParameter("title", p), p->local->count++,
               (int)(sample < 60 ? sample : 60), bar);
    return 0;
}

void Screen_finish(DALProcess *p)
{
    DAL_printf("%-6s %ld samples\n", DAL_getParameter("title", p), p->local->count);
}
