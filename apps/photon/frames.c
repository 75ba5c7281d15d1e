/* Frames: the frames of a file (files.h), each a token without its head. Parameters: input, its
 * name; loop, how often they are played; frames, how many that are instead, if it is not 0. */
#include "dal.h"
#include "files.h"

#define PIXELS      ((size_t)VAR_width * VAR_height)
#define FRAME_BYTES (FRAME_HEAD_BYTES + 2 * PIXELS)

struct _local_states {
    FILE *file;
    const char *name;
    long loop, left;    /* frames to send */
    uint32_t count, at; /* frames of the file; the next one */
};

void Frames_init(DALProcess *p)
{
    LocalState s = p->local;
    struct file_head head;
    char why[300] = "";

    s->name = DAL_getParameter("input", p);
    if (DAL_getParameterInt("loop", &s->loop, p) != 0 ||
        DAL_getParameterInt("frames", &s->left, p) != 0)
        return;
    s->file = file_open(s->name, "dalframe", &head, why, sizeof(why));
    if (s->file && file_fits(&head, s->name, VAR_width, VAR_height, why, sizeof(why)) &&
        file_has(s->file, s->name, head.frames, FRAME_BYTES, why, sizeof(why)))
        s->count = head.frames;
    if (s->left == 0)
        s->left = s->loop * (long)s->count;
    if (*why)
        DAL_fail(p, "%s", why);
}

int Frames_fire(DALProcess *p)
{
    LocalState s = p->local;
    long at = (long)(sizeof(struct file_head) + s->at * FRAME_BYTES + FRAME_HEAD_BYTES);
    uint16_t *out;

    if (s->left <= 0 || s->count == 0)
        return 1;
    out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, 1, 1, 0, p);
    if (!out)
        return 1;
    if (fseek(s->file, at, SEEK_SET) != 0 || fread(out, 2, PIXELS, s->file) != PIXELS) {
        DAL_fail(p, "%s cannot be read to its end", s->name);
        return 1;
    }
    DAL_write_end(PORT_out, out, p);
    s->at = (s->at + 1) % s->count;
    s->left--;
    return 0;
}

void Frames_finish(DALProcess *p)
{
    if (p->local->file)
        fclose(p->local->file);
}
