/* Files of times that several runs are merged into (rt/observe/times.h). One thread. */
#pragma once

#include "spec/base/diag.h"

/* May measurements on such cores be merged into `file`? It must be of version 2 and of the same
 * cores, or not exist: then *is_there is 0. Returns DAL_OK, DAL_ERR_INVALID with the reason in
 * diags, or DAL_ERR_NOMEM. */
int dal_times_may_merge(struct dal_diags *diags, const char *file, const char *cores,
                        int *is_there);

/* Returns how many processes `measured` has times of; 0 also for a file that cannot be read. */
size_t dal_times_processes(const char *measured);

/* Puts the entries of `measured` into `file`, which is replaced as a whole, or made. Entries there
 * of the same process, place, key, S and I go; all others stay as they are. Without a new one that
 * is an error. Returns as above, or DAL_ERR_IO, logged. */
int dal_times_merge(struct dal_diags *diags, const char *file, const char *measured);
