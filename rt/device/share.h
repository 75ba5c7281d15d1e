/*
 * Who has the next block: the rule by which a process is dealt to devices of unequal speed.
 *
 * A device has a part of the channels' room that goes by its part of the speed of all. Half of that
 * is a portion, so that one can be in a kernel while the next is being filled. Of a device that is
 * about as fast as the fastest, all of it is. Since tokens are
 * released in order, the others go on behind a slow device's portion only as far as there is room.
 * So a device that could do less than a block in that time has none. It has one now and then, to
 * see whether it still is as slow. Of the devices that may have more, the one that ends first does.
 *
 * A pure function: it reads no clock, and keeps nothing.
 */
#pragma once

#include <stdint.h>

/* A device as the rule sees it. */
struct dal_share {
    double block_ns; /* time for a block, when it has enough; 0: not known yet */
    double open;     /* blocks that it has been given and has not done */
    double passed;   /* blocks given to others since it was given one */
    int full;        /* true if its queue takes no more now */
};

/* The next blocks, and the device that has them; none, -1, while all have enough. */
struct dal_portion {
    int device;
    uint64_t blocks;
};

/* Deals at most `most` blocks. `room` is that of the channels, in blocks. Where no device has an
 * open block nor is full, somebody has the next one. */
struct dal_portion dal_share_next(const struct dal_share *devices, int count, uint64_t most,
                                  uint64_t room);
