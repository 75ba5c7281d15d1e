/*
 * dalbench: what the experiments share.
 *
 * An experiment compares networks, synthesised from apps/ and run as programs of their own, with
 * limits: plain hand-written programs that call the same functions and kernels and know nothing of
 * the framework. Both are "sides" here. Before anything is timed, both have to find the same sum.
 *
 * Functions that can fail return DAL_OK or a negative code and have written why. Main thread.
 */
#ifndef DAL_BENCH_DALBENCH_H
#define DAL_BENCH_DALBENCH_H

#include "rt/base/cores.h"
#include "rt/base/error.h"
#include "rt/ocl/ocl.h"

#include <stddef.h>
#include <stdint.h>

enum { BENCH_NAME = 80, BENCH_ARGS = 8, BENCH_LIMITS = 3, BENCH_NODES = 4 };

/* How much is measured. */
struct bench_effort {
    int repetitions;
    int64_t run_ns; /* aim of one run */
    int fine;       /* every size, not each other one */
};

/* One figure. */
struct bench_record {
    const char *experiment;
    char name[BENCH_NAME]; /* the case */
    const char *against;   /* which limit, when there are several; or NULL */
    double param;          /* what is swept: bytes of a token, work, processes.. */
    const char *unit;
    int rate; /* more is better */
    double value, value_min, value_max;
    int has_limit;
    double limit, limit_min, limit_max, ratio; /* ratio > 1: better than the limit */
};

struct bench {
    struct bench_effort effort;
    const char *apps;     /* folder with synthetic/ and mjpeg/ */
    const char *dalsynth; /* program */
    char *folder;         /* temporary: mappings, networks, logs */
    char *architecture;   /* file there: core_0.., device_0, device_1 */
    char *cluster;        /* file there: n0/core_0.., of nodes that are all this machine */
    struct dal_cores cores;
    struct dal_device_list devices;
    const struct dal_device_info *device[2]; /* NULL when there is none */
    struct bench_record *records;
    size_t record_count, record_room;
    int differences; /* sums that were not equal */
    int gnuplot;     /* this machine has it */
};

/* ---- networks: dalbench_run.c ---------------------------------------------------------------- */

struct bench_variable {
    const char *name;
    long value;
};

/* A process on a processor; several bindings may match, an exact name wins. */
struct bench_binding {
    const char *process; /* NULL ends a list */
    int source;
    const char *processor; /* or two, with a space between */
    int copies, items;     /* of a kernel; 0: not said */
    const char *group;     /* "yes", "no"; NULL: not said */
};

/* Both may be 0. */
struct bench_binding bench_bind(const char *process, int source, const char *processor, long copies,
                                long items);

struct bench_network {
    const char *specification; /* below apps, "synthetic/firing.xml" */
    const char *program;       /* name of the network */
    const char *output;        /* folder of the program, or NULL: as the network is called */
    struct bench_variable variables[BENCH_ARGS];
    const struct bench_binding *bindings;
    const char *channel, *kind; /* a channel of another kind, or NULL */
    int emit_only;
    int nodes; /* for the architecture of several nodes, on which it has processors */
};

/* What a program did. */
struct bench_run {
    char *output; /* standard output; given back with dal_free() */
    int64_t wall_ns;
};

/* Runs a program to its end, in a folder or, with NULL, here; output of one that fails is shown,
 * and it is an error. `argv` ends with NULL. Fails after a signal, so that everything ends in order
 * (rt/base/child.h). */
int bench_execute(struct bench *bench, const char *folder, const char *const *argv,
                  struct bench_run *run);

/* Synthesises a network and sets its program's file name, to be given back with dal_free(). `run`
 * may be NULL, else it says what dalsynth took; its output is not kept. */
int bench_synthesise(struct bench *bench, const struct bench_network *network, char **program,
                     struct bench_run *run);

/* Write the architecture files, of this machine and of nodes n0, n1.. that are this machine. */
int bench_write_architecture(struct bench *bench);
int bench_write_cluster(struct bench *bench);

/* ---- measuring: dalbench_measure.c ----------------------------------------------------------- */

/* What one run of one side found. */
struct bench_result {
    double value; /* in the unit of the record */
    uint64_t sum;
    int has_sum;
};

struct bench_side {
    int (*run)(void *context, struct bench_result *result);
    void *context;
    const char
        *name; /* of a limit: told apart from others of the same record; NULL for one alone */
};

/*
 * Runs `ours` and the limits in turn, once to compare their sums and then effort.repetitions times,
 * and adds a record for each limit (one without a limit when there is none). `model` has what names
 * the record: experiment, name, param, unit, rate.
 */
int bench_compare(struct bench *bench, const struct bench_record *model,
                  const struct bench_side *ours, const struct bench_side *limits, int limit_count);

/* The rest of it, when they have been compared otherwise. */
int bench_measure(struct bench *bench, const struct bench_record *model,
                  const struct bench_side *ours, const struct bench_side *limits, int limit_count);

/* The first part of it alone: runs each side once, and is an error when their sums differ. Tells
 * what `ours` found. */
int bench_agree(struct bench *bench, const struct bench_record *model,
                const struct bench_side *ours, const struct bench_side *limits, int limit_count,
                struct bench_result *found);

/* The program of a network as a side: runs it with arguments, and takes `tokens`, `ns` and `sum`
 * from its report. */
struct bench_program {
    struct bench *bench;
    const char *file;
    const char *arguments[BENCH_ARGS + 1]; /* behind -p each */
    double scale;                          /* value = scale * ns / tokens, or for a rate.. */
    int rate;                              /* ..scale * tokens / ns */
};
int bench_run_program(void *context, struct bench_result *result);

/* Tokens that take effort.run_ns when `sample` of them take `ns`, a multiple of `unit`. */
long bench_tokens(const struct bench *bench, long sample, double ns, long unit);

/* Sets *tokens to what takes a side effort.run_ns, a multiple of `unit`: finds out with `sample` of
 * them, twice, since a first launch takes longer. The side's value is a token in so many ns. */
int bench_probe(const struct bench *bench, const struct bench_side *side, double ns, long sample,
                long unit, long *tokens);

/* The case, and what it is compared with. */
void bench_name(const struct bench_record *record, char *text, size_t size);

/* Adds a record that is no comparison. */
int bench_add(struct bench *bench, const struct bench_record *record);

/* A progress line on standard error. */
void bench_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- kernels by hand: dalbench_kernel.c ------------------------------------------------------ */

enum { BENCH_MEMORIES = 144, BENCH_KERNELS = 8 };

/* A device with a queue, and all that was made on it. Starts zeroed. */
struct bench_device {
    struct dal_devices *opened;
    struct dal_ocl_device *device;
    cl_command_queue queue;
    struct {
        cl_mem memory;
        void *mapped; /* NULL: not mapped */
    } memories[BENCH_MEMORIES];
    size_t memory_count;
    cl_kernel kernels[BENCH_KERNELS];
    size_t kernel_count;
};

/* Opens bench->device[number]. The caller closes it whatever is returned. */
int bench_device_open(struct bench *bench, struct bench_device *cl, int number);
/* Finishes the queue, and gives back what was made with the functions below. */
void bench_device_close(struct bench_device *cl);
/* Another queue of it, for the caller. */
int bench_make_queue(const struct bench_device *cl, cl_command_queue *queue);
int bench_make_buffer(struct bench_device *cl, size_t bytes, cl_mem *memory);
/* A part of a buffer. */
int bench_make_view(struct bench_device *cl, cl_mem of, size_t origin, size_t bytes, cl_mem *view);
/* Host memory of zeros that transfers reach directly. */
int bench_make_pinned(struct bench_device *cl, size_t bytes, unsigned char **pinned);
/* A kernel of a file of the apps folder. */
int bench_make_kernel(struct bench *bench, struct bench_device *cl, const char *file,
                      const char *name, const char *options, cl_kernel *kernel);
int bench_set_buffer(cl_kernel kernel, cl_uint index, const cl_mem *memory);
/* Enqueues a kernel; with an event for the caller when `event` is not NULL. */
int bench_launch(const struct bench_device *cl, cl_kernel kernel, long items, long groups,
                 cl_event *event);

/* What Producer and Consumer work on. */
struct bench_shape {
    long tokens; /* in a round */
    long token_bytes;
    long items, lanes; /* work-items, and words that one takes at a time */
    long work;
};

/* Producer and Consumer of apps/synthetic on a device, with their channels as plain buffers. */
struct bench_pair {
    struct bench_device cl;
    cl_kernel producer, consumer;
    cl_mem state[2], data, results; /* a round reads one state and writes the other */
    int turn;
    uint32_t *found; /* what Consumer found in a round; the host's copy of `results` */
    struct bench_shape shape;
};

/* Builds the kernels and makes the buffers. The caller finishes it whatever is returned. */
int bench_pair_init(struct bench *bench, struct bench_pair *pair, int device,
                    const struct bench_shape *shape);
void bench_pair_finish(struct bench_pair *pair);
/* Makes the state what it is at the start. */
int bench_pair_reset(struct bench_pair *pair);
/* Swaps the states and sets Producer's arguments for them. */
int bench_pair_turn(struct bench_pair *pair);
/* Enqueue a kernel for `tokens` tokens; Producer with the states swapped. */
int bench_pair_produce(struct bench_pair *pair, long tokens);
int bench_pair_consume(struct bench_pair *pair, long tokens);
/* Brings a round's results to `found`. */
int bench_pair_read(struct bench_pair *pair);

/* ---- results: dalbench_report.c, dalbench_plot.c --------------------------------------------- */

int bench_write_json(const struct bench *bench, const char *file);
void bench_print(const struct bench *bench);
/* Makes the folder for figures; DAL_ERR_IO, logged, when nothing can be written there. */
int bench_make_folder(const char *folder);
/* Draws the figures that there are records for into a folder. */
int bench_plot(struct bench *bench, const char *folder);

/* ---- experiments, a file each ---------------------------------------------------------------- */

int bench_firing(struct bench *bench);
int bench_channel(struct bench *bench);
int bench_activation(struct bench *bench);
int bench_group(struct bench *bench);
int bench_overhead(struct bench *bench);
int bench_mjpeg(struct bench *bench);
int bench_scale(struct bench *bench);
int bench_nodes(struct bench *bench);

#endif
