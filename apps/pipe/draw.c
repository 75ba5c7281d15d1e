/* Draw: a square that moves a pixel a frame, to the right and down. */
#include "dal.h"

enum { SIDE = 10 };

struct _local_states {
    long drawn, frames;
};

void Draw_init(DALProcess *p)
{
    DAL_getParameterInt("frames", &p->local->frames, p);
}

int Draw_fire(DALProcess *p)
{
    uint8_t *frame;
    int left = (int)(p->local->drawn % (VAR_width - SIDE));
    int top = (int)(p->local->drawn % (VAR_height - SIDE));

    if (p->local->drawn >= p->local->frames)
        return 1;
    frame =
        DAL_write_begin(PORT_frames, TOKEN_frames_SIZE, TOKEN_frames_RATE, TOKEN_frames_RATE, 0, p);
    if (!frame)
        return 1;
    for (int y = 0; y < VAR_height; y++)
        for (int x = 0; x < VAR_width; x++)
            frame[y * VAR_width + x] =
                x >= left && x < left + SIDE && y >= top && y < top + SIDE ? 200 : 20;
    DAL_write_end(PORT_frames, frame, p);
    p->local->drawn++;
    return 0;
}
