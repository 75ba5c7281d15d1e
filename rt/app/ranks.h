/*
 * The ranks of a program at work together (rt/app/controller.h). The first rank gives commands, the
 * others answer and send notices. A single rank does all by itself. Main thread.
 */
#pragma once

#include "rt/app/application.h"
#include "rt/control/events.h"
#include "rt/nodes/nodes.h"

/* Commands that all ranks carry out together. Each comes with the number of a state or of an
 * application. */
enum dal_command {
    DAL_COMMAND_SETTLE, /* stop and pause what the state (DAL_NOWHERE: none) does not want to run */
    DAL_COMMAND_COLLECT, /* join and report what was stopped, on all ranks */
    DAL_COMMAND_ENTER,   /* start and resume what the state wants to run */
    DAL_COMMAND_JOIN,    /* join the application, which has ended by itself */
    DAL_COMMAND_ASK,     /* tell whether notices wait */
    DAL_COMMAND_TELL,    /* tell all notices */
    DAL_COMMAND_LEAVE,   /* end the program with the error */
};
enum { DAL_NOWHERE = -1 };

/* Counts of an event, taken and ignored. */
struct dal_tally {
    uint64_t taken, ignored;
};

struct dal_controller {
    const struct dal_fsm *fsm;
    struct dal_runs runs;
    struct dal_events events;
    int has_events;
    struct dal_application *applications;
    struct dal_tally *tallies; /* by event */
    uint64_t unknown;          /* events on other ranks that no transition names */
    int state;
    int ending;
    int error; /* the first */
    _Atomic int interrupts;
    int heeded;               /* how many interrupts were acted on */
    struct dal_net meeting;   /* a network of the ranks, without processes */
    struct dal_nodes *others; /* link to the controllers of other ranks; NULL with one rank */
    int lost;                 /* True when a rank, or the way to it, is lost. */
    int more;                 /* True when notices wait on another rank, by its last answer. */
};

static inline int dal__ranks_first(const struct dal_controller *controller)
{
    return !controller->others || controller->others->link->rank == 0;
}

/* Waits until is_so() agrees. Meanwhile it looks at interrupts, notices and lost ranks. */
void dal__ranks_wait(struct dal_controller *controller,
                     int (*is_so)(struct dal_controller *controller));

/* Ignores events: the program is ending, and they change nothing any more. */
void dal__ranks_ignore(struct dal_controller *controller);

/* Returns whether an application was stopped and is to be collected. */
int dal__ranks_stopped(const struct dal_application *application);

/* Gives a command to all ranks and carries it out, from the first rank. Once the others are lost,
 * only this rank carries it out. */
void dal__ranks_command(struct dal_controller *controller, enum dal_command command, int number);

/* Meets the other ranks. Returns DAL_OK or a negative code, logged. */
int dal__ranks_join(struct dal_controller *controller);

/* Carries out the first rank's commands, on the other ranks. */
void dal__ranks_follow(struct dal_controller *controller);

/* Leaves the others; their error may become the controller's. */
void dal__ranks_leave(struct dal_controller *controller);
