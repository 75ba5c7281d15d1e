/*
 * A thread that finds, for each pool of several cores, how many of its workers take part
 * (rt/host/throttle.h), and parks the others. It looks every ten milliseconds at how many firings
 * were released.
 *
 * Left alone are pools with a periodic process, whose releases need a core at once. So are all
 * pools if the network's limits say so (--all-cores).
 *
 * In a build for tests DAL_TEST_PARK=SEED parks workers by chance instead, very often.
 */
#pragma once

#include "rt/model/network.h"

/* Starts the thread, if there is a pool for it. Returns DAL_OK, DAL_ERR_NOMEM or DAL_ERR_SYSTEM,
 * logged. */
int dal_throttles_start(struct dal_network *network);

/* Ends the thread. Accepts a network without one. */
void dal_throttles_stop(struct dal_network *network);
