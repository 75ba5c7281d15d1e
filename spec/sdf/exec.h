/*
 * Executes one iteration of a network without time, to see whether it deadlocks. The order of
 * firings does not matter: a firing never disables another. One thread. Internal to spec/sdf.
 */
#ifndef DAL_SPEC_SDF_EXEC_H
#define DAL_SPEC_SDF_EXEC_H

#include "spec/sdf/live.h"
#include "spec/sdf/time.h"

struct dal__exec {
    const struct dal_sdf_graph *graph;
    uint64_t *tokens;   /* by channel */
    uint64_t *capacity; /* by channel */
    uint64_t *left;     /* firings, by process */
    size_t *queue;      /* ring of processes */
    unsigned char *queued;
    size_t head, waiting;
    struct dal_sdf_budget *budget;
};

/* Returns the sum, or UINT64_MAX. */
static inline uint64_t dal__add_capped(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

int dal__exec_init(struct dal__exec *exec, const struct dal_sdf_graph *graph,
                   struct dal_sdf_budget *budget);
void dal__exec_finish(struct dal__exec *exec);

/* Starts an iteration with the graph's initial tokens and `capacity`, by channel of the graph;
 * `more`, when it is not NULL, has additional tokens, which bring their own room. */
void dal__exec_begin(struct dal__exec *exec, const uint64_t *capacity, const uint64_t *more);
/* Goes on until nothing can fire or the budget ends. Returns the number of processes that have not
 * fired as often as they should. After a deadlock tokens and capacities may be changed and it may
 * be called again. */
size_t dal__exec_run(struct dal__exec *exec);

/* After a deadlock: finds a cycle of processes in which each waits for the next; `waits` has room
 * for all processes. Returns its length; 0 when a process is not waiting, which cannot be. */
size_t dal__exec_cycle(struct dal__exec *exec, struct dal_sdf_wait *waits);

/* As above, for all such cycles: marks the processes that are in one. Returns DAL_OK or
 * DAL_ERR_NOMEM. */
int dal__exec_loops(const struct dal__exec *exec, unsigned char *in_loop);

#endif
