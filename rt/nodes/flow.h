/*
 * One end of a flow (rt/nodes/part.h), and how tokens get from one end to the other.
 *
 * The end of the channel at a proxy is a host end like any other. On the producer's node the
 * proxy acquires windows, sends them from where they are, several at once, and releases them when
 * they are sent. On the readers' node it acquires windows and receives into them. Only a message
 * that wraps round the end of the ring is received elsewhere and copied.
 *
 * Credit: the readers' node tells for how many tokens, counted from the first, it has room. So sent
 * tokens always find room, and nobody waits within a message. It sends a new credit when the old
 * one is used up. It also does so when a quarter of the ring, or room for one message, is free
 * again.
 *
 * End of stream: END carries the number of all tokens, so it may overtake some. When nobody reads
 * any more, CLOSED goes back. END still follows, as the last message of the flow.
 *
 * Thread contract: the progress thread's.
 */
#pragma once

#include "rt/host/process.h"
#include "rt/nodes/part.h"
#include "rt/nodes/peers.h"

enum { DAL_FLOW_ROOM = 8 }; /* messages of tokens that are under way at one end */

/* Tokens under way: one window, or two if they wrap round the ring's end. */
struct dal_flow_load {
    struct dal_transfer transfer;
    unsigned char *windows[2];
    uint64_t tokens[2];    /* of each window; 0 when nobody wants them */
    size_t bytes;          /* of the message */
    unsigned char *bounce; /* incoming: memory to receive into, if not a window */
};

struct dal_flow {
    struct dal_part_flow desc;
    struct dal_process *process;
    struct dal_end *end;
    struct dal_flow_load loads[DAL_FLOW_ROOM];
    int head, count;  /* loads under way, in order */
    uint64_t moved;   /* tokens that were sent, or that began to arrive */
    uint64_t granted; /* tokens that may be sent: told, or heard */
    uint64_t total;   /* incoming: tokens in all, once `ended` */
    int ended;        /* True once END was sent or received. */
    int closed;       /* True once CLOSED was received or sent. */
    uint64_t bytes;   /* sent or received, for reports */
    struct dal_note credit, closing;
};

/* Returns a flow by its number, of flows in the order of theirs, or NULL. */
struct dal_flow *dal__flow_find(struct dal_flow *flows, int count, int number);

/* Releases what has arrived and sends what is there, without waiting. Returns whether something has
 * moved, or a negative code. */
int dal__flow_step(struct dal_flow *flow, struct dal_link *link);

/* Returns whether a message can be taken: not all places for loads are used. */
static inline int dal__flow_has_room(const struct dal_flow *flow)
{
    return flow->count < DAL_FLOW_ROOM;
}

/* Begins to receive tokens; there is room. Returns DAL_OK or a negative code, with the reason in
 * link->why. */
int dal__flow_receive(struct dal_flow *flow, struct dal_link *link,
                      const struct dal_message *message);

/* Takes a number that the other node has sent. */
void dal__flow_hear(struct dal_flow *flow, enum dal_say say, uint64_t number);

/* Returns whether nothing will be sent or received any more. */
int dal__flow_is_over(const struct dal_flow *flow);

/* Returns whether nothing is under way. */
int dal__flow_rests(const struct dal_flow *flow);

/* Logs what is under way, from or to that node, and for how long none has come through. */
void dal__flow_tell(const struct dal_flow *flow, const char *node, int64_t time_ns);

/* Accepts a zeroed one. */
void dal__flow_finish(struct dal_flow *flow);

/* The operations of a proxy, which is never fired. */
extern const struct dal_process_ops dal_process_proxy;
