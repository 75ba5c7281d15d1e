/* Adds the samples of several inputs, each multiplied by its gain, from the first one on. */
#include "dal.h"

#include "../common/numbers.h"

struct _local_states {
    const char *text; /* that the gains are of; a value of a parameter stays where it is */
    double gains[VAR_inputs];
};

/* Follows the parameter. Returns whether the program goes on. */
static int follow_gains(DALProcess *p)
{
    const char *text = DAL_getParameter("gains", p);
    int is_first = !p->local->text;
    double gains[VAR_inputs];
    char why[NUMBERS_WHY];

    if (text == p->local->text)
        return 1;
    p->local->text = text;
    if (!numbers_read(gains, VAR_inputs, NUMBERS_BELOW(VAR_type), text, why))
        return numbers_refuse("mix", "gains", why, is_first, p);
    memcpy(p->local->gains, gains, sizeof(gains));
    return 1;
}

int Mix_fire(DALProcess *p)
{
    VAR_type *out = DAL_WRITE_TOKENS(VAR_type, out, VAR_block, VAR_block, 0, p);

    if (!out || !follow_gains(p))
        return 1;
    for (int n = 0; n < VAR_inputs; n++) {
        CREATEPORTVAR(port);
        CREATEPORT(port, "in", 1, n, VAR_inputs);
        const VAR_type *in = DAL_read_begin(port, sizeof(*in), VAR_block, p);
        VAR_type gain = (VAR_type)p->local->gains[n];
        if (!in)
            return 1;
        for (int i = 0; i < VAR_block; i++)
            out[i] = n ? out[i] + in[i] * gain : in[i] * gain;
        DAL_read_end(port, in, p);
    }
    DAL_write_end(PORT_out, out, p);
    return 0;
}
