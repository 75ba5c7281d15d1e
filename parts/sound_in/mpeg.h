#ifndef MPEG_H
#define MPEG_H

#include <stdint.h>

/* What a file of MPEG audio has, as MP3. */
struct mpeg {
    uint64_t frames;  /* of MPEG; 0: it is none, or they do not say how long they are */
    uint64_t told;    /* by the first one, which has no sound then; 0: it tells nothing */
    unsigned samples; /* of a channel, in each */
};

/* Counts the frames of a file of so many bytes. */
struct mpeg dal_part_count_mpeg(int fd, uint64_t bytes);

#endif
