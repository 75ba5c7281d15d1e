/*
 * Reads the trace of a run for the page. Chrome's trace events, as DAL_TRACE=FILE.json writes them
 * (rt/trace/chrome.c), become a time line (rt/trace/timeline.c). One thread.
 */
#pragma once

#include "spec/base/diag.h"
#include "spec/base/text.h"

/*
 * Reads the whole file and adds one object of JSON: rows, events and the channels' fill. If there
 * are more than 400000 events, the newest of each row stay, and the object tells how many do not.
 * Returns DAL_OK, DAL_ERR_NOMEM, or DAL_ERR_INVALID with the reasons in diags, under [bad-trace].
 */
int dal_trace_read(struct dal_diags *diags, const char *file, struct dal_text *json);
