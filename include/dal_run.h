/*
 * dal_run.h: a process network in somebody else's program.
 *
 * `dalsynth --library` makes a library of a network with ports, libNAME.so and libNAME.a, and a
 * header NAME.h with typed calls on top of these. A struct dal_run is one running network. A
 * program may have many, of one network or of several, opened and closed by any thread.
 *
 *     struct dal_run *run;
 *     if (dal_run_open(&run, &gain_net, NULL) < 0) puts(dal_run_message(NULL));
 *     dal_run_write(run, gain_PORT_samples, samples, 4096, DAL_FOREVER);
 *     dal_run_end(run, gain_PORT_samples);
 *     n = dal_run_read(run, gain_PORT_louder, louder, 4096, 10 * DAL_MS);
 *     if (dal_run_close(run) < 0) ...
 *
 * Threads: one thread at a time for a port, and one for each port if the program likes. Calls for
 * different ports, and of different runs, may be at once. dal_run_close() is the last call of a
 * run.
 *
 * Time: periodic processes are released by the clock, from dal_run_open() on. When the network has
 * ended, the log has the deadlines and latencies that were missed.
 *
 * Errors: each call returns a negative number, an error, or 0 and more. dal_run_message() has the
 * text of the first error of a run, or of the latest call that was refused. Nothing here ends the
 * program, prints, handles signals, changes the locale or the working folder. A reader of a pipe
 * that goes away ends its port, and no program.
 */
#ifndef DAL_RUN_H
#define DAL_RUN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dal_net; /* the tables of a network, in its library */
struct dal_run;

/* Waits: nanoseconds. 0 does not wait. */
#define DAL_FOREVER INT64_MAX
#define DAL_MS      INT64_C(1000000)
#define DAL_S       INT64_C(1000000000)

/* All zeros, or NULL, are the usual ones. */
struct dal_run_options {
    /* "Band_0.gain=2", several parted by line ends: as -p of a program. */
    const char *parameters;
    /* Called with each message: level is "error", "warning" or "note". From any thread, several at
     * once. NULL: only what dal_run_message() returns is kept. */
    void (*log)(void *log_of, const char *level, const char *message);
    void *log_of;
    uint64_t max_memory; /* bytes that channels may grow by; 0: 1 GB */
    int strict;          /* a device that is missing is an error */
    int all_cores;       /* all cores of a binding take part */
    /* "samples=take.wav", several parted by line ends: files, pipes and arrays at ports, as --PORT
     * of a program. "-" is standard input or output. A named pipe waits for its other end. A signal
     * whose handler does not restart calls ends that by an error. Nobody calls a port that has a
     * file. Where all have one, dal_run_wait() is all that is left. */
    const char *files;
};

/* Starts a network. Returns 0 with *run, or an error with *run NULL; dal_run_message(NULL) tells
 * the calling thread why. Options and net may go after it; a net of a library stays. */
int dal_run_open(struct dal_run **run, const struct dal_net *net,
                 const struct dal_run_options *options);

/* Waits until the network has ended, for wait_ns at most. It ends when its sources, files and input
 * ports have ended. Ports that the program calls must have ended, too: by dal_run_end(), or read to
 * the end. Files that it wrote are then in their places, or, after an error, not there. Returns 1,
 * or 0 when it still runs, or the first error of the run. One thread at a time. */
int dal_run_wait(struct dal_run *run, int64_t wait_ns);

/* Stops, waits until the network has ended, and frees the run; its ports have ended then. A file at
 * an input is read no further: dal_run_wait() comes first if all of it is to be. Returns 0 or the
 * first error of the run; dal_run_message(NULL) tells the calling thread. Accepts NULL. */
int dal_run_close(struct dal_run *run);

/* Asks the network to end, from any thread, or a signal's handler; does not wait. Processes without
 * inputs are not called any more, and files at inputs are read no further. What is inside comes
 * out. Input ports that the program writes are its own: dal_run_end() ends them. */
void dal_run_stop(struct dal_run *run);

/* Ends the network now, likewise: calls that wait come back. What is inside is lost, and files that
 * were to be written are not there. */
void dal_run_break(struct dal_run *run);

/* Returns the number of a port, or a negative error. Numbers are those of NAME.h. */
int dal_run_port(const struct dal_run *run, const char *name);

/* What a port is: ports are counted from 0 in the order of the network. Return 0, or a negative
 * error behind the last. */
struct dal_run_port_info {
    const char *name;
    int port;           /* its number in calls */
    int is_output;      /* it is read */
    const char *type;   /* of C, of the elements of a token; NULL where the network does not say */
    char kind;          /* of the elements: 'i', 'u' integers, 'f' real, 'V' anything else */
    uint64_t count;     /* elements of a token */
    size_t token_bytes; /* of a token */
};
int dal_run_describe(const struct dal_net *net, int number, struct dal_run_port_info *info);

/* Writes tokens to an input port. Waits until all have gone in, or for wait_ns. Never drops any:
 * returns how many went in. Fewer than `count` is a timeout, or the port has ended, or nobody reads
 * any more (dal_run_is_over). Or returns an error: nothing goes into a network that has failed.
 * What readers that have ended leave free is filled first, so that the number is no matter of
 * chance. */
int64_t dal_run_write(struct dal_run *run, int port, const void *tokens, size_t count,
                      int64_t wait_ns);

/* Reads tokens from an output port, in the same way. Fewer than `count` is a timeout, or the end.
 */
int64_t dal_run_read(struct dal_run *run, int port, void *tokens, size_t count, int64_t wait_ns);

/* A window without a copy: of an input port space to write to, of an output port tokens to read, as
 * far as they lie one behind the other now. Waits for one token at least. Returns how many, with
 * *window; 0 as above; or an error. dal_run_advance() then says how many were written or read, from
 * the first on. Until then no other call for this port. */
int64_t dal_run_window(struct dal_run *run, int port, void **window, int64_t wait_ns);
int dal_run_advance(struct dal_run *run, int port, size_t count);

/* Returns a descriptor for poll(), select() and epoll, the same each time; or an error. It belongs
 * to the run: dal_run_close() closes it, and nobody else reads or writes it.
 *
 * It is readable (POLLIN) while dal_run_read(), dal_run_write() or dal_run_window() of one token
 * would not time out: there is a token, or space for one, or the end, or an error. So at an input
 * it tells of space by POLLIN, too. Each call for the port ends by making it so; a call that leaves
 * nothing to read, or no space, clears it. It may be readable once in vain. While a call for the
 * port waits, it tells nothing. */
int dal_run_fd(struct dal_run *run, int port);

/* Ends a port. At an input the stream ends: what is inside comes out. At an output nobody reads any
 * more. */
int dal_run_end(struct dal_run *run, int port);

/* Does nothing more come at an output, or go at an input? 1, 0, or an error. */
int dal_run_is_over(const struct dal_run *run, int port);

/* Changes a live parameter, "Band_0.gain=3", before the next iteration. Any thread. */
int dal_run_set(struct dal_run *run, const char *parameter);

/* Writes counters of processes and channels, of promised latencies and of periodic processes as
 * JSON, as far as `bytes` reach, with a zero at the end. What processes and channels wait, and the
 * times of firings, are measured and there if DAL_STATS=1 stands in the environment at
 * dal_run_open(). Returns the bytes that all of it has, without the zero, or an error. Any thread.
 */
int64_t dal_run_stats(const struct dal_run *run, char *text, size_t bytes);

/* Returns the text of the network's first error, which stays until the run is closed. While the
 * network has none, returns that of the latest call that was refused, such as a dal_run_set() of an
 * unknown parameter; "" without one. It stays until the next such question of this thread, and
 * dal_run_close() returns no error because of it. NULL: the text of the last dal_run_open() or
 * dal_run_close() of the calling thread, until its next such call. */
const char *dal_run_message(const struct dal_run *run);

#ifdef __cplusplus
}
#endif
#endif
