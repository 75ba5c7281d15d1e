/*
 * Source: the calibration, then the frames of a file, strip by strip.
 *
 * Parameters: calibration and input, names of files (files.h); loop, how often the frames are
 * played, 0 = for ever. A firing is one strip of all frames of a block. The end is filled up to a
 * block.
 */
#include "dal.h"
#include "strips.h"

#include <math.h>
#include <stdlib.h>

#define PIECE_BLOCKS ((PIECES + VAR_frames - 1) / VAR_frames)

struct _local_states {
    FILE *frames;
    const char *name;
    float *calibration; /* PLANES planes of the whole frame */
    long loop;          /* times that the frames are played; 0: for ever */
    uint64_t count;     /* frames of the file */
    struct strips at;   /* blocks of the calibration are the first ones */
    int broken;
};

static void refuse(DALProcess *p, const char *why)
{
    DAL_fail(p, "%s", why);
    p->local->broken = 1;
}

/* A calibration of numbers: one that is none would go on in all frames. */
static int is_finite(const float *values, size_t count)
{
    size_t i;

    for (i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return 0;
    return 1;
}

static void read_calibration(DALProcess *p)
{
    size_t count = (size_t)PLANES * VAR_width * VAR_height;
    const char *name = DAL_getParameter("calibration", p);
    struct file_head head;
    char why[300] = "";
    FILE *file = file_open(name, "dalcalib", &head, why, sizeof(why));

    if (file && file_fits(&head, name, VAR_width, VAR_height, why, sizeof(why)) &&
        file_has(file, name, count, sizeof(float), why, sizeof(why))) {
        p->local->calibration = malloc(count * sizeof(float));
        if (!p->local->calibration ||
            fread(p->local->calibration, sizeof(float), count, file) != count)
            snprintf(why, sizeof(why), "%s cannot be read", name);
        else if (!is_finite(p->local->calibration, count))
            snprintf(why, sizeof(why), "%s has a number that is not finite", name);
    }
    if (file)
        fclose(file);
    if (*why)
        refuse(p, why);
}

static void open_frames(DALProcess *p)
{
    LocalState s = p->local;
    struct file_head head;
    char why[300] = "";

    s->name = DAL_getParameter("input", p);
    s->frames = file_open(s->name, "dalframe", &head, why, sizeof(why));
    if (s->frames && file_fits(&head, s->name, VAR_width, VAR_height, why, sizeof(why)) &&
        file_has(s->frames, s->name, head.frames, FRAME_BYTES, why, sizeof(why)) &&
        head.frames == 0)
        snprintf(why, sizeof(why), "%s has no frames", s->name);
    if (*why) {
        refuse(p, why);
        return;
    }
    s->count = head.frames;
}

void Source_init(DALProcess *p)
{
    LocalState s = p->local;

    s->loop = 1;
    s->broken = DAL_getParameterInt("loop", &s->loop, p) != 0;
    if (!s->broken && s->loop < 0) {
        DAL_fail(p, "loop is how often the frames are played, or 0, not %ld", s->loop);
        s->broken = 1;
    }
    if (!s->broken)
        read_calibration(p);
    if (!s->broken)
        open_frames(p);
    if (!s->broken && s->loop > 0)
        DAL_setLength(
            (PIECE_BLOCKS + ((uint64_t)s->loop * s->count + VAR_frames - 1) / VAR_frames) * STRIPS,
            p);
}

/* Half a plane of the strip. */
static void send_piece(LocalState s, uint64_t piece, uint32_t *to)
{
    size_t plane = (size_t)piece / 2, half = (size_t)piece % 2;
    const float *from = s->calibration + plane * VAR_width * VAR_height;

    to[HEAD_KIND] = KIND_PIECE;
    to[HEAD_PIECE] = (uint32_t)piece;
    memcpy(to + HEAD_WORDS, from + (size_t)s->at.strip * PIXELS + half * (PIXELS / 2), 2L * PIXELS);
}

/* Fills one token; `number` is its place in the block. Returns -1 when the file cannot be read. */
static int send_token(LocalState s, int number, uint32_t *to)
{
    uint64_t piece = s->at.block * VAR_frames + (uint64_t)number;
    uint64_t frame = (s->at.block - PIECE_BLOCKS) * VAR_frames + (uint64_t)number;

    memset(to, 0, HEAD_WORDS * sizeof(*to));
    to[HEAD_STRIP] = (uint32_t)s->at.strip;
    if (s->at.block < PIECE_BLOCKS && piece < PIECES)
        send_piece(s, piece, to);
    else if (s->at.block >= PIECE_BLOCKS &&
             (s->loop == 0 || frame < (uint64_t)s->loop * s->count)) {
        to[HEAD_KIND] = KIND_FRAME;
        to[HEAD_LOW] = (uint32_t)frame;
        to[HEAD_HIGH] = (uint32_t)(frame >> 32);
        return read_strip(s->frames, frame % s->count, s->at.strip, to);
    } else
        memset(to + HEAD_WORDS, 0, 2L * PIXELS);
    return 0;
}

/* Has the last block been sent? */
static int is_over(LocalState s)
{
    uint64_t frame = (s->at.block - PIECE_BLOCKS) * VAR_frames;

    return s->loop > 0 && s->at.block >= PIECE_BLOCKS && frame >= (uint64_t)s->loop * s->count;
}

int Source_fire(DALProcess *p)
{
    LocalState s = p->local;

    return s->broken || is_over(s) || send_strip(p, &s->at, s->name, send_token);
}

void Source_finish(DALProcess *p)
{
    free(p->local->calibration);
    if (p->local->frames)
        fclose(p->local->frames);
}
