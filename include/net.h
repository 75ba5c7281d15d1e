/*
 * net.h: the contract between dalsynth and the runtime. Generated code fills in these tables with
 * designated initialisers, and calls dal_main(). Nothing else crosses that border.
 *
 * All tables are constant and live as long as the program. Indices refer to the tables of the same
 * struct dal_net.
 */
#ifndef DAL_NET_H
#define DAL_NET_H

#include "counted.h"
#include "dal_unit.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Raised when a table changes its meaning. dal_main() refuses a program built for another version.
 */
#define DAL_NET_VERSION 28

/* The place of an entry in the specification, for messages. */
struct dal_origin {
    const char *file;
    int line;
};

enum dal_processor_kind {
    DAL_PROCESSOR_CORE,   /* a POSIX core: one worker thread */
    DAL_PROCESSOR_OPENCL, /* an OpenCL device: one in-order command queue */
    DAL_PROCESSOR_CUDA,   /* a CUDA device: one in-order command queue */
};

struct dal_processor_desc {
    const char *name;
    enum dal_processor_kind kind;
    int core; /* CORE: core number, as the operating system counts */
    const char
        *identifier; /* a device: <CPU|GPU|ACC>_<vendor>_<name>_DEV<n>[_SUB<m>] or CPU_DEV1 */
    int node;        /* index in the net's nodes; 0 where there are none */
    struct dal_origin origin;
};

/* The ways in which a channel keeps its tokens (Scherer 2013, sections 4.3.1 to 4.3.4). The plan
 * asks for a kind. The runtime takes another, with a note, where the devices differ from the
 * plan's. */
enum dal_channel_kind {
    DAL_CHANNEL_CORE,    /* both ends on one core: a plain ring */
    DAL_CHANNEL_CORES,   /* two cores: a single-producer single-consumer ring */
    DAL_CHANNEL_DEVICE,  /* both ends on one device: a device buffer the host cannot see */
    DAL_CHANNEL_GROUP,   /* both ends in one group of a device: a launch uses up its own tokens, and
                            the host only counts; DEVICE where the group is not launched as one */
    DAL_CHANNEL_CONTEXT, /* two devices of one context and memory: one buffer, ordered by events */
    DAL_CHANNEL_UNIFIED, /* core and device that share memory: one buffer for both */
    DAL_CHANNEL_MAPPED,  /* as UNIFIED, but in turns, block by block */
    DAL_CHANNEL_STAGED,  /* a device buffer at each device end, pinned host memory between */
    DAL_CHANNEL_NAIVE,   /* as STAGED through pageable memory, one more copy a device end */
    DAL_CHANNEL_REMOTE,  /* two nodes: a ring at either end, and messages between them */
    DAL_CHANNEL_NEWEST,  /* the newest token alone: as CORES, UNIFIED or STAGED. Both rates are 1,
                            so is the capacity; no initial tokens, and no other reader of the port.
                            A device end is that of one process on one device */
};

struct dal_channel_desc {
    const char *name;
    enum dal_channel_kind kind;
    int producer;      /* process */
    int consumer;      /* process */
    uint64_t capacity; /* tokens */
    uint64_t message;  /* REMOTE: most tokens of one message; 0: half of the ring, up to 1 MB */
    uint64_t token_bytes;
    uint64_t most;     /* counted channel, whose tokens are packets: most in a packet; else 0 */
    uint64_t rate_in;  /* tokens per firing of the producer; of a KPN process 1 */
    uint64_t rate_out; /* tokens per firing of the consumer; of a KPN process 1 */
    uint64_t initial_tokens;
    const void *initial_data; /* initial_tokens * token_bytes bytes, or NULL for zero bytes */
    int inplace; /* true if a channel of a process to itself has one window at both ends. Both rates
                    are equal and divide the initial tokens. Their number is the capacity of all
                    channels of the port; none of these has more of them. Both ends are on one core,
                    several cores or one device. */
    /* The next channel that the producer's port feeds, where it has several readers. It stands
     * behind this one in the table, so 0 is none; the port names the first. The channels may differ
     * in name, kind, consumer, rate_out, origin and initial_tokens alone. Their initial data are
     * the last tokens of the channel that has most. */
    int next_of_port;
    int is_tap;     /* its reader is a tap: the producer does not go on for its sake */
    int repeat;     /* NEWEST: a firing of the consumer may read what an earlier one has read */
    int64_t age_ns; /* NEWEST: the oldest that may be read, since it was written; 0: any */
    struct dal_origin origin;
};

struct dal_port_desc {
    const char *name;
    int output;                 /* 1 output, 0 input */
    int channel;                /* index; of an output that feeds several, the first */
    uint64_t rate;              /* tokens per firing; of a KPN process 1 */
    struct dal_counted counted; /* then the channel's tokens are packets; else zeros */
};

/* Types of a parameter, as in OpenCL C. */
enum dal_value_type {
    DAL_VALUE_INT,
    DAL_VALUE_UINT,
    DAL_VALUE_LONG,
    DAL_VALUE_ULONG,
    DAL_VALUE_FLOAT,
    DAL_VALUE_DOUBLE,
};

struct dal_parameter_desc {
    const char *name;
    const char *value;
    int live;  /* C, KPN with one copy: it may be changed while the network runs */
    int typed; /* every value is a number of `type`, in the range; else it is any text */
    enum dal_value_type type;
    const char *min, *max; /* numbers of that type; NULL without a limit */
};

/* An argument that is a parameter's value, which fits the type; or a constant in device memory. */
struct dal_kernel_value {
    const char *parameter; /* name, also of a constant */
    enum dal_value_type type;
    int is_constant;
};

/* A kernel, rewritten from the user's. It takes a base (__global uchar *) and an offset in bytes
 * (ulong) for every port, in order, and then the values. */
struct dal_kernel {
    const char *name;    /* kernel function */
    const char *file;    /* the user's file, for messages */
    const char *text;    /* program source */
    const char *options; /* build options */
    const struct dal_kernel_value *values;
    int value_count;
    int counts_local; /* with -D DAL_LOCAL_BYTES=N, the text builds only when all of the kernel's
                         local variables fit N bytes */
};

/* The ways to go on when a periodic process has not finished the firings of one release and the
 * next is due. */
enum dal_overrun {
    DAL_OVERRUN_DELAY,   /* the next comes when this one ends; each later one follows a period after
                            the one before */
    DAL_OVERRUN_CATCHUP, /* releases keep their times: the process fires until it has caught up */
    DAL_OVERRUN_SKIP,    /* releases that are due meanwhile are dropped */
};

/* The releases of a periodic process, on the monotonic clock. Each one allows `repetitions`
 * firings. */
struct dal_period_desc {
    int64_t period_ns;    /* > 0 */
    int64_t phase_ns;     /* from the network's start to the first release, >= 0 */
    int64_t deadline_ns;  /* after each release, > 0 */
    uint64_t repetitions; /* firings of one release, > 0 */
    enum dal_overrun overrun;
};

enum dal_process_kind {
    DAL_PROCESS_C,
    DAL_PROCESS_DEVICE,
    DAL_PROCESS_KPN,   /* C with a thread of its own, which waits where it reads and writes */
    DAL_PROCESS_PROXY, /* made by the runtime: stands for processes of another node */
};

/* What --tap, --replay and --only of dalsynth put at an end of a channel (spec/read/tap.h). It is
 * an open port that no option of the program names. */
enum dal_tap {
    DAL_TAP_NONE,
    DAL_TAP_RECORD,  /* writes the tokens into the folder DAL_TAP; drops them without one */
    DAL_TAP_DROP,    /* takes what a replayed process would read */
    DAL_TAP_REPLAY,  /* gives the tokens of a recording */
    DAL_TAP_COMPARE, /* compares the tokens with those of a recording */
};

/* What the tokens of an open port are (rt/streams/stream.h). */
struct dal_open_desc {
    const char *type; /* of C, of the elements of a token; NULL where the network does not say */
    char kind;        /* of the elements: 'i', 'u' integers, 'f' real, 'V' anything else */
    uint64_t count;   /* elements of a token */
    uint64_t token_bytes;
    enum dal_tap tap;
    const char *of;     /* tap: the output port whose tokens they are, "Gauss.out" */
    const char *folder; /* REPLAY, COMPARE: where the recording is; NULL: DAL_RECORDING says it */
    uint64_t order;     /* RECORD: what is upstream has lower numbers */
    const uint64_t *rates; /* RECORD, COMPARE: of a cyclo-static process, tokens by phase, which
                              come round again; else NULL */
    uint64_t rate_count;
    struct dal_counted
        counted; /* tap: its tokens are packets, which stay as they are; else zeros */
};
extern const struct dal_code dal_open_code;

struct dal_process_desc {
    const char *name;
    const char *base; /* the name without iterator indices, as in -p BASE.x=y */
    /* The source's name without folders, and a key that depends on source, options and ports
     * (spec/model/key.h). They identify the process in a file of times. NULL where they are not
     * known. */
    const char *source, *key;
    enum dal_process_kind kind;
    const int *processors; /* C: the cores whose workers may fire it. DEVICE: one device, or
                              several, to which blocks go by their speed. KPN: the core
                              of its thread, or several, and then the thread is not pinned */
    int processor_count;
    const struct dal_code *code; /* C, KPN */
    /* KPN: it stands for the open port of its name, and its code is dal_open_code. Else NULL. */
    const struct dal_open_desc *open;
    const struct dal_kernel *kernel; /* DEVICE */
    uint32_t work_items;             /* DEVICE: intra-process parallelism I, of all dimensions */
    uint32_t work_shape[3];          /* DEVICE: I by dimension, where it has several; else zeros */
    uint32_t shadow_copies;          /* S. DEVICE: most firings in one launch. C: most activations
                                        side by side, more than 1 only for a stateless process */
    uint64_t block;                  /* C: most firings in a row */
    uint64_t most_firings;           /* C: most in an activation, so that latencies are kept; 0: as
                                        many as the runtime finds good (rt/base/pace.h) */
    int by_phase;    /* C, cyclo-static, shadow_copies 1: it is fired phase by phase where a cycle
                        lacks tokens or space, and so it may end in the middle of one */
    int threads;     /* C, KPN with OpenMP: threads of its team, its own among them; 0 without */
    const int *team; /* cores of its other threads, as the operating system counts; threads - 1 */
    const struct dal_period_desc *periodic; /* C with shadow_copies 1 only; NULL for none */
    int io;                                 /* it has effects outside of the network */
    int guarded;                            /* its windows are watched (dalsynth --guard) */
    int priority; /* DEVICE, any policy but "fcfs": the larger first; usually 0 */
    const struct dal_port_desc *ports;
    int port_count;
    const struct dal_parameter_desc *parameters;
    int parameter_count;
    const struct dal_constant *constants;
    int constant_count;
    const int *index; /* iterator indices */
    int index_count;
    uint64_t repetitions; /* firings in one iteration of the network; 0 of a KPN process */
    /* DEVICE: the same process as C on one core, with the same ports and parameters. It runs when
     * the device or the kernel is not available. NULL for none. */
    const struct dal_process_desc *fallback;
    struct dal_origin origin;
    /* PROXY: index of the next proxy in a circle. Other nodes connect the proxies of a circle with
     * each other. A lone proxy has its own index. */
    int beyond;
};

/* Is it an open port that the user sees? */
static inline int dal_process_is_port(const struct dal_process_desc *process)
{
    return process->open && !process->open->tap;
}

/* A process of a group, and how often it fires in one round. */
struct dal_group_member {
    int process;
    uint64_t firings;
};

/* A port where tokens enter or leave a group. */
struct dal_group_port {
    int member; /* index of its process in the group */
    int port;   /* index in that process's ports */
};

/* A channel within a group that has initial tokens, and keeps as many from one round to the next.
 */
struct dal_group_kept {
    int channel;
    uint64_t offset; /* bytes in the group's own memory, where the initial tokens are put */
};

/*
 * Processes of one device, or of the same several, that are launched as one. The first has all
 * inputs from outside. One firing of it makes a round: each other process fires until all tokens
 * made inside are used up. A work-group of the kernel does whole rounds, one after the other; or
 * just one, where the work-items of a process wait for each other. Where channels keep tokens from
 * round to round, one work-group does all rounds in their order.
 *
 * The kernel takes a base and an offset for each of `ports`, as struct dal_kernel says; then the
 * rounds of the launch (ulong), and memory of its own (__global uchar *): `scratch_bytes` for each
 * work-group; if the group keeps tokens, the rounds before this launch (ulong); then the values
 * that the processes' own kernels take, in the order of the members.
 */
struct dal_group_desc {
    const char *name;
    const struct dal_group_member *members;
    int member_count;
    const struct dal_group_port *ports;
    int port_count;
    const struct dal_kernel *kernel;
    uint32_t work_items;
    uint32_t work_shape[3]; /* as that of each process */
    uint64_t rounds;        /* most in one launch */
    const struct dal_group_kept *kept;
    int kept_count;
    int one_round; /* a work-group does one round, so a launch has as many work-groups as rounds */
    uint64_t scratch_bytes;
};

/* A bound on the latency of iterations, `max_ns`. It starts when an activation begins that has an
 * iteration's first firing of process `from`. It ends with the activation that has the last firing
 * of process `to`. Both have repetitions. */
struct dal_latency_desc {
    int from, to; /* processes */
    int64_t max_ns;
    struct dal_origin origin;
    uint32_t late_ppm; /* so many of a million iterations may take longer */
};

/*
 * Calls of OpenMP for the runtime, in programs whose processes have threads. They are compiled like
 * these processes, so libdal itself needs no OpenMP.
 */
struct dal_openmp {
    /* Calls `work` once. No team in it has more threads than `most`. */
    void (*enter)(int most, void (*work)(void *argument), void *argument);
    /* Sets how many threads the next teams of the calling thread have. */
    void (*set)(int threads);
    /* Calls `call` in each thread of a team, with its number from 0. */
    void (*all)(void (*call)(void *argument, int number), void *argument);
};

/* The transport by which the ranks of a program on several nodes talk to each other
 * (rt/nodes/transport.h). */
struct dal_transport;
extern const struct dal_transport dal_transport_mpi; /* of libdal-mpi */

/* A thing that the program was made from, with a digest of it. */
struct dal_made_desc {
    const char *what, *file; /* `file` is "" for a thing that is no file */
    const char *digest;      /* 32 hexadecimal digits */
};

/* What a mapping's <queue> says. */
struct dal_queue_desc {
    int depth;          /* most launches in flight on one command queue */
    const char *policy; /* task queue policy: "fcfs", "priority", "deadline", "level" */
    int realtime;       /* priority of a program's threads that fire, 1 to 49; 0: the usual one */
};

struct dal_net {
    int version; /* DAL_NET_VERSION */
    const char *name;
    const struct dal_processor_desc *processors;
    int processor_count;
    const struct dal_process_desc *processes; /* in the plan's order: producers first */
    int process_count;
    const struct dal_channel_desc *channels;
    int channel_count;
    const struct dal_group_desc *groups; /* of devices; a process is in one at most */
    int group_count;
    const struct dal_latency_desc *latencies; /* counted at run time; misses are reported */
    int latency_count;
    const struct dal_openmp *openmp; /* where processes have threads; else NULL */
    struct dal_queue_desc queue;
    /* The nodes of a network on several nodes, else NULL and 0. The program runs once on each node;
     * its rank there is the node's index. All processors of a process, and those of its fallback,
     * are of one node; so are the members of a group. */
    const char *const *nodes; /* names, by rank */
    int node_count;
    const struct dal_transport *transport;
    const struct dal_made_desc *made; /* for a single network; else in struct dal_fsm */
    int made_count;
};

/*
 * Runs a network to its end: the body of main(). Reads the command line (--help lists the options).
 * Returns the exit status: 0 after an orderly end, 1 after an error, which is logged, 2 for a wrong
 * command line. The main thread calls it once.
 */
int dal_main(const struct dal_net *net, int argc, char **argv);

/* ---- several applications in one program, and the state machine that starts and stops them ----
 */

/* The status of an application that a state asks for. */
enum dal_application_status {
    DAL_APPLICATION_STOPPED,
    DAL_APPLICATION_RUNNING,
    DAL_APPLICATION_PAUSED, /* no process fires; tokens stay where they are */
};

/* A network that can be started. Several may be of the same struct dal_net. */
struct dal_application_desc {
    const char *name; /* as in -p NAME.PROCESS.x=y */
    const struct dal_net *net;
    struct dal_origin origin;
};

struct dal_event_desc {
    const char *name; /* the argument of DAL_send_event(); "APPLICATION.finished" for an end */
    int application;  /* the application that ends; -1: a process sends it */
};

struct dal_state_desc {
    const char *name;
    const enum dal_application_status *wants; /* one for each application */
    int end;                                  /* the program ends here */
    struct dal_origin origin;
};

struct dal_transition_desc {
    int from, to; /* states */
    int event;
    struct dal_origin origin;
};

struct dal_fsm {
    int version; /* DAL_NET_VERSION */
    const char *name;
    const struct dal_application_desc *applications;
    int application_count;
    const struct dal_event_desc *events; /* the events that transitions name */
    int event_count;
    const struct dal_state_desc *states;
    int state_count;
    const struct dal_transition_desc *transitions; /* one at most for a state and an event */
    int transition_count;
    int initial; /* state */
    /* The nodes, as in struct dal_net. The networks of all applications have them, too. */
    const char *const *nodes;
    int node_count;
    const struct dal_transport *transport;
    const struct dal_made_desc *made;
    int made_count;
};

/* Runs a state machine to its end: the body of main(). Returns the exit status, as dal_main()
 * does. */
int dal_main_fsm(const struct dal_fsm *fsm, int argc, char **argv);

#ifdef __cplusplus
}
#endif
#endif
