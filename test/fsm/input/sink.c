#include "dal.h"
#include <stdio.h>
struct _local_states {
    long next, wrong, fails;
};

void Sink_init(DALProcess *p)
{
    DAL_getParameterInt("fails", &p->local->fails, p);
}

int Sink_fire(DALProcess *p)
{
    long number;
    FILE *file = NULL;
    DAL_read(PORT_in, &number, sizeof(number), p);
    p->local->wrong += number != p->local->next++;
    if (*DAL_getParameter("progress", p))
        file = fopen(DAL_getParameter("progress", p), "w");
    if (file) {
        fprintf(file, "%ld\n", number);
        fclose(file);
    }
    if (p->local->fails && p->local->next == p->local->fails)
        DAL_fail(p, "as it was told to");
    return 0;
}

void Sink_finish(DALProcess *p)
{
    DAL_printf("%s: received %ld, %ld wrong\n", DAL_getParameter("name", p), p->local->next,
               p->local->wrong);
}
