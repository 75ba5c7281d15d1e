/*
 * Open ports: the ports of a network that is a whole program. What is outside is decided when the
 * program runs: a file, a pipe. Here each becomes a process of the port's name, which gives the
 * tokens or takes them. It has one port, `out` or `in`, and a thread that waits (a KPN process). So
 * to the analysis the outside is always ready.
 */
#pragma once

#include "spec/read/network.h"

/* Adds the process of one: `output` if it gives the tokens. Returns DAL_OK; DAL_ERR_LIMIT after an
 * error in diags; or DAL_ERR_NOMEM. */
int dal__add_open(struct dal_diags *diags, struct dal_spec_network *network, const char *name,
                  int output, struct dal_spec_place place);

/* Makes these processes, and lets the channels at the network's own ports lead to them. Called
 * before parts are joined (join.h). Returns DAL_OK, DAL_ERR_INVALID after an error in diags, or
 * DAL_ERR_NOMEM. */
int dal__open_ports(struct dal_diags *diags, struct dal_spec_network *network,
                    struct dal__raw *raw);
