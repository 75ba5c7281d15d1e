/* Process Stripe: stripe.c, and the loop around its firing. Made by dalsynth from stripes.xml,
 * machine.xml and both.xml. */
#define DAL_UNIT_FRONT
#define DAL_UNIT_OWN /* no p is kept here */
#include "Stripe.h"
#include <dal_unit.h>
#define DAL_UNIT_LOOP
#include "Stripe.h"
#undef DAL_UNIT_LOOP
#undef DAL_UNIT_FRONT

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
#line 44 "Stripe_unit.c"
/* clang-format on */
