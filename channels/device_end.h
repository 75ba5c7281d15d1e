/*
 * The device ends of channels: windows for kernels.
 *
 * A process launcher acquires a window at each of its ends, enqueues its kernel with the arguments
 * it got, and releases. All calls are made by the thread that handles the end's queue.
 */
#pragma once

#include "channels/channel.h"
#include "channels/queue.h"

/* The argument that a kernel gets for a port. */
struct dal_argument {
    dal_memory memory;
    size_t offset; /* bytes */
};

/* Acquires a window of `firings` firings, at most as many as dal_end_ready() said. All are of one
 * block, so the window is on the queue of that block's replica. */
int dal_device_end_acquire(struct dal_end *end, uint64_t firings, struct dal_argument *argument);

/* Sets the events that the launch must wait for, or NULL; they stay the end's. Called once all
 * windows of the launch are acquired: ends may share an event, and the last one's is that of
 * all. */
void dal_device_end_fences(const struct dal_end *end, dal_event fences[2]);

/* Called once the launch that uses the window is enqueued. */
int dal_device_end_release(struct dal_end *end, uint64_t firings);

/* The operations of a port's end. */
extern const struct dal_end_ops dal__port_ops;
