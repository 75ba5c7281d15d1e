/*
 * How a port is made, between the files that do it. Each takes what those before have found:
 *
 *     create_kinds.c     which kind each channel has beside the others; whose shared memory it is
 *     create_rings.c     the shape of all rings, and their memory; in which one a reader has its
 *                        windows
 *     create_mapped.c    whether the ring is mapped, and in which blocks
 *     create_readers.c   the readers' ends, with what they share: moments and places (port.h)
 *     create_ends.c      what all ends have, and the port's own
 *     create_tokens.c    the initial tokens
 *
 * create.c calls them in order, and gives back what there is when one of them fails.
 *
 * Thread: the main thread's, before any process runs. Errors are those of dal_port_create().
 */
#ifndef DAL_CHANNELS_CREATE_H
#define DAL_CHANNELS_CREATE_H

#include "channels/kind.h"
#include "channels/port.h"

/* While a port is made. `producer` and `consumers` are the caller's, the rest points into `port`
 * and into them. */
struct dal_port_plan {
    struct dal_port *port;
    const struct dal_end_config *producer, *consumers;
    const struct dal_queue *from; /* the producer's, NULL: it is on the host */
    /* By create_kinds.c. Of whose context the ring is shared virtual memory, or NULL. */
    const struct dal_queue *own_shared, *host_shared;
    int moved, staged; /* some reader is, or is of that kind */
    int counted;       /* all readers are of kind GROUP: there is no ring */
    uint64_t margin;   /* tokens in front of each block in the producer's rings, of its lanes */
    /* By create_rings.c. */
    uint64_t initial; /* the most initial tokens of a reader */
    size_t doubly;    /* bytes of a doubly mapped ring, or 0 */
    /* By create_mapped.c. */
    int borrower;  /* the reader on a device, -1: the producer is there */
    size_t block;  /* bytes of a block, 0: the ring is not mapped */
    int lends_all; /* every window is a block, and the host leaves it alone */
};

/* ---- a port, its readers and their lanes ----------------------------------------------------- */

static inline struct dal_channel *dal__channel_at(const struct dal_port_plan *plan, int i)
{
    return plan->port->channels[i];
}

static inline enum dal_channel_kind dal__kind_at(const struct dal_port_plan *plan, int i)
{
    return dal__channel_at(plan, i)->kind;
}

/* Is the reader's window in another ring than the producer's? */
static inline int dal__is_moved(const struct dal_port_plan *plan, int i)
{
    return !dal_channel_traits(dal__kind_at(plan, i))->in_place;
}

static inline const struct dal_queue *dal__queue_at(const struct dal_port_plan *plan, int i)
{
    return plan->consumers[i].queue;
}

static inline int dal__lanes_of(const struct dal_end_config *config)
{
    return dal__is_dealt(config) ? config->queue_count : 1;
}

static inline struct dal_queue *dal__lane_queue(const struct dal_end_config *config, int lane)
{
    return dal__is_dealt(config) ? config->queues[lane] : config->queue;
}

static inline const char *dal__port_name(const struct dal_port_plan *plan)
{
    return dal__channel_at(plan, 0)->desc->name;
}

static inline struct dal_subject dal__port_subject(const struct dal_port_plan *plan)
{
    return (struct dal_subject){dal__port_name(plan), plan->producer->failures};
}

/* Tokens of one window at least. */
static inline uint64_t dal__window_rate(const struct dal_port_plan *plan,
                                        const struct dal_end_config *config, uint64_t rate)
{
    return config->round && !plan->counted ? rate * config->round : rate;
}

/* Zeroed memory, apart from what other threads have, of which a port is made; NULL, logged. In
 * create.c. */
void *dal__port_alloc(const struct dal_port *port, size_t count, size_t bytes);

/* ---- kinds (create_kinds.c) ------------------------------------------------------------------ */

/* What each channel's kind becomes; whose memory is shared; whether there is a ring at all. */
int dal__choose_kinds(struct dal_port_plan *plan);
/* What has another margin than the rest is staged. After the mapped ring is known. */
void dal__choose_margin(struct dal_port_plan *plan);
/* Once the kinds are settled. */
void dal__count_kinds(struct dal_port_plan *plan);

/* Tokens that go through the host, of each block that a reader has in the producer's rings. */
uint64_t dal__margin_of(const struct dal_port_plan *plan, int i);
/* Does a reader on a device work in the host's ring, since that is of its context's memory? */
int dal__shares_host_ring(const struct dal_port_plan *plan, int reader);

/* ---- rings (create_rings.c) ------------------------------------------------------------------ */

int dal__choose_shape(struct dal_port_plan *plan);
int dal__make_rings(struct dal_port_plan *plan);

/* Blocks of an end with windows of `rate` tokens, in the ring of one of its lanes: of those that
 * have tokens in the channel at the same time, the lane's part; 0 where the ring is as any other.
 * Between them there may be margins. */
uint64_t dal__lane_blocks(const struct dal_port_plan *plan, const struct dal_end_config *config,
                          uint64_t rate, uint64_t margin);
/* Bytes of the ring on a device of such an end. Saturates. */
size_t dal__lane_ring_bytes(const struct dal_port_plan *plan, const struct dal_end_config *config,
                            uint64_t rate, uint64_t margin);

/* The one that the host sees of the two. */
const struct dal_storage *dal__host_side(const struct dal_port_plan *plan);
/* The ring in which a reader's windows are, of a dealt one that of its first lane; NULL: one on its
 * device. */
const struct dal_storage *dal__place_of(const struct dal_port_plan *plan, int reader);

/* ---- mapped rings (create_mapped.c) ---------------------------------------------------------- */

/* What cannot be mapped is staged. After the shape. */
void dal__choose_blocks(struct dal_port_plan *plan);
/* Of a port with blocks. */
int dal__make_mapped_ring(struct dal_port_plan *plan, struct dal_storage *storage);

/* ---- ends (create_ends.c) -------------------------------------------------------------------- */

/* Counters, rates, limits and lanes. A producer's own `seen` says nothing yet. */
int dal__init_end(const struct dal_port_plan *plan, struct dal_channel *channel,
                  struct dal_end *end, int output, const struct dal_end_config *config,
                  uint64_t margin);
/* Of the port, or of a moment: each lane works in its own ring. */
void dal__init_own_lanes(const struct dal_port *port, struct dal_end *end);
/* Has the producer its windows on the same queue as this reader? */
int dal__is_together(const struct dal_port_plan *plan, int reader);

/* With room for all of the port's readers. */
int dal__init_listeners(const struct dal_port *port, struct dal_listeners *listeners);
/* A process that reads two of the channels is told once. Accepts NULL. */
void dal__add_listener(struct dal_listeners *listeners, struct dal_listener *listener);

/* The port's end. After the readers. */
int dal__make_producer(struct dal_port_plan *plan);

/* ---- readers (create_readers.c) -------------------------------------------------------------- */

/* One after the other. After the rings. */
int dal__make_reader(struct dal_port_plan *plan, int reader);

/* ---- initial tokens (create_tokens.c) -------------------------------------------------------- */

/* After the readers. */
int dal__fill_rings(const struct dal_port_plan *plan);

#endif
