/* The verbs of live parameters of a program that runs. */
#pragma once

#include "synth/command/options.h"

/* Return the exit status. */
int dal_set(struct dal_request *request);
int dal_get(struct dal_request *request);
