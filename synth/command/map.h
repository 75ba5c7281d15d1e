/* dal map, dalmap: finds a mapping for a network, a machine and measured times. */
#pragma once

#include "synth/command/request.h"

struct dal_option;

/* Finds a mapping, or a front of them, and writes it. Returns an exit status, once all is told. */
int dal_verb_map(struct dal_request *request);

/* Take --objective and --pin, like the functions of synth/command/options.h. The text of a pin is
 * split in place. */
int dal_take_objective(struct dal_request *request, const struct dal_option *option, char *text);
int dal_take_pin(struct dal_request *request, const struct dal_option *option, char *text);
