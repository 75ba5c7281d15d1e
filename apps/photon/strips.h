/*
 * strips.h: what those who read a file of frames strip by strip have in common.
 *
 * A source sends one strip of all frames of a block in a firing, strip after strip.
 */
#ifndef PHOTON_STRIPS_H
#define PHOTON_STRIPS_H

#include "files.h"
#include "photon.h"

#include <unistd.h>

#define FRAME       ((size_t)VAR_width * VAR_height)
#define FRAME_BYTES (FRAME_HEAD_BYTES + 2L * VAR_width * VAR_height)

/* Reads the words of a strip behind the token's head. Returns 0, or -1 if the file is too short. */
static inline int read_strip(FILE *file, uint64_t frame, int strip, uint32_t *token)
{
    long at = (long)sizeof(struct file_head) + (long)frame * FRAME_BYTES + FRAME_HEAD_BYTES;
    ssize_t bytes = 2L * PIXELS;

    return pread(fileno(file), token + HEAD_WORDS, (size_t)bytes, at + bytes * strip) == bytes ? 0
                                                                                               : -1;
}

#ifdef DAL_H
struct strips {
    uint64_t block;
    int strip; /* of that block: the next one */
};

/* A firing: `fill` fills token `number` of the block, or returns -1 when the file cannot be read.
 * Returns what the firing does. */
static inline int send_strip(DALProcess *p, struct strips *at, const char *name,
                             int (*fill)(LocalState s, int number, uint32_t *to))
{
    uint32_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    int f;

    if (!out)
        return 1;
    for (f = 0; f < VAR_frames; f++)
        if (fill(p->local, f, out + f * (TOKEN_out_SIZE / 4)) != 0) {
            DAL_fail(p, "%s cannot be read to its end", name);
            return 1;
        }
    DAL_write_end(PORT_out, out, p);
    at->strip = (at->strip + 1) % STRIPS;
    at->block += at->strip == 0;
    return 0;
}
#endif

#endif
