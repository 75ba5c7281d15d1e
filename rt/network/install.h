/* What fills a network in: install.c, and fallback.c for what a device lacks. */
#ifndef DAL_RT_NETWORK_INSTALL_H
#define DAL_RT_NETWORK_INSTALL_H

#include "rt/network/network.h"

/* Fills in a network whose net, handler.wake, handler.control and handler.policy are set. Returns
 * as dal_network_create(); what there is by then is destroyed by dal_network_destroy(). */
int dal__network_install(struct dal_network *network, const struct dal_network_options *options);

/* Logs and returns DAL_ERR_NOMEM. */
int dal__no_memory(void);

/* Makes the launcher of a process by itself; where it cannot be had, the process falls back if it
 * may. Returns DAL_OK or a negative code, logged. */
int dal__make_launcher(struct dal_network *network, struct dal_process *process, int strict);

/* ---- fallback.c ------------------------------------------------------------------------------ */

/* Has a process another source, and may it be used? With `strict` it may not. */
int dal__may_fall_back(const struct dal_process *process, int strict);

/* A process takes its other source, for `reason`, a negative code, which is logged; its launcher
 * goes. Returns DAL_OK or DAL_ERR_NOMEM. */
int dal__fall_back(struct dal_network *network, struct dal_process *process, int reason);

/* Finishes one of the handler's launchers. */
void dal__remove_launcher(struct dal_handler *handler, struct dal_launcher *launcher);

/* A process at the channels of the port that `first` is of which may fall back, or NULL. */
struct dal_process *dal__find_movable(const struct dal_network *network, int first, int strict);

/* A process falls back since its device cannot have its part of a channel. The kinds of channels
 * depend on where it runs: all of them are destroyed, to be made anew. */
int dal__leave_device(struct dal_network *network, struct dal_process *process, int reason);

#endif
