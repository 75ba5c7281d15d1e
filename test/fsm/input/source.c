#define _DEFAULT_SOURCE
#include "dal.h"
#include <stdio.h>
#include <unistd.h>
struct _local_states {
    long next, limit, half, enough, stood;
};

static long progress(void)
{
    long number = -1;
    FILE *file = fopen("progress", "r");
    if (file && fscanf(file, "%ld", &number) != 1)
        number = -2;
    if (file)
        fclose(file);
    return number;
}

void Source_init(DALProcess *p)
{
    DAL_getParameterInt("limit", &p->local->limit, p);
    DAL_getParameterInt("half", &p->local->half, p);
    DAL_getParameterInt("enough", &p->local->enough, p);
    p->local->stood = progress();
    DAL_printf("%s: init\n", DAL_getParameter("name", p));
    fflush(stdout);
}

int Source_fire(DALProcess *p)
{
    long number = p->local->next++;
    DAL_write(PORT_out, &number, sizeof(number), p);
    if (number == p->local->half)
        DAL_send_event("half", p);
    if (p->local->enough && number >= p->local->enough)
        DAL_send_event("enough", p);
    usleep(1000);
    return p->local->limit && p->local->next >= p->local->limit;
}

void Source_finish(DALProcess *p)
{
    DAL_printf("%s: sent %ld\n", DAL_getParameter("name", p), p->local->next);
    if (p->local->limit)
        DAL_printf("%s: A %s\n", DAL_getParameter("name", p),
                   progress() == p->local->stood ? "stood still" : "has moved");
}
