/* Process Lane: forward.c, and the loop around its firing. Made by dalsynth from shop.xml,
 * machine.xml and devices.xml. */
#define DAL_UNIT_FRONT
#define DAL_UNIT_OWN /* no p is kept here */
#include "Lane.h"
#include <dal_unit.h>
#undef DAL_UNIT_FRONT

/* Known beforehand, so that another type is an error where it stands. */
int forward_fire(struct _process *p);
#ifdef __clang__
int forward_fire(struct _process *p) __attribute__((always_inline));
#endif

static const struct dal_unit_port dal__unit_ports[] = {
    /* in */
    {.bytes = (size_t)32 * 1},
    /* out */
    {.bytes = (size_t)32 * 1, .must = (size_t)32 * 1},
};

static __attribute__((flatten)) void dal__unit_run(DALProcess *p, struct dal_activation *a)
{
    struct dal_window windows[2];
    unsigned char *first[2];
    dal_unit_run(p, a, forward_fire, dal__unit_ports, 2, windows, first);
}

const struct dal_code dal_code_Lane = {
    .fire = forward_fire,
    .run = dal__unit_run,
};

#include "forward.c"
