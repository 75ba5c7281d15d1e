/* Box for a core or a device: means with all pixels added up, as in box_plain.cl. A block is a row.
 */
#include "dal.h"
#include "box.h"

#include <stdint.h>

int Box_fire(DALProcess *p)
{
    DAL_WINDOW const uint16_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, 1, p);
    DAL_WINDOW float *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, 1, 1, 0, p);

    DAL_foreach (y : PORT_out) {
        int x, i, j;
        for (x = 0; x < VAR_width; x++) {
            int sum = 0;
            for (i = y - VAR_radius; i <= y + VAR_radius; i++)
                for (j = x - VAR_radius; j <= x + VAR_radius; j++)
                    if (i >= 0 && i < VAR_height && j >= 0 && j < VAR_width)
                        sum += BOX_ADC(in[i * VAR_width + j]);
            out[y * VAR_width + x] = (float)sum * BOX_PART;
        }
    }
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
