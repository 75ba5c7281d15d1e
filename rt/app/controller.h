/*
 * The controller of a program of several applications: it takes events, walks the state machine
 * (include/net.h), and makes what each state wants: entering a state
 *
 *   - stops what the state does not name: sources are not fired again, what was sent arrives,
 *     processes finish; and pauses what it wants paused, which comes to rest where it is;
 *   - and when all that is done, resumes what was paused, and starts, anew, what is not there:
 *     stopped before, or ended by itself.
 *
 * An application that was started once keeps its open devices, and the programs built for them, for
 * its next start. What is there and goes on is left alone. Events are taken one by one, in the
 * order they were sent, each in the state that the one before has led to. An application that ends
 * by itself sends "NAME.finished"; one that does so while it is paused does when it is resumed.
 *
 * The program ends in an end state; when no application runs any more, since then no event can
 * come; after the first interrupt, which stops everything; and after an error of any application,
 * which stops all others. A second interrupt breaks what has not ended by then.
 *
 * On several nodes each rank has a controller. The first one walks the state machine; what it finds
 * to be done it orders all to do, and waits until they have (rt/nodes/orders.h). The others tell it
 * of events, one at a time, and of ends, in their order. So an event that a run has sent is in
 * front of the run's end, which is when all ranks' parts of it have ended. Each rank may have that
 * many events waiting.
 *
 * Threads: the controller is the main thread. Each run of an application has a thread that waits
 * for the workers and the handler of its network, and tells the controller of its end.
 */
#ifndef DAL_RT_APP_CONTROLLER_H
#define DAL_RT_APP_CONTROLLER_H

#include "rt/network/network.h"

struct dal_controller;

struct dal_controller_options {
    int strict;
    /* "APPLICATION.PROCESS.NAME=VALUE" */
    const char *const *overrides;
    int override_count;
    const struct dal_monitor_limits *limits; /* of each application; NULL: the usual ones */
    size_t event_queue;                      /* most events that may wait, 0 for 1024 */
    const char *program;                     /* its path */
};

/* Returns DAL_OK with *controller to be destroyed, or a negative code, logged, with *controller
 * NULL; DAL_ERR_INVALID is a wrong override. Installs nothing. */
int dal_controller_create(struct dal_controller **controller, const struct dal_fsm *fsm,
                          const struct dal_controller_options *options);

/* Runs from the initial state to the end; once. Returns DAL_OK or the first error of any
 * application, logged with its name. All runs are over then, and their processes finished. */
int dal_controller_run(struct dal_controller *controller);

/* Instead of running: installs every application once, kernels and all, and removes it. */
int dal_controller_check(struct dal_controller *controller);

/* The first time asks for an orderly end, then breaks. Async-signal-safe, any thread. Returns how
 * often it has been called. */
int dal_controller_interrupt(struct dal_controller *controller);

/* Accepts NULL and half-made ones. */
void dal_controller_destroy(struct dal_controller *controller);

#endif
