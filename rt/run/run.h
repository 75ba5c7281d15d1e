/*
 * A run: a network with what is at its ports. The main function of a program (rt/app/main.c) opens
 * one, and so does dal_run_open().
 *
 * Life: make, install, dal_network_run(), dal_network_report() if it is wanted, finish, destroy.
 * One thread does all of it, but run and finish may have a thread of their own.
 */
#pragma once

#include "include/dal_run.h"
#include "rt/base/error.h"
#include "rt/base/sync.h"
#include "rt/base/wake.h"
#include "rt/host/firing.h"
#include "rt/network/network.h"
#include "rt/run/files.h"
#include "rt/watch/monitor.h"

/* The lines of an option, one behind the other, and where each begins. */
struct dal_lines {
    char *text;
    const char **list;
    int count;
};

struct dal_run {
    struct dal_log_sink sink; /* first member: messages of all threads of a library's run */
    void (*log)(void *log_of, const char *level, const char *message);
    void *log_of;
    pthread_mutex_t lock; /* of the next two */
    char message[1024];   /* of the first error of the network; "" until then, constant then */
    char refusal[1024];   /* of the latest call that was refused; "" */
    const struct dal_net *net;
    struct dal_files files;
    struct dal_network *network;
    /* Of dal_run_open(): */
    struct dal_lines parameters, file_lines;
    const char **names; /* of files, by process */
    struct dal_monitor_limits limits;
    pthread_t thread;
    int status;            /* of the run, set before `has_ended` */
    _Atomic int has_ended; /* sequentially consistent, for the one who waits at `end` */
    struct dal_wake end;
};

/* Makes a run with nothing in it. Returns NULL without memory, which is not logged. */
struct dal_run *dal__run_make(const struct dal_net *net);

/* Opens the files at ports, by process, and installs the network; fills in options.streams. Ports
 * of a hosted network may have no file: callers stand in for these. `files` outlives the run.
 * Returns DAL_OK, or a negative code, logged; DAL_ERR_INVALID is a wrong override, or a wrong
 * choice of files. Destroy it either way. */
int dal__run_install(struct dal_run *run, struct dal_network_options *options,
                     const char *const *files);

/* Tells that it ended early if `status`, that of dal_network_run(), is an error. Gives written
 * files their places if neither this one nor `report` is; `before` is called first then, and may be
 * NULL. Returns the first error of all. */
int dal__run_finish(struct dal_run *run, int status, int report, void (*before)(void));

/* A call of dal_run.h by a thread that may belong to another network, or to none: it may be within
 * a firing there. Until the call ends, what is here of the thread is the run's, messages go to the
 * run, and numbers are written as in C. */
struct dal__visit {
    int is_within;        /* true: of another one, */
    struct dal_here here; /* which this is of; else not set */
    struct dal_log_sink *sink;
    locale_t locale;
};
void dal__visit_begin(struct dal__visit *visit, struct dal_run *run);
void dal__visit_end(const struct dal__visit *visit);

/* Accepts NULL and half-made ones. */
void dal__run_destroy(struct dal_run *run);

/* Returns the number of the port whose name has so many letters, or DAL_ERR_INVALID. */
int dal__run_find(const struct dal_net *net, const char *name, size_t length);
