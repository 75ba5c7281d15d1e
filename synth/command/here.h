/* Makes an architecture and a mapping for users who give none: all processes run on the cores of
 * this machine. */
#pragma once

#include "spec/base/text.h"

/* Adds an architecture of the cores that this process may use, and a mapping that lets any of them
 * fire any process. DAL_OK, or a code without a message. */
int dal_here_write(struct dal_text *architecture, struct dal_text *mapping);
