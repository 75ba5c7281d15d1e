/*
 * The controller of a program of several applications takes events, walks the state machine
 * (include/net.h), and makes what each state wants. Entering a state
 *
 *   - stops what the state does not name: its sources stop, what was sent arrives, and its
 *     processes finish. It pauses what the state wants paused, which comes to rest where it is;
 *   - then resumes what was paused, and starts anew what was stopped before, or ended by itself.
 *
 * An application that was started once keeps its open devices, and their programs, for its next
 * start. A running application that the state wants is left alone. Events are taken one by one in
 * the order they were sent, each in the state that the last one led to. An application that ends by
 * itself sends "NAME.finished". If it is paused then, it sends it when it is resumed.
 *
 * The program ends in an end state, or when no application runs any more, since then no event can
 * come. The first interrupt stops everything. An error of any application stops all others. A
 * second interrupt breaks what has not ended by then.
 *
 * On several nodes each rank has a controller. The first one walks the state machine. It orders all
 * to do what has to be done, and waits until they have (rt/nodes/commands.h). The others tell it of
 * events and ends, one at a time, in their order. So a run's events come before its end, which is
 * when all ranks' parts of it have ended. Each rank may have `event_queue` events waiting.
 *
 * Threads: the controller is the main thread. Each run of an application has its own thread. It
 * waits for the workers and the handler of its network, and tells the controller of its end.
 */
#pragma once

#include "rt/network/network.h"

struct dal_controller;

struct dal_controller_options {
    int strict;
    /* "APPLICATION.PROCESS.NAME=VALUE" */
    const char *const *overrides;
    int override_count;
    const struct dal_monitor_limits *limits; /* of each application; NULL: the usual limits */
    size_t event_queue;                      /* the most events that may wait; 0: 1024 */
    const char *program;                     /* its path */
};

/* Makes a controller; installs nothing. Returns DAL_OK with *controller, which the caller destroys.
 * Otherwise returns a negative code, logged, with *controller NULL; DAL_ERR_INVALID is a wrong
 * override. */
int dal_controller_create(struct dal_controller **controller, const struct dal_fsm *fsm,
                          const struct dal_controller_options *options);

/* Runs once from the initial state to the end. Returns DAL_OK or the first error of any
 * application, logged with its name. All runs are over then, and their processes finished. */
int dal_controller_run(struct dal_controller *controller);

/* Instead of running, installs every application once, kernels and all, and removes it. */
int dal_controller_check(struct dal_controller *controller);

/* Asks for an orderly end the first time, then breaks. Returns how often it has been called.
 * Async-signal-safe, any thread. */
int dal_controller_interrupt(struct dal_controller *controller);

/* Accepts NULL and half-made ones. */
void dal_controller_destroy(struct dal_controller *controller);
