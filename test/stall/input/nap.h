/* Firings that become slow: state and what it does, for all processes of slow.xml. */
#ifndef NAP_H
#define NAP_H

#include <dal.h>

#include <time.h>

typedef struct _local_states {
    uint32_t number; /* firings so far */
    long slow, from, nap, count;
} Nap_State;

static inline void nap_init(DALProcess *p)
{
    if (DAL_getParameterInt("slow", &p->local->slow, p) ||
        DAL_getParameterInt("from", &p->local->from, p) ||
        DAL_getParameterInt("nap", &p->local->nap, p))
        DAL_fail(p, "parameters are missing");
}

/* One firing, `nap` milliseconds long once there were `from`; the first of these leaves a mark. */
static inline void nap_take(DALProcess *p)
{
    struct timespec time = {p->local->nap / 1000, p->local->nap % 1000 * 1000000};
    const char *mark = DAL_getParameter("mark", p);
    long number = p->local->number++;
    FILE *file;
    if (!p->local->slow || number < p->local->from)
        return;
    if (number == p->local->from && mark && *mark) {
        file = fopen(mark, "w");
        if (file)
            fclose(file);
    }
    nanosleep(&time, NULL);
}

#endif
