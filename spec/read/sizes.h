/* Sizes of tokens whose type is of a header (spec/model/types.h). One thread. */
#ifndef DAL_SPEC_READ_SIZES_H
#define DAL_SPEC_READ_SIZES_H

#include "spec/read/network.h"

/* Of all channels of a type with a header, when all of a network has been read: asks for the size,
 * as the C or C++ source at the channel's input is compiled, else the one at its output. Fills in
 * token_bytes where tokensize is left out, or compares, and then reads the initial tokens. Where
 * the network is only analysed, a size that is given is not looked at. Returns DAL_OK, also after
 * errors in diags, or what ends the reading. */
int dal__find_sizes(struct dal__reader *reader, struct dal__network_state *state);

#endif
