/* Which samples are peaks. */
#ifndef FIND_H
#define FIND_H

#include "events.h"

/* It is above the threshold, larger than the sample before, and no smaller than the next. Those at
 * the ends of a block are none: too little is known of them. */
static inline int is_peak(DAL_WINDOW const int *in, int i)
{
    return i >= HALF && i < VAR_samples - HALF && in[i] > VAR_threshold && in[i] > in[i - 1] &&
           in[i] >= in[i + 1];
}

#endif
