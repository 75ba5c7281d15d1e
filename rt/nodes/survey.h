/*
 * How all ranks are looked at at one time, so that processes are found which wait for each other
 * over nodes.
 *
 * The lowest rank that has not come to its end asks all others, round by round; each looks at its
 * part and answers with who waits for whom there, and with the sum of all that its channels have
 * ever moved. When two rounds have the same sums, nothing has moved when the second one began:
 * every first look was before that, every second one after. Then the waits of all ranks together
 * are a picture of one moment. Rounds are rare while nothing happens, and there are none in a
 * network without processes of dynamic rates.
 *
 * A look lists the waits that have been the same since the look before it (rt/base/snapshot.h),
 * which is the round's before. A wait leads from one vertex to another: a process of the whole
 * network, or a flow, whose two couriers are one. A flow moves if its producer's node has a token,
 * and its readers' node space.
 *
 * Thread contract: the progress thread's.
 */
#ifndef DAL_RT_NODES_SURVEY_H
#define DAL_RT_NODES_SURVEY_H

#include "rt/base/snapshot.h"
#include "rt/nodes/peers.h"

/* What one rank has seen. */
struct dal_view {
    uint64_t round;
    uint64_t sum;           /* of all counts */
    uint64_t sent, arrived; /* tokens of flows that are not over */
    int rests;              /* nothing is in flight in flows */
    int count;
    struct dal_wait waits[];
};

/* Who looks at a part, and draws the verdict; functions of rt/network. */
struct dal_witness {
    void *network;
    int most_waits; /* that a look can find */
    /* Fills in sum and waits. */
    void (*look)(void *network, struct dal_view *view);
    /* Of all ranks' waits, in no order, which it may sort. Returns one whose ring is to grow, or
     * NULL; breaks the network where nothing helps. */
    const struct dal_wait *(*judge)(void *network, struct dal_wait *waits, int count);
    /* Makes a ring of this rank larger, if it can; errors are the network's. */
    void (*grow)(void *network, int ring);
};

struct dal_survey {
    const struct dal_witness *witness; /* NULL: there is nothing to find */
    struct dal_view *said; /* the answer, which may be under way while this rank begins to ask */
    uint64_t asked;        /* a round that is to be answered, 0: none */
    int asker;
    struct dal_transfer answer;
    int answered; /* `answer` is in use, or was */
    /* Of the rank that asks. */
    struct dal_view *own;
    uint64_t round;
    int asking; /* not all have answered yet */
    int64_t next_ns, pause_ns;
    struct dal_surveyed *ranks;
};

struct dal_nodes;

/* Makes room for the views of all ranks. DAL_OK or DAL_ERR_NOMEM; it is finished either way. */
int dal__survey_init(struct dal_survey *survey, const struct dal_witness *witness, int ranks);
void dal__survey_finish(struct dal_survey *survey, int ranks);

/* A rank asks for a round. */
void dal__survey_hear(struct dal_survey *survey, int rank, uint64_t round);

/* Room for the view of a rank, which replaces the one before. NULL where there is no memory. */
void *dal__survey_room(struct dal_survey *survey, int rank, size_t bytes);

/* Asks, answers and judges, as far as that is due. DAL_OK or a negative code, said in link->why. */
int dal__survey_step(struct dal_nodes *nodes, int64_t now_ns);

/* Is nothing of it under way? */
static inline int dal__survey_rests(const struct dal_survey *survey)
{
    return !survey->answered || survey->answer.done;
}

#endif
