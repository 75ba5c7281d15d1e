/*
 * FIFO channels: storage by location behind one acquire/release interface (Scherer 2013, section
 * 4.2). doc/explanation/sources.md has the sources in full.
 *
 * An output port has 1 or more readers. A channel leads from the port to one of them; the channels
 * of a port share its end, the producer's, and its rings (channels/port.h). The other end of a
 * channel is its reader's. An end belongs to one process and is used by one thread at a time: a
 * core's worker (a host end) or the task queue's handler (a device end, one whose process runs on a
 * command queue). The ends vary independently:
 *
 *     host    the window is a pointer into the ring
 *     direct  the window is (buffer, offset) in a ring that both ends use: device-local, between
 *             two devices of one context, or memory shared with the host (fine-grained SVM)
 *     mapped  the window is a block of the host's ring, which the device borrows, or a copy
 *             (channels/blocks.h)
 *     staged  the end has a ring of its own in device memory and moves windows between it and the
 *             host's ring: a producer downloads on release, a consumer uploads on acquire
 *             (between two contexts, a device that shares memory with the host works in its ring)
 *     naive   as staged, through pageable memory with one more copy
 *
 * A device end whose process is bound to several devices has a replica on each
 * (channels/replicas.h). The counters are still the end's own, in token order.
 *
 * Token state is counters that only grow: tokens released by the producer (head) and by a reader
 * (tail). head - tail is the fill of its channel, never above the capacity. They count from the
 * first initial token of the reader that has most; one that has d less begins at d. An end works
 * with its own exact count and with what its peer has made visible, the producer with that of its
 * slowest open reader. When a release becomes visible depends on who has to see it:
 *
 *     at once        the peer is on the same thread of events: host ends, and two ends on one
 *                    in-order queue (the consumer is enqueued behind the producer)
 *     at the flush   the peer is on another queue of the context: it gets the event to wait for
 *     at completion  the peer is on the host, in another context, or cannot wait for events
 *
 * A channel that is changed in place has as many slots as initial tokens; a firing's window at the
 * producer's end is the one at its reader's (channels/port.h). It is full between firings. While
 * one is under way, it may look fuller by the tokens that are written, but not yet released.
 *
 * A channel that keeps the newest token alone (newest.h) uses the same ends. There the counters are
 * the firings of each side, and neither waits for the other's.
 *
 * Memory order: an end stores `visible` with release after it has written or read the window. It
 * stores seq_cst where a sleeping peer may have to be woken (rt/base/wake.h). The peer loads
 * `visible` with acquire before it touches the window. `closed` is stored with release after the
 * last `visible`; a peer that sees closed and then reads visible again has the final count.
 */
#pragma once

#include "include/net.h"
#include "rt/base/count.h"
#include "rt/base/error.h"
#include "rt/base/sync.h"

struct dal_channel;
struct dal_end;
struct dal_end_ops; /* channels/device_ops.h */
struct dal_port;    /* channels/port.h */
struct dal_queue;   /* channels/queue.h */
struct dal_region;  /* channels/storage.h */
struct dal_replica; /* channels/replicas.h */
struct dal_ring;    /* channels/grow.h */

/* Somebody who wants to know that a channel's state has moved. The peer's thread calls `notify`
 * after the state is visible. `notify` must neither block nor call back into the channel. */
struct dal_listener {
    void (*notify)(struct dal_listener *listener);
};

/* A ring as an end sees it. */
struct dal_ring_view {
    unsigned char *base;     /* address on the host, or NULL */
    size_t wrap_bytes;       /* positions wrap round here */
    size_t contiguous_bytes; /* windows of several firings end before this */
};

struct dal_end {
    /* Published to the peer, and the only one that changes with each release. */
    _Alignas(64) _Atomic uint64_t visible; /* tokens released */

    /* The owner's. */
    _Alignas(64) uint64_t taken; /* tokens of all windows acquired so far */
    uint64_t seen;               /* last look at peer->visible */
    uint64_t credit;             /* capacity for a producer, 0 for a consumer */
    uint64_t rate;               /* tokens per firing; of a group's per round (dal_end_config) */
    struct dal_ring_view ring;
    size_t position; /* bytes from the ring's base to the next window */

    /* Seldom written. The peer looks for `closed` before each of its activations, so that is not
     * in the cache line of `visible`: it would have to come over after each release. */
    size_t firing_bytes;
    struct dal_end *peer;          /* a producer's: one of its readers */
    struct dal_channel *channel;   /* a producer's: the first of its port */
    struct dal_port *port;         /* the port of the channel */
    struct dal_listener *listener; /* the peer's process, NULL: nobody needs to be told */
    int output;                    /* 1: the producer's end */
    int readers;        /* 1: a reader, or a producer that looks at its only reader itself; more:
                           dal__port_look() finds the space, or what is newest */
    uint64_t first;     /* number of its first window's first token */
    _Atomic int closed; /* this end will release no more; published to the peer */
    /* A larger ring that waits for the owner to take it up (channels/grow.h); published to it. */
    struct dal_ring *_Atomic renewed;

    /* A device end's. */
    const struct dal_end_ops *ops; /* NULL for a host end */
    struct dal_replica *replica;   /* of its last window: its queue, and what kernels get there */
    /* True if both sides are on one queue, or distributed alike: nobody has to wait for the peer's
     * releases. With several readers, the one that the producer looks at counts. */
    int together;
};

/* Waits of the process at an end: how many there were, and how long they took (rt/host/waiter.h).
 * The end's owner counts them. */
struct dal_waits {
    _Atomic uint64_t count;
    _Atomic int64_t ns;
    _Atomic int64_t since_ns; /* the wait that goes on, which is not in them; 0: there is none */
};

struct dal_channel {
    const struct dal_channel_desc *desc;
    enum dal_channel_kind kind; /* the kind in use; see dal_port_create */
    struct dal_port *port;
    struct dal_end *producer; /* the port's */
    struct dal_end consumer;
    unsigned char *host;           /* the ring it is read from, NULL where the host cannot see it */
    _Atomic uint64_t copied_bytes; /* on devices, for this channel; the handler counts */
    /* Waits of the consumer for tokens, and of the producer for space. Each side counts its own. */
    struct dal_waits waits[2];
    /* Tokens in the packets of a counted channel (include/counted.h): those that a process of a
     * core has read, and those written at the port. */
    _Atomic uint64_t packet_tokens[2];
};

/* The properties of a process that a channel needs at one of its ends. */
struct dal_end_config {
    struct dal_queue *queue; /* NULL: a host end */
    /* Several queues, of which `queue` is the first: blocks of `firings` firings go to them in
     * turn. Read only while the port is made. NULL and 0 for one queue or none. */
    struct dal_queue *const *queues;
    int queue_count;
    struct dal_listener *listener; /* of the process at this end; told when its peer moves */
    uint64_t firings;              /* most in a window of a device end; 0: unknown */
    struct dal_region *region;     /* of a producer: for a ring of the host, or NULL */
    uint64_t round; /* firings of a device end that always come together, in one window; 0: 1 */
    const void *launcher; /* device ends with the same one, not NULL, may be launched as one */
    int core;             /* host end: the core whose worker alone uses it, -1 for others */
    enum dal_log_level failures; /* a producer's: level of messages where no port can be made */
    int moved;       /* a host end where the plan had a device: the kind follows the ends */
    int fires_whole; /* a host end: nothing there can be done with less than a firing's tokens */
};

/* Returns the kind that reports name: the description's, where the one in use only tells in which
 * ring an end's tokens are. */
static inline enum dal_channel_kind dal_channel_reported_kind(const struct dal_channel *channel)
{
    enum dal_channel_kind kind = channel->desc->kind;
    return kind == DAL_CHANNEL_REMOTE || kind == DAL_CHANNEL_NEWEST ? kind : channel->kind;
}

/*
 * Makes an output port with 1 or more readers: a channel for each, in the order of net.h's table;
 * their descriptions are alike as it says there. Picks kinds, rings and ends, and places the
 * initial tokens. A kind that the devices cannot do becomes STAGED, with a note. The ends belong to
 * the channels and are used through the functions below; channels[i]->producer is the same for all.
 * Main thread, before any process runs. Returns DAL_OK; or an error of storage.h or
 * DAL_ERR_UNSUPPORTED, logged, with all of `channels` NULL.
 */
int dal_port_create(struct dal_channel **channels, const struct dal_channel_desc *const *descs,
                    int count, const struct dal_end_config *producer,
                    const struct dal_end_config *consumers); /* create.c */

/* Returns the bytes of a region that a port's ring takes when all its ends are on the host. Returns
 * 0 where the ring lies elsewhere, or memory is exhausted. Saturates. In create_layout.c. */
size_t dal_port_region_bytes(const struct dal_channel_desc *const *descs, int count);

/* Called after all threads are done with the channel and its queues are empty, for the channels of
 * a port in any order. Accepts NULL. */
void dal_channel_destroy(struct dal_channel *channel); /* create.c */

/* Takes up a larger ring: follows to it as a consumer, or moves to it as the producer, once nothing
 * is open in the old one (channels/grow.h). The owner's thread. */
void dal__end_renew(struct dal_end *end);

/* Returns the tokens that the owner of an end has released, to touch their windows next. */
static inline uint64_t dal__end_visible(const struct dal_end *end)
{
    return atomic_load_explicit(&end->visible, memory_order_acquire);
}

static inline int dal__end_is_closed(const struct dal_end *end)
{
    return atomic_load_explicit(&end->closed, memory_order_acquire);
}

/* Sets `seen` of a producer's end: what the slowest of its readers that is open has released. While
 * tokens are under way to one that has closed, no more than what has arrived there. Of a channel of
 * kind NEWEST: dal__newest_look(). */
void dal__port_look(struct dal_end *end); /* channel.c */

/*
 * Returns for how many firings, at most `most`, this end has tokens (consumer) or space (producer)
 * in one contiguous window; 0 for none now. The owner's thread.
 */
static inline uint64_t dal_end_ready(struct dal_end *end, uint64_t most)
{
    uint64_t have = end->seen + end->credit - end->taken, firings, fit;
    if (have < most * end->rate) {
        if (end->readers > 1) {
            dal__port_look(end);
        } else {
            end->seen = dal__end_visible(end->peer);
            if (end->output && dal__end_is_closed(end->peer))
                end->seen = end->taken; /* nobody reads: tokens are dropped */
        }
        /* Only asks whether there is one: dal__end_renew() acquires it. */
        if (atomic_load_explicit(&end->renewed, memory_order_relaxed))
            dal__end_renew(end);
        have = end->seen + end->credit - end->taken;
    }
    firings = have < end->rate ? 0 : end->rate == 1 ? have : have / end->rate;
    if (firings > most)
        firings = most;
    if (firings <= 1 || end->position + firings * end->firing_bytes <= end->ring.contiguous_bytes)
        return firings;
    fit = (end->ring.contiguous_bytes - end->position) / end->firing_bytes;
    return fit > 1 ? fit : 1;
}

/* Returns all tokens (consumer) or all space (producer) that this end has now, in tokens. The
 * owner's thread. */
uint64_t dal_end_available(struct dal_end *end);

/* Has the end at least `tokens` tokens, or space for as many? The owner's thread. */
int dal_end_has(struct dal_end *end, uint64_t tokens);

/* Consumer: has the producer closed, with less than one firing left? Producer: have all readers
 * closed, except the producing process itself? The owner's thread. */
int dal_end_finished(struct dal_end *end);

/* Returns how many tokens a producer could still write into the space that its readers have left.
 * All of them have closed, but for the producing process itself; returns UINT64_MAX while one is
 * open. Their total of tokens read does not depend on timing, nor does this. The owner's thread. */
uint64_t dal_end_left(struct dal_end *end);

/* Has the other side closed; for a producer: all of its readers? Reads atomics only: any thread. */
int dal_end_peer_closed(const struct dal_end *end);

/* Are all tokens that this end has acquired so far visible to every peer? */
int dal_end_settled(const struct dal_end *end);

/* Returns the channel that an end waits at: for a port's end, the channel of its slowest open
 * reader. Reads atomics only: any thread. */
struct dal_channel *dal_end_channel(const struct dal_end *end);

/* Does the channel lead back to the end's own process? At a port's end: do all its channels? Such a
 * channel keeps state. */
int dal_end_is_loop(const struct dal_end *end);

/* Returns the capacity that a channel has now, in tokens. Any thread. */
uint64_t dal_channel_capacity(const struct dal_channel *channel);

/* Returns the bytes of the producer's ring, as it was made. */
size_t dal_channel_ring_bytes(const struct dal_channel *channel);

/* Has the producer a larger ring that it has not moved to yet? Any thread. */
int dal_channel_is_growing(const struct dal_channel *channel);

/* Advances taken and position by a number of firings; for the implementations of ends. */
static inline void dal__end_advance(struct dal_end *end, uint64_t firings)
{
    end->taken += firings * end->rate;
    end->position += firings * end->firing_bytes;
    if (end->position >= end->ring.wrap_bytes)
        end->position -= end->ring.wrap_bytes;
}

/* Has this end, on the producer's ring, released all that was written, and does it hold no window?
 * For the thread that has both ends. */
static inline int dal__end_is_level(const struct dal_end *end, const struct dal_end *producer)
{
    return end->taken == producer->taken && end->ring.base == producer->ring.base &&
           atomic_load_explicit(&end->visible, memory_order_relaxed) == end->taken;
}

/* Returns where the next window of a host end begins. The owner's thread. */
static inline unsigned char *dal_end_window(const struct dal_end *end)
{
    return end->ring.base + end->position;
}

/* Acquires the windows of `firings` firings at a host end, at most as many as dal_end_ready() said.
 * They are the owner's until released. Several acquisitions may be open, and are released in
 * order. */
static inline unsigned char *dal_end_acquire(struct dal_end *end, uint64_t firings)
{
    unsigned char *window = dal_end_window(end);
    dal__end_advance(end, firings);
    return window;
}

/* Gives back the windows of the last `firings` firings acquired, as if they had not been. */
static inline void dal_end_give_back(struct dal_end *end, uint64_t firings)
{
    size_t bytes = firings * end->firing_bytes;
    end->taken -= firings * end->rate;
    end->position += (end->position < bytes ? end->ring.wrap_bytes : 0) - bytes;
}

/* Releases `firings` firings, from `window` on, to the other side. They may be fewer than were
 * acquired only if the end is closed next. */
void dal_end_release(struct dal_end *end, const unsigned char *window, uint64_t firings);

/* Releases the next `tokens` tokens at a host end, which are in no acquired window. A phase has
 * moved them at `window`, or a process whose windows were given back. `window` may differ from
 * dal_end_window(), since the later tokens of a window may lie in the ring's tail. Whole firings
 * are acquired again when all parts of one have been moved. */
void dal_end_move(struct dal_end *end, const unsigned char *window, uint64_t tokens);

/* Makes `tokens` more released tokens visible to the peer and tells it, unless they make no firing
 * yet. */
void dal_end_publish(struct dal_end *end, uint64_t tokens);

/* Closes an end for good, after its last release is visible, and tells the peers. Idempotent. */
void dal_end_close(struct dal_end *end);

/* Counts tokens as written, read and released, in an empty channel of host memory, the only one of
 * its port. Both ends are the caller's: nobody else has seen the tokens. The next windows stay
 * where they were. */
void dal_channel_pass(struct dal_channel *channel, uint64_t tokens);

/* Counts tokens as written, or read, and released at an end whose windows nobody needs, since one
 * launch makes and uses them. The caller's thread owns both ends. */
void dal_end_pass(struct dal_end *end, uint64_t tokens);

/* Returns the tokens in the channel at one moment, or its capacity where the reader never stands
 * still; for reports. Any thread. */
uint64_t dal_channel_fill(const struct dal_channel *channel);

/* Keeps ring and tail equal after `tokens` tokens were written on the host from slot `at` on. */
void dal__host_mirror(struct dal_channel *channel, uint64_t at, uint64_t tokens);
