/* Options that several programs have. Errors are printed on standard error, with the name of the
 * program. One thread. */
#ifndef DAL_SYNTH_COMMAND_OPTIONS_H
#define DAL_SYNTH_COMMAND_OPTIONS_H

#include "spec/model/model.h"

/* Exit statuses. */
enum { DAL_EXIT_BAD_INPUT = 1, DAL_EXIT_USAGE = 2 };

/* -D NAME=INTEGER: adds an entry to a growing list. Its name is in `text`, which is split in place.
 * Returns 0 or an exit status. */
int dal_option_define(const char *program, char *text, struct dal_spec_define **defines,
                      size_t *count, size_t *room);

/* -p PROCESS.NAME=VALUE, for a program that is run: adds to a list, which has the caller's text. It
 * starts zeroed; the caller frees `list`. */
struct dal_parameters {
    const char **list;
    size_t count, room;
};

int dal_option_parameter(const char *program, const char *text, struct dal_parameters *parameters);

/* Reads seconds, more than 0 and at most 10^6. Returns 0 or an exit status. */
int dal_option_seconds(const char *program, const char *option, const char *text, double *seconds);

#endif
