/*
 * Functions that the experiments of dalbench share.
 *
 * An experiment compares networks with limits. Networks are synthesised from apps/ and run as
 * programs of their own. Limits are plain programs written by hand: they call the same functions
 * and kernels and know nothing of the framework. Both are "sides" here. Before anything is timed,
 * both have to find the same sum.
 *
 * Functions that can fail return DAL_OK or a negative code and have written why. Main thread.
 */
#pragma once

#include "bench/thesis.h"
#include "rt/base/cores.h"
#include "rt/base/error.h"
#include "rt/ocl/ocl.h"

#include <stddef.h>
#include <stdint.h>

enum { BENCH_ARGS = 8, BENCH_LIMITS = 3, BENCH_NODES = 4 };

/* The effort of measuring. */
struct bench_effort {
    int repetitions;
    int64_t run_ns; /* aim of one run */
    int fine;       /* True: every size; else every other one. */
    int thesis;     /* True: what the figures of Scherer 2013 have, and no more. */
    long frames;    /* of the video network in a run, for those figures */
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
    int differences; /* count of sums that were not equal */
    int gnuplot;     /* True when this machine has it. */
    int64_t end_ns;  /* when the experiment should end: nothing is repeated behind that; or 0 */
    int cut;         /* cases of an experiment that were repeated fewer times for that */
};

/* ---- places: dalbench.c ---------------------------------------------------------------------- */

/* Returns the first of these files that access() has in a mode, NULL without one. A name without /
 * in front is relative to the folder of this program. The caller frees it with dal_free(). `names`
 * ends with NULL. */
char *bench_find(const char *const *names, int mode);

/* ---- networks: dalbench_run.c ---------------------------------------------------------------- */

struct bench_variable {
    const char *name;
    long value;
};

/* Binds a process to a processor. Several bindings may match; an exact name wins. */
struct bench_binding {
    const char *process; /* NULL ends a list */
    int source;
    const char *processor; /* names with a space between */
    int copies, items;     /* of a kernel; 0: not given */
    const char *group;     /* "yes", "no"; NULL: not given */
};

/* Makes a binding; both may be 0. */
struct bench_binding bench_bind(const char *process, int source, const char *processor, long copies,
                                long items);

struct bench_network {
    const char *specification; /* below apps, "synthetic/firing.xml"; or a whole path */
    const char *program;       /* name of the network */
    const char *output;        /* folder of the program; NULL: named after the network */
    struct bench_variable variables[BENCH_ARGS];
    const struct bench_binding *bindings;
    const char *channel, *kind; /* name and kind of a channel of another kind, or NULL */
    const char *policy;         /* of the task queue; NULL: the usual one */
    int depth;                  /* most launches in flight on a device; 0: the usual number */
    int emit_only;
    int nodes; /* nodes whose processors the network uses; 0: one machine */
};

/* The result of a program. */
struct bench_run {
    char *output; /* standard output; the caller frees it with dal_free() */
    int64_t wall_ns;
};

/* Runs a program to its end, in a folder, or here with NULL. If it fails, that is an error, and its
 * output is shown. `argv` ends with NULL. Also fails after a signal, so that everything ends in
 * order (rt/base/child.h). */
int bench_execute(struct bench *bench, const char *folder, const char *const *argv,
                  struct bench_run *run);

/* Synthesises a network and sets its program's file name; the caller frees it with dal_free().
 * `run` may be NULL; else it gets the time of dalsynth, without its output. */
int bench_synthesise(struct bench *bench, const struct bench_network *network, char **program,
                     struct bench_run *run);

/* Write the architecture files: of this machine, and of nodes n0, n1.. that are all this
 * machine. */
int bench_write_architecture(struct bench *bench);
int bench_write_cluster(struct bench *bench);

/* ---- measuring: dalbench_measure.c ----------------------------------------------------------- */

/* The result of one run of one side. */
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
 * Runs `ours` and the limits in turn: once to compare their sums, then effort.repetitions times.
 * Adds a record for each limit, or one without a limit if there is none. `model` has the names of
 * the record: experiment, name, param, unit, rate.
 */
int bench_compare(struct bench *bench, const struct bench_record *model,
                  const struct bench_side *ours, const struct bench_side *limits, int limit_count);

/* Does the second part of that, if the sums were compared otherwise. */
int bench_measure(struct bench *bench, const struct bench_record *model,
                  const struct bench_side *ours, const struct bench_side *limits, int limit_count);

/* Does the first part of that: runs each side once, and fails if their sums differ. *found becomes
 * the result of `ours`. */
int bench_agree(struct bench *bench, const struct bench_record *model,
                const struct bench_side *ours, const struct bench_side *limits, int limit_count,
                struct bench_result *found);

/* The program of a network as a side. It runs with the arguments, and its report gives `tokens`,
 * `ns` and `sum`. */
struct bench_program {
    struct bench *bench;
    const char *file;
    const char *arguments[BENCH_ARGS + 1]; /* one for each -p */
    double scale;                          /* value = scale * ns / tokens, or for a rate.. */
    int rate;                              /* ..scale * tokens / ns */
};
int bench_run_program(void *context, struct bench_result *result);

/* Returns the tokens that take effort.run_ns if `sample` of them take `ns`; a multiple of
 * `unit`. */
long bench_tokens(const struct bench *bench, long sample, double ns, long unit);

/* Sets *tokens to the number that takes a side effort.run_ns, a multiple of `unit`. It runs
 * `sample` of them twice, since a first launch takes longer. The side's value is the time of a
 * token, in units of `ns`. */
int bench_probe(const struct bench *bench, const struct bench_side *side, double ns, long sample,
                long unit, long *tokens);

/* Writes the case and its limit as a name. */
void bench_name(const struct bench_record *record, char *text, size_t size);

/* Returns whether this is a test, which measures next to nothing. */
static inline int bench_is_tiny(const struct bench *bench)
{
    return bench->effort.repetitions == 1;
}

/* Adds a record without a comparison. */
int bench_add(struct bench *bench, const struct bench_record *record);

/* Prints a line of progress on standard error. */
void bench_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- kernels by hand: dalbench_kernel.c ------------------------------------------------------ */

enum { BENCH_MEMORIES = 144, BENCH_KERNELS = 8 };

/* A device with a queue, and all that was made on it. It starts zeroed. */
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

/* Opens bench->device[number]. The caller closes it in any case. */
int bench_device_open(struct bench *bench, struct bench_device *cl, int number);
/* Finishes the queue, and frees what the functions below have made. */
void bench_device_close(struct bench_device *cl);
/* Makes another queue, which the caller releases. */
int bench_make_queue(const struct bench_device *cl, cl_command_queue *queue);
int bench_make_buffer(struct bench_device *cl, size_t bytes, cl_mem *memory);
/* Makes a part of a buffer. */
int bench_make_view(struct bench_device *cl, cl_mem of, size_t origin, size_t bytes, cl_mem *view);
/* Makes zeroed host memory that transfers reach directly. */
int bench_make_pinned(struct bench_device *cl, size_t bytes, unsigned char **pinned);
/* Makes a kernel of a file of the apps folder. */
int bench_make_kernel(struct bench *bench, struct bench_device *cl, const char *file,
                      const char *name, const char *options, cl_kernel *kernel);
int bench_set_buffer(cl_kernel kernel, cl_uint index, const cl_mem *memory);
/* Enqueues a kernel. If `event` is not NULL, the caller gets its event. */
int bench_launch(const struct bench_device *cl, cl_kernel kernel, long items, long groups,
                 cl_event *event);

/* The size of the work of Producer and Consumer. */
struct bench_shape {
    long tokens; /* in a round */
    long token_bytes;
    long items, lanes; /* work-items, and words that each takes at a time */
    long work;
};

/* Producer and Consumer of apps/synthetic on a device, with plain buffers as channels. */
struct bench_pair {
    struct bench_device cl;
    cl_kernel producer, consumer;
    cl_mem state[2], data, results; /* a round reads one state and writes the other */
    int turn;
    uint32_t *found; /* Consumer's results of a round; the host's copy of `results` */
    struct bench_shape shape;
};

/* Builds the kernels and makes the buffers. The caller finishes it in any case. */
int bench_pair_init(struct bench *bench, struct bench_pair *pair, int device,
                    const struct bench_shape *shape);
void bench_pair_finish(struct bench_pair *pair);
/* Sets the state as at the start. */
int bench_pair_reset(struct bench_pair *pair);
/* Swaps the states and sets Producer's arguments for them. */
int bench_pair_turn(struct bench_pair *pair);
/* Enqueue a kernel for `tokens` tokens; that of Producer after swapping the states. */
int bench_pair_produce(struct bench_pair *pair, long tokens);
int bench_pair_consume(struct bench_pair *pair, long tokens);
/* Copies a round's results to `found`. */
int bench_pair_read(struct bench_pair *pair);

/* ---- results: dalbench_report.c, dalbench_plot.c --------------------------------------------- */

int bench_write_json(const struct bench *bench, const char *file);
void bench_print(const struct bench *bench);
/* Makes the folder for figures. Returns DAL_ERR_IO, logged, if nothing can be written there. */
int bench_make_folder(const char *folder);
/* Draws the figures with records into a folder. */
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
int bench_cores(struct bench *bench);
int bench_parts(struct bench *bench);
/* Figures 6.8 and 6.9: the video network on the cores, with the filters as C and as kernels on one
 * core and on all; or, if `of_cores` is 0, with the kernels on device 0. */
int bench_video(struct bench *bench, int of_cores);

/* ---- the thesis: dalbench_thesis.c, dalbench_page.c -------------------------------------------
 */

/* Measures what the figures of Scherer 2013 show, and writes thesis.html into a folder. The first
 * device is the GPU, the second one the processor, if there are such. */
int bench_thesis(struct bench *bench, const char *folder);
/* Writes the page. Pictures are read from the folder of bench_plot(). */
int bench_write_page(const struct bench *bench, const struct thesis_run *run, const char *pictures,
                     const char *name);
