/* The mapping that a network names for itself. */
#pragma once

/* Returns the mapping that a network names for itself, which the caller frees. NULL without one, or
 * if the network cannot be read. */
char *dal_spec_own_mapping(const char *network_file);
