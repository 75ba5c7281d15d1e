/* Types of C in a network: of tokens, and of the values of initial tokens. One thread. */
#pragma once

#include "spec/read/network.h"

/* Reads `tokentype` and `header` of a channel, whose place and name are known, and fills in
 * token_type, token_count and header. *bytes is what a token of a type of a fixed size has, where
 * tokensize is left out; else 0. Returns DAL_OK, DAL_ERR_INVALID after an error in diags, or
 * DAL_ERR_NOMEM. */
int dal__read_token_type(struct dal__reader *reader, const struct dal__network_state *state,
                         const xmlNode *element, struct dal_spec_channel *channel, int64_t *bytes);

/* Takes what the tokens of another channel, or of a port, are for those of a channel that does not
 * say it. Returns 1 where both say it and differ. */
int dal__take_tokens(struct dal_diags *diags, struct dal_spec_channel *channel,
                     const struct dal_spec_channel *other);
/* Tells that the tokens of a channel differ from those of another one, or of a port. */
void dal__refuse_tokens(struct dal_diags *diags, const struct dal_spec_channel *channel,
                        const struct dal_spec_channel *other);
/* Both: takes what the tokens are, and returns 1 after an error in diags where they differ. */
int dal__agree_on_tokens(struct dal_diags *diags, struct dal_spec_channel *channel,
                         const struct dal_spec_channel *other);

/* Returns the kind of a type of numbers, 'i', 'u' or 'f', and its bytes; 0 without one. */
char dal__type_kind(const char *name, size_t *bytes);

/* Is a value one of a type: "float: 1 2 3"? */
int dal__is_typed(const char *value);

/* Gives the bytes of a value, for dal_free(), in *bytes, and how many. DAL_OK, DAL_ERR_INVALID with
 * the fault in `why`, or DAL_ERR_NOMEM. */
int dal__parse_typed(const char *value, unsigned char **bytes, size_t *count, char why[200]);
