/* Execution times from a file: {"PROCESS": UNITS, ...}. One thread. */
#ifndef DAL_SPEC_READ_TIMES_H
#define DAL_SPEC_READ_TIMES_H

#include "spec/diag.h"
#include "spec/model.h"

/*
 * Gives each process that the JSON object in `file` names the time units that stand there, whatever
 * its sources say. Units are integers from 0 to 2^40; a name is a process's name, or a name without
 * its indices, which goes for all that have no entry of their own. Anything else, also a name
 * twice, is an error. Returns DAL_OK, DAL_ERR_INVALID with the reasons in diags, or DAL_ERR_NOMEM.
 */
int dal_times_read(struct dal_diags *diags, const char *file, struct dal_spec_network *network);

#endif
