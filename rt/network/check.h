/*
 * What must hold of a network that has come to an orderly end, looked at in checking builds: every
 * end has moved its rate in every firing, and an iteration had the firings of the repetition
 * vector.
 */
#ifndef DAL_RT_NETWORK_CHECK_H
#define DAL_RT_NETWORK_CHECK_H

#include "rt/network/network.h"

/* DAL_OK, or DAL_ERR_SYSTEM with a message of what does not hold. Main thread, nothing runs. */
int dal__network_check(const struct dal_network *network);

#endif
