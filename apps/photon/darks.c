/*
 * Darks: the dark frames of a file, strip by strip, a stage after the other.
 *
 * Parameter: input, the file's name (files.h). A firing is one strip of all frames of a block. A
 * block may have frames of two stages.
 */
#include "dal.h"
#include "darks.h"
#include "files.h"

#define FRAME_BYTES (FRAME_HEAD_BYTES + 2L * VAR_width * VAR_height)

struct _local_states {
    FILE *file;
    const char *name;
    struct file_head head;
    uint64_t block;
    int strip, broken;
};

void Darks_init(DALProcess *p)
{
    LocalState s = p->local;
    struct file_head *head = &s->head;
    char why[300] = "";
    uint64_t darks;

    s->name = DAL_getParameter("input", p);
    s->file = file_open(s->name, "dalframe", head, why, sizeof(why));
    darks = (uint64_t)head->dark[0] + head->dark[1] + head->dark[2];
    if (s->file && file_fits(head, s->name, VAR_width, VAR_height, why, sizeof(why)) &&
        file_has(s->file, s->name, head->frames, FRAME_BYTES, why, sizeof(why)) &&
        (darks != head->frames || !head->dark[0] || !head->dark[1] || !head->dark[2]))
        snprintf(why, sizeof(why), "%s has no dark frames of all three stages", s->name);
    s->broken = *why != '\0';
    if (s->broken)
        DAL_fail(p, "%s", why);
    else
        setvbuf(s->file, NULL, _IONBF, 0);
}

/* Fills one token. Returns 0, or -1 when the file cannot be read. */
static int send_token(LocalState s, uint64_t frame, uint32_t *to)
{
    long at = (long)sizeof(s->head) + (long)frame * FRAME_BYTES + FRAME_HEAD_BYTES;
    uint64_t first = s->head.dark[0], second = first + s->head.dark[1];

    memset(to, 0, HEAD_WORDS * sizeof(*to));
    to[HEAD_STRIP] = (uint32_t)s->strip;
    to[HEAD_LAST] = (s->block + 1) * VAR_frames >= s->head.frames;
    if (frame >= s->head.frames) {
        memset(to + HEAD_WORDS, 0, 2L * PIXELS);
        return 0;
    }
    to[HEAD_KIND] = KIND_FRAME;
    to[HEAD_PIECE] = frame < first ? 0 : frame < second ? 1 : 2;
    return fseek(s->file, at + 2L * PIXELS * s->strip, SEEK_SET) == 0 &&
                   fread(to + HEAD_WORDS, 2, PIXELS, s->file) == PIXELS
               ? 0
               : -1;
}

int Darks_fire(DALProcess *p)
{
    LocalState s = p->local;
    uint32_t *out;
    int f;

    if (s->broken || s->block * VAR_frames >= s->head.frames)
        return 1;
    out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    if (!out)
        return 1;
    for (f = 0; f < VAR_frames; f++)
        if (send_token(s, s->block * VAR_frames + (uint64_t)f, out + f * (TOKEN_out_SIZE / 4))) {
            DAL_fail(p, "%s cannot be read to its end", s->name);
            return 1;
        }
    DAL_write_end(PORT_out, out, p);
    s->strip = (s->strip + 1) % STRIPS;
    s->block += s->strip == 0;
    return 0;
}

void Darks_finish(DALProcess *p)
{
    if (p->local->file)
        fclose(p->local->file);
}
