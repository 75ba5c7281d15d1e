/* Whether connections lead to the ports that a channel has, one to write it and one to read it. One
 * thread. */
#pragma once

#include "spec/read/raw.h"

/* Lists channels by name, for those that find the ends of connections. A second one of a name in
 * the same use of a file is refused; those of two parts of one name are the parts' fault. Returns
 * DAL_OK, DAL_ERR_INVALID after an error in diags, or DAL_ERR_NOMEM. */
int dal__list_channels(struct dal_diags *diags, const struct dal_spec_network *network,
                       struct dal_names *names);

/* Has a channel both ports? Returns 1, or 0 after an error in diags. */
int dal__check_channel_ports(struct dal_diags *diags, const struct dal_spec_channel *channel,
                             const struct dal__raw_channel *ports);

/* Does a connection lead to the input port of a channel, or from its output port? Returns 1, or 0
 * after an error in diags. */
int dal__check_channel_end(struct dal_diags *diags, const struct dal__raw_connection *connection,
                           const struct dal_spec_channel *channel,
                           const struct dal__raw_channel *ports, int leads_in);
