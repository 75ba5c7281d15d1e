/* Deadlock: whether one iteration can be executed, the witness if not, a way out. One thread. */
#ifndef DAL_SPEC_SDF_LIVE_H
#define DAL_SPEC_SDF_LIVE_H

#include "spec/base/diag.h"
#include "spec/sdf/time.h"

/* What a blocked process waits for. */
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
 * Executes one iteration with `capacity`, by channel; `budget` is for looking for a fix. *known is
 * 0 when the iteration has too many firings to be executed (a second or two). Returns DAL_OK or
 * DAL_ERR_NOMEM; the caller finishes the result in both cases.
 */
int dal_sdf_deadlock_find(struct dal_sdf_deadlock *deadlock, const struct dal_sdf_graph *graph,
                          const uint64_t *capacity, struct dal_sdf_budget *budget, int *known);
void dal_sdf_deadlock_finish(struct dal_sdf_deadlock *deadlock);

/* Whether one iteration cannot be executed, and if so, by process, which are in a loop of processes
 * each of which waits for the next: all such loops. `*dead` is 0 when the budget ends. Returns
 * DAL_OK or DAL_ERR_NOMEM. */
int dal_sdf_dead_loops(const struct dal_sdf_graph *graph, const uint64_t *capacity,
                       struct dal_sdf_budget *budget, unsigned char *in_loop, int *dead);

/* The error and its notes; `capacity` is what the iteration was executed with. */
void dal_sdf_deadlock_tell(struct dal_diags *diags, const struct dal_sdf_graph *graph,
                           const uint64_t *capacity, const struct dal_sdf_deadlock *deadlock);

/*
 * Finds out by executing one iteration with `capacity`, by channel, and tells. A deadlock is an
 * error whose notes name the blocked processes and, for each, the channel it waits for, with the
 * tokens or the space there are and that it needs. Returns DAL_OK or DAL_ERR_INVALID. Needs
 * dal_sdf_repetitions().
 */
int dal_sdf_live(struct dal_diags *diags, const struct dal_sdf_graph *graph,
                 const uint64_t *capacity);

#endif
