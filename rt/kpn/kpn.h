/*
 * KPN processes: C with a thread of its own, which waits where it reads and writes (Kahn 1974).
 *
 * The thread is a worker with this one process. An activation is one call of fire. The windows of
 * its ports are the tokens and the space that lie in the rings at that moment. DAL_read and
 * DAL_write of dal.h copy from and to them without a call. At the end of a window they call a
 * function of port.c. It hands all finished tokens and space to the peers, and the thread sleeps
 * until its peer moves.
 *
 * Readers that have ended do not stop a writer, since the time of their end is a matter of chance.
 * The number of tokens they read is not, nor is what still fits into the channel. So the channel is
 * filled, and the first write that does not fit makes the port spent. A process ends when all its
 * ports are spent; until then, writes to a spent port are dropped.
 *
 * All functions belong to the process's thread. The monitor, and processes that ask in vain, read
 * `blocked` (acquire). The thread stores it (release) after its last look at the channel, before it
 * sleeps; and NULL before it takes what has come.
 */
#pragma once

#include "rt/kpn/leave.h"
#include "rt/host/process.h"

/* The most vain questions in a row, and the most windows written to spent ports. */
enum { DAL_KPN_MOST_VAIN = 100000 };

/* A port. Its memory is for windows that are not contiguous in the ring, or larger than it. While
 * it is lent, it is the port's window, and `ring` keeps the real one. The first call after the
 * window's end copies what was written to the ring. */
struct dal_kpn_port {
    struct dal_process *process;
    struct dal_end *end;
    struct dal_window *window;         /* of the process's copy */
    const struct dal_counted *counted; /* NULL for a port that is not counted */
    unsigned char *memory;
    size_t room;
    size_t lent; /* bytes handed out; 0 for none */
    int opened;  /* of a counted port: the window lies in a packet that is not yet given back */
    int spent;   /* True when its readers have gone and their space is full: what is written is
                    dropped. */
    struct dal_window ring;
    unsigned char *scrap; /* for a window that is begun while the process is left */
};

/* What a process has asked in vain (vain.c). */
struct dal_vain {
    uint64_t moved;  /* bytes at its ports, sent or in windows, at its last such question */
    unsigned count;  /* of these questions since any of its ports moved */
    int hopes;       /* True when one of them was for what others may still move. */
    uint64_t sum;    /* of what all ends have released, when half of the most were asked */
    unsigned *calls; /* of each process at that time; NULL: not known */
    /* 1 more than the sum at which it has asked so often that it only waits; 0: at none. Others
     * load it (acquire). The thread stores it (release), and need not clear it: the sum only grows,
     * and is another one once anything has moved. */
    _Atomic uint64_t rests;
    const struct dal_process *processes; /* all of the network */
    int process_count;
};

struct dal_stream; /* rt/streams/stream.h */

struct dal_kpn {
    struct dal_leave leave; /* fire waits for what will never come */
    struct dal_kpn_port *ports;
    struct dal_window *empty;        /* the windows of the ports while it is left, */
    struct dal_window *windows;      /* and the others meanwhile, else NULL */
    struct dal_end *_Atomic blocked; /* the end it sleeps at, NULL when it does not */
    _Atomic unsigned calls;          /* of its firing to this file; relaxed, for the monitor */
    uint64_t sent;                   /* bytes given to the peers, at all ports together */
    struct dal_vain vain;
    unsigned dropped;          /* windows of spent ports since no port has any readers */
    unsigned turn, turns;      /* inits of others that come before its own; all inits */
    struct dal_stream *stream; /* of an open port: what is outside; or NULL */
    /* Of an open port that callers stand in for (call.h): the latest end of a wait, and whether a
     * wait has come to it. Otherwise INT64_MAX and 0. */
    int64_t until_ns;
    int is_late;
    /* The same port's descriptor, an eventfd, or -1; and whether it was made readable by calls. */
    int file;
    int is_shown;
    struct dal_process *follower; /* the process whose init comes next, or NULL */
    int passed;                   /* True when its own init lets the others go on. */
};

extern const struct dal_process_ops dal_process_kpn;

/* Takes the ends of all KPN processes, and sets the order in which their inits run, one after the
 * other, before any of them fires. So a source may seed what others draw from, such as rand(). An
 * init that waits at a channel lets the others go on. Call it before threads start. */
void dal_kpn_line_up(struct dal_process *processes, int count);

/* Writes what still lies in the channel of a tap's port to its stream, after the process's thread
 * has left a broken network. */
void dal_kpn_empty(struct dal_process *process);

/* The rest is shared by the files of rt/kpn: kpn.c fires it, port.c has the calls of dal.h that
 * wait, vain.c the end of questions, turn.c the order of inits, left.c what happens while it is
 * left. */

/* Gives the peers the whole tokens that were read and written. A begun token stays. */
void dal__kpn_send(struct dal_process *process);
/* Rests during a pause, with nothing half done at a channel. A firing may never end, so it must
 * rest, too. */
static inline void dal__kpn_rest(const struct dal_process *process)
{
    while (dal_control_paused(process->control) && !dal_control_broken(process->control))
        dal_control_rest(process->control, process->pool->wakes[0]);
}
/* Waits until so many inits are over. */
void dal__kpn_wait_for_turn(const struct dal_process *process, unsigned turn);
/* Gives the turn to the next init; the last one wakes all sleepers, so that they fire. */
void dal__kpn_give_turn(const struct dal_process *process);
/* Gives the turn to the next init, but only once. Each look of a wait calls this. */
static inline void dal__kpn_pass_turn(const struct dal_process *process)
{
    if (!process->host.kpn->passed)
        dal__kpn_give_turn(process);
}
/* Returns the number of a port in the process's description. */
static inline int dal__kpn_number(const struct dal_kpn_port *port)
{
    return (int)(port - port->process->host.kpn->ports);
}

/* For a process without users' code (outside.c). Returns the tokens or the space that lie in the
 * ring of a port now, at least one byte, and sets *bytes; waits for that, or leaves. Then says how
 * many of them were used. */
void *dal__kpn_piece(struct dal_process *process, int port, size_t *bytes);
void dal__kpn_use(struct dal_process *process, int port, size_t bytes);

/* Refuses a call while a window is open: it would be lost when the ring grows. */
void dal__kpn_refuse_open(struct dal_kpn_port *port);
/* Makes the window of a port hold what lies in its ring now. */
void dal__kpn_look(struct dal_kpn_port *port);
/* Makes the window of a port hold at least one byte more. Returns 0 when it never will, or did not
 * until kpn.until_ns. */
int dal__kpn_advance(struct dal_kpn_port *port);
/* Would an advance not wait? There is a token or space for one, or there never will be. */
int dal__kpn_is_ready(const struct dal_kpn_port *port);

/* Leaves init or fire: what is asked for will never come. */
void dal__kpn_leave(struct dal_process *process) __attribute__((noreturn));
/* Do destructors or handlers run? Then calls move nothing, return -1, and must not wait. */
static inline int dal__kpn_is_left(const struct dal_process *process)
{
    return process->host.kpn->leave.begun;
}
/* Called behind init and fire. Returns 1 if they were left; the ports have their windows again. */
int dal__kpn_come_back(struct dal_process *process);
/* Begins a window of zeros, which goes nowhere. */
void *dal__kpn_begin_left(struct dal_kpn_port *port, size_t bytes);
