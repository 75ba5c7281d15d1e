/*
 * The monitor of a running network is a thread that looks now and then at what others have made
 * visible. The thread that runs the network does it, unless something is to be watched once all
 * others have ended: devices, ranks or finish functions. It ends a network in which nothing runs,
 * nothing moves, and nothing waits for the time to fire (rt/host/timer.h). It also ends one whose
 * device does not answer (the watchdog). It asks long activations to end early, and reports calls
 * that do not return (rt/watch/watchdog.h). It finds the deadlocks of KPN processes, which are
 * resolved or reported (rt/watch/resolve.h). The ranks together find those that cross nodes
 * (rt/nodes/global_snapshot.h).
 *
 * The monitor reads only atomics, and changes things only through dal_channel_grow() and
 * dal_control_break(). A verdict is computed from two snapshots and nothing else
 * (rt/base/snapshot.h).
 */
#pragma once

#include "rt/model/network.h"

/* Ten seconds; two minutes; ten minutes; io without limit; every minute; one gigabyte. */
extern const struct dal_monitor_limits dal_monitor_usual;

/* Makes the monitor, and its thread if it needs one, when all others are started, with the
 * network's limits. Returns DAL_OK, DAL_ERR_NOMEM or DAL_ERR_SYSTEM, logged. */
int dal_monitor_start(struct dal_network *network);

/* Waits until the others have left (rt/control/control.h), and watches them if no thread does. */
void dal_monitor_watch(struct dal_network *network);

/* Ends the thread, once all others have been joined and finish has been called. Accepts a network
 * without a monitor. */
void dal_monitor_stop(struct dal_network *network);
