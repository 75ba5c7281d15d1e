/*
 * DAL_VIEW=[ADDRESS:]PORT serves a page of the running network, with its numbers. The server is
 * libdal-live (rt/live/server.h), which lies beside libdal and is loaded here.
 *
 * The server's thread reads the counters of counters.h while their owners count. Nothing of a run
 * waits for it, apart from a moment at the end.
 */
#ifndef DAL_RT_OBSERVE_LIVE_H
#define DAL_RT_OBSERVE_LIVE_H

#include <stdio.h>

struct dal_network;

/* Returns whether a page, its progress, or a request of dal_stats_wanted() needs timed activations
 * and launches. */
int dal_live_timed(void);

/* Serves the page if it is wanted, from before the first firing on, and logs its address. Returns
 * DAL_OK or a negative code, logged. Called by the thread that runs the network. */
int dal__live_start(struct dal_network *network);
/* Stops serving, after the last firing. Accepts a network without a page. */
void dal__live_stop(struct dal_network *network);

/* ---- live_json.c: what the page gets. Errors are those of the stream. ------------------------ */

/* Prints the network as installed, in the form of dalview's pictures (doc/inside.md). */
void dal__live_picture(const struct dal_network *network, FILE *file);

/* Prints "processes" and "channels", with the current numbers, as members of JSON. Any thread. */
void dal__live_counts(const struct dal_network *network, FILE *file);

#endif
