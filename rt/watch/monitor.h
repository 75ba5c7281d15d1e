/*
 * The monitor of a running network is one thread that looks now and then at what others have made
 * visible. It ends a network in which nothing runs, nothing moves, and nothing waits for the time
 * to fire (rt/host/timer.h). It also ends one whose device does not answer (the watchdog). It asks
 * long activations to end early, and reports calls that do not return (rt/watch/watch.h). It
 * finds the deadlocks of KPN processes, which are resolved or reported (rt/watch/resolve.h). The
 * ranks together find those that cross nodes (rt/nodes/survey.h).
 *
 * The monitor reads only atomics, and changes things only through dal_channel_grow() and
 * dal_control_break(). A verdict is computed from two snapshots and nothing else
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
        stall_ns; /* without a firing or a token's move, before the network is ended; 0: never */
    int runs_too; /* True: it is ended even while a process that is not io runs. */
    int64_t device_ns;     /* with launches in flight and none completing; 0: never */
    int64_t link_ns;       /* the same for messages between nodes */
    int64_t io_ns;         /* of one firing of an io process; 0: without limit */
    int64_t report_ns;     /* between reports of calls that have not returned; 0: never */
    uint64_t growth_bytes; /* that all channels may grow by, together */
};

/* Ten seconds; two minutes; ten minutes; io without limit; every minute; one gigabyte. */
extern const struct dal_monitor_limits dal_monitor_usual;

struct dal_monitor {
    struct dal_network *network;
    struct dal_monitor_limits limits;
    struct dal_wake wake;
    _Atomic int stopping;
    int has_kpn;
    struct dal_look look;
    int64_t still_ns; /* in which nothing has run or moved */
    struct dal_watch watch;
    pthread_t thread;
    int running;
};

/* Starts the thread if there is something to watch, once the processes are linked. Returns DAL_OK,
 * DAL_ERR_NOMEM or DAL_ERR_SYSTEM, logged. */
int dal_monitor_start(struct dal_monitor *monitor, struct dal_network *network,
                      const struct dal_monitor_limits *limits);

/* Ends the thread, once all others have been joined and finish has been called. Accepts one that
 * was not started. */
void dal_monitor_stop(struct dal_monitor *monitor);

#endif
