/*
 * A trace of a run for the page: Chrome's trace events, as DAL_TRACE=FILE.json of a program writes
 * them (rt/trace/chrome.c), become a time line (rt/trace/timeline.c). One thread.
 */
#ifndef DAL_VIEW_COMMAND_TRACE_H
#define DAL_VIEW_COMMAND_TRACE_H

#include "spec/base/diag.h"
#include "spec/base/text.h"

/*
 * Reads the whole file and adds one object of JSON: rows, events and what channels held. Of more
 * than 400000 events the newest of each row stay, and it says how many do not. DAL_OK;
 * DAL_ERR_INVALID with the reasons in diags, under [bad-trace]; or DAL_ERR_NOMEM.
 */
int dal_trace_read(struct dal_diags *diags, const char *file, struct dal_text *json);

#endif
