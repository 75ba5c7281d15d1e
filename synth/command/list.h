/*
 * dalsynth --list: names of a network or a machine, for programs that complete a command line.
 */
#ifndef DAL_SYNTH_COMMAND_LIST_H
#define DAL_SYNTH_COMMAND_LIST_H

#include "spec/model/model.h"

#include <stdio.h>

/* Is it the name of a list? See the table in the .c file. */
int dal_list_knows(const char *what);

/*
 * Prints a list of names, a line each, as they are written on a command line: "Dec_0", "Dec_0.out",
 * "Split.input". The network need not be able to run, nor have sources. `architecture_file` may be
 * NULL; lists of its names are empty then. Returns DAL_OK or a negative code, with the problem in
 * diags; then nothing is printed.
 */
int dal_list(struct dal_diags *diags, const char *what, const char *network_file,
             const char *architecture_file, const struct dal_spec_define *defines,
             size_t define_count, FILE *out);

#endif
