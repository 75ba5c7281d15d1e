#ifndef WHOLE_H
#define WHOLE_H

#include <stdint.h>

/* Is a sound file of so many bytes as long as its header says, or has it its last page? Of a kind
 * that does not say that, or has sums and counts that libsndfile heeds, the answer is 1. */
int dal_part_is_whole(int fd, uint64_t bytes);

#endif
