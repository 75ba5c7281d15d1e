/*
 * Output that is complete, or else an error: files that are written whole or not at all, and
 * standard output. All messages are logged here, with `what` before the file's name ("DAL_TIMES=",
 * or "").
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

/*
 * A file being written. It is a temporary file beside its place and is moved there at the end, so
 * that an older file stays until then. A file that is no ordinary one (a device, a pipe), or is in
 * a folder that takes no new files, is written in place. One thread.
 */
struct dal_output {
    FILE *file;
    const char *what, *name;
    char *place, *temporary; /* NULL when it is written in place */
};

/* Opens a file. Returns DAL_OK, DAL_ERR_IO or DAL_ERR_NOMEM. `what` and `name` live until it is
 * closed. */
int dal_output_open(struct dal_output *output, const char *what, const char *name);
/* Closes it, and moves it into its place when all could be written. Returns DAL_OK, or DAL_ERR_IO
 * with the place unchanged. */
int dal_output_close(struct dal_output *output);
/* Flushes one of several files that make sense only together. Returns DAL_OK, or DAL_ERR_IO with
 * nothing logged: dal_output_close() logs it. */
int dal_output_flushed(struct dal_output *output);
/* Gives the file up: an older one at its place stays. */
void dal_output_abandon(struct dal_output *output);

/* May a file of this name be a temporary one of this program for the place, which is of the same
 * folder? Both are without the folder. */
int dal_output_is_temporary(const char *name, const char *place);

/* Removes all temporary files, before the program ends. Async-signal-safe. Does nothing in a child
 * made by fork(). */
void dal_output_drop(void);

/* Opens a file that is written in place while something goes on. Returns NULL, logged, where it
 * cannot be opened, or another program has it open by this. That one's file stays as it is. */
FILE *dal_output_open_now(const char *what, const char *name);

/* Can a file of this name be opened? Asked before the work begins, for a file that is written late.
 * Changes nothing. Returns what dal_output_open() would. */
int dal_output_check(const char *what, const char *name);

/* Do both names stand for one file, which the second to be closed would take from the first? Those
 * that are written in place do not. */
int dal_output_is_same(const char *one, const char *other);

/* Writes all of it to a file descriptor: DAL_OK, or DAL_ERR_IO with errno set and nothing logged.
 */
int dal_write_all(int fd, const void *data, size_t bytes);

/* Opens file numbers 0 to 2 if they are closed, first of all in main(): input to be written, output
 * to be read. So what is meant for them fails, and no file that is opened later gets it. */
void dal_output_guard(void);

/*
 * The line of progress that a terminal on standard error shows; nothing elsewhere. One at a time,
 * one thread. Between begin and end, dal_progress_is_due() says at most five times a second that
 * another line should be shown. Each line wipes the one before it, and the end the last one.
 */
void dal_progress_begin(void);
int dal_progress_is_due(void);
void dal_progress_show(const char *format, ...) __attribute__((format(printf, 1, 2)));
void dal_progress_end(void);

/* Writes what has been printed to standard output so far, before something that may end the
 * program. dal_output_finish() tells of errors. Main thread. */
void dal_output_settle(void);
/* Closes standard output, last of all in main(). Returns DAL_OK, or DAL_ERR_IO when it could not be
 * written. */
int dal_output_finish(void);

/*
 * Writes what has been printed to standard output so far, where the program may not come to its
 * orderly end. A thread of its own writes: a thread that hangs may hold the stream's lock, and a
 * pipe may have no reader. The caller waits no longer than `limit_ns`. Any thread, but no signal
 * handler; several calls at once are allowed.
 */
void dal_output_flush(int64_t limit_ns);
/* The usual limit where the program ends next. */
enum { DAL_OUTPUT_LAST_NS = 1000 * 1000 * 1000 };
