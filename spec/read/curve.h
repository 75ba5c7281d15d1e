/* Reads what launches take by their firings, in a file of times or of statistics. One thread. */
#pragma once

#include "spec/model/curve.h"
#include "spec/read/json.h"

/* Reads [LAUNCHES, FIRINGS, NS, ...] for a `struct dal_spec_curve *`, which is the caller's to free
 * also when something was refused. NULL without memory, and where there is no size. */
void dal__curve_read(struct dal_json *json, void *to);
