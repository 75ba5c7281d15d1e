/* What channels say that meet at ports of parts, and become one (join.h). One thread. */
#pragma once

#include "spec/read/raw.h"

/* Lets the last channel take what another one on its way says: all but the rates, and what its
 * tokens are. Returns 1 after an error in diags, where only one of them may say it. */
int dal__meet(struct dal_diags *diags, struct dal_spec_network *network,
              struct dal__raw_network *raw, size_t last, size_t other);

/* Refuses the rates of a channel that is one with a counted one. Returns 1 after the error. */
int dal__meet_counted(struct dal_diags *diags, const struct dal_spec_channel *counted,
                      const struct dal_spec_channel *other, const struct dal__raw_channel *raw);
