/*
 * Events on their way to the controller: a bounded queue, first in, first out.
 *
 * Any thread sends, the controller alone takes. `lock` guards everything but `fsm` and `wake`; it
 * is held for a few instructions, and no thread waits while it holds the lock.
 */
#pragma once

#include "include/net.h"
#include "rt/base/sync.h"
#include "rt/base/wake.h"

#include <stddef.h>

/* A notice to the controller: an event, or, with `event` -1, the end of an application's run. The
 * members are indices into the tables of the state machine. */
struct dal_notice {
    int event;
    int application;
};

struct dal_events {
    const struct dal_fsm *fsm;
    struct dal_wake wake; /* the controller's */
    pthread_mutex_t lock;
    struct dal_notice *ring; /* room for `limit` events, and each rank's end of each application */
    size_t room, first, count;
    size_t limit, waiting; /* most events, and events that wait; ends do not count */
    size_t most;           /* most events that ever waited at once */
    uint64_t unknown;      /* events sent that no transition names */
};

/* DAL_OK, or DAL_ERR_NOMEM or DAL_ERR_SYSTEM, logged; the caller finishes it only after DAL_OK. */
int dal_events_init(struct dal_events *events, const struct dal_fsm *fsm, size_t limit);
void dal_events_finish(struct dal_events *events);

/*
 * Sends an event by its name, for `process` of `application`. Returns DAL_OK. Returns
 * DAL_ERR_INVALID when no transition names it: it is counted, and logged the first time. Returns
 * DAL_ERR_LIMIT, logged, when `limit` events wait: it is not sent.
 */
int dal_events_send(struct dal_events *events, const char *name, const char *application,
                    const char *process);

/* Passes on an event of another rank, by its number. DAL_OK, or DAL_ERR_LIMIT when there is no
 * room.
 */
int dal_events_pass(struct dal_events *events, int event);

/* Adds the notice of the end of an application's run, once for each rank. There is always room. */
void dal_events_end(struct dal_events *events, int application);

/* Takes the oldest notice; 0 when there is none. It never waits; the caller can sleep on `wake`. */
int dal_events_take(struct dal_events *events, struct dal_notice *notice);

int dal_events_are_none(struct dal_events *events);

/* Drops the notices of an application's end. */
void dal_events_forget(struct dal_events *events, int application);
