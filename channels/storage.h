/*
 * Memory for rings, by location. Five functions make a storage, one frees it. Main thread. All
 * fail with DAL_ERR_NOMEM, DAL_ERR_SYSTEM or, for want of the device's memory, DAL_ERR_DEVICE or
 * DAL_ERR_LIMIT, logged, with the storage empty. `name` and `channel` are the channel's, for
 * messages.
 */
#pragma once

#include "channels/channel.h"
#include "rt/backend/backend.h"

/* The sorts of memory; the host may touch all but DEVICE. */
enum dal_storage_sort {
    DAL_STORAGE_NONE,
    DAL_STORAGE_REGION, /* a part of a region, which owns the memory */
    DAL_STORAGE_PLAIN,  /* aligned to a cache line */
    DAL_STORAGE_PAGES,  /* pages of its own, which drivers can use in place */
    DAL_STORAGE_TWICE,  /* pages that are mapped twice behind each other: byte b and byte b + bytes
                           are the same, so every window below `bytes` is contiguous */
    DAL_STORAGE_SHARED, /* fine-grained shared virtual memory of a device: host and kernels use it
                           at the same time */
    DAL_STORAGE_PINNED, /* a device's transfers reach it directly */
    DAL_STORAGE_DEVICE, /* a device's own */
};

struct dal_storage {
    enum dal_storage_sort sort;
    unsigned char *host; /* address for the host, NULL for device memory */
    size_t bytes;
    dal_memory memory;         /* what a kernel gets, NULL for memory of the host alone */
    struct dal_device *device; /* the device that it comes from; NULL: the host */
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

/* Makes memory of the host: PLAIN, PAGES or, with the bytes rounded up to pages, TWICE. Zeroed. */
int dal_storage_host(struct dal_storage *storage, enum dal_storage_sort sort, const char *name,
                     size_t bytes);

/* Makes SHARED memory of a device that has it (info.traits.fine_svm). */
int dal_storage_shared(struct dal_storage *storage, const struct dal_subject *channel,
                       struct dal_device *device, size_t bytes);

/* Makes PINNED memory. */
int dal_storage_pinned(struct dal_storage *storage, const struct dal_subject *channel,
                       struct dal_device *device, dal_commands commands, size_t bytes);

/* Makes DEVICE memory. With `transfers` the host may copy to and from it; otherwise it writes only
 * the initial tokens. */
int dal_storage_device(struct dal_storage *storage, const struct dal_subject *channel,
                       struct dal_device *device, size_t bytes, int transfers);

/* Returns the view of a ring of `bytes` bytes with `tail_bytes` behind them. */
struct dal_ring_view dal_storage_view(const struct dal_storage *storage, size_t bytes,
                                      size_t tail_bytes);

/* Accepts an empty (zeroed) storage. */
void dal_storage_finish(struct dal_storage *storage);
