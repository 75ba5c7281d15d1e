/* The mapping that a network names for itself. */
#pragma once

#include "spec/base/diag.h"

/* Returns the mapping that a network names for itself, which the caller frees. NULL without one, or
 * if the network cannot be read, with the reasons in diags. */
char *dal_spec_own_mapping(struct dal_diags *diags, const char *network_file);
