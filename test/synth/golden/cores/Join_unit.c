/* Process Join: join.c, and the loop around its firing. Made by dalsynth from shop.xml,
 * machine.xml and cores.xml. */
#define DAL_UNIT_FRONT
#define DAL_UNIT_OWN /* no p is kept here */
#include "Join.h"
#include <dal_unit.h>
#undef DAL_UNIT_FRONT

/* Known beforehand, so that another type is an error where it stands. */
int Join_fire(struct _process *p);
#ifdef __clang__
int Join_fire(struct _process *p) __attribute__((always_inline));
#endif

static const struct dal_unit_port dal__unit_ports[] = {
    /* in_0 */
    {.bytes = (size_t)32 * 1},
    /* in_1 */
    {.bytes = (size_t)32 * 1},
    /* state */
    {.bytes = (size_t)16 * 1},
    /* next */
    {.bytes = (size_t)16 * 1, .must = (size_t)16 * 1},
    /* sum */
    {.bytes = (size_t)4 * 1, .must = (size_t)4 * 1},
};

static __attribute__((flatten)) void dal__unit_run(DALProcess *p, struct dal_activation *a)
{
    struct dal_window windows[5];
    unsigned char *first[5];
    dal_unit_run(p, a, Join_fire, dal__unit_ports, 5, windows, first);
}

const struct dal_code dal_code_Join = {
    .fire = Join_fire,
    .run = dal__unit_run,
};

#include "join.c"
