/*
 * The open ports of a network that is a whole program: an option of the command line for each,
 * --PORT=FILE (rt/run/files.h). Main thread.
 */
#pragma once

#include "include/net.h"

#include <getopt.h>

struct dal_outside {
    struct option *options; /* the program's, and behind them the ports' */
    const char **files;     /* by process, NULL for none */
};

/* Numbers of the ports' options: this plus the number of the process. */
enum { DAL_OUTSIDE_FIRST = 1000 };

/* Adds options for the ports to those of the program. `net` may be NULL: no ports. Returns DAL_OK,
 * or DAL_ERR_NOMEM, logged. Finish it either way. */
int dal_outside_begin(struct dal_outside *outside, const struct dal_net *net,
                      const struct option *options);
void dal_outside_finish(struct dal_outside *outside);

/* Prints a line for each port, behind a title. */
void dal_outside_print(const struct dal_net *net);
