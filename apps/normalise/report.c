/* Report: prints the largest sum of each frame, and a checksum over the bytes of all. */
#include "dal.h"

#include <stdint.h>

struct _local_states {
    uint64_t checksum, frames;
};

int Report_fire(DALProcess *p)
{
    const float *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    const unsigned char *bytes = (const unsigned char *)in;
    float largest = in[0];

    for (int i = 1; i < VAR_samples; i++)
        largest = in[i] > largest ? in[i] : largest;
    for (int i = 0; i < TOKEN_in_SIZE; i++)
        p->local->checksum = (p->local->checksum ^ bytes[i]) * 0x100000001b3u;
    DAL_printf("frame %d: %.6f\n", (int)p->local->frames++, largest);
    DAL_read_end(PORT_in, in, p);
    return 0;
}

void Report_finish(DALProcess *p)
{
    DAL_printf("checksum %016llx\n", (unsigned long long)p->local->checksum);
}
