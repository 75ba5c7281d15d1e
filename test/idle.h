/*
 * A device for tests of what is enqueued: it does nothing but move bytes, at once, and counts what
 * it is told to do. All events are complete.
 */
#pragma once

#include "rt/backend/backend.h"

/* So far; tests set them back. */
extern struct idle_counts {
    int launches, writes, reads;
    size_t written_bytes, read_bytes;
} idle_counts;

extern const struct dal_backend idle_backend;
