/* The functions that fill in a network: install.c, and fallback.c for what a device lacks. */
#ifndef DAL_RT_NETWORK_INSTALL_H
#define DAL_RT_NETWORK_INSTALL_H

#include "rt/network/network.h"

/* Fills in a network whose net, handler.wake, handler.control and handler.policy are set. Returns
 * as dal_network_create(). On failure, dal_network_destroy() destroys what there is. */
int dal__network_install(struct dal_network *network, const struct dal_network_options *options);

/* Makes the launcher of a process by itself. If that fails, the process falls back if it may.
 * Returns DAL_OK or a negative code, logged. */
int dal__make_launcher(struct dal_network *network, struct dal_process *process, int strict);

/* ---- fallback.c ------------------------------------------------------------------------------ */

/* Returns whether a process has another source that may be used; with `strict` it may not. */
int dal__may_fall_back(const struct dal_process *process, int strict);

/* Makes a process use its other source. `reason`, a negative code, is logged; its launcher goes.
 * Returns DAL_OK or DAL_ERR_NOMEM. */
int dal__fall_back(struct dal_network *network, struct dal_process *process, int reason);

/* Finishes one of the handler's launchers. */
void dal__remove_launcher(struct dal_handler *handler, struct dal_launcher *launcher);

/* Returns a process that may fall back, at the channels of the port whose first channel is `first`,
 * or NULL. */
struct dal_process *dal__find_movable(const struct dal_network *network, int first, int strict);

/* Lets a process fall back, because its device cannot hold its part of a channel. All channels are
 * destroyed and made anew, since their kinds depend on where processes run. */
int dal__leave_device(struct dal_network *network, struct dal_process *process, int reason);

#endif
