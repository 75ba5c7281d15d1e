/*
 * Names the process that a signal ends: what it was in, its firing, and its windows. Everything
 * here runs in a signal's handler.
 */
#pragma once

#include "rt/base/thread.h"

struct dal_process;

/* For dal_thread_watch(). */
int dal_crash_tell(const struct dal_fault *fault);

/* Returns the process whose function the last fault was in, or NULL. */
struct dal_process *dal_crash_process(void);
