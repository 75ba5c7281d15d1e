/* dalsynth --profile: runs the program that was made, and keeps what it measures. */
#pragma once

#include "spec/base/diag.h"
#include "spec/model/model.h"

/* Checks before all else whether times of this machine may be merged into the file. *is_there tells
 * whether there is one. DAL_OK, DAL_ERR_INVALID with the reason in diags, or another code. */
int dal_profile_check(struct dal_diags *diags, const char *times_file, int *is_there);

/* A run of a program that was made, as a user would run it. */
struct dal_profile_run {
    const char *program;
    const char *variable, *value; /* set in its environment: tells it what to write */
    /* "PROCESS.NAME=VALUE", each the argument of a -p; or NULL */
    const char *const *parameters;
    size_t parameter_count;
    char *const *arguments; /* more of them, up to NULL; or NULL */
    /* Its open inputs read zeros without an end, and what its open outputs give is dropped; or
     * NULL, where the arguments have the ports. */
    const struct dal_spec_network *network;
    int strict; /* no fallbacks */
    /* It writes times: some launches on devices have fewer firings than they could have, and a run
     * of less than a second in which not all processes fired is too short. */
    int finds_times;
    double seconds;      /* 0: until it ends */
    int64_t deadline_ns; /* for all that is done, by dal_now_ns(); 0: none */
};

/* Makes a new folder for what programs write, in TMPDIR or /tmp. The caller frees its name; NULL,
 * logged, when there is none. */
char *dal_profile_folder(void);

/*
 * Runs the program. After `seconds`, if they are given, it is interrupted (SIGINT), unless it has
 * ended. Then it may take as long again and a minute to end. With a deadline it may take no more
 * than an eighth of what is left, or two seconds. A program that has not even begun by
 * then, or a run that is too short, is started again, with twice the time. Its output is dropped,
 * and so are its messages, which are shown if it fails. Returns DAL_OK; DAL_ERR_BUILD, reported,
 * also if it has not ended by then; DAL_ERR_INTERRUPTED; or another code. Call it after
 * dal_child_guard(), in the main thread.
 */
int dal_profile_run(const struct dal_profile_run *run);

/* Runs the program with DAL_TIMES, and finds times (`variable` and `value` are not read). Merges
 * the measured times into the file, which stays as it was on any failure. Returns as above;
 * DAL_ERR_INVALID, reported, if times cannot be merged. */
int dal_profile(struct dal_diags *diags, const struct dal_profile_run *run, const char *times_file);
