/*
 * Functions that the files which make a port share. Each file uses the results of those before it:
 *
 *     create_kinds.c     the kinds of the channels together; the owner of shared memory
 *     create_rings.c     the rings' shape and memory; the ring of a reader's windows
 *     create_mapped.c    the blocks of a mapped ring
 *     create_readers.c   the readers' ends; the moments and places that they share (port.h)
 *     create_ends.c      the members that all ends have; the port's end
 *     create_tokens.c    the initial tokens
 *
 * create.c calls them in this order, and frees what there is when one of them fails.
 *
 * Thread: the main thread's, before any process runs. Errors are those of dal_port_create().
 */
#ifndef DAL_CHANNELS_CREATE_H
#define DAL_CHANNELS_CREATE_H

#include "channels/kind.h"
#include "channels/port.h"

/* State while a port is made. `producer` and `consumers` are the caller's. The rest points into
 * `port` and into them. */
struct dal_port_plan {
    struct dal_port *port;
    const struct dal_end_config *producer, *consumers;
    const struct dal_queue *from; /* the producer's, NULL: it is on the host */
    /* Set by create_kinds.c. The queue whose context has the ring as shared virtual memory, or
     * NULL. */
    const struct dal_queue *own_shared, *host_shared;
    int moved, staged; /* true if a reader's window is in another ring; if its kind is STAGED */
    int counted;       /* all readers are of kind GROUP: there is no ring */
    uint64_t margin;   /* tokens in front of each block in the rings of the producer's lanes */
    /* Set by create_rings.c. */
    uint64_t initial; /* the most initial tokens of a reader */
    size_t doubly;    /* bytes of a doubly mapped ring, or 0 */
    /* Set by create_mapped.c. */
    int borrower;  /* the reader on a device, -1: the producer is there */
    size_t block;  /* bytes of a block, 0: the ring is not mapped */
    int lends_all; /* true if every window is a block, and the host leaves it alone */
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

/* Returns the tokens of the smallest window. */
static inline uint64_t dal__window_rate(const struct dal_port_plan *plan,
                                        const struct dal_end_config *config, uint64_t rate)
{
    return config->round && !plan->counted ? rate * config->round : rate;
}

/* Returns zeroed memory for a part of a port, on cache lines that no other thread uses; or NULL,
 * logged. In create.c. */
void *dal__port_alloc(const struct dal_port *port, size_t count, size_t bytes);

/* ---- kinds (create_kinds.c) ------------------------------------------------------------------ */

/* Sets each channel's kind, the owners of shared memory, and `counted`. */
int dal__choose_kinds(struct dal_port_plan *plan);
/* Makes a reader STAGED whose margin differs from the others'. After the mapped ring is known. */
void dal__choose_margin(struct dal_port_plan *plan);
/* Sets `moved`, `staged` and the port's `rewinds`, after all kinds are settled. */
void dal__count_kinds(struct dal_port_plan *plan);

/* Returns the margin of reader i, in tokens; 0 without. */
uint64_t dal__margin_of(const struct dal_port_plan *plan, int i);
/* Does a reader on a device work in the host's ring, since that is memory of its context? */
int dal__shares_host_ring(const struct dal_port_plan *plan, int reader);

/* ---- rings (create_rings.c) ------------------------------------------------------------------ */

int dal__choose_shape(struct dal_port_plan *plan);
int dal__make_rings(struct dal_port_plan *plan);

/* Returns the blocks in the ring of one lane of an end with windows of `rate` tokens: its part of
 * those that have tokens in the channel at one time. Margins may lie between them. Returns 0 where
 * the ring is as any other. */
uint64_t dal__lane_blocks(const struct dal_port_plan *plan, const struct dal_end_config *config,
                          uint64_t rate, uint64_t margin);
/* Returns the bytes of such a lane's ring. Saturates. */
size_t dal__lane_ring_bytes(const struct dal_port_plan *plan, const struct dal_end_config *config,
                            uint64_t rate, uint64_t margin);

/* Returns the one of the port's rings that the host sees. */
const struct dal_storage *dal__host_side(const struct dal_port_plan *plan);
/* Returns the ring of a reader's windows; for a dealt reader, that of its first lane. NULL: a ring
 * of its own, on its device. */
const struct dal_storage *dal__place_of(const struct dal_port_plan *plan, int reader);

/* ---- mapped rings (create_mapped.c) ---------------------------------------------------------- */

/* Chooses the blocks of a mapped ring, or makes its channels STAGED where it cannot be mapped.
 * After the shape. */
void dal__choose_blocks(struct dal_port_plan *plan);
/* Makes the ring of a port with blocks. */
int dal__make_mapped_ring(struct dal_port_plan *plan, struct dal_storage *storage);

/* ---- ends (create_ends.c) -------------------------------------------------------------------- */

/* Sets counters, rates, limits and lanes. A producer's own `seen` says nothing yet. */
int dal__init_end(const struct dal_port_plan *plan, struct dal_channel *channel,
                  struct dal_end *end, int output, const struct dal_end_config *config,
                  uint64_t margin);
/* Gives each lane of the port's end, or of a moment's, its own ring. */
void dal__init_own_lanes(const struct dal_port *port, struct dal_end *end);
/* Are the producer's windows on the same queue as this reader's? */
int dal__is_together(const struct dal_port_plan *plan, int reader);

/* Makes an empty list with room for all of the port's readers. */
int dal__init_listeners(const struct dal_port *port, struct dal_listeners *listeners);
/* Adds a listener once: a process that reads two of the channels is told once. Accepts NULL. */
void dal__add_listener(struct dal_listeners *listeners, struct dal_listener *listener);

/* Makes the port's end. After the readers. */
int dal__make_producer(struct dal_port_plan *plan);

/* ---- readers (create_readers.c) -------------------------------------------------------------- */

/* Makes one reader's end. Called in the order of readers, after the rings. */
int dal__make_reader(struct dal_port_plan *plan, int reader);

/* ---- initial tokens (create_tokens.c) -------------------------------------------------------- */

/* Writes the initial tokens. After the readers. */
int dal__fill_rings(const struct dal_port_plan *plan);

#endif
