/*
 * Names the process that a signal ends: what it was in, its firing, and its windows. Everything
 * here runs in a signal's handler.
 */
#pragma once

#include "rt/base/fault.h"

/* For dal_faults_catch(). Who touches the pages beside a watched window is told alone (guard.h). */
int dal_crash_tell(const struct dal_fault *fault);
