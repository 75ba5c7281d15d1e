/*
 * The runs of one application of several: it is started, paused, resumed, stopped, and started
 * again, as the controller wants (rt/app/controller.h), whose thread calls all of these. A run has
 * a thread of its own, which waits for the network's workers and handler, and tells of its end.
 *
 * On several nodes each rank has its part of a run. Starting and joining one is done by all ranks
 * together.
 */
#ifndef DAL_RT_APP_APPLICATION_H
#define DAL_RT_APP_APPLICATION_H

#include "rt/network/network.h"
#include "rt/nodes/nodes.h"
#include "rt/base/sync.h"

/* What the runs of all applications have in common. */
struct dal_runs {
    int strict;
    const struct dal_monitor_limits *limits;
    struct dal_events *events;
    struct dal_strands
        *strands; /* of several ranks: application i has strand i + 1; NULL otherwise */
    const char *program;
};

/* A description and, while it is started, its network. The controller's but for `error` and
 * `ended`, which the run's thread sets (release, after the last use of the network; the controller
 * acquires). */
struct dal_application {
    const struct dal_application_desc *desc;
    const struct dal_runs *runs;
    int number;
    enum dal_application_status wanted;
    struct dal_network *network; /* NULL: not started */
    struct dal_nodes *nodes;     /* of a run on several */
    struct dal_devices *devices; /* once it was: its next start opens and builds nothing */
    int started;                 /* how often */
    int ends;                    /* ranks whose part of the run has ended by itself */
    int held;                    /* it has ended by itself while paused: told when it is resumed */
    char *label;
    const char **overrides;
    int override_count;
    pthread_t thread;
    int error;
    _Atomic int ended;
};

/* Installs and starts it. DAL_OK or a negative code, logged, and nothing is started. */
int dal_application_start(struct dal_application *application);

/* What there is drains, also when it was paused. */
void dal_application_stop(struct dal_application *application);

/* What there is comes to rest where it is. */
void dal_application_pause(struct dal_application *application);

void dal_application_resume(struct dal_application *application);

/* Ends early what there is. */
void dal_application_break(struct dal_application *application, int error);

/* Is it as it is wanted, as far as it is not to be started or resumed? Its events are signalled
 * when that changes. */
int dal_application_is_settled(struct dal_application *application);

/* Joins a run that has ended or is about to, and reports. Returns its error. */
int dal_application_join(struct dal_application *application);

/* Installs it once, the parts of all nodes one after the other, and removes it. DAL_OK or a
 * negative code, logged. */
int dal_application_try(struct dal_application *application);

#endif
