/* Deadlock: finds whether one iteration can be executed, the witness if not, and a way out. One
 * thread. */
#pragma once

#include "spec/base/diag.h"
#include "spec/sdf/time.h"

/* The channel for which a blocked process waits. */
struct dal_sdf_wait {
    size_t process, channel; /* in the graph */
    int space;               /* 1: free places, 0: tokens */
    uint64_t have, need;
};

struct dal_sdf_deadlock {
    int dead;
    size_t *blocked; /* processes that cannot end the iteration */
    size_t blocked_count;
    struct dal_sdf_wait *cycle; /* processes of which each waits for the next */
    size_t cycle_count;
    /* The smallest addition that makes the network live. Initial tokens are only added when no
     * capacities can do it. */
    int has_fix, is_smallest;
    uint64_t *more_capacity, *more_tokens; /* by channel; new tokens bring their own room */
};

/*
 * Executes one iteration with `capacity`, by channels[].number; `budget` is for looking for a fix.
 * *known is 0 when the iteration has too many firings to be executed (a second or two). Returns
 * DAL_OK or DAL_ERR_NOMEM; the caller finishes the result in both cases.
 */
int dal_sdf_deadlock_find(struct dal_sdf_deadlock *deadlock, const struct dal_sdf_graph *graph,
                          const uint64_t *capacity, struct dal_sdf_budget *budget, int *known);
void dal_sdf_deadlock_finish(struct dal_sdf_deadlock *deadlock);

/* Finds out whether one iteration cannot be executed. If so, marks the processes that are in any
 * loop in which each waits for the next, by process. `*dead` is 0 when the budget ends. Returns
 * DAL_OK or DAL_ERR_NOMEM. */
int dal_sdf_dead_loops(const struct dal_sdf_graph *graph, const uint64_t *capacity,
                       struct dal_sdf_budget *budget, unsigned char *in_loop, int *dead);

/* Reports the error and its notes; the iteration was executed with `capacity`. */
void dal_sdf_deadlock_tell(struct dal_diags *diags, const struct dal_sdf_graph *graph,
                           const uint64_t *capacity, const struct dal_sdf_deadlock *deadlock);

/*
 * Executes one iteration with `capacity`, by channel, to find a deadlock, and reports it. A
 * deadlock is an error. Its notes name the blocked processes and the channel for which each waits.
 * They also give the tokens or space that are there and needed. Returns DAL_OK or DAL_ERR_INVALID.
 * Needs dal_sdf_repetitions().
 */
int dal_sdf_live(struct dal_diags *diags, const struct dal_sdf_graph *graph,
                 const uint64_t *capacity);
