/* dalsynth --profile: the program that was made is run, and what it measures is kept. */
#ifndef DAL_SYNTH_PROFILE_H
#define DAL_SYNTH_PROFILE_H

#include "spec/diag.h"

/* Before all else: may times of this machine be merged into the file? *is_there: there is one.
 * DAL_OK, DAL_ERR_INVALID with the reason in diags, or another code. */
int dal_profile_check(struct dal_diags *diags, const char *times_file, int *is_there);

/* A run of a program that was made, as a user would run it. */
struct dal_profile_run {
    const char *program;
    const char *variable, *value; /* of its environment: what it is to write down */
    int strict;                   /* no fallbacks */
    double seconds;
};

/* A new folder for what programs write, in TMPDIR or /tmp. The caller frees its name;
 * NULL, logged, when there is none. */
char *dal_profile_folder(void);

/*
 * After so many seconds the program is interrupted (SIGINT), unless it has come to its end, and may
 * take as long again and a minute to end. Its output is dropped, its messages are the caller's to
 * free, and are shown where it fails. DAL_OK; DAL_ERR_BUILD, said; DAL_ERR_INTERRUPTED; or another
 * code. After dal_child_guard(), main thread.
 */
int dal_profile_run(const struct dal_profile_run *run, char **messages);

/*
 * Runs a program with DAL_TIMES, as a user would: after so many seconds it is interrupted (SIGINT),
 * unless it has come to its end, and may take as long again and a minute to end. Its output is
 * dropped, its messages are shown where it fails. What it has measured is merged into the file,
 * which stays as it was on any failure. DAL_OK; DAL_ERR_BUILD or DAL_ERR_INVALID, said;
 * DAL_ERR_INTERRUPTED; or another code. After dal_child_guard(), main thread.
 */
int dal_profile(struct dal_diags *diags, const char *program, double seconds,
                const char *times_file);

#endif
