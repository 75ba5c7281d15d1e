/*
 * Source: the calibration, then the frames of a file, strip by strip.
 *
 * Parameters: calibration and input, names of files (files.h); loop, how often the frames are
 * played, 0 = for ever. A firing is one strip of all frames of a block. The end is filled up to a
 * block.
 */
#include "dal.h"
#include "files.h"
#include "photon.h"

#include <math.h>
#include <stdlib.h>

#define PIECE_BLOCKS ((PIECES + VAR_frames - 1) / VAR_frames)
#define TOKEN_WORDS  (TOKEN_out_SIZE / 4)
#define FRAME_BYTES  (FRAME_HEAD_BYTES + 2L * VAR_width * VAR_height)

struct _local_states {
    FILE *frames;
    const char *name;
    float *calibration; /* PLANES planes of the whole frame */
    long loop;          /* times that the frames are played; 0: for ever */
    uint64_t count;     /* frames of the file */
    uint64_t block;     /* those of the calibration are the first ones */
    int strip;
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
    setvbuf(s->frames, NULL, _IONBF, 0);
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
    memcpy(to + HEAD_WORDS, from + (size_t)s->strip * PIXELS + half * (PIXELS / 2), 2L * PIXELS);
}

/* The strip of a frame. Returns 0, or -1 when the file cannot be read. */
static int send_frame(LocalState s, uint64_t frame, uint32_t *to)
{
    long at = (long)sizeof(struct file_head) + (long)(frame % s->count) * FRAME_BYTES;

    if (fseek(s->frames, at + FRAME_HEAD_BYTES + 2L * PIXELS * s->strip, SEEK_SET) != 0 ||
        fread(to + HEAD_WORDS, 2, PIXELS, s->frames) != PIXELS)
        return -1;
    to[HEAD_KIND] = KIND_FRAME;
    to[HEAD_LOW] = (uint32_t)frame;
    to[HEAD_HIGH] = (uint32_t)(frame >> 32);
    return 0;
}

/* Fills one token; `frame` is its number in the block. */
static int send_token(LocalState s, int number, uint32_t *to)
{
    uint64_t piece = s->block * VAR_frames + (uint64_t)number;
    uint64_t frame = (s->block - PIECE_BLOCKS) * VAR_frames + (uint64_t)number;

    memset(to, 0, HEAD_WORDS * sizeof(*to));
    to[HEAD_STRIP] = (uint32_t)s->strip;
    if (s->block < PIECE_BLOCKS && piece < PIECES)
        send_piece(s, piece, to);
    else if (s->block >= PIECE_BLOCKS && (s->loop == 0 || frame < (uint64_t)s->loop * s->count))
        return send_frame(s, frame, to);
    else
        memset(to + HEAD_WORDS, 0, 2L * PIXELS);
    return 0;
}

/* Has the last block been sent? */
static int is_over(LocalState s)
{
    uint64_t frame = (s->block - PIECE_BLOCKS) * VAR_frames;

    return s->loop > 0 && s->block >= PIECE_BLOCKS && frame >= (uint64_t)s->loop * s->count;
}

int Source_fire(DALProcess *p)
{
    LocalState s = p->local;
    uint32_t *out;
    int f;

    if (s->broken || is_over(s))
        return 1;
    out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    if (!out)
        return 1;
    for (f = 0; f < VAR_frames; f++)
        if (send_token(s, f, out + f * TOKEN_WORDS) != 0) {
            DAL_fail(p, "%s cannot be read to its end", s->name);
            s->broken = 1;
            return 1;
        }
    DAL_write_end(PORT_out, out, p);
    s->strip = (s->strip + 1) % STRIPS;
    s->block += s->strip == 0;
    return 0;
}

void Source_finish(DALProcess *p)
{
    free(p->local->calibration);
    if (p->local->frames)
        fclose(p->local->frames);
}
