/*
 * Runs another program, or a copy of this one, to its end, and keeps its output. A signal or a time
 * limit ends it together with the programs that it has started.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* A status from here on is a signal: this and its number. */
enum { DAL_CHILD_SIGNAL = 256 };

struct dal_child {
    const char *const *argv; /* ends with NULL; argv[0] is found along PATH */
    /* A function to call instead of a program, with `data`, in a copy of this program. The copy
     * ends with the exit status that it returns; signals end it. argv[0] is its name in messages.
     * NULL: a program. */
    int (*function)(const void *data);
    const void *data;
    const char *folder;    /* its working folder; NULL: that of this program */
    const char *temporary; /* its TMPDIR; NULL: that of this program */
    const char *errors;    /* new file for its standard error; NULL: kept with its output */
    int tells_signal;      /* a signal that ends it is a status, DAL_CHILD_SIGNAL and its number */
    int64_t limit_ns;      /* the longest that it may take; 0: no limit */
    /* After so long it, and all that it has started, get SIGINT, which it hears even where this
     * program ignores it; 0: never. */
    int64_t ask_ns;
    size_t most; /* bytes of its output that are kept; 0: a MiB */
};

/* A child that runs. */
struct dal_started {
    const struct dal_child *child;
    int64_t deadline_ns, ask_ns; /* on the clock; ask_ns is 0 when no SIGINT is to come any more */
    int pid, output;
};

/* Holds SIGINT, SIGTERM and SIGHUP back from now on, unless they are ignored. They take effect only
 * where dal_child_run() waits and where dal_child_interrupted() looks. Resets SIGCHLD to its
 * default, and ignores SIGPIPE: a reader that goes leaves time to clean up. Called once, before
 * other threads start. Returns DAL_OK or DAL_ERR_SYSTEM. */
int dal_child_guard(void);
/* Undoes that, in front of exec: a signal that was held back, or comes before the program begins,
 * takes its usual effect. Only after dal_child_guard(). */
void dal_child_release(void);
/* Returns the signal that has come since dal_child_guard(), 0 for none. Any thread. */
int dal_child_interrupted(void);
/* Forgets such a signal, so that what follows runs. Main thread. */
void dal_child_forget(void);

/* Returns 1 if a program is there: along PATH, or as a file if its name has a slash. Returns 0 if
 * not, -1 without memory. */
int dal_child_is_there(const char *name);

/* Logs that a signal has ended a program. */
void dal_child_tell_signal(const char *name, int number);

/*
 * Runs a program with nothing on its standard input, and keeps the beginning of its output. *output
 * is never NULL on success; the caller frees it with dal_free().
 *
 * Returns its exit status from 0 to 255, or more if it tells of signals; or, with *output NULL:
 * DAL_ERR_INTERRUPTED when a signal came, DAL_ERR_LIMIT when it took too long (logged),
 * DAL_ERR_SYSTEM when it could not be run or was killed (logged), DAL_ERR_NOMEM. The program is
 * ended and reaped in any case. After a signal it gets SIGTERM, so that it can clean up, and
 * SIGKILL if it has not ended after 5 s (logged). Otherwise it gets SIGKILL at once. Main thread.
 * Before dal_child_guard() a signal has its usual effect.
 */
int dal_child_run(const struct dal_child *child, char **output);

/*
 * The two halves of dal_child_run(), for programs side by side. The caller finishes each one that
 * it has started; `child` stays until then. The first returns DAL_OK or one of the errors above.
 * The second waits for the end. A program does not reach that as long as a pipe full of its output
 * waits here.
 */
int dal_child_start(const struct dal_child *child, struct dal_started *started);
int dal_child_finish(struct dal_started *started, char **output);
