/* Types of C in a network: of tokens, and of the values of initial tokens. One thread. */
#pragma once

#include "spec/read/network.h"

/* Reads `tokentype` and `header` of a channel, whose place and name are known, and fills in
 * token_type, token_count and header. *bytes is what a token of a type of a fixed size has, where
 * tokensize is left out; else 0. Returns DAL_OK, DAL_ERR_INVALID after an error in diags, or
 * DAL_ERR_NOMEM. */
int dal__read_token_type(struct dal__reader *reader, const struct dal__network_state *state,
                         const xmlNode *element, struct dal_spec_channel *channel, int64_t *bytes);

/* Is a value one of a type: "float: 1 2 3"? */
int dal__is_typed(const char *value);

/* Gives the bytes of a value, for dal_free(), in *bytes, and how many. DAL_OK, DAL_ERR_INVALID with
 * the fault in `why`, or DAL_ERR_NOMEM. */
int dal__parse_typed(const char *value, unsigned char **bytes, size_t *count, char why[200]);
