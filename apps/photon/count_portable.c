/* Count for a core or a device: as in count.h, and with the same bytes. A block is a row. */
#include "dal.h"
#include "photon.h"

#include <stdint.h>

int Count_fire(DALProcess *p)
{
    DAL_WINDOW const uint32_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    DAL_WINDOW uint32_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, 1, 1, 0, p);

    DAL_foreach (row : PORT_out) {
        uint32_t invalid = 0;
        int i, f;
        for (f = 0; f < VAR_frames; f++)
            invalid += in[f * (TOKEN_in_SIZE / 4) + HEAD_WORDS + PIXELS + row];
        out[HEAD_WORDS + PIXELS + row] = invalid;
        for (i = row; i < HEAD_WORDS; i += VAR_rows)
            out[i] = in[i];
        for (i = row * VAR_width; i < (row + 1) * VAR_width; i++) {
            uint32_t sum = 0;
            for (f = 0; f < VAR_frames; f++) {
                DAL_WINDOW const uint32_t *token = in + f * (TOKEN_in_SIZE / 4) + HEAD_WORDS;
                float energy = ((DAL_WINDOW const float *)token)[i];
                float photons = (energy + 0.5f * PHOTON) * (1.0f / PHOTON);
                photons = photons > 0.0f ? photons : 0.0f;
                photons = photons < 65535.0f ? photons : 65535.0f;
                sum += (uint32_t)(int32_t)photons;
            }
            out[HEAD_WORDS + i] = sum;
        }
    }
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
