/* Step: dependent steps on the first word of a token, and one more for every other word. */
#include "dal.h"
#include "pass.h"

int Step_fire(DALProcess *p)
{
    unsigned char *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    unsigned char *out =
        DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);

    pass_step(out, in, TOKEN_in_SIZE, STEPS);
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
