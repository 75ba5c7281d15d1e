/*
 * A CUDA driver for tests without hardware: the functions of rt/cuda/driver.h over memory and code
 * of the host. It is strict where drivers are lenient, and late where they may be late.
 *
 * Commands stay in their streams until something asks for them: an event is queried or waited for,
 * a callback wants to be called. Then they run in an order that streams and events allow, and that
 * is otherwise drawn from a seed. A wait that is missing shows as wrong bytes, with some seed.
 *
 * Memory of a device is out of the host's reach, and out of that of other devices unless they are
 * peers; around each piece lies a zone that nothing may touch. Handles are never used twice, so
 * what has been destroyed is known. What only a wrong program does is counted as misuse, and told.
 *
 * The environment says how it is:
 *   DAL_STANDIN_DEVICES, 2    devices
 *   DAL_STANDIN_PEERS, 1      whether they are peers
 *   DAL_STANDIN_MEMORY        bytes of each, 256 MiB
 *   DAL_STANDIN_SHARED        bytes of a block's shared memory, 48 KiB; known to the compiler, too
 *   DAL_STANDIN_SEED, 1       of the order of commands, blocks and threads
 *   DAL_STANDIN_LOG           a file to which calls are appended, one a line: name, arguments,
 * result
 *
 * One lock, which every function of the driver takes, is for everything here.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "rt/cuda/driver.h"
#include "test/cuda/standin/item.h"

enum {
    STANDIN_MOST_DEVICES = 8,
    STANDIN_THREADS = 1024,
    STANDIN_ARGUMENTS = 1024,
    STANDIN_ARCHITECTURE = 90
};

/* What driver.h has no name for, since no backend should meet it. */
enum {
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_INVALID_CONTEXT = 201,
    CUDA_ERROR_PEER_ACCESS_UNSUPPORTED = 217,
    CUDA_ERROR_CONTEXT_IS_DESTROYED = 709,
    CUDA_ERROR_NOT_PERMITTED = 800,
    CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900,
    CUDA_ERROR_STREAM_CAPTURE_UNMATCHED = 903,
    CUDA_ERROR_STREAM_CAPTURE_UNJOINED = 904,
    CUDA_ERROR_STREAM_CAPTURE_ISOLATION = 905,
    CUDA_ERROR_CAPTURED_EVENT = 907,
};

/* ---- objects (objects.c) ----------------------------------------------------------------------
 */

enum standin_kind {
    STANDIN_CONTEXT = 1,
    STANDIN_MEMORY,
    STANDIN_PINNED,
    STANDIN_STREAM,
    STANDIN_EVENT,
    STANDIN_MODULE,
    STANDIN_FUNCTION,
    STANDIN_GRAPH,
    STANDIN_EXECUTABLE,
    STANDIN_KINDS
};

/* The first member of what a handle stands for. It is kept when it is destroyed. */
struct standin_object {
    enum standin_kind sort;
    unsigned number;
    int dead;
    int device;
};

/* A new object of so many bytes, all 0; never NULL. Its handle is no address. */
void *standin_new(enum standin_kind sort, int device, size_t bytes);
void *standin_handle(const void *object);
/* The living object of a handle, or NULL: misuse. */
void *standin_get(enum standin_kind sort, const void *handle);
/* By its number, dead or alive; NULL behind the last. */
void *standin_at(enum standin_kind sort, unsigned number);
void standin_kill(void *object);

/* ---- limits, log, lock (common.c) -------------------------------------------------------------
 */

struct standin_limits {
    int devices, peers;
    size_t memory_bytes, shared_bytes;
};
extern struct standin_limits standin_limits;

/* Takes the lock; the error that the current context has run into, or that there is none.
 * standin_enter_any() is for what needs no context. */
int standin_enter(void);
int standin_enter_any(void);
/* Writes the line of the log, gives the lock back, and returns `result`. */
int standin_leave(int result, const char *call, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void standin_misuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Waits until another thread has run something. */
void standin_wait(void);
void standin_wake(void);
/* Below `limit`, from the seed. */
unsigned standin_draw(unsigned limit);

/* For a test that has loaded the driver: what is left, as "memory 2, streams 1"; "" for nothing. */
const char *dal_standin_left(void);
/* How often there was misuse so far. */
unsigned dal_standin_misused(void);

/* ---- devices and memory (device.c, memory.c) --------------------------------------------------
 */

struct standin_context {
    struct standin_object object;
    int retained;
    int error;      /* nothing else is returned from then on */
    unsigned peers; /* a bit a device */
};

/* The current one, or NULL. */
struct standin_context *standin_current(void);
struct standin_context *standin_context(int device);

struct standin_memory {
    struct standin_object object;
    unsigned char *bytes;
    size_t count;
    unsigned char *pages; /* with zones around `bytes`, between two pages that are never open */
    size_t page_bytes;
    int open;
};

/* The piece that an address lies in, dead or alive; NULL. */
struct standin_memory *standin_memory_of(const void *address);
/* Whether commands of `device` may use these bytes of device memory; else says so, for `call`. */
int standin_reaches(int device, CUdeviceptr at, size_t bytes, const char *call);
/* Opens what commands of a device can reach, and closes the rest; -1 closes all. */
void standin_open(int device);
/* Whether the zones around a device's memory are as they were. */
int standin_zones(int device, const char *by);

/* ---- streams (stream.c, graph.c) --------------------------------------------------------------
 */

enum standin_action {
    ACTION_COPY,
    ACTION_SET,
    ACTION_KERNEL,
    ACTION_RECORD,
    ACTION_WAIT,
    ACTION_CALL,
    ACTION_GRAPH
};

struct standin_module;
struct standin_function;
struct standin_executable;

struct standin_launch {
    struct standin_function *function;
    unsigned grid[3], block[3], shared_bytes;
    void **arguments; /* copies */
};

/* What is done once its turn has come; `users` point to it. */
struct standin_command {
    struct standin_command *next; /* in its stream */
    struct standin_stream *stream;
    enum standin_action action;
    int device;
    unsigned users;
    int done;
    double time; /* when it was, in milliseconds */
    void *to;
    const void *from;
    size_t bytes;
    unsigned char value;
    struct standin_launch launch;
    struct standin_command *awaited; /* ACTION_WAIT */
    CUstreamCallback call;
    void *data;
    struct standin_executable *executable;
};

/* The commands that the next one of a capture comes after. */
struct standin_tail {
    struct standin_graph *graph; /* NULL for no capture */
    unsigned *nodes, count;
};

struct standin_stream {
    struct standin_object object;
    struct standin_command *first, *last;
    struct standin_tail tail;
    int origin; /* of the capture */
};

struct standin_event {
    struct standin_object object;
    unsigned flags;
    struct standin_command *record; /* the last, NULL for none */
    struct standin_tail tail;
};

struct standin_node {
    struct standin_command *command;
    unsigned *before, count; /* numbers of nodes that come before it */
};

struct standin_graph {
    struct standin_object object;
    struct standin_node *nodes;
    unsigned count;
    int ended;
};

struct standin_executable {
    struct standin_object object;
    struct standin_node *nodes;
    unsigned count, users;
};

struct standin_command *standin_command(enum standin_action action);
void standin_unref(struct standin_command *command);
/* Puts a command at the end of a stream, or into the graph that it captures; owns it. */
void standin_enqueue(struct standin_stream *stream, struct standin_command *command);
/* Does it, on the device of its stream. */
void standin_do(struct standin_command *command);
/* Runs a command of any stream; 0 when there is none that can be. */
int standin_step(int calls);

/* Whether a command that has not been done uses these bytes, or a kernel's argument points there.
 */
int standin_in_use(const void *at, size_t bytes);
/* Whether one that has not been done needs this module. */
int standin_module_in_use(const struct standin_module *module);

/* Whether this thread captures: then calls that could wait are refused, as misuse. */
int standin_refuses(const char *call);
void standin_capture(struct standin_stream *stream, struct standin_command *command);
void standin_join(struct standin_tail *tail, const struct standin_tail *other);
void standin_forget_tail(struct standin_tail *tail);
void standin_run_graph(struct standin_executable *executable);
void standin_unref_executable(struct standin_executable *executable);

/* ---- kernels (module.c, block.c) --------------------------------------------------------------
 */

struct standin_module {
    struct standin_object object;
    void *library;
    int file;
    struct standin_item **item; /* where its code finds the thread that runs */
    unsigned char *shared;
    size_t shared_bytes;
};

struct standin_function {
    struct standin_object object;
    char name[256];
    struct standin_module *module;
    void (*call)(void **arguments);
    size_t sizes[STANDIN_ARGUMENTS]; /* of its arguments, ended by 0 */
    unsigned most_threads;
};

/* Runs all threads of a launch. Returns what has become of it. */
int standin_run_grid(const struct standin_launch *launch);

/* ---- the driver itself -------------------------------------------------------------------------
 */

#define STANDIN_PROTOTYPE(name, parameters) int name parameters;
DAL_CUDA_DRIVER_CALLS(STANDIN_PROTOTYPE)
DAL_CUDA_DRIVER_EXTRAS(STANDIN_PROTOTYPE)
#undef STANDIN_PROTOTYPE
