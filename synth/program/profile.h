/* dalsynth --profile: the program that was made is run, and what it measures is kept. */
#ifndef DAL_SYNTH_PROGRAM_PROFILE_H
#define DAL_SYNTH_PROGRAM_PROFILE_H

#include "spec/base/diag.h"

/* Before all else: may times of this machine be merged into the file? *is_there: there is one.
 * DAL_OK, DAL_ERR_INVALID with the reason in diags, or another code. */
int dal_profile_check(struct dal_diags *diags, const char *times_file, int *is_there);

/* A run of a program that was made, as a user would run it. */
struct dal_profile_run {
    const char *program;
    const char *variable, *value; /* of its environment: what it is to write down */
    /* "PROCESS.NAME=VALUE", its -p; or NULL */
    const char *const *parameters;
    size_t parameter_count;
    int strict; /* no fallbacks */
    double seconds;
};

/* A new folder for what programs write, in TMPDIR or /tmp. The caller frees its name;
 * NULL, logged, when there is none. */
char *dal_profile_folder(void);

/*
 * After so many seconds the program is interrupted (SIGINT), unless it has come to its end, and may
 * take as long again and a minute to end. One that has not even begun by then gets twice the time.
 * Its output is dropped, its messages are the caller's to free, and are shown where it fails.
 * DAL_OK; DAL_ERR_BUILD, said; DAL_ERR_INTERRUPTED; or another code. After dal_child_guard(), main
 * thread.
 */
int dal_profile_run(const struct dal_profile_run *run, char **messages);

/* Runs it with DAL_TIMES (`variable` and `value` are not read), and merges what it has measured
 * into the file, which stays as it was on any failure. As above; DAL_ERR_INVALID, said, of times
 * that cannot be merged. */
int dal_profile(struct dal_diags *diags, const struct dal_profile_run *run, const char *times_file);

#endif
