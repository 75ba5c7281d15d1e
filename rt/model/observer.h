/*
 * An observer of a run tells, draws, keeps or changes something of a network: the trace, the live
 * page, the statistics. Each is a row of the table in rt/observe/observers.c. The network walks
 * through it: forwards to begin, backwards to end.
 *
 * A row reads its own variables of the environment. Its state hangs in the network, beside the row.
 * Each function may be NULL, and is called only where the row is wanted. Those that return int
 * return DAL_OK or a negative code, logged.
 */
#pragma once

#include <stdio.h>

struct dal_network;
struct dal_reports;

/* What an observer needs of a run. The runtime does each only if a wanted observer needs it. */
enum {
    DAL_NEEDS_TIMES = 1,   /* activations and launches are timed */
    DAL_NEEDS_SPREADS = 2, /* processes keep the times of their firings */
    DAL_NEEDS_REPORT = 4,  /* each node makes a report at the end (rt/observe/stats.h) */
};

struct dal_observer {
    const char *name;
    int (*is_wanted)(void); /* NULL: if it has a file, or its variable is set or NULL */
    int needs;
    const char *variable;
    /* The observer's file: its variable with "=", and the name in that, or NULL. No two write one
     * file. print() writes it from the reports of all nodes. If it fails, there is no new file. */
    const char *(*file_name)(void);
    int (*print)(FILE *file, const struct dal_reports *all);
    /* Checks, before anything is made, what can be known to fail. print()'s file is checked then.
     * `label` is that of struct dal_network_options. */
    int (*check)(const char *label);
    /* Makes *state, which is NULL, once all processes have their processors. Main thread. */
    int (*install)(struct dal_network *network, void **state);
    /* Starts before the first firing; may make *state. If it fails, stop is not called. */
    int (*start)(struct dal_network *network, void **state);
    /* Stops, after the last firing. An error breaks the network. */
    int (*stop)(struct dal_network *network, void *state);
    /* Warns of what happened, on each node, before the report. */
    void (*warn)(const struct dal_network *network, const void *state);
    /* Writes more than the one file, from the reports of all nodes. */
    int (*write)(const struct dal_reports *all);
    /* Frees the state, which may be half-made but is not NULL. */
    void (*destroy)(void *state);
};

/* A wanted observer of a network, with its state. */
struct dal_observed {
    const struct dal_observer *row;
    void *state;
};

struct dal_observing {
    struct dal_observed *list; /* the wanted observers */
    int count;
    int started; /* how many, from the first on, are to be stopped */
};
