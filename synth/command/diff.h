/* The verb dal diff: the first token in which two folders of recordings differ. */
#pragma once

#include "synth/command/request.h"

/* Returns 0 if they are the same, 1 if they differ, 2 if they cannot be compared, which is told. */
int dal_verb_diff(struct dal_request *request);
