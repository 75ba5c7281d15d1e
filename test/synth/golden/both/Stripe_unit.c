/* Process Stripe: stripe.c, and the loop around its firing. Made by dalsynth from stripes.xml,
 * machine.xml and both.xml. */
#define DAL_UNIT_FRONT
#define DAL_UNIT_OWN /* no p is kept here */
#include "Stripe.h"
#include <dal_unit.h>
#undef DAL_UNIT_FRONT

/* Known beforehand, so that another type is an error where it stands. */
int Stripe_fire(struct _process *p);
#ifdef __clang__
int Stripe_fire(struct _process *p) __attribute__((always_inline));
#endif

static const struct dal_unit_port dal__unit_ports[] = {
    /* in */
    {.bytes = (size_t)16 * 2},
    /* out */
    {.bytes = (size_t)4 * 8, .must = (size_t)4 * 8},
};

static __attribute__((flatten)) void dal__unit_run(DALProcess *p, struct dal_activation *a)
{
    struct dal_window windows[2];
    unsigned char *first[2];
    dal_unit_run(p, a, Stripe_fire, dal__unit_ports, 2, windows, first);
}

const struct dal_code dal_code_Stripe = {
    .fire = Stripe_fire,
    .run = dal__unit_run,
};

/* clang-format off */
#line 1 "stripe.c"
/* Smooths a row of VAR_width numbers, two in a block. The rows' mean is kept. */
#include "dal.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "stripe.h"

int Stripe_fire(DALProcess *p)
{
    DAL_WINDOW const int *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    int least = in[0], k;

    for (k = 1; k < VAR_width; k++)
        if (in[k] < least)
            least = in[k];
    DAL_foreach (blk , PORT_out) {
        DAL_WINDOW int32_t *out =
            DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, BLOCK_out_SIZE, blk, p);
        for (int i = 0; i < BLOCK_out_SIZE; i++) {
            float mean = (float)abs(weigh(in, BLOCK_out_SIZE * blk + i) - 4 * least) / 4.0f;
            out[i] = least + (int)floorf(mean);
        }
        DAL_write_end(PORT_out, out, p);
    }
    DAL_read_end(PORT_in, in, p);
    return 0;
}
#line 66 "Stripe_unit.c"
/* clang-format on */
