/* Finds the sizes of tokens whose type is of a header (spec/model/types.h). One thread. */
#pragma once

#include "spec/read/network.h"

/* Asks for the sizes of all types with a header, after a network has been read. The size is that in
 * the C or C++ source at the channel's input, else in the one at its output. Fills in token_bytes
 * where tokensize is left out, compares it elsewhere, and then reads the initial tokens. Where the
 * network is only analysed, a given tokensize is not compared. Returns DAL_OK, also after errors in
 * diags, or what ends the reading. */
int dal__find_sizes(struct dal__reader *reader, struct dal__network_state *state);
