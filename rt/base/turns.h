/*
 * Finds the processes that fire in turn, as one (rt/host/group.h says what that is). The runtime
 * does it with the processes that are really on cores; dalsynth explains the result beforehand.
 *
 * Several processes are a group where they are connected and each but the first is fed by one
 * before it; their channels to each other are plain. No two channels of a group lead to processes
 * that are connected without it.
 */
#pragma once

#include <stdint.h>

/* A channel as one of its processes sees it; from a process to itself it is two. */
struct dal_turn_link {
    int other; /* process */
    int input;
    /* Firings that it has room for, if it is plain; otherwise 0. A plain channel is in the host's
     * memory, has the only reader of its port, no initial tokens, and one rate at both ends. */
    uint64_t room;
};

struct dal_turn_process {
    int place;  /* equal for processes that the same cores fire; -1: no worker fires it */
    int joins;  /* true if it has a copy for each of its cores, or one core */
    int copies; /* number of its copies */
    uint64_t block;
    const struct dal_turn_link *links;
    int link_count;
};

/*
 * Finds the groups of processes in the plan's order. groups[i] gets the number of process i's
 * group, or -1 for a place of -1; a single process is a group, too. Returns the number of groups,
 * or DAL_ERR_NOMEM. Any thread.
 */
int dal_turns_find(const struct dal_turn_process *processes, int count, int *groups);
