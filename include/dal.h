/*
 * dal.h: the interface of a process written in C. A user includes this header and no other.
 *
 * A process is three functions:
 *
 *     void NAME_init(DALProcess *p);      once, before the first firing; optional
 *     int NAME_fire(DALProcess *p);       one firing; 0 goes on, anything else ends the process
 *     void NAME_finish(DALProcess *p);    once, after the last firing; optional
 *
 * A firing owns one window at each port: `rate` tokens of `token size` bytes, contiguous in memory.
 * DAL_read_begin and DAL_write_begin give a pointer into the window: nothing is copied. DAL_read
 * and DAL_write copy the window piece by piece. A firing that returns 0 must have written every
 * output's window as a whole; otherwise the program ends with an error. The last firing is the one
 * that returns non-zero. It sends an output whose window it has written as a whole, and no other.
 *
 * A channel that leads from a process to itself may be changed in place (inplace="true"). A firing
 * then writes the window that it reads: both calls, and both arguments of a kernel, give the same
 * pointer. Bytes that a firing does not write stay as they were. Pointers to the two are not
 * `restrict`, and DAL_write is called after everything has been read.
 *
 * A process with a port of rate "dynamic" is a KPN process (Kahn 1974). It has a thread of its own.
 * It has no firing rule, and no windows are prepared for it. At all of its ports DAL_read and
 * DAL_write move any number of bytes, and wait until they have. DAL_read_begin and DAL_write_begin
 * wait for the tokens or the space that they hand out. What the process writes is sent, in whole
 * tokens, when the process waits and when fire returns. A read that waits for a writer that has
 * ended never returns: the process ends there, and finish is called. So memory that fire allocates
 * and has to free belongs into p->local; objects of C++ are destroyed. DAL_at_end tells beforehand
 * whether more will come. DAL_rtest and DAL_wtest ask without waiting.
 *
 * A firing, init and finish may take as long as they need. A stop, a pause and the other processes
 * of the core wait for the firing that runs. Where a firing moves few bytes, they may wait for 15
 * more firings.
 *
 * All calls are made in init, fire or finish, with the p that the function got, by the thread that
 * called it. Two threads never run one process at once. Successive firings may come from different
 * threads, but those of a KPN process come from one. A process does not end its thread or the
 * program: pthread_exit() and exit() are errors. (_exit() is not noticed.)
 *
 * Only fire reads and writes tokens, not init and not finish; but init of a KPN process does, too.
 * The inits of all KPN processes are called one after the other, in the network's order, and before
 * any of them fires; one that waits for tokens or space lets the others go on. A call is wrong when
 * it names a port of the other direction, or no port at all. It is wrong in finish, in the init of
 * a process that is no KPN process, or with the p of another process. It moves nothing, and ends
 * the program with an error that names process, call and port. Where the port is a literal
 * (PORT_x), gcc with optimisation refuses the call when the program is built. All other wrong
 * calls, and those of other compilers or with -O0, are refused when they are made. gcc also refuses
 * a constant token size that is neither a multiple nor a part of the network's. Only
 * DAL_READ_TOKENS and its like check the type of the tokens in a window.
 *
 * Floating point gives the same bytes on every processor. In C, portable and OpenCL sources, no
 * a*b+c is contracted to one rounding. A source can ask for contraction: contraction="on" in the
 * network, or an option or pragma of its own. Float division and sqrt are correctly rounded where
 * the device can do that. doc/explanation/floating-point.md names the functions that may still
 * differ.
 *
 * Names and signatures are those of DAL (Schor et al. 2012). doc/explanation/sources.md names the
 * sources.
 */
#ifndef DAL_H
#define DAL_H

/* Warnings that a source is compiled with are about the source. */
#ifdef __GNUC__
#pragma GCC system_header
#endif
/* A variable that DAL_read() is to fill in stays uninitialised where it fails. gcc cannot know that
 * this ends the program. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

/* A generated unit takes in this file in front of the source, without the C library's headers
 * (DAL_UNIT_FRONT). For the source may ask for features of the library first, and have macros of
 * any name. So nothing here needs these headers; they stand at the end. */
#include <stddef.h>
__extension__ typedef __UINT64_TYPE__ uint64_t;

#ifdef __cplusplus
extern "C" {
#endif

/* State of a process between firings. A source that needs it defines `struct _local_states`. Every
 * process then gets one, zeroed, in p->local, and a new one when its application is started again.
 * (All processes of a source would share a static variable, which also outlives a stop.) */
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
typedef DALProcess DOLProcess; /* for dol.h */

/* One port during an activation. The runtime fills it in; the calls below advance it. */
struct dal_window {
    unsigned char *firing; /* first byte of the current firing's window */
    size_t bytes;          /* bytes of one firing: rate * token size */
    size_t done;           /* bytes of the current firing read or written so far */
    size_t held;           /* bytes handed out by the last begin call */
    size_t from;           /* where in the window they begin */
    size_t must;     /* least bytes that a firing has to move: all for an output, 0 for an input */
    uint64_t astray; /* 0: every byte was written once; see dal_window_astray */
    int begun;       /* a begin call was made, and no end call yet */
    int waits;       /* 1 for a KPN process: a call that finds too little waits */
    int said;        /* of a counted output: DAL_set_count has been called */
    size_t token;    /* of a counted port: bytes of a token; 0 of others */
    size_t reach;    /* and of an output: all that was written or begun lies in front of this */
};

/* A constant of a process: bytes that nobody changes. */
struct dal_constant {
    const char *name;
    const void *data; /* aligned to DAL_CONSTANT_ALIGNMENT */
    uint64_t bytes;
};
enum { DAL_CONSTANT_ALIGNMENT = 128 };

/* A run of firings of one process, called once (see net.h, struct dal_code). */
struct dal_activation {
    uint64_t firings;           /* firings that have tokens and space */
    uint64_t fired;             /* firings done */
    int status;                 /* what the last firing returned */
    int failed;                 /* a call was wrong and has been reported */
    int early;                  /* it ended before its last firing because `enough` was set */
    int enough;                 /* asks the activation to end early. The monitor sets it, the worker
                                   that obeys clears it, both relaxed: a request that comes too late
                                   only makes the next activation shorter */
    int own;                    /* 1: this is one firing, and no other call can have its p */
    int phase;                  /* of the current firing, or of the last one; see DAL_getPhase */
    struct dal_window *windows; /* one a port, in the order of the specification */
    struct dal_process *process;
    int detached;                         /* DOL_detach: the process ends when fire returns */
    const struct dal_constant *constants; /* of the process, in the order of the specification */
    struct dal_guard *guard; /* of windows that are watched (dalsynth --guard) or NULL */
};

/* The p of the fire that the calling thread is in. NULL when it is in none, and while a firing has
 * a p of its own (net.h, dal_unit_run). */
extern __thread DALProcess *dal_firing;

/* Index of the output (1) or input (0) of this name; -1 when there is none. */
int dal_port_index(const char *name, int output, const struct dal_process *process);

/* Generated process headers come before this one (DAL_UNIT_H). Their functions know the ports, so a
 * port's index folds to a constant where the name is a literal. A wrong literal is then an error of
 * the build. Only gcc with optimisation does that: without it nothing is known to be a constant. */
#ifdef DAL_UNIT_H
#ifdef __clang__ /* knows a call of strcmp() to be a constant only after inlining */
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

/* Does a call belong to the firing that its thread is in? A unit that cannot keep a p
 * (DAL_UNIT_OWN) has only the p of its own firing, or of init or finish. */
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

/* Parts of the calls below that are not inline. Those named "refuse" report an error with the names
 * of call, process and port, and end the program. They refuse the p of another firing, a port that
 * is not there, more bytes than are left, and an end without a begin. The others belong to KPN
 * processes, and may wait. */
void dal_refuse_process(const char *call, const char *port, struct dal_process *process);
void dal_refuse_port(const char *call, const char *port, struct dal_process *process);
void dal_refuse_bytes(const char *call, const char *port, size_t bytes,
                      const struct dal_window *window, struct dal_process *process);
void dal_refuse_end(const char *call, const char *port, struct dal_process *process);
void dal_refuse_rates(const char *call, const char *port, struct dal_process *process);
void dal_refuse_count(const char *call, const char *port, size_t count,
                      const struct dal_window *window, struct dal_process *process);
int dal_window_read(const char *port, void *buf, int len, struct dal_process *process);
int dal_window_write(const char *port, const void *buf, int len, struct dal_process *process);
void *dal_window_begin_read(const char *port, size_t bytes, struct dal_process *process);
void *dal_window_begin_write(const char *port, size_t bytes, struct dal_process *process);
int dal_window_at_end(const char *port, struct dal_process *process);
int dal_window_read_some(const char *port, void *buf, int len, struct dal_process *process);
int dal_window_read_line(const char *port, char *line, int len, struct dal_process *process);
int dal_window_test(const char *port, int output, int len, struct dal_process *process);

/* A pointer below DAL_PORT_NUMBERS, where no string is, stands for the port whose name are its
 * digits. Returns where they begin. */
#define DAL_PORT_NUMBERS 65536
#define DAL_PORT_DIGITS  8
const char *dal_port_digits(const void *port, char digits[DAL_PORT_DIGITS]);

/* Called when a test has not said "yes", and the process goes on (dol.h). A process that only asks,
 * thousands of times, for what never comes ends here. */
void dal_window_in_vain(struct dal_process *process);

/* Leaves the fire of a KPN process, if it is its own. A call in it was wrong, and has been
 * reported. */
void dal_window_leave(struct dal_process *process);

/* Watch a window: the process gets a copy of the `bytes` bytes at `at` until the end call
 * (rt/host/guard.h). The guard is passed on in the place of p. */
struct dal_guard;
void *dal_window_lend(struct dal_guard *guard, int port, void *at, size_t bytes);
void dal_window_settle(struct dal_guard *guard, int port);

/* Returns NULL, for a call that was wrong. The compiler does not know that it is NULL. So it does
 * not follow what the source does with the pointer, and does not warn about it. */
void *dal_window_none(void);

/* Returns what to add to `astray` for `held` bytes that were written at `from` instead of directly
 * behind the first `done` bytes. The sum is 0 in the end if every byte was written once, in any
 * order. */
uint64_t dal_window_astray(size_t from, size_t done, size_t held) __attribute__((const));

#define DAL_INLINE            static __inline__ __attribute__((always_inline))
#define DAL_RARELY(condition) __builtin_expect(!!(condition), 0)

DAL_INLINE struct dal_activation *dal__activation(DALProcess *p)
{
    return (struct dal_activation *)p->wptr;
}

DAL_INLINE struct dal_process *dal__process(DALProcess *p)
{
    return dal__activation(p)->process;
}

/* What a begin call returns, and what an end call does about it. */
DAL_INLINE void *dal__lend(int port, void *at, size_t bytes, DALProcess *p)
{
    struct dal_guard *guard = dal__activation(p)->guard;
    return DAL_RARELY(guard != NULL) ? dal_window_lend(guard, port, at, bytes) : at;
}

DAL_INLINE void dal__settle(int port, DALProcess *p)
{
    struct dal_guard *guard = dal__activation(p)->guard;
    if (DAL_RARELY(guard != NULL))
        dal_window_settle(guard, port);
}

/* Notes that a call was wrong. Returns the process, for the function that reports it. */
DAL_INLINE struct dal_process *dal__fail(DALProcess *p)
{
    dal__activation(p)->failed = 1;
    return dal__process(p);
}

/* Returns the index of a port of this direction. Returns -1 when the call was wrong, after
 * reporting it. */
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

/* Does the window have so many bytes left? */
DAL_INLINE int dal__has(const struct dal_window *w, size_t bytes)
{
    return bytes <= w->bytes - w->done;
}

/* Does a window of so many bytes begin at an address that no type of its size may have? The largest
 * power of two in the size is the alignment of such a type. Only channels of bytes have such
 * addresses. */
DAL_INLINE int dal__is_unaligned(const struct dal_window *w, size_t bytes)
{
    size_t power = bytes & (~bytes + 1);
    power = power > 16 ? 16 : power;
    return power > 1 && (__UINTPTR_TYPE__)(w->firing + w->done) % power != 0;
}

/* A KPN process must end a window that it has begun before it uses the port again. */
DAL_INLINE int dal__is_taken(const struct dal_window *w)
{
    return w->waits && w->begun;
}

/* Called when a call asks for more than there is. Returns 1 for a KPN process, which may wait. For
 * others it is an error: returns 0. p is not passed on: the compiler must see all that happens to
 * it. */
DAL_INLINE int dal__must_wait(const char *call, const char *port, size_t bytes,
                              const struct dal_window *w, DALProcess *p)
{
    struct dal_window window = *w;
    if (window.waits && bytes < (size_t)-1 / 2)
        return 1;
    dal_refuse_bytes(call, port, bytes, &window, dal__fail(p));
    return 0;
}

/* A few bytes go through memory of our own. Then the address of the user's variable is not passed
 * on, and the compiler can keep the variable in a register. */
enum { DAL_FEW_BYTES = 64 };

/* Gives the source zero bytes to go on with, since nothing was read. */
DAL_INLINE int dal__read_nothing(void *buf, int len)
{
    if (len > 0)
        __builtin_memset(buf, 0, (size_t)len);
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
    __builtin_memcpy(buf, few, (size_t)len);
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
    __builtin_memcpy(few, buf, (size_t)len);
    return dal_window_write(port, few, len, dal__process(p));
}

/* Copies the next len bytes of this firing's window out of an input port. Returns len. When the
 * window has fewer bytes left, it returns -1, buf is zeroed, and the program ends with a message.
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
    __builtin_memcpy(buf, w->firing + w->done, (size_t)len);
    w->done += (size_t)len;
    return len;
}

/* Copies len bytes to the next place in this firing's window of an output port. Returns len, or -1
 * as DAL_read does. */
DAL_INLINE int DAL_write(void *port, void *buf, int len, DALProcess *p)
{
    int index = dal__port("DAL_write", 1, (const char *)port, p);
    struct dal_window *w;
    if (DAL_RARELY(index < 0))
        return -1;
    w = dal__window(index, p);
    if (DAL_RARELY(len < 0 || !dal__has(w, (size_t)len)))
        return dal__write_rest((const char *)port, buf, len, w, p);
    __builtin_memcpy(w->firing + w->done, buf, (size_t)len);
    w->done += (size_t)len;
    return len;
}

/* Returns the product. Where it overflows, returns more bytes than any window has. */
DAL_INLINE size_t dal__times(size_t a, size_t b)
{
    size_t product;
    return __builtin_mul_overflow(a, b, &product) ? (size_t)-1 : product;
}

/* Returns a pointer to the next `rate` tokens of an input port, in place. They must not be written,
 * but where the channel is changed in place. It is valid until DAL_read_end, and not beyond the end
 * of the firing. When the window has fewer tokens, it is NULL
 * and the program ends. */
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
    if (DAL_RARELY(dal__is_taken(w) || !dal__has(w, bytes) ||
                   (w->waits && dal__is_unaligned(w, bytes))))
        return dal__must_wait("DAL_read_begin", name, bytes, w, p)
                   ? dal__lend(index, dal_window_begin_read(name, bytes, dal__process(p)), bytes, p)
                   : dal_window_none();
    w->held = bytes;
    w->begun = 1;
    return dal__lend(index, w->firing + w->done, bytes, p);
}

/* Is there a begin call at the port without its end call? If not, that is reported. */
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

/* Gives back the tokens of the last DAL_read_begin. */
DAL_INLINE void DAL_read_end(void *port, const void *buf, DALProcess *p)
{
    int index = dal__port("DAL_read_end", 0, (const char *)port, p);
    struct dal_window *w;
    (void)buf;
    if (DAL_RARELY(!dal__is_begun("DAL_read_end", (const char *)port, index, p)))
        return;
    dal__settle(index, p);
    w = dal__window(index, p);
    w->done += w->held;
    w->begun = 0;
}

/* A firing's window of `rate` tokens consists of blocks of `block_tokens` tokens. This returns the
 * space of block number `block`, in place; DAL_write_end sends it. (token size, rate, rate, 0) is
 * the whole window. Blocks may be written in any order, each once; a block that is written twice is
 * an error that ends the program. A KPN process begins and ends blocks one after the other. */
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
                              from > (size_t)-1 - bytes ? from : from + bytes, w, p)
                   ? dal__lend(index, dal_window_begin_write(name, bytes, dal__process(p)), bytes,
                               p)
                   : dal_window_none();
    w->held = bytes;
    w->from = from;
    w->begun = 1;
    return dal__lend(index, w->firing + from, bytes, p);
}

/* Sends the space that the last DAL_write_begin handed out. */
DAL_INLINE void DAL_write_end(void *port, void *buf, DALProcess *p)
{
    int index = dal__port("DAL_write_end", 1, (const char *)port, p);
    struct dal_window *w;
    (void)buf;
    if (DAL_RARELY(!dal__is_begun("DAL_write_end", (const char *)port, index, p)))
        return;
    dal__settle(index, p);
    w = dal__window(index, p);
    if (w->token) { /* DAL_set_count says how many of them are tokens */
        w->reach = w->reach > w->from + w->held ? w->reach : w->from + w->held;
        w->begun = 0;
        return;
    }
    if (w->from != w->done)
        w->astray += dal_window_astray(w->from, w->done, w->held);
    w->done += w->held;
    w->begun = 0;
}

/*
 * A port is counted if the network gives its channel no rates but a bound, most="64". A firing
 * writes any number of tokens up to that, perhaps none, as a packet. A firing of the consumer reads
 * one packet, and DAL_count tells how many tokens that has. Tokens that DAL_write writes are
 * counted as they come. DAL_write_begin gives room for up to the bound, which is TOKEN_x_RATE.
 * After DAL_write_end, DAL_set_count says how many tokens are in it, from the first on. A firing
 * that does neither sends an empty packet; the last firing then sends none. A count above the
 * bound, or above what was written, is an error that ends the program. So a device goes on with the
 * tokens that it has made, without the host. (Bosch 2021, chapter 4, has tasks that are created in
 * the accelerator.)
 *
 *     struct hit *out = DAL_WRITE_TOKENS(struct hit, out, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
 *     ...
 *     DAL_write_end(PORT_out, out, p);
 *     DAL_set_count(PORT_out, found, p);
 *
 * A kernel of OpenCL C has one more argument for each such port: `uint in_count` for an input, and
 * `__global uint *out_count` for an output. One work-item of every firing sets the latter; a firing
 * that does not ends the program. The pointers of counted ports are those of the firing:
 * get_group_id() has nothing to do with them.
 */
DAL_INLINE size_t DAL_count(void *port, DALProcess *p)
{
    int index = dal__port("DAL_count", 0, (const char *)port, p);
    struct dal_window *w;
    if (DAL_RARELY(index < 0))
        return 0;
    w = dal__window(index, p);
    if (w->token)
        return w->bytes / w->token;
    {
        struct dal_window window = *w;
        dal_refuse_count("DAL_count", (const char *)port, 0, &window, dal__fail(p));
    }
    return 0;
}

DAL_INLINE void DAL_set_count(void *port, size_t count, DALProcess *p)
{
    int index = dal__port("DAL_set_count", 1, (const char *)port, p);
    struct dal_window *w;
    if (DAL_RARELY(index < 0))
        return;
    w = dal__window(index, p);
    w->reach = w->reach > w->done ? w->reach : w->done;
    if (DAL_RARELY(!w->token || w->begun || count > w->reach / w->token)) {
        struct dal_window window = *w;
        dal_refuse_count("DAL_set_count", (const char *)port, count, &window, dal__fail(p));
        return;
    }
    w->done = count * w->token;
    w->astray = 0;
    w->said = 1;
}

/* Returns the window of an input port of a KPN process; of any other NULL, which is reported. */
DAL_INLINE struct dal_window *dal__kpn_window(const char *call, const char *port, DALProcess *p)
{
    int index = dal__port(call, 0, port, p);
    struct dal_window *w = index < 0 ? NULL : dal__window(index, p);
    if (!w || w->waits)
        return w;
    dal_refuse_rates(call, port, dal__fail(p));
    return NULL;
}

/* Will an input port of a KPN process have no more bytes? Waits until there is a byte to read, and
 * returns 0; or until there can be none, and returns 1. So the answer is the same in every run. For
 * other processes, and for output ports, it is an error that ends the program: -1. */
DAL_INLINE int DAL_at_end(void *port, DALProcess *p)
{
    struct dal_window *w = dal__kpn_window("DAL_at_end", (const char *)port, p);
    if (!w)
        return -1;
    return dal__has(w, 1) ? 0 : dal_window_at_end((const char *)port, dal__process(p));
}

/*
 * Reads what is there at an input port of a KPN process: whole tokens, at least one, and at most
 * `len` bytes, which is at least a token. Waits only while there is none. Returns the number of
 * bytes, 0 at the end. How many they are is a matter of chance. So what the process writes must not
 * depend on that number, as when it copies bytes, or sums them up: then results are the same in
 * every run. For other processes, and for less room, it is an error that ends the program: -1.
 */
DAL_INLINE int DAL_read_some(void *port, void *buf, int len, DALProcess *p)
{
    if (!dal__kpn_window("DAL_read_some", (const char *)port, p))
        return -1;
    return dal_window_read_some((const char *)port, buf, len, dal__process(p));
}

/*
 * Reads a line of text, as fgets() does: the bytes up to a newline, which is the last of them, or
 * up to the end of the stream, and behind them a zero byte. A line that has no room in `len` bytes,
 * at least 2, comes in pieces. Waits for all of that, so it is the same in every run. Returns the
 * number of bytes without the zero byte, 0 at the end. Errors are those of DAL_read_some().
 */
DAL_INLINE int DAL_read_line(void *port, char *line, int len, DALProcess *p)
{
    if (!dal__kpn_window("DAL_read_line", (const char *)port, p))
        return -1;
    return dal_window_read_line((const char *)port, line, len, dal__process(p));
}

/* Can a KPN process read `len` bytes from (write them to) a port without waiting? 1: yes. 0: not
 * now, and always 0 for more bytes than the channel has room for: DAL_read and DAL_write wait for
 * these. -1: never, because the other end is closed. (Other processes get -1 when the firing's
 * window has fewer bytes left.) Only this call and DAL_read_some can make results differ from run
 * to run: when a process acts upon a 0, or upon a number. */
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
 * The calls above with a type. The build checks that the type has the size of a token of port `x`
 * (TOKEN_x_SIZE in the generated header); the error names both sizes. The port is written without
 * PORT_. The calls above check no type: a window is as large as the network says, and a source that
 * takes its tokens to be larger writes over the tokens behind it.
 *
 *     struct pair *in = DAL_READ_TOKENS(struct pair, in, TOKEN_in_RATE, p);   as DAL_read_begin
 *     struct sum *out = DAL_WRITE_TOKENS(struct sum, out, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
 *     DAL_READ_TOKEN(in, &pair, p);                                           as DAL_read
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
/* The text of the assertion shows the token's size, the types behind it show the other. */
#if defined(__cplusplus) && __cplusplus < 201103L
#define DAL_TOKEN_BYTES(x, size)                                                                   \
    (sizeof(char[(size) == TOKEN_##x##_SIZE ? 1 : -1]) * TOKEN_##x##_SIZE)
#elif defined(__cplusplus)
#define DAL_TOKEN_BYTES(x, size)                                                                   \
    (__extension__({                                                                               \
        static_assert((size) == TOKEN_##x##_SIZE,                                                  \
                      "a token of port " #x " has " DAL_TEXT_OF(TOKEN_##x##_SIZE)                  \
                      " bytes, this type not");                                                    \
        sizeof(static_cast<char (*)[size]>(nullptr) ==                                             \
               static_cast<char (*)[TOKEN_##x##_SIZE]>(nullptr)) * TOKEN_##x##_SIZE;               \
    }))
#else
#define DAL_TOKEN_BYTES(x, size)                                                                   \
    (0 * sizeof(struct {                                                                           \
        _Static_assert((size) == TOKEN_##x##_SIZE,                                                 \
                       "a token of port " #x " has " DAL_TEXT_OF(TOKEN_##x##_SIZE)                 \
                       " bytes, this type not");                                                   \
        int dal__it;                                                                               \
    }) + _Generic((char (*)[size])0, char (*)[TOKEN_##x##_SIZE]: (size)))
#endif
/* clang-format on */

/*
 * Portable processes: a source of type "portable" becomes C on a core and a kernel on a device.
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
 * DAL_foreach does its body once for every block of an output's window; blk goes from 0 to
 * BLOCK_out_COUNT - 1. A core does one block after the other; on a device the work-items share
 * them. So a block must not need another block, nor a variable that another block has set. Outside
 * of DAL_foreach every work-item does the same, and outputs must not be written there. The port's
 * `blocks` says how many blocks there are; each has BLOCK_out_SIZE tokens. Where the blocks do not
 * divide the rate (blocks that are parts of a token, say), there is no BLOCK_out_SIZE: begin the
 * whole window before DAL_foreach, and let blk say what to do.
 *
 * DAL_WINDOW stands before the type that a pointer to a window points to, also in helper functions.
 * There is no state, no parameter and no file, and fire always returns 0. Of the C library there
 * are the functions of <math.h>, those of double where the device has that, and the types of
 * <stdint.h>. A long long is the device's long. Constants outside of functions are used by their
 * names: no pointer leads to them, nor to a string. Code that OpenCL C does not have is refused,
 * also for a core: recursion, pointers to functions, long double, arrays of a length that is not
 * constant, a case of a switch within a loop in it. So are ways around const to a variable outside
 * of DAL_foreach: casts, and pointers in a union. Code for devices alone stands under #ifdef
 * __OPENCL_VERSION__.
 */
#define DAL_WINDOW
#define DAL_foreach(blk, port) for (int blk = 0; blk < DAL_BLOCKS_##port; blk++)

/*
 * A process is cyclo-static (Bilsen et al. 1996) if the network gives a sequence as one of its
 * rates, "1,0,2" say. Its firings go through DAL_PHASES phases, one after the other and round
 * again, and a window has the tokens of its phase, perhaps none. DAL_getPhase tells the phase, from
 * 0; it is 0 in all other processes, and in init and finish. DAL_PHASE is the same in a function
 * that has p, and in a kernel of OpenCL C that has an argument `int DAL_PHASE`. TOKEN_x_RATE
 * follows DAL_PHASE where the rate of port `x` does; TOKEN_x_RATE_MAX is then the largest of them,
 * and a constant.
 *
 *     int NAME_fire(DALProcess *p)                    tokenrateout="1,0,2": 1, 0, 2, 1, 0, 2, ..
 *     {
 *         float *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0,
 *                                      p);
 *         for (int i = 0; i < TOKEN_out_RATE; i++)
 *             out[i] = taps[DAL_PHASE][i];
 *         DAL_write_end(PORT_out, out, p);
 *         return 0;
 *     }
 *
 * A cycle of phases begins when all its tokens, and space for all that it writes, are there. Tokens
 * that are left at the end, and are too few for a cycle, are not read. A process that ends in the
 * middle of a cycle sends the tokens of the firings before, and of the last one as always.
 */
DAL_INLINE int DAL_getPhase(DALProcess *p)
{
    return dal__activation(p)->phase;
}
#define DAL_PHASE DAL_getPhase(p)

/*
 * Constants: what a <constant> of the network has, loaded once and shared by all that read it. They
 * are no state: a process that has them may have copies. DAL_CONSTANT gives a pointer to the first
 * of CONSTANT_x_COUNT elements, in init, fire and finish. A kernel of OpenCL C has an argument of
 * that name: `__global const float *weights`, or `__constant float *weights` for a small one. One
 * of CUDA has `const float *weights`.
 *
 *     const float *weights = DAL_CONSTANT(weights, p);
 */
#define DAL_CONSTANT(x, p) ((const CONSTANT_##x##_t *)dal__constant(CONSTANT_##x, p))
DAL_INLINE const void *dal__constant(int index, DALProcess *p)
{
    return __builtin_assume_aligned(dal__activation(p)->constants[index].data,
                                    DAL_CONSTANT_ALIGNMENT);
}

/* Returns the index of this process in dimension `dim` of its iterator, from 0; -1 when there is
 * none. */
int DAL_getIndex(int dim, DALProcess *p);

/* Tells how many firings this process will have in all, with the past ones; 0: unknown.
 * DAL_PROGRESS then estimates the time left. The number may be wrong, and may be told again. */
void DAL_setLength(uint64_t firings, DALProcess *p);

/* Tells that tokens come to this process, or go from it, by a clock outside of the computer: so
 * many a second at its first output port, or at its first input port if it has no output. 0: that
 * is not known. DAL_STATS then has how far that clock drifts. Call it in init. */
void DAL_setClock(double tokens_per_s, DALProcess *p);

/* Returns the value of a <parameter> of this process, after overrides on the command line. Returns
 * NULL when there is none of that name. Valid until the program ends. */
const char *DAL_getParameter(const char *name, DALProcess *p);

/* Sets *value to the value of a <parameter> that is an integer, and returns 0. Otherwise leaves
 * *value alone and returns -1. It warns when there is no parameter of that name. When the value is
 * no integer, it ends the program with an error, as DAL_fail() does. */
int DAL_getParameterInt(const char *name, long *value, DALProcess *p);

/* The same for a finite number, as "0.5". */
int DAL_getParameterDouble(const char *name, double *value, DALProcess *p);

/* Prints to standard output; calls of several threads do not mix. Returns what vprintf() returns.
 */
int DAL_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Ends the program with an error: logs "process NAME: message" and closes all channels; the
 * program's exit status will be 1. The firing should return non-zero soon after. */
void DAL_fail(DALProcess *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns whether the program is ending with an error: of this process, another one, or dal. Then
 * what finish would complete, as a file with a header, is to stay incomplete, or go. */
int DAL_has_failed(DALProcess *p);

/* Returns whether the program was asked to end, by a signal or by an event, or is ending with an
 * error. dal does not fire a source again then. Other processes still get what was sent; one that
 * waits for somebody outside, who has not come yet, stops waiting. */
int DAL_is_stopping(DALProcess *p);

/*
 * Sends an event to the controller. "stop" asks for an orderly end of this application: its sources
 * are not fired again, and everything that was sent reaches the sinks. Other events are for the
 * state machine of a program of several applications (spec/schemas/fsm.xsd). It takes them in the
 * order in which they were sent, while the process goes on. An event without a transition is
 * counted and ignored. Returns 0. When too many events wait (--event-queue) it returns -1, and the
 * program ends with an error.
 */
int DAL_send_event(void *message, DALProcess *p);

/*
 * Names of iterated ports. CREATEPORTVAR declares a buffer. CREATEPORT makes the name BASE_i_j...
 * in it, from `dims` pairs of an index and its range, both int. A name that no port has is reported
 * where it is used. createPort() is the same for a buffer of DAL_PORT_NAME_BYTES, which it returns;
 * a base below DAL_PORT_NUMBERS is a name as well, that number.
 */
#define DAL_PORT_NAME_BYTES 128
void *createPort(void *port, const void *base, int dims, ...);
#define CREATEPORTVAR(name)         char name[DAL_PORT_NAME_BYTES]
#define CREATEPORT(port, base, ...) createPort(port, base, __VA_ARGS__)
#define GETINDEX(dim)               DAL_getIndex(dim, p)

/* There are no checkpoints: a source that needs them is refused when it is compiled. */
#define DAL_NO_CHECKPOINTS __attribute__((error("checkpoints of DAL are not supported")))
int DAL_create_checkpoint(void *buffer, ...) DAL_NO_CHECKPOINTS;
int DAL_read_checkpoint(void *buffer, ...) DAL_NO_CHECKPOINTS;
int DAL_destroy_checkpoint(void *name, ...) DAL_NO_CHECKPOINTS;

#ifdef __cplusplus
}
#endif
#endif

#ifndef DAL_UNIT_FRONT
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#endif
