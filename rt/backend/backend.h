/*
 * What a device backend is: one table of operations (struct dal_backend). OpenCL is one (rt/ocl),
 * CUDA the other (rt/cuda). Channels, launchers and reports know devices by this file alone.
 *
 * The model is the one that both have: memory of a device, in-order queues of commands, events of
 * commands, kernels with arguments that are set before a launch. What only one of them can do is
 * asked of struct dal_device_info first, and then never of the other.
 *
 * Errors: what fails is logged once, where it is known: "SUBJECT: CALL: NAME (code)", as
 * `subject->failures` says; the operation returns DAL_ERR_DEVICE then, DAL_ERR_NOMEM without memory
 * of the host. Tests inject faults before every call (dal_backend_fault()).
 *
 * Threads: opening, closing, memory and kernels are made and given back by the main thread; a
 * queue is used by one thread at a time; events of several queues by the one thread that handles
 * them. A callback runs on any thread.
 */
#ifndef DAL_RT_BACKEND_BACKEND_H
#define DAL_RT_BACKEND_BACKEND_H

#include <stddef.h>
#include <stdint.h>

#include "rt/base/error.h"

/* Things that a backend makes; each belongs to the device that it was made for. NULL is none. */
typedef struct dal__memory *dal_memory;     /* what a kernel's pointer argument is set to */
typedef struct dal__commands *dal_commands; /* an in-order queue */
typedef struct dal__event *dal_event;       /* of one command, or of all before a marker */
typedef struct dal__function *dal_function; /* a kernel with its arguments */

enum dal_device_type { DAL_DEVICE_NONE, DAL_DEVICE_GPU, DAL_DEVICE_ACC, DAL_DEVICE_CPU };

struct dal_backend;

/* What a device says of itself; all strings live as long as the list or device they belong to. */
struct dal_device_info {
    const struct dal_backend *backend;
    char *identifier; /* <CPU|GPU|ACC>_<vendor id>_<name without white space>_DEV<n>, n from 1,
                         counted among the backend's devices of the same type, vendor id and name */
    char *wildcard;   /* <CPU|GPU|ACC>_DEV<n>, n counted among all of the backend's of the type */
    char *name, *vendor, *platform, *platform_version, *version, *driver;
    enum dal_device_type type;
    unsigned vendor_id; /* PCI */
    unsigned compute_units;
    size_t max_work_group;    /* work-items */
    size_t max_work_items[3]; /* by dimension */
    size_t align_bytes;
    uint64_t local_bytes, global_bytes, max_alloc_bytes;
    int unified;         /* the host's memory is the device's, too */
    int fine_svm;        /* host and kernels use one allocation at the same time: shared_memory() */
    int rounds_division; /* float division and sqrt can be correctly rounded, and are so then */
    int foreign_events;  /* commands may wait for another device's events */
    int calls_back;      /* call_back() is soon and safe; otherwise events are looked at */
    unsigned sub_devices;        /* of one compute unit each; 0 for none */
    enum dal_log_level failures; /* of calls that ask or open it, in messages */
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
    const void *id, *whole;      /* the device, and what a sub-device is a part of (else `id`) */
    int sub_device;              /* m of _SUB<m>, 0 without */
    int built, loaded;           /* programs that were compiled, and taken from the disk cache */
    int64_t ready_ns;            /* what all of that took */
};

/* Who asks for a buffer, and what for. */
enum dal_memory_use {
    DAL_MEMORY_PLAIN,     /* kernels and transfers */
    DAL_MEMORY_KERNELS,   /* kernels; the host writes it once, before */
    DAL_MEMORY_OVER_HOST, /* kernels, in memory of the host (`host`) that outlives it; on unified
                             devices only */
};

/* Where the host has a buffer over its memory mapped, what it will do there (map()). */
enum dal_map_access { DAL_MAP_READ_WRITE, DAL_MAP_OVERWRITE };

/* Nanoseconds on the device's own clock. */
struct dal_event_times {
    int64_t queued, begin, end;
};

/* How an event's command stands. */
enum dal_event_state { DAL_EVENT_PENDING, DAL_EVENT_COMPLETE };

/* What a kernel is made from. */
struct dal_function_source {
    const char *file;    /* the user's, for messages */
    const char *text;    /* of the program */
    const char *options; /* of the build, as OpenCL has them: -D, -I, -cl-... */
    const char *name;    /* of the kernel */
};

/* A launch: work-items in all and by work-group, in 1 to 3 dimensions (1 beyond). */
struct dal_launch {
    unsigned dimensions;
    size_t global[3], local[3];
};

/* For `events`: those that a command waits for; on devices with foreign_events, of any queue of the
 * same context. `done`: NULL, or what becomes the command's event; released by the caller. */
struct dal_backend {
    const char *name;       /* "OpenCL", "CUDA": for messages */
    const char *capability; /* "OPENCL", "CUDA": in an architecture */

    /* ---- devices ---- */

    /* All devices, GPUs first, then accelerators, then CPUs, else in the driver's order. None, or
     * no driver, is an empty list and no error. */
    int (*list)(struct dal_device_list *list, enum dal_log_level failures);
    void (*list_finish)(struct dal_device_list *list);
    /* Opens some of a list: numbers[i] is the i-th one's, subs[i] of its sub-devices or 0;
     * processors[i] names it. Those that can share a context do. devices[i] are set, owned by
     * *opened, which is closed after all that was made from it. */
    int (*open)(void **opened, const struct dal_device_list *list, const int *numbers,
                const int *subs, const char *const *processors, int count,
                enum dal_log_level failures, struct dal_device **devices);
    void (*close)(void *opened);
    /* Do kernels of both reach one buffer where it is, without a driver moving all of it? */
    int (*share_memory)(const struct dal_device *a, const struct dal_device *b);

    /* ---- memory ---- */

    int (*memory)(struct dal_device *device, const struct dal_subject *subject,
                  enum dal_memory_use use, size_t bytes, void *host, dal_memory *memory);
    void (*memory_free)(struct dal_device *device, dal_memory memory);
    /* Fine-grained shared memory, devices with fine_svm only: *host is its address for the host. */
    int (*shared_memory)(struct dal_device *device, const struct dal_subject *subject, size_t bytes,
                         void **host, dal_memory *memory);
    void (*shared_memory_free)(struct dal_device *device, void *host, dal_memory memory);
    /* Memory of the host that transfers reach directly. `commands` may be used to make it. */
    int (*pinned)(struct dal_device *device, const struct dal_subject *subject,
                  dal_commands commands, size_t bytes, void **host, void **handle);
    void (*pinned_free)(struct dal_device *device, dal_commands commands, void *host, void *handle);
    /* Gives a buffer over the host's memory to the host, and back to the kernels; in order with the
     * queue's commands, or at once with `wait`. Unified devices only. */
    int (*map)(dal_commands commands, const struct dal_subject *subject, dal_memory memory,
               size_t bytes, enum dal_map_access access, int wait, void **mapped);
    /* Without a subject nothing is checked, no fault injected, nothing said: memory is given back.
     */
    int (*unmap)(dal_commands commands, const struct dal_subject *subject, dal_memory memory,
                 void *mapped);

    /* ---- queues ---- */

    /* `timed`: times() answers for its commands that were asked for an event. */
    int (*commands)(struct dal_device *device, int timed, dal_commands *commands);
    void (*commands_free)(struct dal_device *device, dal_commands commands);
    /* What is enqueued may not start before it is flushed. */
    int (*flush)(dal_commands commands, const struct dal_subject *subject);
    int (*finish)(dal_commands commands, const struct dal_subject *subject); /* as unmap() */
    /* An event of all commands so far. */
    int (*marker)(dal_commands commands, const struct dal_subject *subject, dal_event *done);
    /* All later commands wait for these. */
    int (*barrier)(dal_commands commands, const struct dal_subject *subject,
                   const dal_event *events, unsigned count);
    /* Transfers; `host` is left alone until the command has completed. With `wait` it has on
     * return. */
    int (*write)(dal_commands commands, const struct dal_subject *subject, dal_memory to, size_t at,
                 const void *host, size_t bytes, int wait, dal_event *done);
    int (*read)(dal_commands commands, const struct dal_subject *subject, dal_memory from,
                size_t at, void *host, size_t bytes, const dal_event *events, unsigned count,
                dal_event *done);
    int (*copy)(dal_commands commands, const struct dal_subject *subject, dal_memory from,
                size_t from_at, dal_memory to, size_t to_at, size_t bytes, dal_event *done);

    /* ---- events ---- */

    /* A command that failed is DAL_ERR_DEVICE. */
    int (*state)(dal_event event, const struct dal_subject *subject, enum dal_event_state *state);
    int (*times)(dal_event event, struct dal_event_times *times);
    void (*retain)(dal_event event);
    void (*release)(dal_event event);
    /* Once it has completed or failed; on some thread of the driver, or inline. */
    int (*call_back)(dal_event event, const struct dal_subject *subject, void (*call)(void *data),
                     void *data);

    /* ---- kernels ---- */

    /* Makes a kernel. Its program is built once for a text with the same options, and kept as long
     * as the device is open; its binary is kept on disk (rt/backend/cache.h). A build failure logs
     * the compiler's messages as `file:line: error: [kernel-build] message`. DAL_ERR_BUILD is a
     * wrong source, an error where others are warnings, for nothing makes up for it; DAL_ERR_LIMIT
     * a kernel that wants more than the device has. */
    int (*function)(struct dal_device *device, const struct dal_subject *process,
                    const struct dal_function_source *source, dal_function *function);
    void (*function_free)(dal_function function);
    /* Most work-items of a work-group of it, and the local memory of its variables (0 also where
     * the driver does not know). */
    int (*function_limits)(struct dal_device *device, const struct dal_subject *process,
                           dal_function function, size_t *work_items, uint64_t *local_bytes);
    /* Whether a text that builds also does with -D`macro`=`limit`. 1 when it does, also when the
     * largest limit makes no difference; 0 when it is above. */
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

extern const struct dal_backend dal_backend_opencl; /* rt/ocl */
extern const struct dal_backend dal_backend_cuda;   /* rt/cuda */

/* All of them, ended by NULL. */
extern const struct dal_backend *const dal_backends[];
/* The one with this capability; NULL: this build does not have it. */
const struct dal_backend *dal_backend_of(const char *capability);

/* ---- open devices (rt/devices/open.c) ----------------------------------------------------------
 */

struct dal_devices; /* all open ones of a network */

/* What a processor asks for. */
struct dal_device_wish {
    const struct dal_backend *backend;
    const char *identifier; /* or a wildcard, `_SUB<m>` making a sub-device of one compute unit, the
                               m-th; white space does not count */
    const char *processor;  /* its name, for messages */
};

/*
 * A device that this machine does not have is replaced, with a warning that names both and lists
 * what there is, by the first of the same backend; with `strict`, or without any, it is
 * DAL_ERR_NODEVICE. Two wishes for the same device share one struct dal_device only when their
 * identifiers are equal. Main thread. On success *devices is closed by the caller.
 */
int dal_devices_open(struct dal_devices **devices, const struct dal_device_wish *wishes, int count,
                     int strict, enum dal_log_level failures);
void dal_devices_close(struct dal_devices *devices); /* accepts NULL */
/* The i-th wish's. */
struct dal_device *dal_devices_get(struct dal_devices *devices, int i);

/* Devices of two backends share nothing. */
int dal_device_share_memory(const struct dal_device *a, const struct dal_device *b);

/* ---- faults (rt/backend/fault.c) ---------------------------------------------------------------
 */

/* For tests: the n-th checked call of any backend from now on fails with a code of that backend; 0
 * turns it off. With `forever`, so do all behind it: the device has disappeared. Before threads. */
void dal_backend_fail_with(unsigned long n, int code, int forever);
/* What the call is to fail with, 0 to be made. `call` is for dal_backend_failed(). */
int dal_backend_fault(const char *call);
/* The call that failed so last, NULL when none did since it was told to. */
const char *dal_backend_failed(void);

/* Whether kernels that build show their compiler's warnings about the user's lines. Otherwise there
 * are warnings only of sources whose options ask for them. Before the first kernel. */
void dal_backend_want_warnings(int wanted);
int dal_backend_wants_warnings(void);

#endif
