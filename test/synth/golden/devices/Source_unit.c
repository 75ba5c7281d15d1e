/* Process Source: source.c, and the loop around its firing. Made by dalsynth from shop.xml,
 * machine.xml and devices.xml. */
#define DAL_UNIT_FRONT
#define DAL_UNIT_OWN /* no p is kept here */
#include "Source.h"
#include <dal_unit.h>
#undef DAL_UNIT_FRONT

/* Known beforehand, so that another type is an error where it stands. */
int Source_init(struct _process *);
int Source_fire(struct _process *p);
#ifdef __clang__
int Source_fire(struct _process *p) __attribute__((always_inline));
#endif

static void dal__init_unit(DALProcess *p)
{
    (void)Source_init(p);
}

static const struct dal_unit_port dal__unit_ports[] = {
    /* out_0 */
    {.bytes = (size_t)32 * 1, .must = (size_t)32 * 1},
    /* out_1 */
    {.bytes = (size_t)32 * 1, .must = (size_t)32 * 1},
};

static __attribute__((flatten)) void dal__unit_run(DALProcess *p, struct dal_activation *a)
{
    struct dal_window windows[2];
    unsigned char *first[2];
    dal_unit_run(p, a, Source_fire, dal__unit_ports, 2, windows, first);
}

extern dal__state dal__unit_state;

const struct dal_code dal_code_Source = {
    .state = &dal__unit_state,
    .init = dal__init_unit,
    .fire = Source_fire,
    .run = dal__unit_run,
};

#include "source.c"

dal__state dal__unit_state = {sizeof(struct _local_states), __alignof__(struct _local_states)};
