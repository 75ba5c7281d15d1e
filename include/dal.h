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
 * All calls are made from within init, fire or finish with the p given there, by the thread that
 * called it. A process is never entered by two threads at once, but successive firings may come
 * from different threads (those of a KPN process come from one). A process does not end its thread
 * or the program: pthread_exit() and exit() are errors (_exit() goes unnoticed).
 *
 * Tokens are read and written in fire only, of every process. A call on a port of the other
 * direction, with a name that no port has, in init or finish, or with the p of another process
 * moves nothing, and ends the program with an error that names process, call and port. Where the
 * port is a literal (PORT_x), gcc with optimisation refuses it when the program is built; with
 * another compiler or -O0 it is refused when the call is made, as all the rest is. gcc also refuses
 * a constant token size that is neither a multiple nor a part of the network's. What tokens a
 * pointer into a window points to is not checked, but with DAL_READ_TOKENS and its like.
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
    size_t from;           /* where in the window they begin */
    size_t must;           /* least a firing has to move: bytes for an output, 0 for an input */
    uint64_t astray;       /* 0: no byte was written twice; see dal_window_astray */
    int begun;             /* begun and not ended */
    int waits;             /* 1 of a KPN process: calls that find too little go on to wait */
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
    int own;                    /* of this firing alone: no other call can have its p */
    struct dal_window *windows; /* one a port, in the order of the specification */
    struct dal_process *process;
};

/* The p that the fire has which the calling thread is in; NULL without one, and while a firing has
 * a p of its own (net.h, dal_unit_run). */
extern __thread DALProcess *dal_firing;

/* Index of an output (1) or input (0) by name, -1 without one. */
int dal_port_index(const char *name, int output, const struct dal_process *process);

/* Generated process headers come first (DAL_UNIT_H) and have functions that know the ports, so that
 * all of it folds to a constant where the name is a literal. What cannot be right is then an error
 * of the build; with gcc, when it optimises, since it is known only then what is a constant. */
#ifdef DAL_UNIT_H
#ifdef __clang__ /* to which no call of strcmp() is a constant before it has been inlined */
#define DAL_IS_LITERAL(name) __builtin_constant_p((name)[0])
#else
#define DAL_IS_LITERAL(name) __builtin_constant_p(__builtin_strcmp(name, ""))
#endif
#define DAL_PORT_INDEX(name, output, process)                                                      \
    (DAL_IS_LITERAL(name) ? dal__unit_port(name, output) : dal_port_index(name, output, process))
#else
#define DAL_IS_LITERAL(name)                  0
#define DAL_PORT_INDEX(name, output, process) dal_port_index(name, output, process)
#endif

/* Is a call of the firing that its thread is in? Units that cannot keep a p (DAL_UNIT_OWN) have but
 * those of their firings, and of init and finish. */
#ifdef DAL_UNIT_OWN
#define DAL_IS_HERE(p) (dal__activation(p)->own)
#else
#define DAL_IS_HERE(p) ((p) == dal_firing || dal__activation(p)->own)
#endif

#if defined(DAL_UNIT_H) && defined(__OPTIMIZE__) && !defined(__clang__)
#define DAL_PORT_CHECK(name, output)                                                               \
    do {                                                                                           \
        if (DAL_IS_LITERAL(name))                                                                  \
            dal__unit_check_port(name, output);                                                    \
    } while (0)
#define DAL_TOKEN_CHECK(name, output, bytes)                                                       \
    do {                                                                                           \
        if (DAL_IS_LITERAL(name) && __builtin_constant_p(bytes) && (bytes) > 0)                    \
            dal__unit_token(dal__unit_port(name, output), bytes);                                  \
    } while (0)
#else
#define DAL_PORT_CHECK(name, output)         (void)0
#define DAL_TOKEN_CHECK(name, output, bytes) (void)0
#endif

/* What the calls below do not do inline. The first three report an error, by the names of the call,
 * the process and the port, and end the program: a call that is not of the firing of its thread, of
 * a port that is not there, or for more than a firing has left. The others wait. */
void dal_refuse_process(const char *call, const char *port, struct dal_process *process);
void dal_refuse_port(const char *call, const char *port, struct dal_process *process);
void dal_refuse_bytes(const char *call, const char *port, size_t bytes,
                      const struct dal_window *window, struct dal_process *process);
void dal_refuse_end(const char *call, const char *port, struct dal_process *process);
int dal_window_read(const char *port, void *buf, int len, struct dal_process *process);
int dal_window_write(const char *port, const void *buf, int len, struct dal_process *process);
void *dal_window_begin_read(const char *port, size_t bytes, struct dal_process *process);
void *dal_window_begin_write(const char *port, size_t bytes, struct dal_process *process);
int dal_window_at_end(const char *port, struct dal_process *process);
int dal_window_test(const char *port, int output, int len, struct dal_process *process);

/* NULL after a call that was wrong, which the compiler does not know of: it does not follow what a
 * source would do with it, and warns of nothing there. */
void *dal_window_none(void);

/* What `held` bytes add to `astray` that are written at `from`, instead of behind the `done` bytes
 * that have been. It is 0 in the end if all have been written once, in any order. */
uint64_t dal_window_astray(size_t from, size_t done, size_t held) __attribute__((const));

#define DAL_INLINE            static inline __attribute__((always_inline))
#define DAL_RARELY(condition) __builtin_expect(!!(condition), 0)

DAL_INLINE struct dal_activation *dal__activation(DALProcess *p)
{
    return (struct dal_activation *)p->wptr;
}

DAL_INLINE struct dal_process *dal__process(DALProcess *p)
{
    return dal__activation(p)->process;
}

/* Notes that a call was wrong, for what is to report it. */
DAL_INLINE struct dal_process *dal__fail(DALProcess *p)
{
    dal__activation(p)->failed = 1;
    return dal__process(p);
}

/* Index of a port of this direction; -1 when the call was wrong, which has been reported. */
DAL_INLINE int dal__port(const char *call, int output, const char *port, DALProcess *p)
{
    int index;
    if (DAL_RARELY(!DAL_IS_HERE(p))) {
        dal_refuse_process(call, port, dal__process(p));
        return -1;
    }
    DAL_PORT_CHECK(port, output);
    index = DAL_PORT_INDEX(port, output, dal__process(p));
    if (DAL_RARELY(index < 0))
        dal_refuse_port(call, port, dal__fail(p));
    return index;
}

DAL_INLINE struct dal_window *dal__window(int index, DALProcess *p)
{
    return &dal__activation(p)->windows[index];
}

/* Has the window so many bytes left? */
DAL_INLINE int dal__has(const struct dal_window *w, size_t bytes)
{
    return bytes <= w->bytes - w->done;
}

/* A window of a KPN process that is begun must be ended before the port is used again. */
DAL_INLINE int dal__is_taken(const struct dal_window *w)
{
    return w->waits && w->begun;
}

/* More than there is: an error, but of a KPN process. p is not handed on, so that it does not leave
 * the compiler's sight. */
DAL_INLINE int dal__must_wait(const char *call, const char *port, size_t bytes,
                              const struct dal_window *w, DALProcess *p)
{
    struct dal_window window = *w;
    if (window.waits && bytes < SIZE_MAX / 2)
        return 1;
    dal_refuse_bytes(call, port, bytes, &window, dal__fail(p));
    return 0;
}

/* Few bytes go through memory of our own: a variable whose address does not leave the compiler's
 * sight may be a register. */
enum { DAL_FEW_BYTES = 64 };

/* Nothing is read: what a source would go on with is zero bytes. */
DAL_INLINE int dal__read_nothing(void *buf, int len)
{
    if (len > 0)
        memset(buf, 0, (size_t)len);
    return -1;
}

DAL_INLINE int dal__read_rest(const char *port, void *buf, int len, struct dal_window *w,
                              DALProcess *p)
{
    unsigned char few[DAL_FEW_BYTES];
    int status;
    if (!dal__must_wait("DAL_read", port, (size_t)len, w, p))
        return dal__read_nothing(buf, len);
    if (!__builtin_constant_p(len) || len > DAL_FEW_BYTES)
        return dal_window_read(port, buf, len, dal__process(p));
    status = dal_window_read(port, few, len, dal__process(p));
    memcpy(buf, few, (size_t)len);
    return status;
}

DAL_INLINE int dal__write_rest(const char *port, const void *buf, int len, struct dal_window *w,
                               DALProcess *p)
{
    unsigned char few[DAL_FEW_BYTES];
    if (!dal__must_wait("DAL_write", port, (size_t)len, w, p))
        return -1;
    if (!__builtin_constant_p(len) || len > DAL_FEW_BYTES)
        return dal_window_write(port, buf, len, dal__process(p));
    memcpy(few, buf, (size_t)len);
    return dal_window_write(port, few, len, dal__process(p));
}

/* Copies the next len bytes of this firing's window out of an input port. Returns len, or -1
 * when the window has fewer left, which also ends the program with a message; then buf is zeroed.
 */
DAL_INLINE int DAL_read(void *port, void *buf, int len, DALProcess *p)
{
    int index = dal__port("DAL_read", 0, (const char *)port, p);
    struct dal_window *w;
    if (DAL_RARELY(index < 0))
        return dal__read_nothing(buf, len);
    w = dal__window(index, p);
    if (DAL_RARELY(len < 0 || !dal__has(w, (size_t)len)))
        return dal__read_rest((const char *)port, buf, len, w, p);
    memcpy(buf, w->firing + w->done, (size_t)len);
    w->done += (size_t)len;
    return len;
}

/* Copies len bytes to the next place in this firing's window of an output port; as DAL_read. */
DAL_INLINE int DAL_write(void *port, void *buf, int len, DALProcess *p)
{
    int index = dal__port("DAL_write", 1, (const char *)port, p);
    struct dal_window *w;
    if (DAL_RARELY(index < 0))
        return -1;
    w = dal__window(index, p);
    if (DAL_RARELY(len < 0 || !dal__has(w, (size_t)len)))
        return dal__write_rest((const char *)port, buf, len, w, p);
    memcpy(w->firing + w->done, buf, (size_t)len);
    w->done += (size_t)len;
    return len;
}

/* The product, or what no window has. */
DAL_INLINE size_t dal__times(size_t a, size_t b)
{
    size_t product;
    return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
}

/* The next `rate` tokens of an input port in place: a pointer valid until DAL_read_end and no
 * later than the end of the firing. NULL, and the program ends, when the window has fewer. */
DAL_INLINE void *DAL_read_begin(void *port, size_t token_bytes, size_t rate, DALProcess *p)
{
    const char *name = (const char *)port;
    int index = dal__port("DAL_read_begin", 0, name, p);
    size_t bytes = dal__times(token_bytes, rate);
    struct dal_window *w;
    if (DAL_RARELY(index < 0))
        return dal_window_none();
    DAL_TOKEN_CHECK(name, 0, token_bytes);
    w = dal__window(index, p);
    if (DAL_RARELY(dal__is_taken(w) || !dal__has(w, bytes)))
        return dal__must_wait("DAL_read_begin", name, bytes, w, p)
                   ? dal_window_begin_read(name, bytes, dal__process(p))
                   : dal_window_none();
    w->held = bytes;
    w->begun = 1;
    return w->firing + w->done;
}

/* Is something begun at the port? */
DAL_INLINE int dal__is_begun(const char *call, const char *port, int index, DALProcess *p)
{
    if (index < 0)
        return 0;
    if (DAL_RARELY(!dal__window(index, p)->begun)) {
        dal_refuse_end(call, port, dal__fail(p));
        return 0;
    }
    return 1;
}

/* Gives the tokens of the last DAL_read_begin back. */
DAL_INLINE void DAL_read_end(void *port, const void *buf, DALProcess *p)
{
    int index = dal__port("DAL_read_end", 0, (const char *)port, p);
    struct dal_window *w;
    (void)buf;
    if (DAL_RARELY(!dal__is_begun("DAL_read_end", (const char *)port, index, p)))
        return;
    w = dal__window(index, p);
    w->done += w->held;
    w->begun = 0;
}

/* Space for block number `block` of `block_tokens` tokens in a firing's window of `rate` tokens,
 * in place, to be filled and sent by DAL_write_end. A whole window is (token, rate, rate, 0).
 * Blocks may be written in any order, each once: more than that is an error that ends the program.
 * At a port of a KPN process blocks are begun and ended one after the other. */
DAL_INLINE void *DAL_write_begin(void *port, size_t token_bytes, size_t rate, size_t block_tokens,
                                 size_t block, DALProcess *p)
{
    const char *name = (const char *)port;
    int index = dal__port("DAL_write_begin", 1, name, p);
    size_t bytes = dal__times(token_bytes, block_tokens), from = dal__times(bytes, block);
    struct dal_window *w;
    if (DAL_RARELY(index < 0))
        return dal_window_none();
    DAL_TOKEN_CHECK(name, 1, token_bytes);
    w = dal__window(index, p);
    if (DAL_RARELY(w->waits || dal__times(token_bytes, rate) > w->bytes || from > w->bytes ||
                   bytes > w->bytes - from))
        return dal__must_wait("DAL_write_begin", name,
                              from > SIZE_MAX - bytes ? from : from + bytes, w, p)
                   ? dal_window_begin_write(name, bytes, dal__process(p))
                   : dal_window_none();
    w->held = bytes;
    w->from = from;
    w->begun = 1;
    return w->firing + from;
}

/* Sends what the last DAL_write_begin handed out. */
DAL_INLINE void DAL_write_end(void *port, void *buf, DALProcess *p)
{
    int index = dal__port("DAL_write_end", 1, (const char *)port, p);
    struct dal_window *w;
    (void)buf;
    if (DAL_RARELY(!dal__is_begun("DAL_write_end", (const char *)port, index, p)))
        return;
    w = dal__window(index, p);
    if (w->from != w->done)
        w->astray += dal_window_astray(w->from, w->done, w->held);
    w->done += w->held;
    w->begun = 0;
}

/* Of a KPN process: has an input port come to its end? Waits until there is a byte to read (0) or
 * there never will be (1), so that the answer is the same in every run. For other processes and
 * for output ports an error that ends the program: -1. */
DAL_INLINE int DAL_at_end(void *port, DALProcess *p)
{
    int index = dal__port("DAL_at_end", 0, (const char *)port, p);
    struct dal_window *w;
    if (index < 0)
        return -1;
    w = dal__window(index, p);
    if (w->waits)
        return dal__has(w, 1) ? 0 : dal_window_at_end((const char *)port, dal__process(p));
    dal_refuse_end("DAL_at_end", (const char *)port, dal__fail(p));
    return -1;
}

/* Of a KPN process: can `len` bytes be read from (written to) a port without waiting? 1 yes, 0 not
 * now, -1 never, since the other end is closed (or, at a port of any other process, since a
 * firing's window has fewer left). What a process does with a 0 may make its results differ from
 * run to run: the one thing that can. */
DAL_INLINE int dal__test(const char *call, int output, const char *port, int len, DALProcess *p)
{
    int index = dal__port(call, output, port, p);
    struct dal_window *w;
    if (index < 0 || len < 0)
        return -1;
    w = dal__window(index, p);
    if (dal__has(w, (size_t)len) && !dal__is_taken(w))
        return 1;
    return w->waits ? dal_window_test(port, output, len, dal__process(p)) : -1;
}

DAL_INLINE int DAL_rtest(void *port, int len, DALProcess *p)
{
    return dal__test("DAL_rtest", 0, (const char *)port, len, p);
}

DAL_INLINE int DAL_wtest(void *port, int len, DALProcess *p)
{
    return dal__test("DAL_wtest", 1, (const char *)port, len, p);
}

/*
 * The same with a type, checked when the program is built: it must have the size of a token of port
 * `x`, which is written without PORT_ (TOKEN_x_SIZE is in the generated header). An error names
 * both sizes. A window whose type is a guess, on the other hand, is as large as the network says,
 * and what is written behind its end overwrites other tokens.
 *
 *     struct pair *in = DAL_READ_TOKENS(struct pair, in, TOKEN_in_RATE, p);   of DAL_read_begin
 *     struct sum *out = DAL_WRITE_TOKENS(struct sum, out, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
 *     DAL_READ_TOKEN(in, &pair, p);                                           of DAL_read
 *     DAL_WRITE_TOKEN(out, &sum, p);
 */
#define DAL_READ_TOKENS(type, x, rate, p)                                                          \
    ((type *)DAL_read_begin((void *)PORT_##x, DAL_TOKEN_BYTES(x, sizeof(type)), rate, p))
#define DAL_WRITE_TOKENS(type, x, rate, block_tokens, block, p)                                    \
    ((type *)DAL_write_begin((void *)PORT_##x, DAL_TOKEN_BYTES(x, sizeof(type)), rate,             \
                             block_tokens, block, p))
#define DAL_READ_TOKEN(x, token, p)                                                                \
    DAL_read((void *)PORT_##x, token, (int)DAL_TOKEN_BYTES(x, sizeof(*(token))), p)
#define DAL_WRITE_TOKEN(x, token, p)                                                               \
    DAL_write((void *)PORT_##x, token, (int)DAL_TOKEN_BYTES(x, sizeof(*(token))), p)

#define DAL_TEXT_OF(macro) DAL_TEXT(macro)
#define DAL_TEXT(text)     #text
/* clang-format off */
#ifdef __cplusplus
#define DAL_TOKEN_BYTES(x, size)                                                                   \
    (sizeof(char[(size) == TOKEN_##x##_SIZE ? 1 : -1]) * TOKEN_##x##_SIZE)
#else
/* The assertion's text has the one size, the type of the selector the other. */
#define DAL_TOKEN_BYTES(x, size)                                                                   \
    (0 * sizeof(struct {                                                                           \
        _Static_assert((size) == TOKEN_##x##_SIZE,                                                 \
                       "a token of port " #x " has " DAL_TEXT_OF(TOKEN_##x##_SIZE)                 \
                       " bytes, this type not");                                                   \
        int it;                                                                                    \
    }) + _Generic((char (*)[size])0, char (*)[TOKEN_##x##_SIZE]: (size)))
#endif
/* clang-format on */

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
