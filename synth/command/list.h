/* dal list, dalsynth --list: names of a network or a machine, for programs that complete a command
 * line. */
#pragma once

#include "synth/command/request.h"

/* Is it the name of a list? See the table in the .c file. */
int dal_list_knows(const char *what);

/*
 * Prints the list of the request, a name a line, as they are written on a command line: "Dec_0",
 * "Dec_0.out", "Split.input". The network need not be able to run, nor have sources. Without an
 * architecture, lists of its names are empty. Returns DAL_OK or a negative code, with the problem
 * in diags; then nothing is printed.
 */
int dal_list(struct dal_diags *diags, const struct dal_request *request);
