/*
 * The ring of a channel between the host and a device that share memory, but not at the same time
 * (kind MAPPED). Maps say who may use a buffer of such a device: while it is mapped for writing, no
 * kernel may touch any byte of it, nor of its parent (OpenCL 3.0, section 5.5.4). So the ring is
 * cut into blocks, each a buffer of its own. A block is what the device takes in its largest
 * launch. The buffers lie side by side in memory of the host (DAL_MEMORY_OVER_HOST). A map always
 * gives the address there (section 5.2.4). So the host's windows run from block to block.
 *
 * A block belongs to the host unless it is lent. A launch whose window is a whole block borrows it:
 * unmap, kernel, map again, all on the one queue, and the window is visible to the host when its
 * batch has completed. The host leaves that block alone meanwhile: it has released all of it, and
 * nobody can take it before the device has. A launch with less than a block may not borrow, because
 * the host may be at work on the rest. Its window goes through `rest`, a buffer of the device as
 * large as a block, and is copied.
 *
 * Thread: the handler's. The main thread makes blocks and gives them back.
 */
#pragma once

#include "channels/channel.h"
#include "rt/base/shape.h"
#include "channels/storage.h"

struct dal_block {
    dal_memory memory;
    void *mapped; /* address on the host; NULL while it is lent */
};

struct dal_blocks {
    struct dal_block *list; /* NULL: the ring has none */
    int count;
    size_t bytes;            /* of each */
    struct dal_storage rest; /* for windows smaller than a block; made where wanted */
    struct dal_device *device;
    dal_commands commands;
    enum dal_map_access access; /* what the host does with a block that it gets back */
};

/* Returns how many firings of a device end make a block, at most `most` (0 as 1). The ring is a
 * whole number of such blocks. A firing's window has `rate` tokens, and the first one begins with
 * token `first`. Returns 0 where windows do not lie in blocks, or there would be too many blocks.
 * Any thread. */
uint64_t dal__block_firings(const struct dal_shape *shape, uint64_t rate, uint64_t first,
                            uint64_t most);

/* Cuts the memory `ring->host` into blocks of `block_bytes`, and maps them all. If `reads`, the
 * device writes and the host reads, else the other way round. Errors are those of storage.h; the
 * caller finishes the blocks either way. */
int dal__blocks_init(struct dal_blocks *blocks, const struct dal_subject *channel,
                     const struct dal_storage *ring, const struct dal_queue *queue,
                     size_t block_bytes, int reads);
/* Accepts zeroed blocks. Call it before the ring is given back. */
void dal__blocks_finish(struct dal_blocks *blocks);

/* Returns where the window that a device end has at its position must end, in bytes from the ring's
 * base. */
size_t dal__block_end(const struct dal_end *end);

/* Acquires for the port's end. Its window is a borrowed block, or lies in `rest`. */
int dal__blocks_borrow(struct dal_end *end, uint64_t firings);

extern const struct dal_end_ops dal__mapped_reader_ops; /* of the reader on the device */
extern const struct dal_end_ops dal__mapped_ops;        /* of the publication to the host */
