/* Process First: first.c, and the loop around its firing. Made by dalsynth from chain.xml,
 * rack.xml and apart.xml. */
#define DAL_UNIT_FRONT
#define DAL_UNIT_OWN /* no p is kept here */
#include "First.h"
#include <dal_unit.h>
#undef DAL_UNIT_FRONT

/* Known beforehand, so that another type is an error where it stands. */
int first_fire(struct _process *p);
#ifdef __clang__
int first_fire(struct _process *p) __attribute__((always_inline));
#endif

static const struct dal_unit_port dal__unit_ports[] = {
    /* out */
    {.bytes = (size_t)16 * 1, .must = (size_t)16 * 1},
};

static __attribute__((flatten)) void dal__unit_run(DALProcess *p, struct dal_activation *a)
{
    struct dal_window windows[1];
    unsigned char *first[1];
    dal_unit_run(p, a, first_fire, dal__unit_ports, 1, windows, first);
}

extern dal__state dal__unit_state;

const struct dal_code dal_code_First = {
    .state = &dal__unit_state,
    .fire = first_fire,
    .run = dal__unit_run,
};

#include "first.c"

dal__state dal__unit_state = {sizeof(struct _local_states), __alignof__(struct _local_states)};
