#ifndef WHOLE_H
#define WHOLE_H

#include "patched.h"

/* Is a sound file as long as its header says, or has it its last page? Returns NULL, or what it is
 * or has instead. Of a kind that does not say that, or has sums and counts that libsndfile heeds,
 * the answer is NULL. Where the header leaves the length open, patches in one that libsndfile
 * takes to the end of the file. */
const char *dal_part_find_fault(struct patched *file);

#endif
