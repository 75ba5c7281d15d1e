/* Process Sink: sink.c, and the loop around its firing. Made by dalsynth from shop.xml,
 * machine.xml and cores.xml. */
#define DAL_UNIT_FRONT
#define DAL_UNIT_OWN /* no p is kept here */
#include "Sink.h"
#include <dal_unit.h>
#undef DAL_UNIT_FRONT

/* Known beforehand, so that another type is an error where it stands. */
static int Sink_fire(struct _process *p);
void Sink_finish(struct _process *);
#ifdef __clang__
static int Sink_fire(struct _process *p) __attribute__((always_inline));
#endif

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

extern dal__state dal__unit_state;

const struct dal_code dal_code_Sink = {
    .state = &dal__unit_state,
    .fire = Sink_fire,
    .finish = dal__finish_unit,
    .run = dal__unit_run,
};

#include "sink.c"

dal__state dal__unit_state = {sizeof(struct _local_states), __alignof__(struct _local_states)};
