/*
 * The team of a worker, or of a KPN process's thread: threads of OpenMP that help it in processes
 * which have `threads` (include/net.h). OpenMP makes them, and they sleep or spin between two
 * parallel regions as it likes.
 *
 * Each is bound to a core of its own, on which no worker is. Where the machine has fewer of these
 * cores, the team is smaller. A process with fewer threads than the team uses the first of them.
 */
#pragma once

#include "rt/host/process.h"

struct dal_team {
    const struct dal_openmp *openmp; /* NULL: none of the processes has threads */
    int *cores;                      /* the worker's own first; owned */
    int count;
};

/* Enlarges the team for a process and sets the number of its threads; `core` is the worker's. Warns
 * if the machine has too few cores. Returns DAL_OK or DAL_ERR_NOMEM. Main thread. */
int dal_team_take(struct dal_team *team, const struct dal_openmp *openmp, int core,
                  struct dal_process *process);
void dal_team_finish(struct dal_team *team);

/* Makes the threads and binds them. Runs in the worker's thread, with a team of two or more. */
void dal_team_bind(const struct dal_team *team);
