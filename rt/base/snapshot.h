/*
 * A snapshot of a network: who does what, and what every end of a channel has made visible. It is a
 * plain value, which whoever looks at a network fills in (rt/watch/look.h), and from which it is
 * computed who waits for whom. Nothing here knows a network or an atomic.
 *
 * Two snapshots, one taken after the other, tell what was so at one moment: between the end of the
 * first and the begin of the second. A wait is listed where all that it rests on is the same in
 * both. Counts only grow, so they have stood still in between; and what its process did in the
 * second snapshot it did after the first had ended.
 *
 * Contract of the second snapshot, for whoever takes it: of each process first what it needs, then
 * what it does; then the channels, and of each first what is closed, then whether it can grow, its
 * capacity, and its counts. A process that does not work has made visible all that it ever will
 * before it works again.
 */
#ifndef DAL_RT_BASE_SNAPSHOT_H
#define DAL_RT_BASE_SNAPSHOT_H

#include <stdint.h>

/* Whether the ring of a port can grow. */
enum dal_growth {
    DAL_GROWTH_DEVICE,  /* never: a device uses it */
    DAL_GROWTH_INPLACE, /* never: its tokens are changed in place */
    DAL_GROWTH_LIMIT,   /* as far as --max-memory allows */
    DAL_GROWTH_UNDER_WAY,
    DAL_GROWTH_READY
};

/* A process, or a flow, that lacks tokens or space of another. */
struct dal_wait {
    int waiter, peer;       /* processes of the whole network, and behind them flows by number */
    int channel;            /* of the whole network */
    int rank, ring;         /* where that is, and the first channel of its port in that part */
    int output;             /* for space; else for tokens */
    enum dal_growth growth; /* of the ring, where it is for space */
    uint32_t token_bytes;
    uint64_t rate, fill, capacity; /* tokens */
};

enum dal_seen_state {
    DAL_SEEN_ENDED,
    DAL_SEEN_WORKING, /* or something of it is under way on a device */
    DAL_SEEN_RESTING, /* it is fired when no port lacks anything, and so waits at all that do */
    DAL_SEEN_BLOCKED, /* in the middle of a firing, at one port */
};

struct dal_seen_process {
    /* What does not change. */
    int vertex; /* as waits name it */
    int first_port, port_count;
    int heeds; /* it ends when all that read from it have */
    /* What does. */
    enum dal_seen_state state;
    int port;  /* BLOCKED: its number in the process */
    int stops; /* it will not be fired again, as the network is to stop */
    int held;  /* it is periodic, and its release is still to come */
};

struct dal_seen_port {
    int output;
    int channel;   /* of an output the first of its channels */
    uint64_t need; /* tokens or space of the next firing, or phase */
};

/* From a port to one of its readers. */
struct dal_seen_channel {
    int producer, consumer; /* processes */
    int ring;               /* the first channel of the port */
    int next;               /* the next one of the port; -1 without */
    int inplace;            /* its reader never stops the producer */
    int whole;              /* its number in the whole network */
    uint32_t token_bytes;
    enum dal_growth growth;
    int writer_closed, reader_closed;
    uint64_t capacity, written, read; /* tokens */
};

struct dal_snapshot {
    int rank;
    int process_count, port_count, channel_count;
    struct dal_seen_process *processes;
    struct dal_seen_port *ports;
    struct dal_seen_channel *channels;
};

/* Zeroed, with room for so many. DAL_OK or DAL_ERR_NOMEM; it is finished either way. */
int dal_snapshot_init(struct dal_snapshot *snapshot, int processes, int ports, int channels);
void dal_snapshot_finish(struct dal_snapshot *snapshot);

/* Has a token moved from one to the other? */
int dal_snapshot_moved(const struct dal_snapshot *before, const struct dal_snapshot *now);

/* All that has ever moved. It only grows. */
uint64_t dal_snapshot_sum(const struct dal_snapshot *snapshot);

/* Does a process wait for its release, and for nothing else? */
int dal_snapshot_is_held(const struct dal_snapshot *snapshot, int process);

/* Lists all waits that are the same in both snapshots, of one network, by process. Returns how
 * many; a channel has one for tokens and one for space at most. */
int dal_snapshot_list(const struct dal_snapshot *before, const struct dal_snapshot *now,
                      struct dal_wait *waits);

#endif
