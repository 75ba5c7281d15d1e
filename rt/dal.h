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
 * All calls are made from within init, fire or finish with the p given there. A process is never
 * entered by two threads at once, but successive firings may come from different threads.
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
 * process gets one, zeroed, in p->local. */
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
};

/* A run of firings of one process, called once (see net.h, struct dal_code). */
struct dal_activation {
    uint64_t firings;           /* firings there are tokens and space for */
    uint64_t fired;             /* firings done */
    int status;                 /* what the last firing returned */
    int failed;                 /* a call was wrong and has been reported */
    struct dal_window *windows; /* one a port, in the order of the specification */
    struct dal_process *process;
};

/* Index of a port by name, -1 with a message when the process has none of that name. Generated
 * process headers define DAL_PORT_INDEX with the names known, so that it folds to a constant. */
int dal_port_index(const char *name, DALProcess *p);
/* Reports a call that asks for more bytes than its firing has; ends the program. Returns -1. */
int dal_window_overrun(const char *call, const char *port, size_t bytes, DALProcess *p);

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
    if (!w || len < 0 || (size_t)len > w->bytes - w->done) {
        if (len > 0)
            memset(buf, 0, (size_t)len);
        return dal_window_overrun("DAL_read", (const char *)port, (size_t)len, p);
    }
    memcpy(buf, w->firing + w->done, (size_t)len);
    w->done += (size_t)len;
    return len;
}

/* Copies len bytes to the next place in this firing's window of an output port; as DAL_read. */
static inline int DAL_write(void *port, void *buf, int len, DALProcess *p)
{
    struct dal_window *w = dal__window((const char *)port, p);
    if (!w || len < 0 || (size_t)len > w->bytes - w->done)
        return dal_window_overrun("DAL_write", (const char *)port, (size_t)len, p);
    memcpy(w->firing + w->done, buf, (size_t)len);
    w->done += (size_t)len;
    return len;
}

/* The next `rate` tokens of an input port in place: a pointer valid until DAL_read_end and no
 * later than the end of the firing. NULL, and the program ends, when the window has fewer. */
static inline void *DAL_read_begin(void *port, size_t token_bytes, size_t rate, DALProcess *p)
{
    struct dal_window *w = dal__window((const char *)port, p);
    if (!w || token_bytes * rate > w->bytes - w->done) {
        dal_window_overrun("DAL_read_begin", (const char *)port, token_bytes * rate, p);
        return NULL;
    }
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
 * in place, to be filled and sent by DAL_write_end. A whole window is (token, rate, rate, 0). */
static inline void *DAL_write_begin(void *port, size_t token_bytes, size_t rate,
                                    size_t block_tokens, size_t block, DALProcess *p)
{
    struct dal_window *w = dal__window((const char *)port, p);
    size_t end = token_bytes * block_tokens * (block + 1);
    if (!w || token_bytes * rate > w->bytes || end > w->bytes) {
        dal_window_overrun("DAL_write_begin", (const char *)port, end, p);
        return NULL;
    }
    w->held = token_bytes * block_tokens;
    return w->firing + token_bytes * block_tokens * block;
}

/* Sends what the last DAL_write_begin handed out. */
static inline void DAL_write_end(void *port, void *buf, DALProcess *p)
{
    struct dal_window *w = dal__window((const char *)port, p);
    (void)buf;
    if (w) {
        w->done += w->held;
        w->held = 0;
    }
}

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
#define DAL_foreach(blk, port) for (int blk = 0; blk < BLOCK_##port##_COUNT; blk++)

/* Index of this process in dimension `dim` of its iterator, counted from 0; -1 without one. */
int DAL_getIndex(int dim, DALProcess *p);

/* Value of a <parameter> of this process (after command line overrides), or NULL when it has
 * none of that name. Valid until the program ends. */
const char *DAL_getParameter(const char *name, DALProcess *p);

/* The same as an integer: 0 and *value set; -1, with a message, when missing or no integer. */
int DAL_getParameterInt(const char *name, long *value, DALProcess *p);

/* Prints to standard output, one call at a time. Returns what vprintf() returns. */
int DAL_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Ends the program with an error: logs "process NAME: message", closes all channels, and the
 * program's exit status will be 1. The firing should return non-zero soon after. */
void DAL_fail(DALProcess *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sends an event to the controller. "stop" asks for an orderly end: sources are not fired again
 * and everything sent reaches the sinks. Other events are counted and ignored. Returns 0. */
int DAL_send_event(void *message, DALProcess *p);

/* Names of iterated ports: CREATEPORTVAR declares a buffer, CREATEPORT composes BASE_i_j.. */
#define CREATEPORTVAR(name) char name[64]
#define CREATEPORT(port, base, dims, index, range)                                                 \
    do {                                                                                           \
        (void)(dims);                                                                              \
        (void)(range);                                                                             \
        snprintf(port, sizeof(port), "%s_%d", (const char *)(base), (int)(index));                 \
    } while (0)
#define GETINDEX(dim) DAL_getIndex(dim, p)

#ifdef __cplusplus
}
#endif
#endif
