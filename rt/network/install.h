/* Between network.c, which has the life of a network, and install.c, which fills it in. */
#ifndef DAL_RT_NETWORK_INSTALL_H
#define DAL_RT_NETWORK_INSTALL_H

#include "rt/network/network.h"

/* Fills in a network whose net, handler.wake, handler.control and handler.policy are set. Returns
 * as dal_network_create(); what there is by then is destroyed by dal_network_destroy(). */
int dal__network_install(struct dal_network *network, const struct dal_network_options *options);

/* Logs and returns DAL_ERR_NOMEM. */
int dal__no_memory(void);

#endif
