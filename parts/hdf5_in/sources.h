#ifndef SOURCES_H
#define SOURCES_H

#include <hdf5.h>

enum { WHY_BYTES = 2 * 4096 };

/* Is there all that has elements of a data set in its stead: files of bytes, and sets of other
 * files? Returns 0, or -1 and what it "has". Where one is missing, or ends too early, the library
 * would make elements up. */
int dal_part_check_sources(hid_t set, char why[WHY_BYTES]);

#endif
