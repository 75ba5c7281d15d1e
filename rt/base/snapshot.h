/*
 * A snapshot of a network: the states of its processes, and the tokens that every end of a channel
 * has made visible. It is a plain value, which rt/watch/look.h fills in. The functions here
 * compute from it who waits for whom. They know no network and no atomics.
 *
 * Two snapshots, one after the other, tell the state at one moment: between the end of the first
 * and the begin of the second. A wait is listed where all that it rests on is the same in both.
 * Counts only grow, so they have stood still in between. And the second snapshot looks at its
 * process after the first has ended. A process at rest is left out where it is not known of all
 * its inputs what it lacked.
 *
 * The second snapshot reads in this order: of each process first its needs, then its state. Then
 * come the channels: of each first what is closed, then its growth, its capacity, and its counts. A
 * process that does not work has made visible all that it ever will before it works again.
 */
#pragma once

#include <stdint.h>

/* The growth of a port's ring: can it grow, and if not, why? */
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
    int rank, ring;         /* rank of that channel, and the first channel of its port there */
    int output;             /* true if it waits for space; otherwise it waits for tokens */
    enum dal_growth growth; /* of the ring, for a wait for space */
    uint32_t token_bytes;
    uint64_t rate, fill, capacity; /* tokens */
    /* Of a flow on that rank: the tokens that it has moved, and whether none are under way. */
    uint64_t moved;
    int rests;
};

enum dal_seen_state {
    DAL_SEEN_ENDED,
    DAL_SEEN_WORKING, /* firing, or with something under way on a device */
    DAL_SEEN_RESTING, /* not firing; it waits at all ports that lack something */
    DAL_SEEN_BLOCKED, /* in the middle of a firing, at one port */
};

struct dal_seen_process {
    /* Members that do not change. */
    int vertex; /* its number in waits */
    int first_port, port_count;
    int heeds; /* true if it ends when all its readers have */
    /* Members that change. */
    enum dal_seen_state state;
    int port;  /* BLOCKED: its number in the process */
    int stops; /* true if it will not be fired again, since the network is to stop */
    int held;  /* true if it is periodic, and its release is still to come */
};

struct dal_seen_port {
    int output;
    int channel;   /* the first channel of an output */
    uint64_t need; /* tokens or space that the next firing, or phase, needs */
};

/* A channel from a port to one of its readers. */
struct dal_seen_channel {
    int producer, consumer; /* processes */
    int ring;               /* the first channel of the port */
    int next;               /* the next one of the port; -1 without */
    int inplace;            /* true if its reader never stops the producer */
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

/* Makes a zeroed snapshot with room for so many. DAL_OK or DAL_ERR_NOMEM; the caller finishes it
 * either way. */
int dal_snapshot_init(struct dal_snapshot *snapshot, int processes, int ports, int channels);
void dal_snapshot_finish(struct dal_snapshot *snapshot);

/* Has a token moved between the two snapshots? */
int dal_snapshot_moved(const struct dal_snapshot *before, const struct dal_snapshot *now);

/* Returns the number of tokens that have ever moved. It only grows. */
uint64_t dal_snapshot_sum(const struct dal_snapshot *snapshot);

/* Does a process wait for its release, and for nothing else? */
int dal_snapshot_is_held(const struct dal_snapshot *snapshot, int process);

/* Lists all waits that are the same in both snapshots of a network, sorted by process. Returns
 * their number; a channel has at most one for tokens and one for space. */
int dal_snapshot_list(const struct dal_snapshot *before, const struct dal_snapshot *now,
                      struct dal_wait *waits);
