/*
 * Darks: the dark frames of a file, strip by strip, a stage after the other.
 *
 * Parameter: input, the file's name (files.h). A firing is one strip of all frames of a block. A
 * block may have frames of two stages.
 */
#include "dal.h"
#include "darks.h"
#include "strips.h"

struct _local_states {
    FILE *file;
    const char *name;
    struct file_head head;
    struct strips at;
    int broken;
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
}

/* Fills one token. Returns 0, or -1 when the file cannot be read. */
static int send_token(LocalState s, int number, uint32_t *to)
{
    uint64_t frame = s->at.block * VAR_frames + (uint64_t)number;
    uint64_t first = s->head.dark[0], second = first + s->head.dark[1];

    memset(to, 0, HEAD_WORDS * sizeof(*to));
    to[HEAD_STRIP] = (uint32_t)s->at.strip;
    to[HEAD_LAST] = (s->at.block + 1) * VAR_frames >= s->head.frames;
    if (frame >= s->head.frames) {
        memset(to + HEAD_WORDS, 0, 2L * PIXELS);
        return 0;
    }
    to[HEAD_KIND] = KIND_FRAME;
    to[HEAD_PIECE] = frame < first ? 0 : frame < second ? 1 : 2;
    return read_strip(s->file, frame, s->at.strip, to);
}

int Darks_fire(DALProcess *p)
{
    LocalState s = p->local;

    return s->broken || s->at.block * VAR_frames >= s->head.frames ||
           send_strip(p, &s->at, s->name, send_token);
}

void Darks_finish(DALProcess *p)
{
    if (p->local->file)
        fclose(p->local->file);
}
