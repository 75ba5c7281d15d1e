/*
 * Memory for rings, by location. A storage is made in one of seven ways and given back in one.
 * Main thread. All fail with DAL_ERR_NOMEM, DAL_ERR_SYSTEM or, for want of the device's memory,
 * DAL_ERR_DEVICE or DAL_ERR_LIMIT, logged, with the storage empty. `name` and `channel` are the
 * channel's, for messages.
 */
#ifndef DAL_CHANNELS_STORAGE_H
#define DAL_CHANNELS_STORAGE_H

#include "rt/backend/backend.h"

struct dal_storage {
    unsigned char *host; /* what the host may touch, NULL for device memory */
    size_t bytes;
    dal_memory memory; /* what a kernel gets, NULL for memory of the host alone */
    void (*release)(struct dal_storage *storage);
    struct dal_device *device; /* where it comes from, unless it is the host's */
    dal_commands commands;     /* pinned: with which it was made */
    void *handle;              /* pinned: the backend's */
};

/* Pages of the host for the rings of one location, which lie behind each other: one piece of memory
 * that whoever uses a ring touches first, and that may be of huge pages. Outlives the storages. */
struct dal_region {
    unsigned char *base;
    size_t bytes, used;
};

/* `huge`: asks for huge pages, which is right where most of it will be touched. Nothing for 0
 * bytes. DAL_OK or DAL_ERR_NOMEM, not logged. */
int dal_region_init(struct dal_region *region, size_t bytes, int huge);
/* Accepts a zeroed one. */
void dal_region_finish(struct dal_region *region);

/* What a ring of so many bytes takes of a region. */
size_t dal_region_share(size_t bytes);

/* The next bytes of a region, as dal_storage_host(). Returns whether there is room; without, and
 * for a region of NULL, the storage is empty. */
int dal_storage_region(struct dal_storage *storage, struct dal_region *region, size_t bytes);

/* Plain host memory, zeroed, aligned to a cache line. */
int dal_storage_host(struct dal_storage *storage, const char *name, size_t bytes);
/* The same in pages of its own: what drivers can use in place is that. */
int dal_storage_pages(struct dal_storage *storage, const char *name, size_t bytes);

/* Host memory of at least `bytes` bytes, rounded up to pages, mapped twice behind each other: byte
 * b and byte b + storage->bytes are the same, so every window below `bytes` is contiguous. */
int dal_storage_twice(struct dal_storage *storage, const char *name, size_t bytes);

/* Fine-grained shared memory of a device that has it (info.fine_svm): host and kernels use it at
 * the same time. */
int dal_storage_shared(struct dal_storage *storage, const struct dal_subject *channel,
                       struct dal_device *device, size_t bytes);

/* Host memory that a device's transfers reach directly. */
int dal_storage_pinned(struct dal_storage *storage, const struct dal_subject *channel,
                       struct dal_device *device, dal_commands commands, size_t bytes);

/* Device memory. With `transfers` the host may copy to and from it, otherwise the host has no
 * access at all but for the initial tokens. */
int dal_storage_device(struct dal_storage *storage, const struct dal_subject *channel,
                       struct dal_device *device, size_t bytes, int transfers);

/* Accepts an empty (zeroed) storage. */
void dal_storage_finish(struct dal_storage *storage);

#endif
