/* Times that programs measured: version 2 of a file of times (rt/observe/times.h). One thread. */
#pragma once

#include "spec/model/model.h"
#include "spec/read/json.h"

/* Reads the whole file, and gives processes their times as spec/read/times.h says. DAL_OK, also
 * when something was refused, or DAL_ERR_NOMEM. */
int dal__measured_read(struct dal_json *json, struct dal_spec *spec);

/* Gives a process the time of a file, of whichever version, instead of its sources' own. */
void dal__measured_set(struct dal_spec_process *process,
                       const struct dal_spec_execution_time *time);
