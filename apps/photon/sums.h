/*
 * sums.h: a file of sums of energies, strip by strip; for the processes that write them.
 *
 * The strip of a sum is written to its place in the file. Sums of fewer frames than they should be
 * of, at the end of a recording, are left out. So are sums that lack strips, since the source was
 * stopped within a block.
 */
#ifndef PHOTON_SUMS_H
#define PHOTON_SUMS_H

#include "files.h"
#include "photon.h"

#include <stddef.h>
#include <unistd.h>

/* A file, also of other values than sums. */
struct record {
    FILE *file;     /* NULL: none wanted */
    uint32_t count; /* sums, or whatever there is in it */
    off_t end;      /* of sums: behind the last one that is whole */
};

/* Creates the file that a parameter names. Returns 0, or -1 after DAL_fail. */
static inline int record_create(DALProcess *p, struct record *r, const char *parameter,
                                const char *magic)
{
    struct file_head head = {.width = VAR_width, .height = VAR_height};
    const char *name = DAL_getParameter(parameter, p);
    char why[300];

    memcpy(head.magic, magic, sizeof(head.magic));
    if (!name || !*name)
        return 0;
    r->file = file_create(name, &head, why, sizeof(why));
    if (!r->file)
        DAL_fail(p, "%s", why);
    return r->file ? 0 : -1;
}

/* A strip of a sum over `frames` frames. Returns 0, or -1 when it cannot be written. */
static inline int record_sum(struct record *r, const uint32_t *token, int frames)
{
    uint64_t last = (uint64_t)token[HEAD_HIGH] << 32 | token[HEAD_LOW];
    uint64_t number = last / (uint64_t)frames;
    size_t at = number * VAR_width * VAR_height + (size_t)token[HEAD_STRIP] * PIXELS;

    if (!r->file || token[HEAD_KIND] != KIND_FRAME)
        return 0;
    if (token[HEAD_STRIP] == STRIPS - 1)
        r->count = (uint32_t)number + 1;
    r->end = (off_t)(sizeof(struct file_head) + sizeof(float) * r->count * VAR_width * VAR_height);
    return fseek(r->file, (long)(sizeof(struct file_head) + at * sizeof(float)), SEEK_SET) == 0 &&
                   fwrite(token + HEAD_WORDS, sizeof(float), PIXELS, r->file) == PIXELS
               ? 0
               : -1;
}

/* Writes into the head how many there are, and closes the file. Returns 0, or -1. */
static inline int record_finish(struct record *r)
{
    int failed;

    if (!r->file)
        return 0;
    failed = fseek(r->file, (long)offsetof(struct file_head, frames), SEEK_SET) != 0 ||
             fwrite(&r->count, sizeof(r->count), 1, r->file) != 1 || fflush(r->file) != 0 ||
             (r->end && ftruncate(fileno(r->file), r->end) != 0);
    return (fclose(r->file) != 0) | failed ? -1 : 0;
}

#endif
