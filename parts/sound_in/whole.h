#ifndef WHOLE_H
#define WHOLE_H

#include <stdint.h>

/* Is a sound file of so many bytes as long as its header says, or has it its last page? Returns
 * NULL, or what it is or has instead. Of a kind that does not say that, or has sums and counts that
 * libsndfile heeds, the answer is NULL. */
const char *dal_part_find_fault(int fd, uint64_t bytes);

#endif
