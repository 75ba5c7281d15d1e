/*
 * DAL_VIEW=[ADDRESS:]PORT: a page of the running network, with its numbers. The server is
 * libdal-live (rt/live/server.h), which lies beside libdal and is loaded here.
 *
 * The numbers are those of counters.h, which the server's thread looks at while the owners count.
 * Nothing of a run waits for it, but for a moment at the end.
 */
#ifndef DAL_RT_OBSERVE_LIVE_H
#define DAL_RT_OBSERVE_LIVE_H

#include <stdio.h>

struct dal_network;

/* Is a page, its progress, or what dal_stats_wanted() says, wanted? Then activations and launches
 * are timed. */
int dal_live_timed(void);

/* Serves the page where it is wanted, from before the first firing on; its address is logged.
 * DAL_OK or a negative code, logged. The main thread, or that of the network's run. */
int dal__live_start(struct dal_network *network);
/* Behind the last firing. Accepts a network without a page. */
void dal__live_stop(struct dal_network *network);

/* ---- live_json.c: what the page gets. Errors are those of the stream. ------------------------ */

/* The network as it was installed, in the form of dalview's pictures (doc/inside.md). */
void dal__live_picture(const struct dal_network *network, FILE *file);

/* "processes" and "channels" of the numbers of now, members of JSON. Any thread. */
void dal__live_counts(const struct dal_network *network, FILE *file);

#endif
