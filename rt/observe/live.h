/*
 * DAL_VIEW=[ADDRESS:]PORT serves a page of the running network, with its numbers. The server is
 * libdal-live (rt/live/server.h), which lies beside libdal and is loaded here.
 *
 * The server's thread reads the counters of counters.h while their owners count. Nothing of a run
 * waits for it, apart from a moment at the end.
 */
#pragma once

#include "rt/model/network.h"

/* Prints what the page gets: the network as installed, in the form of dalview's pictures
 * (doc/explanation/observing.md). Errors are those of the stream. */
void dal__live_picture(const struct dal_network *network, FILE *file);

/* Prints "processes" and "channels", with the current numbers, as members of JSON. Any thread. */
void dal__live_counts(const struct dal_network *network, FILE *file);
