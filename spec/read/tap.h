/*
 * Taps, recordings and processes alone: --tap, --replay and --only of the command line change the
 * flat network before it is checked. They put open ports (open.h) at the ends of channels:
 *
 *     --tap=PATTERN             at each output port whose name, "Gauss.out", fits: one more reader,
 *                               which records the tokens; an output port of a network or part,
 *                               "Left.mixed", is that of the process whose tokens it has
 *     --replay=PROCESS=FOLDER   in the place of a process, and of what only feeds it: a reader for
 *                               each channel that leads there, and what was recorded for each of
 *                               its output ports
 *     --only=PROCESS=FOLDER     in the place of all other processes: what was recorded for each of
 *                               its input ports, and one more reader that compares each output port
 *
 * Such a port is called after the port of the process. All else is as with ports of the network.
 */
#pragma once

#include "spec/read/network.h"

/* Makes these changes. Called when the channels are joined (join.h). Returns DAL_OK; DAL_ERR_LIMIT
 * or DAL_ERR_INVALID after an error in diags; or DAL_ERR_NOMEM. */
int dal__add_taps(struct dal_diags *diags, struct dal_spec_network *network, struct dal__raw *raw,
                  const struct dal_spec_define *defines, size_t define_count);
