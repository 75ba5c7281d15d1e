/*
 * Holds launches back, and makes graphs of those that come again.
 *
 * A command need not start before it is flushed. So a queue holds launches and copies within the
 * device back until another command is enqueued, or it is flushed: that is a run. Rings go round,
 * and with them runs: kernels, arguments and sizes are the same as some runs ago. A run of
 * DAL_CUDA_RUN_LEAST steps or more that is seen again becomes a graph. Each time that it comes
 * again, the graph is launched in its place: one call, and one thing to fetch for the device. A run
 * that does not come again costs a digest of its arguments.
 *
 * A queue knows its last DAL_CUDA_RUNS runs; the one that was not seen for longest goes. A graph is
 * launched only for a run that equals the one it was made of byte for byte. Where a graph cannot be
 * made, the queue makes no more, and its launches go one by one. With DAL_CUDA_GRAPHS=0 in the
 * environment, nothing is held back. Timed queues hold nothing back either, since they look at each
 * launch. So statistics and traces see no graphs. With DAL_CUDA_GRAPHS=say the program tells at its
 * end how many there were.
 *
 * The thread that uses the queue makes all calls.
 */
#pragma once

#include "rt/cuda/device.h"

enum { DAL_CUDA_RUN_LEAST = 8, DAL_CUDA_RUNS = 16, DAL_CUDA_RUN_BYTES = 64 << 10 };

/* A launch of a function, with the arguments that it has now; or a copy, if there is no
 * function. */
struct dal_cuda_step {
    dal_function function;
    unsigned grid[3], block[3];
    CUdeviceptr to, from;
    size_t copied_bytes;
};

/* Makes a run without steps; *run is NULL where nothing is held back. DAL_OK or DAL_ERR_NOMEM. */
int dal__cuda_run_new(struct dal_cuda_run **run);
/* Frees a run, and forgets steps that were not issued. The queue is idle. Accepts NULL. */
void dal__cuda_run_free(struct dal_cuda_run *run);

/* Adds a step to the queue's run, or issues it where nothing is held back. The context is current
 * in this and the next. DAL_OK, or DAL_ERR_DEVICE, logged. */
int dal__cuda_run_add(dal_commands commands, const struct dal_subject *subject,
                      const struct dal_cuda_step *step);
/* Issues all steps of the run. Then it is empty, also after an error. */
int dal__cuda_run_issue(dal_commands commands, const struct dal_subject *subject);
/* Does the same without faults and messages. */
void dal__cuda_run_issue_quietly(dal_commands commands, const struct dal_subject *nobody);

/* Tells how many graphs there were, where that is wanted, when devices are closed. */
void dal__cuda_say_graphs(void);

/* Return how many graphs all queues have launched and made so far. Any thread. */
unsigned long dal_cuda_graphs_launched(void);
unsigned long dal_cuda_graphs_made(void);
