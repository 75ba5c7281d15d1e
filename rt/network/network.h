/*
 * A network installed on this machine: its processes, channels, workers and the task queue.
 *
 * Life: create (devices, channels, processes, links), run, report, destroy. The main thread does
 * all of it, but run may have a thread of its own.
 */
#pragma once

#include "rt/model/network.h"

struct dal_network_options {
    int strict; /* True when a missing device is an error. */
    /* "PROCESS.NAME=VALUE". PROCESS may be a name or a base; all processes of that base get the
     * value. */
    const char *const *overrides;
    int override_count;
    const struct dal_monitor_limits *limits; /* NULL: the usual ones */
    /* The program is somebody else's: nothing ends it, and callers stand in for open ports without
     * a stream (rt/kpn/call.h). */
    int hosted;
    /* What is outside of its open ports, by process; NULL: nothing is, for all or for one, or
     * callers are. They outlive the network. */
    struct dal_stream *const *streams;
    /* Called where the network does not come to its end, before the program ends; or NULL. */
    void (*save)(void *save_of);
    void *save_of;
    /* Open devices and their programs, kept from one network of a description to the next. *devices
     * is NULL at first; the caller destroys them. NULL: they are not kept. */
    struct dal_devices **devices;
    /* On several nodes, the installed part of the network, and the ranks, which have met. A part
     * cannot run without them. NULL otherwise. */
    const struct dal_net *part;
    struct dal_nodes *nodes;
    /* For several applications in one program; NULL otherwise. */
    const char *application;   /* for messages */
    const char *label;         /* of the run, in tables and names of files: "NAME-2" */
    struct dal_events *events; /* what its processes send */
    /* The observers, the last NULL. NULL: all (rt/observe/observers.h). */
    const struct dal_observer *const *observers;
};

/*
 * Installs a network, or one part of it. Returns DAL_OK with *network, which the caller destroys.
 * Otherwise returns a negative code, logged, with *network NULL; DAL_ERR_INVALID is a wrong
 * override.
 */
int dal_network_create(struct dal_network **network, const struct dal_net *net,
                       const struct dal_network_options *options);

/* Installs and removes a network, or the parts of all its nodes in turn, instead of running it.
 * Returns DAL_OK or a negative code, logged. */
int dal_network_try(const struct dal_net *net, const struct dal_network_options *options);

/* Checks an override "PROCESS.NAME=VALUE" for a network. Returns DAL_OK or DAL_ERR_INVALID,
 * logged. */
int dal_network_check_override(const struct dal_net *net, const char *text);

/* Runs the network to its end. Returns DAL_OK, or the first error of the run, logged where it
 * happened. */
int dal_network_run(struct dal_network *network);

/* Reports after the run: each node warns of its missed latencies and deadlines. Writes statistics,
 * times and trace if they are wanted. Returns DAL_OK, or a negative code if a file could not be
 * written, logged. */
int dal_network_report(struct dal_network *network);

/* Accepts NULL and half-made networks. */
void dal_network_destroy(struct dal_network *network);
