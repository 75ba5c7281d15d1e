/*
 * Output that is there or is an error: files that are written whole or not at all, and standard
 * output. All messages are logged here, with `what` before the file's name ("DAL_TIMES=", or "").
 */
#ifndef DAL_RT_BASE_OUTPUT_H
#define DAL_RT_BASE_OUTPUT_H

#include <stdint.h>
#include <stdio.h>

/*
 * A file being written. It takes shape beside its place and is moved there at the end, so that
 * what was there before stays until then. What is no ordinary file (a device, a pipe), and what
 * is in a folder that takes no new files, is written where it is. One thread.
 */
struct dal_output {
    FILE *file;
    const char *what, *name;
    char *place, *temporary; /* NULL when it is written where it is */
};

/* Returns DAL_OK, DAL_ERR_IO or DAL_ERR_NOMEM. `what` and `name` live until it is closed. */
int dal_output_open(struct dal_output *output, const char *what, const char *name);
/* Closes it, and moves it into its place when all could be written. Returns DAL_OK, or DAL_ERR_IO
 * with nothing at the place but what was there. */
int dal_output_close(struct dal_output *output);
/* Of one of several that only belong together: has it been written so far? DAL_OK, or DAL_ERR_IO
 * with nothing logged: dal_output_close() will. */
int dal_output_flushed(struct dal_output *output);
/* Gives it up: what was at its place stays. */
void dal_output_abandon(struct dal_output *output);

/* In a signal's handler that ends the program: removes what takes shape. */
void dal_output_drop(void);

/* A file that is written where it is, while something goes on; NULL, logged, where it cannot be. */
FILE *dal_output_open_now(const char *what, const char *name);

/* Can a file of this name be opened? For what is written late: said before the work begins. Leaves
 * everything as it is. Returns what dal_output_open() would. */
int dal_output_check(const char *what, const char *name);

/* Writes all of it to a file descriptor: DAL_OK, or DAL_ERR_IO with errno set and nothing logged.
 */
int dal_write_all(int fd, const void *data, size_t bytes);

/* First of all in main(): file numbers 0 to 2 that are closed are taken, so that no file that is
 * opened later is written for standard output. */
void dal_output_guard(void);
/* Writes what has been printed to standard output so far, before something that may end the
 * program. What fails is dal_output_finish()'s to tell. Main thread. */
void dal_output_settle(void);
/* Last of all in main(): DAL_OK, or DAL_ERR_IO when standard output could not be written. */
int dal_output_finish(void);

/*
 * For a program that may not come to its orderly end: writes what has been printed to standard
 * output so far. A thread of its own does it, since a thread that hangs may hold the stream's lock,
 * and a pipe may have no reader: the caller waits no longer than `limit_ns`. Any thread, but no
 * signal handler; several at once are in order.
 */
void dal_output_flush(int64_t limit_ns);
/* The usual limit where the program ends next. */
enum { DAL_OUTPUT_LAST_NS = 1000 * 1000 * 1000 };

#endif
