/*
 * One end of a flow (rt/nodes/part.h), and how tokens get from one end to the other.
 *
 * The end of the channel at a courier is a host end as any other. On the producer's node the
 * courier acquires windows and sends them from where they are, several at once. It releases them
 * when they are sent. On the readers' node it acquires windows and receives into them. Only a
 * message that goes round the end of the ring is received elsewhere, and copied.
 *
 * Credit: the readers' node tells how many tokens, counted from the first, it has room for. So what
 * is sent always finds room, and nobody waits within a message. A new credit is told when the old
 * one is used up, or a quarter of the ring is free again, or a message more would find room.
 *
 * End of stream: END carries the number of all tokens, so it may overtake some. When nobody reads
 * any more, CLOSED goes back; END comes all the same, and is the last of the flow.
 *
 * Thread contract: the progress thread's.
 */
#ifndef DAL_RT_NODES_FLOW_H
#define DAL_RT_NODES_FLOW_H

#include "rt/host/process.h"
#include "rt/nodes/part.h"
#include "rt/nodes/peers.h"

enum { DAL_FLOW_ROOM = 8 }; /* messages of tokens that are under way at one end */

/* Tokens under way: one window, or two where they go round the ring's end. */
struct dal_flow_load {
    struct dal_transfer transfer;
    unsigned char *windows[2];
    uint64_t tokens[2];    /* of each; 0 of those that nobody wants */
    size_t bytes;          /* of the message */
    unsigned char *bounce; /* incoming: where they are received, if not in a window */
};

struct dal_flow {
    struct dal_part_flow desc;
    struct dal_process *process;
    struct dal_end *end;
    struct dal_flow_load loads[DAL_FLOW_ROOM];
    int head, count;  /* those under way, in order */
    uint64_t moved;   /* tokens sent, or begun to be received */
    uint64_t granted; /* tokens that may be sent, as told or as heard */
    uint64_t total;   /* incoming, once `ended` */
    int ended;        /* END was sent, or received */
    int closed;       /* CLOSED was received, or sent */
    uint64_t bytes;   /* sent or received, for reports */
    struct dal_note credit, closing;
};

/* Does what can be done without waiting: what came is released, what is there is sent. Returns
 * whether something has moved, or a negative code. */
int dal__flow_step(struct dal_flow *flow, struct dal_link *link,
                   const struct dal_transport *transport);

/* Can a message be taken? Not while as much is under way as there is room for. */
static inline int dal__flow_has_room(const struct dal_flow *flow)
{
    return flow->count < DAL_FLOW_ROOM;
}

/* Begins to receive tokens, with room. DAL_OK or a negative code, said in link->why. */
int dal__flow_receive(struct dal_flow *flow, struct dal_link *link,
                      const struct dal_transport *transport, const struct dal_message *message);

/* A number of the other node has come. */
void dal__flow_hear(struct dal_flow *flow, enum dal_say say, uint64_t number);

/* Will nothing be sent or received any more? */
int dal__flow_is_over(const struct dal_flow *flow);

/* Is nothing under way? */
int dal__flow_rests(const struct dal_flow *flow);

/* Reports what is under way, from or to that node, and that nothing has come through for so long.
 */
void dal__flow_tell(const struct dal_flow *flow, const char *node, int64_t time_ns);

/* Accepts a zeroed one. */
void dal__flow_finish(struct dal_flow *flow);

/* What a courier is at run time: nothing of it is fired. */
extern const struct dal_process_ops dal_process_courier;

#endif
