/*
 * What is outside of the open ports of a network that is a whole program: an option of the command
 * line for each port, --PORT=FILE (rt/streams/stream.h). Main thread.
 */
#pragma once

#include "include/net.h"

#include <getopt.h>

struct dal_stream;

struct dal_outside {
    const struct dal_net *net;
    struct option *options;      /* the program's, and behind them the ports' */
    const char **files;          /* by process, NULL for none */
    struct dal_stream **streams; /* likewise */
};

/* Numbers of the ports' options: this plus the number of the process. */
enum { DAL_OUTSIDE_FIRST = 1000 };

/* Adds options for the ports to those of the program. `net` may be NULL: no ports. Returns DAL_OK,
 * or a negative code, logged: a port has the name of another option. Finish it either way. */
int dal_outside_begin(struct dal_outside *outside, const struct dal_net *net,
                      const struct option *options);
/* Frees it, with all streams closed. */
void dal_outside_finish(struct dal_outside *outside);

/* Prints a line for each port, behind a title. */
void dal_outside_print(const struct dal_net *net);

/* Opens the streams of all ports, and ignores SIGPIPE where there are any. Returns DAL_OK;
 * DAL_ERR_INVALID where a port has no file, or two have the same standard stream; or the code of a
 * stream. Logged. */
int dal_outside_open(struct dal_outside *outside);
/* Closes the streams. `whole`: files that were written get their places. Returns DAL_OK or
 * DAL_ERR_IO. */
int dal_outside_close(struct dal_outside *outside, int whole);
