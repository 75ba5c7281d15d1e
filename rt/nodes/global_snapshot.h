/*
 * Looks at all ranks at one time, to find processes that wait for each other across nodes.
 *
 * The lowest rank that has not come to its end asks all others, round by round. Each looks at its
 * part, and answers with who waits for whom there. A round begins after all looks of the round
 * before, and before all of its own. What is the same in both was so when the round began, even if
 * others went on (rt/base/snapshot.h). So the waits of all ranks together are a picture of one
 * moment. Rounds are rare while nothing happens. A network whose capacities are known to be enough
 * has none.
 *
 * A wait leads from one vertex to another: a process of the whole network, or a flow, whose two
 * proxies are one. A flow moves if its producer's node has a token and its readers' node has space.
 * Tokens under way are on neither. So both nodes say what they have moved, beside each wait; a flow
 * waits only if the two numbers agree, and no transfer is open.
 *
 * Thread contract: the progress thread's.
 */
#pragma once

#include "rt/base/snapshot.h"
#include "rt/nodes/peers.h"

/* The local snapshot of one rank. */
struct dal_local_snapshot {
    uint64_t round;
    uint64_t sum; /* of all counts: the same while nothing moves */
    int count;
    struct dal_wait waits[];
};

/* Functions of rt/watch that look at a part and give the verdict. */
struct dal_snapshot_callbacks {
    void *network;
    int most_waits; /* most waits of a look */
    /* Fills in sum and waits. */
    void (*look)(void *network, struct dal_local_snapshot *local);
    /* Judges the waits of all ranks, in no order; it may sort them. Returns one whose ring is to
     * grow, or NULL. Breaks the network if nothing helps. */
    const struct dal_wait *(*judge)(void *network, struct dal_wait *waits, int count);
    /* Enlarges a ring of this rank, if it can; the network gets its errors. */
    void (*grow)(void *network, int ring);
};

struct dal_global_snapshot {
    const struct dal_snapshot_callbacks *callbacks; /* NULL: there is nothing to look for */
    struct dal_local_snapshot
        *said;      /* the answer, which may be under way while this rank begins to ask */
    uint64_t asked; /* a round to answer; 0: none */
    int asker;
    struct dal_note answer;
    /* Belong to the rank that asks. */
    struct dal_local_snapshot *own;
    uint64_t round;
    int asking; /* True while some have not answered. */
    int64_t next_ns, pause_ns;
    struct dal_known_rank *ranks;
};

struct dal_nodes;

/* Prepares the search for processes that wait for each other across nodes: makes room for the
 * snapshots of all ranks. `callbacks` stays until the end. Call it before dal_nodes_start().
 * Returns DAL_OK or DAL_ERR_NOMEM; it is finished with its nodes either way. */
int dal_global_snapshot_init(struct dal_global_snapshot *global,
                             const struct dal_snapshot_callbacks *callbacks, int ranks);
void dal__global_snapshot_finish(struct dal_global_snapshot *global, int ranks);

/* Notes that a rank asks for a round. */
void dal__global_snapshot_hear(struct dal_global_snapshot *global, int rank, uint64_t round);

/* Returns room for the snapshot of a rank, which replaces the last one, or NULL without memory. */
void *dal__global_snapshot_room(struct dal_global_snapshot *global, int rank, size_t bytes);

/* Asks, answers and judges, as far as is due. Returns DAL_OK or a negative code, with the reason in
 * link->why. */
int dal__global_snapshot_step(struct dal_nodes *nodes, int64_t now_ns);
