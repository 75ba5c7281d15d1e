/*
 * Declarations that the files of rt/cuda share; no other includes it. rt/backend/backend.h says
 * what each operation does; comments here only tell what CUDA adds.
 *
 * A device is the primary context of an ordinal, which libraries of users share. A thread enters it
 * (dal__cuda_enter()) before it calls the driver for it.
 */
#pragma once

#include "rt/backend/backend.h"
#include "rt/backend/program.h"
#include "rt/base/sync.h"
#include "rt/cuda/driver.h"

/* Most events of each sort that are kept for the next command. */
enum { DAL_CUDA_POOL = 64 };

struct dal_cuda_opened;

struct dal_cuda_device {
    struct dal_device device;       /* first */
    struct dal_cuda_opened *opened; /* the opening that it belongs to */
    int number;                     /* in the opening */
    CUdevice ordinal;
    CUcontext context;
    int architecture; /* 90 for compute capability 9.0 */
    struct dal_programs programs;
    /* Free events, not timed and timed; any thread may add one. */
    pthread_mutex_t lock;
    struct dal__event *free[2];
    int free_count[2];
    /* The clock of the device: an event, and its time on the host's clock, in nanoseconds. A driver
     * tells times from it as a float of milliseconds, so it moves on from time to time. NULL before
     * the first timed queue. The thread that handles events. */
    struct dal__event *base;
    int64_t base_ns;
};

/* All devices that were opened together; the context of their events. */
struct dal_cuda_opened {
    struct dal_cuda_device *devices;
    int count;
    pthread_mutex_t lock;
    dal_commands queues;    /* all queues of these devices */
    unsigned char *reaches; /* [from * count + to]: kernels of one reach the other's memory */
};

struct dal__memory {
    CUdeviceptr pointer;
};

struct dal_cuda_run;  /* graph.h */
struct dal_cuda_step; /* graph.h */

struct dal__commands {
    struct dal_cuda_device *device;
    CUstream stream;
    CUstream notifier;    /* makes callbacks, so that `stream` goes on; made when first wanted */
    CUevent idle;         /* for finish(): a thread that waits for it sleeps */
    unsigned long number; /* each queue's own number */
    int timed;
    struct dal_cuda_run *run; /* launches that are held back; NULL: this queue holds none back */
    dal_commands next;        /* in `queues` */
};

struct dal__event {
    struct dal_cuda_device *device;
    dal_commands commands; /* outlive call_back() */
    unsigned long queue;   /* its number */
    atomic_int references;
    int timed;
    atomic_int complete; /* true once it is known to be complete */
    CUevent begin, end;  /* `begin` of timed ones */
    int64_t queued_ns;
    struct dal__event *next; /* among free ones */
};

/* Arguments of a function lie behind each other, each at a multiple of 8 bytes. */
enum { DAL_CUDA_MOST_ARGUMENTS = 256, DAL_CUDA_MOST_ARGUMENT_BYTES = 4096 };

struct dal_cuda_argument {
    unsigned short at, bytes; /* 0 bytes: not known */
    unsigned char is_set;
};

struct dal__function {
    struct dal_cuda_device *device;
    CUfunction function;
    unsigned count;     /* arguments: as the driver tells, or one more than the highest one set */
    unsigned set_count; /* arguments that were set */
    unsigned used_bytes;
    int known; /* true if the driver has told their number and sizes */
    struct dal_cuda_argument arguments[DAL_CUDA_MOST_ARGUMENTS];
    unsigned char values[DAL_CUDA_MOST_ARGUMENT_BYTES];
};

static inline struct dal_cuda_device *dal__cuda_device(const struct dal_device *device)
{
    return (struct dal_cuda_device *)device;
}

/*
 * DAL_CU(subject, cuCall, (arguments)) evaluates to DAL_OK, or logs "SUBJECT: cuCall: NAME (code)"
 * once, at the subject's level, and evaluates to DAL_ERR_DEVICE. DAL_CU_TRY(cuCall, (arguments))
 * evaluates to the code, for calls that may fail without a message. Both inject faults.
 * DAL_CU_FREE(cuCall, (arguments)) frees something, and ignores the result.
 */
#define DAL_CU_TRY(call, arguments)                                                                \
    __extension__({                                                                                \
        int dal__code = dal_backend_fault(#call);                                                  \
        dal__code ? dal__code : dal_cuda_driver()->call arguments;                                 \
    })
#define DAL_CU(subject, call, arguments)                                                           \
    dal__cuda_check((subject), #call, DAL_CU_TRY(call, arguments))
#define DAL_CU_FREE(call, arguments) ((void)dal_cuda_driver()->call arguments)

/* error.c */
int dal__cuda_check(const struct dal_subject *subject, const char *call, int code);

/* context.c: makes the device's context the calling thread's. The first remembers the last context
 * of each thread. dal__cuda_enter_anew() does not trust that, since user code may run between two
 * calls on the main thread. */
int dal__cuda_enter(const struct dal_cuda_device *device, const struct dal_subject *subject);
int dal__cuda_enter_anew(const struct dal_cuda_device *device, const struct dal_subject *subject);
/* Makes it the thread's context without any message, before something is freed. */
void dal__cuda_enter_quietly(const struct dal_cuda_device *device);
/* Gives the thread the context that it had before it entered the first device. */
void dal__cuda_leave(void);

int dal__cuda_open(void **opened, const struct dal_device_list *list,
                   struct dal_device_request *requests, int count, enum dal_log_level failures);
void dal__cuda_close(void *opened);
int dal__cuda_share_memory(const struct dal_device *a, const struct dal_device *b);

/* list.c */
int dal__cuda_list(struct dal_device_list *list, enum dal_log_level failures);
/* Sets all properties that a device reports; identifier and wildcard stay NULL. An error leaves
 * nothing to free. */
int dal__cuda_info_init(struct dal_device_info *info, int ordinal, enum dal_log_level failures);
/* Gets the compute capability, 90 for 9.0. */
int dal__cuda_architecture(CUdevice device, const struct dal_subject *subject, int *architecture);

/* memory.c */
int dal__cuda_memory(struct dal_device *device, const struct dal_subject *subject,
                     enum dal_memory_use use, size_t bytes, void *host, dal_memory *memory);
void dal__cuda_memory_free(struct dal_device *device, dal_memory memory);
int dal__cuda_shared_memory(struct dal_device *device, const struct dal_subject *subject,
                            size_t bytes, void **host, dal_memory *memory);
void dal__cuda_shared_memory_free(struct dal_device *device, void *host, dal_memory memory);
int dal__cuda_pinned(struct dal_device *device, const struct dal_subject *subject,
                     dal_commands commands, size_t bytes, void **host, void **handle);
void dal__cuda_pinned_free(struct dal_device *device, dal_commands commands, void *host,
                           void *handle);
int dal__cuda_map(dal_commands commands, const struct dal_subject *subject, dal_memory memory,
                  size_t bytes, enum dal_map_access access, int wait, void **mapped);
int dal__cuda_unmap(dal_commands commands, const struct dal_subject *subject, dal_memory memory,
                    void *mapped);

/* queue.c */
int dal__cuda_commands(struct dal_device *device, int timed, dal_commands *commands);
void dal__cuda_commands_free(struct dal_device *device, dal_commands commands);
int dal__cuda_flush(dal_commands commands, const struct dal_subject *subject);
int dal__cuda_finish(dal_commands commands, const struct dal_subject *subject);
int dal__cuda_marker(dal_commands commands, const struct dal_subject *subject, dal_event *done);
int dal__cuda_barrier(dal_commands commands, const struct dal_subject *subject,
                      const dal_event *events, unsigned count);
int dal__cuda_write(dal_commands commands, const struct dal_subject *subject, dal_memory to,
                    size_t at, const void *host, size_t bytes, int wait, dal_event *done);
int dal__cuda_read(dal_commands commands, const struct dal_subject *subject, dal_memory from,
                   size_t at, void *host, size_t bytes, const dal_event *events, unsigned count,
                   dal_event *done);
int dal__cuda_copy(dal_commands commands, const struct dal_subject *subject, dal_memory from,
                   size_t from_at, dal_memory to, size_t to_at, size_t bytes, dal_event *done);
/* Waits until all issued commands of all queues have ended, before memory is freed that any of them
 * may use. OpenCL's commands keep their memory; CUDA's do not. */
void dal__cuda_wait_for_all(struct dal_cuda_opened *opened);
/* Makes the next command wait for events. Launches that were held back go first. */
int dal__cuda_await(dal_commands commands, const struct dal_subject *subject,
                    const dal_event *events, unsigned count);

/* event.c */
int dal__cuda_state(dal_event event, const struct dal_subject *subject,
                    enum dal_event_state *state);
int dal__cuda_times(dal_event event, struct dal_event_times *times);
void dal__cuda_retain(dal_event event);
void dal__cuda_release(dal_event event);
int dal__cuda_call_back(dal_event event, const struct dal_subject *subject,
                        void (*call)(void *data), void *data);
/* Sets *done to the event of all commands so far; does nothing for NULL. */
int dal__cuda_event_record(dal_commands commands, const struct dal_subject *subject,
                           dal_event *done);
/* Called before and after a command that may be timed. The first begins *event if `done` is wanted
 * on a timed queue; otherwise *event is NULL. The second sets *done to the command's event, timed
 * or not; `status` is the command's result. */
int dal__cuda_event_begin(dal_commands commands, const struct dal_subject *subject,
                          const dal_event *done, dal_event *event);
int dal__cuda_event_end(dal_commands commands, const struct dal_subject *subject, int status,
                        dal_event event, dal_event *done);
/* Starts the clock of the device. */
int dal__cuda_start_clock(dal_commands commands, const struct dal_subject *subject);
/* Frees the events that the device keeps. */
void dal__cuda_events_finish(struct dal_cuda_device *device);

/* program.c */
extern const struct dal_compiler dal__cuda_compiler;
int dal__cuda_function(struct dal_device *device, const struct dal_subject *process,
                       const struct dal_function_source *source, dal_function *function);
void dal__cuda_function_free(dal_function function);
int dal__cuda_function_limits(struct dal_device *device, const struct dal_subject *process,
                              dal_function function, size_t *work_items, uint64_t *local_bytes);
int dal__cuda_fits(struct dal_device *device, const struct dal_subject *process, const char *text,
                   const char *options, const char *macro, uint64_t limit);

/* launch.c */
int dal__cuda_set_memory(dal_function function, const struct dal_subject *subject, unsigned number,
                         dal_memory memory);
int dal__cuda_set_value(dal_function function, const struct dal_subject *subject, unsigned number,
                        size_t bytes, const void *value);
int dal__cuda_launch(dal_commands commands, const struct dal_subject *subject,
                     dal_function function, const struct dal_launch *launch,
                     const dal_event *events, unsigned count, dal_event *done);
/* Issues a step, or holds it back, and sets its event. The context is current. */
int dal__cuda_step(dal_commands commands, const struct dal_subject *subject,
                   const struct dal_cuda_step *step, dal_event *done);
