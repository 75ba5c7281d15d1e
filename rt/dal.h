/*
 * dal.h: what a process written in C sees. The only header a user includes.
 *
 * A process is three functions:
 *
 *     void NAME_init(DALProcess *p);      once, before the first firing; optional
 *     int NAME_fire(DALProcess *p);       one firing; 0 goes on, anything else ends the process
 *     void NAME_finish(DALProcess *p);    once, after the last firing; optional
 *
 * A firing owns one window a port: `rate` tokens of `token size` bytes, contiguous in memory. It
 * is read or written in place (DAL_read_begin, DAL_write_begin: no copy) or piece by piece
 * (DAL_read, DAL_write: a copy), whole windows in the end: a firing that returns 0 and has not
 * written all of an output's window ends the program with an error. In the last firing, the one
 * that returns non-zero, an output whose window was written whole is sent, any other is not.
 *
 * A process with a port of rate "dynamic" is a KPN process (Kahn, "The semantics of a simple
 * language for parallel programming", 1974): it has a thread of its own, no firing rule and no
 * windows given beforehand. At all of its ports DAL_read and DAL_write move any number of bytes and
 * wait until they have; DAL_read_begin and DAL_write_begin wait for the tokens or the space that
 * they hand out. What is written is sent when the process waits and when fire returns, whole
 * tokens at a time. A read that can never be satisfied, since the writer has ended, does not
 * return: the process ends there, and finish is called. (So memory that fire has allocated and
 * means to free belongs into p->local.) DAL_at_end asks for that
 * beforehand; DAL_rtest and DAL_wtest ask without waiting.
 *
 * A firing, init and finish may take as long as they need. A stop, a pause and the other processes
 * of the core wait for the firing that runs, and where a firing moves few bytes for up to 15 more.
 *
 * All calls are made from within init, fire or finish with the p given there. A process is never
 * entered by two threads at once, but successive firings may come from different threads (those of
 * a KPN process come from one).
 *
 * Floating point gives the same bytes on every processor: no a*b+c is contracted to one rounding,
 * in C, portable or OpenCL sources, unless the source asks for that (contraction="on" in the
 * network, or an option or pragma of its own), and float division and sqrt are correctly rounded
 * where the device can. What may differ all the same, doc/floating-point.md names by function.
 *
 * Names and signatures are those of DAL (Schor et al., the distributed application layer).
 */
#ifndef DAL_H
#define DAL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* State of a process between firings: define `struct _local_states` in the source, and every
 * process gets one, zeroed, in p->local; an application that is started again, a new one. (A static
 * variable would be shared by all processes of the source, and outlive a stop.) */
typedef struct _local_states *LocalState;

struct _process;
typedef void (*ProcessInit)(struct _process *);
typedef int (*ProcessFire)(struct _process *);
typedef void (*ProcessFinish)(struct _process *);
typedef void *WPTR;

typedef struct _process {
    LocalState local;
    ProcessInit init;
    ProcessFire fire;
    ProcessFinish finish;
    WPTR wptr; /* the runtime's: struct dal_activation */
} DALProcess;

/* One port during an activation. The runtime fills it in, the calls below move it. */
struct dal_window {
    unsigned char *firing; /* first byte of the current firing's window */
    size_t bytes;          /* bytes of one firing: rate * token size */
    size_t done;           /* bytes of the current firing read or written so far */
    size_t held;           /* bytes handed out by the last begin call */
    size_t must;           /* least a firing has to move: bytes for an output, 0 for an input */
    size_t waits;          /* 1 of a KPN process: calls that find too little go on to wait */
};

/* A run of firings of one process, called once (see net.h, struct dal_code). */
struct dal_activation {
    uint64_t firings;           /* firings there are tokens and space for */
    uint64_t fired;             /* firings done */
    int status;                 /* what the last firing returned */
    int failed;                 /* a call was wrong and has been reported */
    int early;                  /* it ended before its last firing, as it was asked to */
    int enough;                 /* asks for that: set by the monitor, cleared by the worker that
                                   heeds it, both relaxed, since a set that comes too late only
                                   makes the next activation shorter */
    struct dal_window *windows; /* one a port, in the order of the specification */
    struct dal_process *process;
};

/* Index of a port by name, -1 with a message when the process has none of that name. Generated
 * process headers define DAL_PORT_INDEX with the names known, so that it folds to a constant. */
int dal_port_index(const char *name, DALProcess *p);
/* The calls below when a window has not enough: a KPN process waits, any other has asked for more
 * bytes than its firing has, which is reported and ends the program. */
int dal_window_read(const char *port, void *buf, int len, DALProcess *p);
int dal_window_write(const char *port, const void *buf, int len, DALProcess *p);
void *dal_window_begin_read(const char *port, size_t bytes, DALProcess *p);
void *dal_window_begin_write(const char *port, size_t bytes, size_t end, DALProcess *p);

#ifndef DAL_PORT_INDEX
#define DAL_PORT_INDEX(name, p) dal_port_index(name, p)
#endif

static inline struct dal_window *dal__window(const char *port, DALProcess *p)
{
    int index = DAL_PORT_INDEX(port, p);
    return index < 0 ? NULL : &((struct dal_activation *)p->wptr)->windows[index];
}

/* Copies the next len bytes of this firing's window out of an input port. Returns len, or -1
 * when the window has fewer left, which also ends the program with a message; then buf is zeroed.
 */
static inline int DAL_read(void *port, void *buf, int len, DALProcess *p)
{
    struct dal_window *w = dal__window((const char *)port, p);
    if (!w || len < 0 || (size_t)len > w->bytes - w->done)
        return dal_window_read((const char *)port, buf, len, p);
    memcpy(buf, w->firing + w->done, (size_t)len);
    w->done += (size_t)len;
    return len;
}

/* Copies len bytes to the next place in this firing's window of an output port; as DAL_read. */
static inline int DAL_write(void *port, void *buf, int len, DALProcess *p)
{
    struct dal_window *w = dal__window((const char *)port, p);
    if (!w || len < 0 || (size_t)len > w->bytes - w->done)
        return dal_window_write((const char *)port, buf, len, p);
    memcpy(w->firing + w->done, buf, (size_t)len);
    w->done += (size_t)len;
    return len;
}

/* The next `rate` tokens of an input port in place: a pointer valid until DAL_read_end and no
 * later than the end of the firing. NULL, and the program ends, when the window has fewer. */
static inline void *DAL_read_begin(void *port, size_t token_bytes, size_t rate, DALProcess *p)
{
    struct dal_window *w = dal__window((const char *)port, p);
    if (!w || token_bytes * rate > w->bytes - w->done)
        return dal_window_begin_read((const char *)port, token_bytes * rate, p);
    w->held = token_bytes * rate;
    return w->firing + w->done;
}

/* Gives the tokens of the last DAL_read_begin back. */
static inline void DAL_read_end(void *port, const void *buf, DALProcess *p)
{
    struct dal_window *w = dal__window((const char *)port, p);
    (void)buf;
    if (w) {
        w->done += w->held;
        w->held = 0;
    }
}

/* Space for block number `block` of `block_tokens` tokens in a firing's window of `rate` tokens,
 * in place, to be filled and sent by DAL_write_end. A whole window is (token, rate, rate, 0). At a
 * port of a KPN process blocks are begun and ended one after the other. */
static inline void *DAL_write_begin(void *port, size_t token_bytes, size_t rate,
                                    size_t block_tokens, size_t block, DALProcess *p)
{
    struct dal_window *w = dal__window((const char *)port, p);
    size_t bytes = token_bytes * block_tokens, end = bytes * (block + 1);
    if (!w || w->waits || token_bytes * rate > w->bytes || end > w->bytes)
        return dal_window_begin_write((const char *)port, bytes, end, p);
    w->held = bytes;
    return w->firing + bytes * block;
}

/* Sends what the last DAL_write_begin handed out. */
static inline void DAL_write_end(void *port, void *buf, DALProcess *p)
{
    DAL_read_end(port, buf, p);
}

/* Of a KPN process: has an input port come to its end? Waits until there is a byte to read (0) or
 * there never will be (1), so that the answer is the same in every run. For other processes and
 * for output ports an error that ends the program: -1. */
int DAL_at_end(void *port, DALProcess *p);

/* Of a KPN process: can `len` bytes be read from (written to) a port without waiting? 1 yes, 0 not
 * now, -1 never, since the other end is closed (or, at a port of any other process, since a
 * firing's window has fewer left). What a process does with a 0 may make its results differ from
 * run to run: the one thing that can. */
int DAL_rtest(void *port, int len, DALProcess *p);
int DAL_wtest(void *port, int len, DALProcess *p);

/*
 * Portable processes: a source of type "portable" is C for a core and a kernel for a device.
 *
 *     DAL_WINDOW const float *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
 *     DAL_foreach (blk : PORT_out) {            or  DAL_foreach(blk, PORT_out)
 *         DAL_WINDOW float *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE,
 *                                                 BLOCK_out_SIZE, blk, p);
 *         ...
 *         DAL_write_end(PORT_out, out, p);
 *     }
 *     DAL_read_end(PORT_in, in, p);
 *     return 0;
 *
 * The body of DAL_foreach is done once for every block of an output's window, with blk from 0 to
 * BLOCK_out_COUNT - 1: one after the other on a core, shared among the work-items on a device. So
 * no block may need another one, or what another has set; outside of it every work-item does the
 * same, and outputs must not be written. There are as many blocks as the port's `blocks` says, each
 * of BLOCK_out_SIZE tokens; where they do not divide the rate (blocks of a token, say) there is no
 * BLOCK_out_SIZE: the whole window is begun before DAL_foreach, and blk says what is to be done.
 *
 * DAL_WINDOW stands before the type that a pointer to a window points to, in helper functions too.
 * There is no state, no parameter, no file, and fire always returns 0. Of the C library there are
 * the functions of <math.h> for float, and the types of <stdint.h>.
 */
#define DAL_WINDOW
#define DAL_foreach(blk, port) for (int blk = 0; blk < DAL_BLOCKS_##port; blk++)

/* Index of this process in dimension `dim` of its iterator, counted from 0; -1 without one. */
int DAL_getIndex(int dim, DALProcess *p);

/* Value of a <parameter> of this process (after command line overrides), or NULL when it has
 * none of that name. Valid until the program ends. */
const char *DAL_getParameter(const char *name, DALProcess *p);

/* The same as an integer: 0 and *value set. Otherwise -1, and *value is left alone: with a warning
 * when there is none of that name; with an error that ends the program, as DAL_fail() does, when
 * its value is no integer. */
int DAL_getParameterInt(const char *name, long *value, DALProcess *p);

/* Prints to standard output, one call at a time. Returns what vprintf() returns. */
int DAL_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Ends the program with an error: logs "process NAME: message", closes all channels, and the
 * program's exit status will be 1. The firing should return non-zero soon after. */
void DAL_fail(DALProcess *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Sends an event to the controller. "stop" asks for an orderly end of this application: sources are
 * not fired again and everything sent reaches the sinks. Other events are for the state machine of
 * a program of several applications (spec/fsm.xsd), which takes them in the order they are sent;
 * the process goes on meanwhile. Those for which there is no transition are counted and ignored.
 * Returns 0; -1, and the program ends with an error, when too many wait (--event-queue).
 */
int DAL_send_event(void *message, DALProcess *p);

/*
 * Names of iterated ports: CREATEPORTVAR declares a buffer, CREATEPORT composes BASE_i_j... of
 * `dims` pairs of an index and the range that it is in, both int; a port that is not there is told
 * of where it is used. createPort() is the same for a buffer of DAL_PORT_NAME_BYTES; it returns it.
 */
#define DAL_PORT_NAME_BYTES 128
void *createPort(void *port, const void *base, int dims, ...);
#define CREATEPORTVAR(name)         char name[DAL_PORT_NAME_BYTES]
#define CREATEPORT(port, base, ...) createPort(port, base, __VA_ARGS__)
#define GETINDEX(dim)               DAL_getIndex(dim, p)

/* Checkpoints are not kept: a source that needs them is refused when it is compiled. */
#define DAL_NO_CHECKPOINTS __attribute__((error("checkpoints of DAL are not supported")))
int DAL_create_checkpoint(void *buffer, ...) DAL_NO_CHECKPOINTS;
int DAL_read_checkpoint(void *buffer, ...) DAL_NO_CHECKPOINTS;
int DAL_destroy_checkpoint(void *name, ...) DAL_NO_CHECKPOINTS;

#ifdef __cplusplus
}
#endif
#endif
