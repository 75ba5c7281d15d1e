/* Process Join: join.c, and the loop around its firing. Made by dalsynth from shop.xml,
 * machine.xml and cores.xml. */
#include "Join.h"

/* Known beforehand, so that another type is an error where it stands. */
int Join_fire(struct _process *p);

#include "join.c"

#include <net.h>

static const struct dal_unit_port dal__unit_ports[] = {
    {.bytes = (size_t)TOKEN_in_0_SIZE * TOKEN_in_0_RATE},
    {.bytes = (size_t)TOKEN_in_1_SIZE * TOKEN_in_1_RATE},
    {.bytes = (size_t)TOKEN_state_SIZE * TOKEN_state_RATE},
    {.bytes = (size_t)TOKEN_next_SIZE * TOKEN_next_RATE,
     .must = (size_t)TOKEN_next_SIZE * TOKEN_next_RATE},
    {.bytes = (size_t)TOKEN_sum_SIZE * TOKEN_sum_RATE,
     .must = (size_t)TOKEN_sum_SIZE * TOKEN_sum_RATE},
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
