#ifndef PATCHED_H
#define PATCHED_H

#include <sndfile.h>
#include <stdint.h>

/* Bytes that are read in place of others. */
struct patch {
    uint64_t at;
    unsigned count; /* 0: it is none */
    unsigned char bytes[8];
};

/* A sound file, in which libsndfile is to read what it understands. */
struct patched {
    int fd, error; /* of errno, where a read has failed */
    uint64_t bytes, at;
    struct patch patches[2];
};

/* Opens the file for reading, as sf_open_virtual(). */
SNDFILE *dal_part_open_patched(struct patched *file, SF_INFO *info);

#endif
