/* Process Last: last.c, and the loop around its firing. Made by dalsynth from chain.xml,
 * rack.xml and apart.xml. */
#define DAL_UNIT_FRONT
#define DAL_UNIT_OWN /* no p is kept here */
#include "Last.h"
#include <dal_unit.h>
#undef DAL_UNIT_FRONT

/* Known beforehand, so that another type is an error where it stands. */
int Last_fire(struct _process *p);
#ifdef __clang__
int Last_fire(struct _process *p) __attribute__((always_inline));
#endif

static const struct dal_unit_port dal__unit_ports[] = {
    /* sums */
    {.bytes = (size_t)16 * 1},
};

static __attribute__((flatten)) void dal__unit_run(DALProcess *p, struct dal_activation *a)
{
    struct dal_window windows[1];
    unsigned char *first[1];
    dal_unit_run(p, a, Last_fire, dal__unit_ports, 1, windows, first);
}

const struct dal_code dal_code_Last = {
    .fire = Last_fire,
    .run = dal__unit_run,
};

#include "last.c"
