/* The functions that fill in a network. They return DAL_OK or a negative code, logged. */
#pragma once

#include "rt/network/network.h"

/* Fills in a network whose net, handler.wake, handler.control and handler.policy are set. Returns
 * as dal_network_create(). On failure, dal_network_destroy() destroys what there is. */
int dal__network_install(struct dal_network *network, const struct dal_network_options *options);

/* Sets a parameter by "PROCESS.NAME=VALUE" (parameters.c). */
int dal__set_parameters(struct dal_network *network, const char *text);

/* Makes the workers of cores that have anything to fire, and the threads of KPN processes
 * (workers.c). */
int dal__make_workers(struct dal_network *network);

/* ---- launchers.c ----------------------------------------------------------------------------- */

/* Opens the devices. If that fails, all processes on them fall back, if each may. */
int dal__open_devices(struct dal_network *network, int strict);

/* Makes the launchers of groups, and of processes by themselves, which fall back if they may. */
int dal__make_launchers(struct dal_network *network, int strict);

/* Returns a process that may fall back, at the channels of the port whose first channel is `first`,
 * or NULL. */
struct dal_process *dal__find_movable(const struct dal_network *network, int first, int strict);

/* Lets a process fall back, because its device cannot hold its part of a channel. All channels are
 * destroyed and made anew, since their kinds depend on where processes run. */
int dal__leave_device(struct dal_network *network, struct dal_process *process, int reason);
