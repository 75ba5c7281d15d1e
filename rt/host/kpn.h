/*
 * KPN processes: C with a thread of its own, which waits where it reads and writes (Kahn 1974).
 *
 * The thread is a worker with this one process. An activation is one call of fire. The windows of
 * its ports are the tokens and the space that lie in the rings at that moment. DAL_read and
 * DAL_write of dal.h copy from and to them without a call. At the end of a window they call a
 * function of this file. It hands all finished tokens and space to the peers, and the thread sleeps
 * until its peer moves.
 *
 * Readers that have ended do not stop a writer, since the time of their end is a matter of chance.
 * The number of tokens they read is not, nor is what still fits into the channel. So the channel is
 * filled, and the first write that does not fit makes the port spent. A process ends when all its
 * ports are spent; until then, writes to a spent port are dropped.
 *
 * All functions belong to the process's thread. The monitor reads `blocked` (acquire). The thread
 * stores it (release) after its last look at the channel, before it sleeps.
 */
#ifndef DAL_RT_HOST_KPN_H
#define DAL_RT_HOST_KPN_H

#include "rt/host/leave.h"
#include "rt/host/process.h"

/* Memory for windows that are not contiguous in the ring, or larger than it. While it is lent, it
 * is the port's window, and `ring` keeps the real one. The first call after the window's end copies
 * what was written to the ring. */
struct dal_kpn_port {
    unsigned char *memory;
    size_t room;
    size_t lent; /* bytes handed out; 0 for none */
    int opened;  /* of a counted port: the window lies in a packet that is not yet given back */
    int spent;   /* True when its readers have gone and their space is full: what is written is
                    dropped. */
    struct dal_window ring;
    unsigned char *scrap; /* for a window that is begun while the process is left */
};

struct dal_kpn {
    struct dal_leave leave; /* fire waits for what will never come */
    struct dal_kpn_port *ports;
    struct dal_window *empty;   /* the windows of the ports while it is left, */
    struct dal_window *windows; /* and the others meanwhile, else NULL */
    int64_t waited_ns;
    int64_t since_ns; /* when fire began, or went on after its last wait; 0 when not timed */
    struct dal_end *_Atomic blocked; /* the end it sleeps at, NULL when it does not */
    _Atomic unsigned calls;          /* of its firing to this file; relaxed, for the monitor */
    uint64_t sent;                   /* bytes given to the peers, at all ports together */
    uint64_t vain_at;             /* `sent` plus the bytes in windows, at its last vain question */
    unsigned vain;                /* vain questions since anything moved */
    unsigned dropped;             /* windows of spent ports since no port has any readers */
    unsigned turn, turns;         /* inits of others that come before its own; all inits */
    struct dal_process *follower; /* the process whose init comes next, or NULL */
    int passed;                   /* True when its own init lets the others go on. */
};

extern const struct dal_process_ops dal_process_kpn;

/* DAL_read and so on at port number `port`. A call that can never be satisfied does not return. */
int dal_kpn_read(struct dal_process *process, int port, void *buf, int len);
int dal_kpn_write(struct dal_process *process, int port, const void *buf, int len);
void *dal_kpn_begin(struct dal_process *process, int port, size_t bytes);
int dal_kpn_at_end(struct dal_process *process, int port);
int dal_kpn_test(struct dal_process *process, int port, size_t bytes);
/* See dal_window_in_vain(). Does not return once the process has asked in vain too often. */
void dal_kpn_in_vain(struct dal_process *process);
/* Calls init, which may read and write tokens as fire does. */
void dal_kpn_call_init(struct dal_process *process, void (*function)(DALProcess *));
/* Sets the order in which the inits of all KPN processes run, one after the other, before any of
 * them fires. So a source may seed what others draw from, such as rand(). An init that waits at a
 * channel lets the others go on. Call it before threads start. */
void dal_kpn_line_up(struct dal_process *processes, int count);
/* Leaves init or fire. Returns only while the process is being left already. */
void dal_kpn_leave(struct dal_process *process);

/* The rest is between kpn.c and kpn_leave.c. */
void dal__kpn_leave(struct dal_process *process) __attribute__((noreturn));
/* Do destructors or handlers run? Then calls move nothing, return -1, and must not wait. */
static inline int dal__kpn_is_left(const struct dal_process *process)
{
    return process->kpn->leave.begun;
}
/* Called behind init and fire. Returns 1 if they were left; the ports have their windows again. */
int dal__kpn_come_back(struct dal_process *process);
/* Begins a window of zeros, which goes nowhere. */
void *dal__kpn_begin_left(struct dal_process *process, int port, size_t bytes);

#endif
