/*
 * How a port is made. Each step takes the result of the step before. Later steps do not change it:
 *
 *     create_layout.c    from the request, a layout: kinds, shape, blocks, halo, and the sort
 *                        of memory of each ring. It allocates nothing.
 *     create_rings.c     from a layout, the port's rings with their initial tokens
 *     create_ends.c      from rings, the readers' ends, with the publications and the buffers that
 *                        they share (port.h); from readers, the port's end
 *
 * create_kind.c chooses the kind of one channel. create.c calls the steps, and gives the port back
 * when one of them fails.
 *
 * Thread: the main thread's, before any process runs. Errors are those of dal_port_create().
 */
#pragma once

#include "channels/port.h"
#include "include/kinds.h"

/* The request for a port. `port` already has its channels; its other members are zeros. */
struct dal_port_request {
    struct dal_port *port;
    const struct dal_channel_desc *const *descs; /* one a channel */
    int count;
    const struct dal_end_config *producer, *consumers;
};

/* ---- a layout -------------------------------------------------------------------------------- */

/* The memory of a ring. SHARED, PINNED and PAGES belong to the device of `queue`, and DEVICE to the
 * device of each replica. */
struct dal_ring_memory {
    enum dal_storage_sort sort;
    const struct dal_queue *queue;
};

/* The blocks of a mapped ring that a device borrows (blocks.h). */
struct dal_lending {
    const struct dal_queue *queue; /* NULL: the ring is not mapped */
    size_t block_bytes;
    int all; /* true if every window is a block, and the host leaves it alone */
};

struct dal_port_layout {
    const struct dal_port_request *of;
    int counted;      /* all readers are of kind GROUP: there is no ring */
    uint64_t initial; /* the most initial tokens of a reader */
    uint64_t halo;    /* tokens in front of each block in the rings of the producer's replicas */
    struct dal_lending lending;
    /* The producer's rings, and that of the host to which their windows are downloaded, if any. */
    struct dal_ring_memory own, host;
};

/* The ring of a reader's windows:
 *
 *     kind is in place                                          OWN
 *     moved, to the host                                        HOST
 *     moved, to a device in whose memory the host's ring is     HOST
 *     moved, to any other device                                DEVICE */
enum dal_reader_ring {
    DAL_RING_OWN,    /* the producer's; with replicas, that of the same replica */
    DAL_RING_HOST,   /* the ring that the host sees: `host`, or else `own` */
    DAL_RING_DEVICE, /* a ring on the reader's device, filled from the host's ring */
};

/* Sets the kinds of the port's channels, its shape and `rewinds` as well. */
int dal__port_layout(const struct dal_port_request *of, struct dal_port_layout *layout);

enum dal_reader_ring dal__reader_ring(const struct dal_port_layout *layout, int reader);
/* Returns a reader's halo, in tokens; 0 without. */
uint64_t dal__reader_halo(const struct dal_port_request *of, int reader);

/* Returns the tokens of the smallest window of a process with `rate` tokens a firing. */
static inline uint64_t dal__window_rate(int counted, const struct dal_end_config *config,
                                        uint64_t rate)
{
    return config->round && !counted ? rate * config->round : rate;
}

/* Can kernels use the host's memory as it is? */
static inline int dal__works_on_host(const struct dal_queue *queue)
{
    return queue->device->info.traits.fine_svm && queue->device->info.traits.unified;
}

/* Sets *kind to the description's, or to another that fits these ends, with a note. Returns DAL_OK,
 * or DAL_ERR_UNSUPPORTED, logged, where kind and ends do not fit. In create_kind.c. */
int dal__kind_choose(enum dal_channel_kind *kind, const struct dal_channel_desc *desc,
                     const struct dal_end_config *producer, const struct dal_end_config *consumer);

/* Notes why a channel is staged. `device` is the one to blame, or "". Returns the kind STAGED. In
 * create_kind.c. */
enum dal_channel_kind dal__kind_staged(const struct dal_channel_desc *desc, const char *device,
                                       const char *why);

/* ---- rings ----------------------------------------------------------------------------------- */

struct dal_port_rings {
    const struct dal_port_layout *layout;
    const struct dal_storage *own;       /* the first replica's */
    const struct dal_storage *host_side; /* the one that the host sees */
};

int dal__port_rings(const struct dal_port_layout *layout, struct dal_port_rings *rings);

/* Writes the initial tokens into a ring of the port's shape. */
int dal__fill_ring(const struct dal_port_layout *layout, const struct dal_storage *ring,
                   const struct dal_queue *queue);

/* ---- ends ------------------------------------------------------------------------------------ */

struct dal_port_readers {
    const struct dal_port_rings *rings;
    int looked_at; /* the reader that the port's end looks at by itself */
};

int dal__port_readers(const struct dal_port_rings *rings, struct dal_port_readers *readers);

/* Makes the port's end. */
int dal__port_end(const struct dal_port_readers *readers);
