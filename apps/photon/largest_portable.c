/* Largest for a core or a device: as in largest.h, and with the same bytes. A block is a frame. */
#include "dal.h"
#include "photon.h"

#include <math.h>
#include <stdint.h>

int Largest_fire(DALProcess *p)
{
    DAL_WINDOW const uint32_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    DAL_WINDOW uint32_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, 1, 1, 0, p);

    DAL_foreach (f : PORT_out) {
        DAL_WINDOW const uint32_t *token = in + f * (TOKEN_in_SIZE / 4);
        DAL_WINDOW const float *energies = (DAL_WINDOW const float *)(token + HEAD_WORDS);
        float most = -INFINITY;
        int i;
        for (i = f; i < HEAD_WORDS; i += VAR_frames)
            out[i] = in[i];
        for (i = 0; i < PIXELS && token[HEAD_KIND] == KIND_FRAME; i++)
            most = most < energies[i] ? energies[i] : most;
        ((DAL_WINDOW float *)(out + HEAD_WORDS))[f] = most + 0.0f;
    }
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
