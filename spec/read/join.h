/*
 * Joins the channels that meet at ports of parts: what is left is the flat network.
 *
 * At a port of a part, one channel leads to it and one or more lead from it. They become one
 * channel from producer to consumer for each consumer. It has the rate of the first channel at the
 * producer, and the rate of the last one at the consumer; none where one of them is counted. All
 * else may be said by any of them: the size and the initial tokens by one, what tokens are by all,
 * if it is the same. It has the name of the channel that stands outside of the others; where that
 * leads to several consumers, the second and each further channel has that of its last one.
 */
#pragma once

#include "spec/read/raw.h"

/* Returns DAL_OK; DAL_ERR_INVALID after an error in diags; or DAL_ERR_NOMEM. */
int dal__join_parts(struct dal_diags *diags, struct dal_spec_network *network,
                    struct dal__raw *raw);
