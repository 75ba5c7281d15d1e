/* Checks that a program was made from these specifications. One thread. */
#pragma once

#include "synth/program/applications.h"

/* Asks the program by --version. Says on `out` that it was made from them, or logs each thing that
 * differs. `first_file` is the network's or the state machine's. Call it after
 * dal_applications_place() and dal_child_guard(). Returns DAL_OK; DAL_ERR_BUILD, logged, if
 * something differs or the program does not answer; or another code. */
int dal_verify(const struct dal_applications *applications, const char *first_file,
               const char *program, FILE *out);
