/* What Find, Measure and Report tell each other. */
#ifndef EVENTS_H
#define EVENTS_H

enum { HALF = 3, WIDE = 2 * HALF + 1 }; /* samples of a pulse on either side of its peak; all */

/* A peak with what is about it, cut out of its block. */
struct pulse {
    int at; /* number of the peak's sample in the block */
    int samples[WIDE];
};

struct event {
    int at;
    int height;
    int area;   /* sum of the samples */
    int centre; /* of the pulse, in 1/256 of a sample from its block's begin */
};

#endif
