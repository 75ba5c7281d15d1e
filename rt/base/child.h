/*
 * Running another program, or a copy of this one, to its end: its output is kept, and a signal or a
 * time limit ends it together with the programs that it has started.
 */
#ifndef DAL_RT_BASE_CHILD_H
#define DAL_RT_BASE_CHILD_H

#include <stddef.h>
#include <stdint.h>

struct dal_child {
    const char *const *argv; /* ends with NULL; argv[0] is found along PATH */
    /* Instead of a program: called with `data` in a copy of this one, which then ends with the exit
     * status that it returns; signals end it. argv[0] is its name in messages. NULL: a program. */
    int (*function)(const void *data);
    const void *data;
    const char *folder; /* where it runs; NULL: where this program does */
    const char *errors; /* new file for its standard error; NULL: kept with its output */
    int64_t limit_ns;   /* the longest that it may take; 0: no limit */
    int64_t ask_ns; /* after so long SIGINT asks it, and what it has started, to end; 0: never */
    size_t most;    /* bytes of its output that are kept; 0: a MiB */
};

/* One that runs. */
struct dal_started {
    const struct dal_child *child;
    int64_t deadline_ns, ask_ns; /* on the clock; ask_ns is 0 when it is not to be asked (again) */
    int pid, output;
};

/* Holds SIGINT, SIGTERM and SIGHUP back from now on, unless they are ignored: they take effect only
 * where dal_child_run() waits and where dal_child_interrupted() looks. SIGCHLD is as usual,
 * whatever it was for who started this. Once, before other threads start. Returns DAL_OK or
 * DAL_ERR_SYSTEM. */
int dal_child_guard(void);
/* The signal that has come since dal_child_guard(), 0 for none. Any thread. */
int dal_child_interrupted(void);

/* Whether a program is there: along PATH, or where its name has a slash as a file. -1 without
 * memory. */
int dal_child_is_there(const char *name);

/*
 * Runs a program with nothing on its standard input, and keeps the beginning of its output in
 * *output, which is never NULL on success and which the caller frees with dal_free().
 *
 * Returns its exit status from 0 to 255; or, with *output NULL: DAL_ERR_INTERRUPTED when a signal
 * came, DAL_ERR_LIMIT when it took too long (logged), DAL_ERR_SYSTEM when it could not be run or
 * was killed (logged), DAL_ERR_NOMEM. The program is ended and reaped in any case: by SIGTERM after
 * a signal, so that it can clean up, and by SIGKILL where that has not ended it within 5 s (logged)
 * or where no signal came. Main thread. Before dal_child_guard() a
 * signal has the effect that it has anyway.
 */
int dal_child_run(const struct dal_child *child, char **output);

/*
 * The two halves of the above, for programs side by side. Each that has been started is finished,
 * whatever became of the others; `child` stays until then. The first returns DAL_OK or one of the
 * errors above. The second waits for the end, which a program does not reach as long as a pipe full
 * of its output waits here.
 */
int dal_child_start(const struct dal_child *child, struct dal_started *started);
int dal_child_finish(struct dal_started *started, char **output);

#endif
