/*
 * Which processes fire in turn, as one (rt/host/group.h says what that is). dalsynth explains with
 * this what the runtime does with it, on the processes that are really on cores by then.
 *
 * Several processes are a group where they are connected and each but the first is fed by one
 * before it; their channels to each other are plain. No two channels of a group lead to processes
 * that are connected without it.
 */
#ifndef DAL_RT_BASE_TURNS_H
#define DAL_RT_BASE_TURNS_H

#include <stdint.h>

/* A channel as one of its processes sees it; from a process to itself it is two. */
struct dal_turn_link {
    int other; /* process */
    int input;
    /* Firings that it has room for, if it is plain: in the host's memory, the only reader of its
     * port, no initial tokens, the same rate at both ends. 0: it is not. */
    uint64_t room;
};

struct dal_turn_process {
    int place;  /* processes that the same cores fire have the same; -1: no worker fires it */
    int joins;  /* it has a copy for each of its cores, or one core */
    int copies; /* of it */
    uint64_t block;
    const struct dal_turn_link *links;
    int link_count;
};

/*
 * Finds the groups of processes in the plan's order. groups[i] gets the number of that of process
 * i, and -1 for a place of -1; a group of one process is one, too. Returns how many there are, or
 * DAL_ERR_NOMEM. Any thread.
 */
int dal_turns_find(const struct dal_turn_process *processes, int count, int *groups);

#endif
