/*
 * Names the process that a signal ends: what it was in, its firing, and its windows. Everything
 * here runs in a signal's handler.
 */
#pragma once

#include "rt/base/fault.h"

struct dal_line;

/* Has a fault in a thread of no process tell what is in flight on devices. `add` adds that to the
 * line and returns how much it is. It does only what a handler of signals may. */
void dal_crash_ask(int (*add)(struct dal_line *line));

/* For dal_faults_catch(). Who touches the pages beside a watched window is told alone (guard.h). */
enum dal_fault_end dal_crash_tell(const struct dal_fault *fault);
