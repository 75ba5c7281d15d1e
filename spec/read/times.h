/* Reads execution times from a file, by hand or as a program wrote it. One thread. */
#pragma once

#include "spec/base/diag.h"
#include "spec/model/model.h"

/*
 * Gives the processes that the JSON object in `file` names their times, whatever their sources say.
 * Returns DAL_OK, DAL_ERR_INVALID with the reasons in diags, or DAL_ERR_NOMEM.
 *
 * {"PROCESS": UNITS, ...} has integers from 0 to 2^40. A name is a process's name, or a name
 * without its indices, which goes for all that have no entry of their own. Anything else, also a
 * name twice, is an error.
 *
 * {"dal-times": 2, ...} is what a run with DAL_TIMES has measured (rt/observe/times.h). Names are
 * as above; entries of other processes are passed over, and so are members that are not known.
 * Where the mapping says where a process runs, entries of its processors count, or else all, those
 * of its first source first. Of several, it is the one with the nearest S and I, and then with the
 * most firings. One whose key is not that of the source (spec/model/key.h) is stale: a warning, and
 * not used. The time in units is the median in nanoseconds, at least 1. A curve of several sizes
 * comes along (spec/model/curve.h).
 */
int dal_times_read(struct dal_diags *diags, const char *file, struct dal_spec *spec);

/* Gives the text of such a file, as dal_file_read() does. Returns as above. */
int dal_times_load(struct dal_diags *diags, const char *file, char **text, size_t *length);
