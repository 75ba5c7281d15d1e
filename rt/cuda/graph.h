/*
 * Launches that are held back, and graphs of those that come again.
 *
 * What is enqueued may start when it is flushed, not before. So a queue holds launches and copies
 * within the device back until something else is enqueued, or it is flushed: that is a run. Rings
 * go round, and with them runs: kernels, arguments and sizes are the same as some runs ago. A run
 * of DAL_CUDA_RUN_LEAST steps or more that is seen again becomes a graph, and each time that it
 * comes again the graph is launched in its place, which is one call, and one thing to fetch for the
 * device. A run that does not come again costs a digest of its arguments.
 *
 * A queue knows its last DAL_CUDA_RUNS runs; the one that was not seen for longest goes. A graph is
 * launched only for a run that equals the one it was made of byte for byte. Where a graph cannot be
 * made, the queue makes no more, and its launches go one by one. DAL_CUDA_GRAPHS=0 in the
 * environment: nothing is held back. Nor is it by timed queues, which look at each launch, so that
 * statistics and traces see no graphs; DAL_CUDA_GRAPHS=say tells at the end how many there were.
 *
 * By the thread that uses the queue.
 */
#ifndef DAL_RT_CUDA_GRAPH_H
#define DAL_RT_CUDA_GRAPH_H

#include "rt/cuda/device.h"

enum { DAL_CUDA_RUN_LEAST = 8, DAL_CUDA_RUNS = 16, DAL_CUDA_RUN_BYTES = 64 << 10 };

/* A launch of a function, with the arguments that it has now; without one, a copy. */
struct dal_cuda_step {
    dal_function function;
    unsigned grid[3], block[3];
    CUdeviceptr to, from;
    size_t copied_bytes;
};

/* A run without steps, or none where nothing is held back. DAL_OK or DAL_ERR_NOMEM. */
int dal__cuda_run_new(struct dal_cuda_run **run);
/* Accepts NULL. The queue is idle. Steps that were not issued are forgotten. */
void dal__cuda_run_free(struct dal_cuda_run *run);

/* Adds a step to the queue's run, or issues it where nothing is held back. The context is current
 * in this and the next. DAL_OK, or DAL_ERR_DEVICE, logged. */
int dal__cuda_run_add(dal_commands commands, const struct dal_subject *subject,
                      const struct dal_cuda_step *step);
/* Issues all steps of the run, which is empty then, also on an error. */
int dal__cuda_run_issue(dal_commands commands, const struct dal_subject *subject);
/* The same without faults and messages. */
void dal__cuda_run_issue_quietly(dal_commands commands, const struct dal_subject *nobody);

/* When devices are closed. */
void dal__cuda_say_graphs(void);

/* Graphs that all queues have launched so far, and those that were made. Any thread. */
unsigned long dal_cuda_graphs_launched(void);
unsigned long dal_cuda_graphs_made(void);

#endif
