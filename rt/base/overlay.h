/*
 * Overlays: channels that never hold tokens at the same time lie in the same bytes (register
 * allocation by interval colouring; Poletto, Sarkar, "Linear Scan Register Allocation", 1999).
 *
 * Processes fire in turn, from number 0 on, up to `block` firings each. A channel between two of
 * them holds the tokens of firing n from the producer's firing n to the consumer's. So for one n
 * its life is the interval between the numbers of its two ends. Two channels whose intervals have
 * no number in common may share an overlay.
 *
 * Firing n of every channel of an overlay has its n-th slot. The slots of two firings never
 * overlap, so firings do not disturb each other, in any order. Only each firing goes through the
 * processes in their order: the first process may be firings ahead of the second. That needs slots
 * of one size. Channels of different sizes share only where a block is one firing.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct dal_overlay_user {
    int from, to;        /* numbers of producer and consumer, from < to */
    size_t firing_bytes; /* of the tokens of one firing */
    size_t place;        /* found: of slot 0, in bytes from the beginning of all overlays */
};

/*
 * Finds the places of channels, which are sorted by `from`. *overlays_bytes gets the bytes of all
 * overlays; a place is a multiple of 64. DAL_OK or DAL_ERR_NOMEM. Any thread.
 */
int dal_overlays_place(struct dal_overlay_user *users, int count, uint64_t block,
                       size_t *overlays_bytes);
