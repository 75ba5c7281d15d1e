/*
 * Memory for rings, by location. Seven functions make a storage, one frees it. Main thread. All
 * fail with DAL_ERR_NOMEM, DAL_ERR_SYSTEM or, for want of the device's memory, DAL_ERR_DEVICE or
 * DAL_ERR_LIMIT, logged, with the storage empty. `name` and `channel` are the channel's, for
 * messages.
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
    dal_commands commands;     /* pinned: the commands that made it */
    void *handle;              /* pinned: the backend's */
};

/* Pages of the host for the rings of one location, behind each other, perhaps huge pages. A thread
 * that uses a ring touches its pages first. The region outlives the storages. */
struct dal_region {
    unsigned char *base;
    size_t bytes, used;
};

/* Makes a region; an empty one for 0 bytes. `huge` asks for huge pages, which is right where most
 * of it will be touched. DAL_OK or DAL_ERR_NOMEM, not logged. */
int dal_region_init(struct dal_region *region, size_t bytes, int huge);
/* Accepts a zeroed one. */
void dal_region_finish(struct dal_region *region);

/* Returns the bytes of a region that a ring of `bytes` bytes takes. */
size_t dal_region_share(size_t bytes);

/* Takes the next bytes of a region, zeroed, aligned to a cache line. Returns 0, with the storage
 * empty, if there is no room or `region` is NULL; otherwise 1. */
int dal_storage_region(struct dal_storage *storage, struct dal_region *region, size_t bytes);

/* Makes plain host memory, zeroed, aligned to a cache line. */
int dal_storage_host(struct dal_storage *storage, const char *name, size_t bytes);
/* Makes the same in pages of its own, which drivers can use in place. */
int dal_storage_pages(struct dal_storage *storage, const char *name, size_t bytes);

/* Makes host memory of at least `bytes` bytes, rounded up to pages, mapped twice behind each other:
 * byte b and byte b + storage->bytes are the same, so every window below `bytes` is contiguous. */
int dal_storage_twice(struct dal_storage *storage, const char *name, size_t bytes);

/* Makes fine-grained shared memory of a device that has it (info.fine_svm): host and kernels use it
 * at the same time. */
int dal_storage_shared(struct dal_storage *storage, const struct dal_subject *channel,
                       struct dal_device *device, size_t bytes);

/* Makes host memory that a device's transfers reach directly. */
int dal_storage_pinned(struct dal_storage *storage, const struct dal_subject *channel,
                       struct dal_device *device, dal_commands commands, size_t bytes);

/* Makes device memory. With `transfers` the host may copy to and from it; otherwise it writes only
 * the initial tokens. */
int dal_storage_device(struct dal_storage *storage, const struct dal_subject *channel,
                       struct dal_device *device, size_t bytes, int transfers);

/* Accepts an empty (zeroed) storage. */
void dal_storage_finish(struct dal_storage *storage);

#endif
