/*
 * The runs of one application of several. The controller (rt/app/controller.h) starts, pauses,
 * resumes and stops it, and starts it again; its thread calls all of these. A run has a thread of
 * its own, which waits for the network's workers and handler, and tells of its end.
 *
 * On several nodes each rank has its part of a run. All ranks start and join one together.
 */
#pragma once

#include "rt/base/sync.h"
#include "rt/network/network.h"

/* The common part of the runs of all applications. */
struct dal_runs {
    int strict;
    const struct dal_monitor_limits *limits;
    struct dal_events *events;
    const char *program;
};

/* A description and, while it is started, its network. It belongs to the controller, except for
 * `error` and `ended`. The run's thread sets these (release, after the last use of the network; the
 * controller acquires). */
struct dal_application {
    const struct dal_application_desc *desc;
    const struct dal_runs *runs;
    int number;
    enum dal_application_status wanted;
    struct dal_network *network; /* NULL: not started */
    struct dal_link *link;       /* to its parts on other ranks; NULL with one rank */
    struct dal_nodes *nodes;     /* of a run on several nodes */
    struct dal_devices *devices; /* kept for its next start, which opens and builds nothing */
    int started;                 /* how often */
    int ends;                    /* ranks whose part of the run has ended by itself */
    int held; /* True when it ended by itself while paused; this is told when it is resumed. */
    char *label;
    const char **overrides;
    int override_count;
    pthread_t thread;
    int error;
    _Atomic int ended;
};

/* Installs and starts the application. Returns DAL_OK, or a negative code, logged, with nothing
 * started. */
int dal_application_start(struct dal_application *application);

/* Stops the application: its sources stop, and it drains, even if it was paused. */
void dal_application_stop(struct dal_application *application);

/* Pauses the application: it comes to rest where it is. */
void dal_application_pause(struct dal_application *application);

void dal_application_resume(struct dal_application *application);

/* Ends a run early, if there is one. */
void dal_application_break(struct dal_application *application, int error);

/* Returns whether it is as wanted, apart from starting and resuming. Its events are signalled when
 * that changes. */
int dal_application_is_settled(struct dal_application *application);

/* Joins a run that has ended or is about to, and reports. Returns its error. */
int dal_application_join(struct dal_application *application);

/* Installs it once, the parts of all nodes one after the other, and removes it. Returns DAL_OK or a
 * negative code, logged. */
int dal_application_try(struct dal_application *application);
