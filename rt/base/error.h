/*
 * Error codes of the whole project, and the one way to tell a user about an error.
 *
 * Functions that can fail return int: DAL_OK (0) or a negative code of this list. The message is
 * written once, where the context is known, with dal_log(); callers only pass the code on.
 */
#pragma once

#define DAL_ERROR_LIST(X)                                                                          \
    X(OK, 0, "success")                                                                            \
    X(ERR_NOMEM, -1, "out of memory")                                                              \
    X(ERR_INVALID, -2, "invalid argument or specification")                                        \
    X(ERR_IO, -3, "input or output failed")                                                        \
    X(ERR_DEVICE, -4, "a call to a device failed")                                                 \
    X(ERR_NODEVICE, -5, "no such device")                                                          \
    X(ERR_BUILD, -6, "a source does not build")                                                    \
    X(ERR_PROCESS, -7, "a process failed")                                                         \
    X(ERR_CLOSED, -8, "the other end is closed")                                                   \
    X(ERR_UNSUPPORTED, -9, "not supported")                                                        \
    X(ERR_LIMIT, -10, "a limit is exceeded")                                                       \
    X(ERR_SYSTEM, -11, "a system call failed")                                                     \
    X(ERR_INTERRUPTED, -12, "interrupted")                                                         \
    X(ERR_DEADLOCK, -13, "deadlock")                                                               \
    X(ERR_STALLED, -14, "no progress")                                                             \
    X(ERR_NODE, -15, "another node failed")

enum dal_error {
#define DAL_ERROR_ENUM(name, value, text) DAL_##name = value,
    DAL_ERROR_LIST(DAL_ERROR_ENUM)
#undef DAL_ERROR_ENUM
};

/* Returns the text of a code, a static string, never NULL. */
const char *dal_strerror(int code);

enum dal_log_level { DAL_LOG_ERROR, DAL_LOG_WARNING, DAL_LOG_NOTE, DAL_LOG_NOTHING };

/* The subject of a call's messages, and their level when the call fails. It is an error; or a
 * warning where the caller has a substitute; or nothing where the call is only an attempt. */
struct dal_subject {
    const char *name;
    enum dal_log_level failures;
};
#define DAL_SUBJECT(name) (&(const struct dal_subject){(name), DAL_LOG_ERROR})

/*
 * Writes "PROGRAM: LEVEL: message\n" to standard error in one write, so that lines of several
 * threads do not mix; DAL_LOG_NOTHING is not written. Any thread. The program's name is set once
 * with dal_log_program().
 */
void dal_log(enum dal_log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Logs an error in a signal's handler, by calls that are allowed there: all texts up to NULL, one
 * behind the other. */
void dal_log_now(const char *const *texts);

/* Sets the listener, or NULL for none. The thread that writes a message calls it with that message,
 * without program and level. In a program that runs a network that may be in a signal's handler. */
void dal_log_listen(void (*listener)(enum dal_log_level level, const char *message));

/* Returns the name of a level: "error", "warning", "note". */
const char *dal_log_level_name(enum dal_log_level level);

/* Sets the name that dal_log() prints; `name` must stay valid. Before other threads start. */
void dal_log_program(const char *name);

/* Where a thread's messages go instead of standard error: to `take`, with the message alone. It may
 * be called by several threads at once. */
struct dal_log_sink {
    void (*take)(struct dal_log_sink *sink, enum dal_log_level level, const char *message);
};
/* Sets the sink of the calling thread, and of all threads that it starts from now on by
 * dal_thread_start(); NULL for none. Returns the one before. */
struct dal_log_sink *dal_log_to(struct dal_log_sink *sink);
struct dal_log_sink *dal_log_sink(void);

/* Logs that there is no memory for the network, and returns DAL_ERR_NOMEM. */
int dal_no_memory(void);
