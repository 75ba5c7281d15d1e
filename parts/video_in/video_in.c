/* Read: the frames of a video, one a firing, in the format that was asked for. */
#include "dal.h"
#include "../common/input_file.h"
#include "../common/scaled.h"
#include "decode.h"

struct _local_states {
    const char *name;
    struct decoder decoder;
    int is_open;
    struct scaled scaled;
};

void Read_init(DALProcess *p)
{
    LocalState s = p->local;
    uint64_t bytes;
    int fd;

    s->name = DAL_getParameter("file", p);
    fd = open_input(s->name, &bytes, p);
    if (fd < 0)
        return;
    s->is_open = 1;
    if (dal_part_open_video(&s->decoder, fd, bytes) != 0) {
        DAL_fail(p, "%s: %s", s->name, s->decoder.why);
        dal_part_close_video(&s->decoder);
        s->is_open = 0;
    }
}

int Read_fire(DALProcess *p)
{
    LocalState s = p->local;
    uint8_t *out;
    int more;

    if (!s->is_open)
        return 1;
    more = dal_part_next_frame(&s->decoder);
    if (more < 0)
        DAL_fail(p, "%s: %s", s->name, s->decoder.why);
    if (more <= 0)
        return 1;
    out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    if (!out ||
        convert_frame(&s->scaled, s->decoder.frame, out, s->name, s->decoder.frames, p) != 0)
        return 1;
    DAL_write_end(PORT_out, out, p);
    return 0;
}

void Read_finish(DALProcess *p)
{
    sws_freeContext(p->local->scaled.scaler);
    if (p->local->is_open)
        dal_part_close_video(&p->local->decoder);
}
