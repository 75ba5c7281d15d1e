/* Process Source: source.c, and the loop around its firing. Made by dalsynth from shop.xml,
 * machine.xml and devices.xml. */
#define DAL_UNIT_OWN /* no p is kept here */
#include "Source.h"

/* Known beforehand, so that another type is an error where it stands. */
int Source_fire(struct _process *p);
#ifdef __clang__
int Source_fire(struct _process *p) __attribute__((always_inline));
#endif

#include "source.c"

#include <net.h>

/* May return int in a user's source, which is of no interest. */
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

const struct dal_code dal_code_Source = {
    .local_bytes = sizeof(struct _local_states),
    .init = dal__init_unit,
    .fire = Source_fire,
    .run = dal__unit_run,
};
