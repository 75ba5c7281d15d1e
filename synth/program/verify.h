/* Is a program made from these specifications? One thread. */
#ifndef DAL_SYNTH_PROGRAM_VERIFY_H
#define DAL_SYNTH_PROGRAM_VERIFY_H

#include "synth/program/applications.h"

/* Asks the program by --version, and says on `out` that it is, or logs each thing that is another
 * one. `first_file` is the network's or the state machine's. After dal_applications_place() and
 * dal_child_guard(). DAL_OK, DAL_ERR_BUILD where something differs or the program does not say,
 * which is logged, or another code. */
int dal_verify(const struct dal_applications *applications, const char *first_file,
               const char *program, FILE *out);

#endif
