/*
 * The process function that the calling thread is in, and the process that a p belongs to.
 *
 * All state here belongs to the calling thread, apart from the list of all processes, which has a
 * lock.
 */
#pragma once

#include "rt/host/meter.h"
#include "rt/host/process.h"

struct dal_group_copy; /* rt/host/group.h */
struct dal_step;

struct dal_here {
    struct dal_process *process;       /* in init or finish: the one that it is in; else NULL */
    const char *role;                  /* "init" or "finish"; NULL in fire */
    struct dal_control *control;       /* of the network that the thread belongs to, or NULL */
    struct dal_search *search;         /* of a worker, else NULL */
    const struct dal_group_copy *copy; /* the copy that the thread runs, in one of its steps */
    int steps;
    const struct dal_step *alone; /* the step that the thread runs by itself; or NULL */
    int of_team;                  /* true in a thread that OpenMP has made for a team */
    struct dal_meter meter;
    int64_t waited_ns;     /* in the firing that goes on, when timed */
    uint64_t tokens, made; /* of counted channels: tokens read and written, and tokens written */
    /* The last event of a periodic process that it added to a trace, until the release is through.
     * It is given by the process's timer, the row, and the event's number there; NULL without
     * one. */
    const struct dal_timer *timer;
    struct dal_trace_row *row;
    uint64_t event;
};

/* Never NULL. */
struct dal_here *dal_here(void);

/* Returns the process that the thread is in, or NULL. */
struct dal_process *dal_here_process(void);

/* Returns the activation that the thread runs, or NULL; in init and finish NULL. */
struct dal_activation *dal_here_activation(void);

/* Returns which firing of a process the thread runs, counted from 1; of a cyclo-static process each
 * phase is one. It is one of several where the loop of a unit does not tell (dal_unit.h). */
void dal_here_firing(const struct dal_process *process, uint64_t *least, uint64_t *most);

/* Logs which process's function ended the calling thread or the program; `what` says how. */
void dal_here_complain(const char *what);

/* A network begins to run (1), or ends (-1). While one runs, exit() is an error: it is logged, and
 * the exit status becomes 1. _exit() goes unnoticed. */
void dal_firing_watch_exit(int change);

/* Calls init or finish, if the process has it, with no port open. */
void dal_firing_call(struct dal_process *process, const char *role, void (*function)(DALProcess *));

/* Run an activation or a phase, for a code without `run` or `run_phase` (net.h, struct
 * dal_code). */
void dal_firing_run(DALProcess *p, struct dal_activation *a);
void dal_firing_run_phase(DALProcess *p, struct dal_activation *a);

/* Add and remove a process whose p users may hold, from the making of its copies to its finish.
 * Removing one that was not added does nothing. */
void dal_firing_add(struct dal_process *process);
void dal_firing_remove(struct dal_process *process);

/* Returns whether the process is one of them, without reading its memory. */
int dal_firing_has(const struct dal_process *process);
