/*
 * Shared by the files of rt/cuda; nobody else includes it. What each operation does is said in
 * rt/backend/backend.h, and here only what CUDA adds to it.
 *
 * A device is the primary context of an ordinal, which libraries of users share. A thread enters it
 * (dal__cuda_enter()) before it calls the driver for it.
 */
#ifndef DAL_RT_CUDA_DEVICE_H
#define DAL_RT_CUDA_DEVICE_H

#include "rt/backend/backend.h"
#include "rt/backend/program.h"
#include "rt/cuda/driver.h"
#include "rt/base/sync.h"

/* Events that are kept for the next command, of each sort. */
enum { DAL_CUDA_POOL = 64 };

struct dal_cuda_opened;

struct dal_cuda_device {
    struct dal_device device;       /* first */
    struct dal_cuda_opened *opened; /* that it is of */
    int number;                     /* in it */
    CUdevice ordinal;
    CUcontext context;
    int architecture; /* 90 for compute capability 9.0 */
    struct dal_programs programs;
    /* Events that are free, not timed and timed; any thread may give one back. */
    pthread_mutex_t lock;
    struct dal__event *free[2];
    int free_count[2];
    /* The clock of the device: an event, and when it was, on the host's clock, in nanoseconds. A
     * driver tells times as a float of milliseconds from it, so it is moved on from time to time.
     * NULL before the first timed queue. The thread that handles events. */
    struct dal__event *base;
    int64_t base_ns;
};

/* All devices that were opened together; the context of their events. */
struct dal_cuda_opened {
    struct dal_cuda_device *devices;
    int count;
    pthread_mutex_t lock;
    dal_commands queues;    /* all that there are */
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
    CUstream notifier; /* calls back, so that `stream` goes on meanwhile; made when first wanted */
    CUevent idle;      /* for finish(): a thread that waits for it sleeps */
    unsigned long number; /* of all queues, each its own */
    int timed;
    struct dal_cuda_run *run; /* launches that are held back; NULL: none ever are */
    dal_commands next;        /* in `queues` */
};

struct dal__event {
    struct dal_cuda_device *device;
    dal_commands commands; /* outlive call_back() */
    unsigned long queue;   /* their number */
    atomic_int references;
    int timed;
    atomic_int complete; /* it is known to be */
    CUevent begin, end;  /* `begin` of timed ones */
    int64_t queued_ns;
    struct dal__event *next; /* among free ones */
};

/* A function's arguments lie behind each other, each at a multiple of 8 bytes. */
enum { DAL_CUDA_MOST_ARGUMENTS = 256, DAL_CUDA_MOST_ARGUMENT_BYTES = 4096 };

struct dal_cuda_argument {
    unsigned short at, bytes; /* 0 bytes: not known */
    unsigned char is_set;
};

struct dal__function {
    struct dal_cuda_device *device;
    CUfunction function;
    unsigned count;     /* of arguments: the driver's word, or one more than the highest one set */
    unsigned set_count; /* of those that were set */
    unsigned used_bytes;
    int known; /* the driver has told how many there are, and their sizes */
    struct dal_cuda_argument arguments[DAL_CUDA_MOST_ARGUMENTS];
    unsigned char values[DAL_CUDA_MOST_ARGUMENT_BYTES];
};

static inline struct dal_cuda_device *dal__cuda_device(const struct dal_device *device)
{
    return (struct dal_cuda_device *)device;
}

/*
 * DAL_CU(subject, cuCall, (arguments)) evaluates to DAL_OK, or logs "SUBJECT: cuCall: NAME (code)"
 * once, as the subject says, and evaluates to DAL_ERR_DEVICE. DAL_CU_TRY(cuCall, (arguments))
 * evaluates to the code, for calls that may fail without a word. Both ask for faults.
 * DAL_CU_FREE(cuCall, (arguments)) gives something back: nobody asks what became of that.
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
/* Never NULL. */
const char *dal__cuda_error(int code);

/* context.c: makes the device's context the calling thread's. What enters last is remembered for
 * each thread; dal__cuda_enter_anew() does not trust that, for between two calls on the main thread
 * there may be code of users. */
int dal__cuda_enter(const struct dal_cuda_device *device, const struct dal_subject *subject);
int dal__cuda_enter_anew(const struct dal_cuda_device *device, const struct dal_subject *subject);
/* The same without a word, before something is given back. */
void dal__cuda_enter_quietly(const struct dal_cuda_device *device);

int dal__cuda_open(void **opened, const struct dal_device_list *list, const int *numbers,
                   const int *subs, const char *const *processors, int count,
                   enum dal_log_level failures, struct dal_device **devices);
void dal__cuda_close(void *opened);
int dal__cuda_share_memory(const struct dal_device *a, const struct dal_device *b);

/* list.c */
int dal__cuda_list(struct dal_device_list *list, enum dal_log_level failures);
/* All that a device answers; identifier and wildcard stay NULL. On an error nothing is kept. */
int dal__cuda_info_init(struct dal_device_info *info, int ordinal, enum dal_log_level failures);
/* Compute capability, 90 for 9.0. */
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
/* Waits until no queue has anything that was issued: memory is given back that any of them may use.
 * Of OpenCL's memory the commands have a part; CUDA's is gone. */
void dal__cuda_wait_for_all(struct dal_cuda_opened *opened);
/* Waits for events in front of the next command; what was held back goes first. */
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
/* A new event, with one reference, of which nothing is recorded; from the pool, if it has one. */
int dal__cuda_event_new(dal_commands commands, const struct dal_subject *subject, int timed,
                        dal_event *event);
/* The event of all commands so far; nothing for NULL. */
int dal__cuda_event_record(dal_commands commands, const struct dal_subject *subject,
                           dal_event *done);
/* Of a command that is timed, before and behind it: where `done` is wanted on a timed queue, *event
 * begins, else it is NULL; behind the command, of which `status` came, *done is its event, whether
 * it has times or not. */
int dal__cuda_event_begin(dal_commands commands, const struct dal_subject *subject,
                          const dal_event *done, dal_event *event);
int dal__cuda_event_end(dal_commands commands, const struct dal_subject *subject, int status,
                        dal_event event, dal_event *done);
/* Sets the clock of the device going. */
int dal__cuda_start_clock(dal_commands commands, const struct dal_subject *subject);
/* Gives back what the device keeps. */
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
/* A step, which may be held back, with its event. The context is current. */
int dal__cuda_step(dal_commands commands, const struct dal_subject *subject,
                   const struct dal_cuda_step *step, dal_event *done);

#endif
