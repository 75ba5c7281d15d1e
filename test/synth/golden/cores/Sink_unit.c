/* Process Sink: sink.c, and the loop around its firing. Made by dalsynth from shop.xml,
 * machine.xml and cores.xml. */
#define DAL_UNIT_OWN /* no p is kept here */
#include "Sink.h"

/* Known beforehand, so that another type is an error where it stands. */
static int Sink_fire(struct _process *p);
#ifdef __clang__
static int Sink_fire(struct _process *p) __attribute__((always_inline));
#endif

#include "sink.c"

#include <net.h>

/* May return int in a user's source, which is of no interest. */
static void dal__finish_unit(DALProcess *p)
{
    (void)Sink_finish(p);
}

static const struct dal_unit_port dal__unit_ports[] = {
    /* sums */
    {.bytes = (size_t)4 * 5},
};

static __attribute__((flatten)) void dal__unit_run(DALProcess *p, struct dal_activation *a)
{
    struct dal_window windows[1];
    unsigned char *first[1];
    dal_unit_run(p, a, Sink_fire, dal__unit_ports, 1, windows, first);
}

const struct dal_code dal_code_Sink = {
    .local_bytes = sizeof(struct _local_states),
    .fire = Sink_fire,
    .finish = dal__finish_unit,
    .run = dal__unit_run,
};
