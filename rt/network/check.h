/*
 * Checks a network after an orderly end, in checking builds. Every end has moved its rate in every
 * firing, and an iteration had the firings of the repetition vector.
 */
#pragma once

#include "rt/network/network.h"

/* Returns DAL_OK, or DAL_ERR_SYSTEM and logs what is wrong. Main thread, once nothing runs. */
int dal__network_check(const struct dal_network *network);
