/*
 * A device backend is one table of operations (struct dal_backend). OpenCL is one (rt/ocl), CUDA
 * the other (rt/cuda). Channels, launchers and reports know devices by this file alone.
 *
 * The model is common to both: memory of a device, in-order queues of commands, events of commands,
 * kernels with arguments that are set before a launch. For a feature of one backend alone, callers
 * ask struct dal_device_info first, and never call it on the other.
 *
 * Errors: a failure is logged once, where it is known, as "SUBJECT: CALL: NAME (code)", at the
 * level `subject->failures`. The operation then returns DAL_ERR_DEVICE, or DAL_ERR_NOMEM without
 * memory of the host. Tests inject faults before every call (dal_backend_fault()).
 *
 * Threads: the main thread opens and closes, and makes and frees memory and kernels. One thread at
 * a time uses a queue. The one thread that handles several queues uses all their events. A callback
 * runs on any thread.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "rt/base/error.h"

/* Things that a backend makes; each belongs to the device that it was made for. NULL is none. */
typedef struct dal__memory *dal_memory;     /* the value of a kernel's pointer argument */
typedef struct dal__commands *dal_commands; /* an in-order queue */
typedef struct dal__event *dal_event;       /* of one command, or of all before a marker */
typedef struct dal__function *dal_function; /* a kernel with its arguments */

enum dal_device_type { DAL_DEVICE_NONE, DAL_DEVICE_GPU, DAL_DEVICE_ACC, DAL_DEVICE_CPU };

struct dal_backend;

/* Limits of a device for the sizes that it is asked for. */
struct dal_device_limits {
    size_t work_group;    /* work-items */
    size_t work_items[3]; /* of a work-group, by dimension */
    size_t align_bytes;   /* alignment of a buffer's begin */
    uint64_t local_bytes, global_bytes;
    uint64_t alloc_bytes; /* of one buffer */
};

/* Abilities of a device; 0 means "no". */
struct dal_device_traits {
    int unified;         /* the host's memory is the device's, too */
    int fine_svm;        /* host and kernels use one allocation at the same time: shared_memory() */
    int rounds_division; /* float division and sqrt can be correctly rounded, and are so then */
    int foreign_events;  /* commands may wait for another device's events */
    int calls_back;      /* call_back() is soon and safe; otherwise events are polled */
};

/* The properties that a device reports. All strings live as long as the list or device they belong
 * to. */
struct dal_device_info {
    const struct dal_backend *backend;
    char *identifier; /* <CPU|GPU|ACC>_<vendor id>_<name without white space>_DEV<n>, n from 1,
                         counted among the backend's devices of the same type, vendor id and name */
    char *wildcard;   /* <CPU|GPU|ACC>_DEV<n>, n counted among all of the backend's of the type */
    char *name, *vendor, *platform, *platform_version, *version, *driver;
    enum dal_device_type type;
    unsigned vendor_id; /* PCI */
    unsigned compute_units;
    struct dal_device_limits limits;
    struct dal_device_traits traits;
    unsigned sub_devices;        /* of one compute unit each; 0 for none */
    enum dal_log_level failures; /* level of messages about asking or opening it */
    void *native[2];             /* the backend's: OpenCL's platform and device, CUDA's ordinal */
};

struct dal_device_list {
    struct dal_device_info *info;
    size_t count;
};

/* An open device. A backend has it as the first member of its own struct. */
struct dal_device {
    const struct dal_backend *backend;
    struct dal_device_info info; /* of the device itself when it is a sub-device */
    const char *processor;       /* name of the processor mapped to it, for messages */
    const void *context;         /* events of devices of one context can be waited for by each
                                    other's queues; compared only */
    const void *id, *whole; /* the device, and the whole one of a sub-device (otherwise `id`) */
    int built, loaded;      /* programs that were compiled, and those from the disk cache */
    int64_t ready_ns;       /* time that all of that took */
};

/* The use of a buffer. */
enum dal_memory_use {
    DAL_MEMORY_PLAIN,     /* kernels and transfers */
    DAL_MEMORY_KERNELS,   /* kernels; the host writes it once, before */
    DAL_MEMORY_OVER_HOST, /* kernels, in memory of the host (`host`) that outlives it; on unified
                             devices only */
};

/* Accesses of the host to a buffer over its memory while it is mapped (map()). */
enum dal_map_access { DAL_MAP_READ_WRITE, DAL_MAP_OVERWRITE };

/* Nanoseconds on the device's own clock. */
struct dal_event_times {
    int64_t queued, begin, end;
};

/* States of an event's command. */
enum dal_event_state { DAL_EVENT_PENDING, DAL_EVENT_COMPLETE };

/* The source of a kernel. */
struct dal_function_source {
    const char *file;    /* the user's, for messages */
    const char *text;    /* of the program */
    const char *options; /* of the build, those of OpenCL: -D, -I, -cl-... */
    const char *name;    /* of the kernel */
};

/* A launch: all work-items, and those of a work-group, in 1 to 3 dimensions (1 in any other). */
struct dal_launch {
    unsigned dimensions;
    size_t global[3], local[3];
};

/* A device that is to be opened. */
struct dal_device_request {
    int number;                /* in the list */
    int sub;                   /* its sub-device of one compute unit, from 1 on; 0: all of it */
    const char *processor;     /* its name, for messages */
    struct dal_device *device; /* the opened one */
};

/* A command waits for its `events`, which may be of any queue of the same context on devices with
 * foreign_events. `done` is NULL, or gets the command's event, which the caller releases. */
struct dal_backend {
    const char *name;       /* "OpenCL", "CUDA": for messages */
    const char *capability; /* "OPENCL", "CUDA": in an architecture */

    /* ---- devices ---- */

    /* Lists all devices: GPUs first, then accelerators, then CPUs, otherwise in the driver's order.
     * Without a device or a driver, the list is empty; that is no error. A device that does not
     * answer is passed over, with a warning. */
    int (*list)(struct dal_device_list *list, enum dal_log_level failures);
    void (*list_finish)(struct dal_device_list *list);
    /* Opens some devices of a list. Devices share a context where they can. They belong to *opened,
     * which is closed after everything made from it. */
    int (*open)(void **opened, const struct dal_device_list *list,
                struct dal_device_request *requests, int count, enum dal_log_level failures);
    void (*close)(void *opened);
    /* Gives the calling thread what it had of the driver before these operations, such as a
     * context of a user's. close() does so as well. NULL: threads have nothing of the driver. */
    void (*leave)(void);
    /* Can kernels of both use one buffer in place, without a driver that moves all of it? */
    int (*share_memory)(const struct dal_device *a, const struct dal_device *b);

    /* ---- memory ---- */

    int (*memory)(struct dal_device *device, const struct dal_subject *subject,
                  enum dal_memory_use use, size_t bytes, void *host, dal_memory *memory);
    void (*memory_free)(struct dal_device *device, dal_memory memory);
    /* Makes fine-grained shared memory, on devices with fine_svm only. *host is its address for the
     * host. */
    int (*shared_memory)(struct dal_device *device, const struct dal_subject *subject, size_t bytes,
                         void **host, dal_memory *memory);
    void (*shared_memory_free)(struct dal_device *device, void *host, dal_memory memory);
    /* Makes memory of the host that transfers reach directly. It may use `commands` for that. */
    int (*pinned)(struct dal_device *device, const struct dal_subject *subject,
                  dal_commands commands, size_t bytes, void **host, void **handle);
    void (*pinned_free)(struct dal_device *device, dal_commands commands, void *host, void *handle);
    /* Give a buffer over the host's memory to the host, and back to the kernels, in the order of
     * the queue's commands. With `wait`, the host has it on return. Unified devices only. */
    int (*map)(dal_commands commands, const struct dal_subject *subject, dal_memory memory,
               size_t bytes, enum dal_map_access access, int wait, void **mapped);
    /* Without a subject, it checks, injects and logs nothing: it frees memory.
     */
    int (*unmap)(dal_commands commands, const struct dal_subject *subject, dal_memory memory,
                 void *mapped);

    /* ---- queues ---- */

    /* Makes a queue. With `timed`, times() works for those of its commands that have an event. */
    int (*commands)(struct dal_device *device, int timed, dal_commands *commands);
    void (*commands_free)(struct dal_device *device, dal_commands commands);
    /* Flushes the queue: a command need not start before. */
    int (*flush)(dal_commands commands, const struct dal_subject *subject);
    int (*finish)(dal_commands commands, const struct dal_subject *subject); /* as unmap() */
    /* Makes an event of all commands so far. */
    int (*marker)(dal_commands commands, const struct dal_subject *subject, dal_event *done);
    /* Makes all later commands wait for these events. */
    int (*barrier)(dal_commands commands, const struct dal_subject *subject,
                   const dal_event *events, unsigned count);
    /* Transfers. The caller leaves `host` alone until the command has completed. With `wait` it has
     * completed on return. */
    int (*write)(dal_commands commands, const struct dal_subject *subject, dal_memory to, size_t at,
                 const void *host, size_t bytes, int wait, dal_event *done);
    int (*read)(dal_commands commands, const struct dal_subject *subject, dal_memory from,
                size_t at, void *host, size_t bytes, const dal_event *events, unsigned count,
                dal_event *done);
    int (*copy)(dal_commands commands, const struct dal_subject *subject, dal_memory from,
                size_t from_at, dal_memory to, size_t to_at, size_t bytes, dal_event *done);

    /* ---- events ---- */

    /* Returns DAL_ERR_DEVICE for a command that failed. */
    int (*state)(dal_event event, const struct dal_subject *subject, enum dal_event_state *state);
    int (*times)(dal_event event, struct dal_event_times *times);
    void (*retain)(dal_event event);
    void (*release)(dal_event event);
    /* Calls `call` once the event has completed or failed, on a thread of the driver or inline. */
    int (*call_back)(dal_event event, const struct dal_subject *subject, void (*call)(void *data),
                     void *data);

    /* ---- kernels ---- */

    /* Makes a kernel. Its program is built once for a text with the same options, and kept as long
     * as the device is open; its binary is kept on disk (rt/base/cache.h). A build failure logs
     * the compiler's messages as `file:line: error: [kernel-build] message`. Returns DAL_ERR_BUILD
     * for a wrong source, always with an error: no other device makes up for it. Returns
     * DAL_ERR_LIMIT for a kernel that wants more than the device has. */
    int (*function)(struct dal_device *device, const struct dal_subject *process,
                    const struct dal_function_source *source, dal_function *function);
    void (*function_free)(dal_function function);
    /* Gets the kernel's most work-items of a work-group, and the bytes of its local variables (0
     * also where the driver does not know). */
    int (*function_limits)(struct dal_device *device, const struct dal_subject *process,
                           dal_function function, size_t *work_items, uint64_t *local_bytes);
    /* Does a text that builds also build with -D`macro`=`limit`? Returns 1 if so, also if the
     * largest limit makes no difference; 0 if it needs more than the limit. */
    int (*fits)(struct dal_device *device, const struct dal_subject *process, const char *text,
                const char *options, const char *macro, uint64_t limit);
    int (*set_memory)(dal_function function, const struct dal_subject *subject, unsigned number,
                      dal_memory memory);
    int (*set_value)(dal_function function, const struct dal_subject *subject, unsigned number,
                     size_t bytes, const void *value);
    int (*launch)(dal_commands commands, const struct dal_subject *subject, dal_function function,
                  const struct dal_launch *launch, const dal_event *events, unsigned count,
                  dal_event *done);
};

/* Do two devices share memory? Those of two backends do not. */
int dal_device_share_memory(const struct dal_device *a, const struct dal_device *b);

/* ---- faults (rt/backend/fault.c) ---------------------------------------------------------------
 */

/* Makes the n-th checked call of any backend from now on fail, with a code of that backend; 0 turns
 * that off. With `forever`, all later calls fail, too: the device has disappeared. For tests,
 * before threads. */
void dal_backend_fail_with(unsigned long n, int code, int forever);
/* Returns the code that a call is to fail with, or 0 if it is to be made. `call` is for
 * dal_backend_failed(). */
int dal_backend_fault(const char *call);
/* Returns the call that last failed in that way, or NULL when none has since it was asked for. */
const char *dal_backend_failed(void);

/* Sets whether kernels that build show their compiler's warnings about the user's lines. Otherwise
 * only sources whose options ask for warnings show them. Before the first kernel. */
void dal_backend_want_warnings(int wanted);
