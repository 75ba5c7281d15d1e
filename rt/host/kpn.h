/*
 * KPN processes: C with a thread of its own, which waits where it reads and writes (Kahn 1974).
 *
 * The thread is a worker with this one process. An activation is one call of fire; in it the
 * windows of the ports are what happens to lie or fit in the rings, so that DAL_read and DAL_write
 * of dal.h copy without a call as long as that lasts. When it does not, they come here: all ports
 * give to their peers what has been done with so far, and the thread sleeps until its peer moves.
 *
 * Readers that have ended do not stop a writer, since when they end is a matter of timing. What
 * they have read in all is not, so neither is what the channel still takes: it is filled, and the
 * first write that does not fit makes the port spent. A process ends when all of its ports are
 * spent; until then, what is written to a spent one falls away.
 *
 * All functions belong to the process's thread, but for what the monitor may look at: `blocked`
 * and `needed`, stored (release) after the last look at the channel and before sleeping, loaded
 * (acquire) by the monitor.
 */
#ifndef DAL_RT_HOST_KPN_H
#define DAL_RT_HOST_KPN_H

#include "rt/host/process.h"

#include <setjmp.h>

/* Memory for windows that are not contiguous in the ring, or larger than it. While some is lent it
 * is the port's window; the one in the ring is kept here. What has been written to it goes to the
 * ring with the first call after its end. */
struct dal_kpn_port {
    unsigned char *memory;
    size_t room;
    size_t lent; /* bytes handed out; 0 for none */
    int opened;  /* of a counted port: the window is in a packet that is not given back */
    int spent;   /* its readers have gone, and what they left is full: what is written falls away */
    struct dal_window ring;
};

struct dal_kpn {
    jmp_buf out; /* out of fire: it waits for what will never come */
    struct dal_kpn_port *ports;
    int64_t waited_ns;
    int64_t since_ns; /* when fire began, or went on after its last wait; 0: not in a timed one */
    struct dal_end *_Atomic blocked; /* the end it sleeps at, NULL when it does not */
    _Atomic unsigned calls;          /* of its firing, that came here; relaxed, for the monitor */
    uint64_t sent;                   /* bytes given to the peers, at all ports together */
    uint64_t vain_at;             /* the same and what is in windows, when it last asked in vain, */
    unsigned vain;                /* and how often it has, with nothing moved */
    unsigned dropped;             /* windows of spent ports since no port has readers any more */
    unsigned turn, turns;         /* inits of others that come before its own; all inits */
    struct dal_process *follower; /* whose init comes next, NULL without */
    int passed;                   /* its own does not keep others from theirs any more */
};

extern const struct dal_process_ops dal_process_kpn;

/* DAL_read and so on at port number `port`. What can never be satisfied does not return. */
int dal_kpn_read(struct dal_process *process, int port, void *buf, int len);
int dal_kpn_write(struct dal_process *process, int port, const void *buf, int len);
void *dal_kpn_begin(struct dal_process *process, int port, size_t bytes);
int dal_kpn_at_end(struct dal_process *process, int port);
int dal_kpn_test(struct dal_process *process, int port, size_t bytes);
/* dal_window_in_vain(): does not return when the process has only asked for too long. */
void dal_kpn_in_vain(struct dal_process *process);
/* Calls init, in which tokens may be read and written as in fire. */
void dal_kpn_call_init(struct dal_process *process, void (*function)(DALProcess *));
/* The inits of all KPN processes are called in this order, one after the other, and before any of
 * them fires: a source may seed what others draw from, as rand() does. One that waits at a channel
 * lets the others go on. Before threads start. */
void dal_kpn_line_up(struct dal_process *processes, int count);
/* Out of init or fire; does not return. */
void dal_kpn_leave(struct dal_process *process) __attribute__((noreturn));

#endif
