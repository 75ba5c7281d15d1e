/*
 * The monitor of a running network: one thread that looks now and then at what everybody has made
 * visible. It ends a network in which nothing runs, nothing moves any more, and nothing waits for
 * the time to fire (rt/host/timer.h), or whose device does not answer (the watchdog); asks
 * activations that take long to end early, and reports what does not return (rt/watch/watch.h);
 * and finds the deadlocks that KPN processes can run into, which are resolved or reported
 * (rt/watch/resolve.h). Those that cross nodes are found by the ranks together
 * (rt/nodes/survey.h).
 *
 * The monitor reads atomics only, and changes nothing but through dal_channel_grow() and
 * dal_control_break(). A verdict is computed from two snapshots, and from nothing else
 * (rt/base/snapshot.h).
 */
#ifndef DAL_RT_WATCH_MONITOR_H
#define DAL_RT_WATCH_MONITOR_H

#include "rt/base/sync.h"
#include "rt/base/wake.h"
#include "rt/watch/look.h"
#include "rt/watch/watch.h"

#include <stdint.h>

struct dal_network;

struct dal_monitor_limits {
    int64_t
        stall_ns; /* that nothing runs and no token moves before the network is ended; 0: never */
    int runs_too; /* also while something of a process that is not io runs */
    int64_t device_ns; /* that launches are in flight and none completes before it is; 0: never */
    int64_t link_ns;   /* the same of messages between nodes */
    int64_t io_ns;     /* that a process of type io may be in one firing; 0: as long as it likes */
    int64_t report_ns; /* how often it is said what has not returned; 0: never */
    uint64_t growth_bytes; /* that channels may grow by, together */
};

/* Ten seconds; two minutes, ten, for ever; every minute; one gigabyte. */
extern const struct dal_monitor_limits dal_monitor_usual;

struct dal_monitor {
    struct dal_network *network;
    struct dal_monitor_limits limits;
    struct dal_wake wake;
    _Atomic int stopping;
    int has_kpn;
    struct dal_look look;
    int64_t still_ns; /* that nothing has run or moved */
    struct dal_watch watch;
    pthread_t thread;
    int running;
};

/* Starts the thread where there is something to watch. DAL_OK, DAL_ERR_NOMEM or DAL_ERR_SYSTEM,
 * logged. After the processes are linked. */
int dal_monitor_start(struct dal_monitor *monitor, struct dal_network *network,
                      const struct dal_monitor_limits *limits);

/* Ends the thread; once all others have been joined, and finish has been called. Accepts one that
 * was not started. */
void dal_monitor_stop(struct dal_monitor *monitor);

#endif
