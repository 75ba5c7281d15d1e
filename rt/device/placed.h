/*
 * Constants in memory of devices: once in each memory, for all kernels that read them. A device
 * that uses the host's memory reads the host's bytes. Main thread, while launchers are made.
 */
#pragma once

#include "channels/queue.h"
#include "include/net.h"

struct dal_placed; /* a list */

/* Finds a constant in the memory of a queue's device, or puts it there. Returns DAL_OK, or a
 * negative code, logged as the subject says. The list has the memory. */
int dal_placed_find(struct dal_placed **list, const struct dal_subject *subject,
                    const struct dal_queue *queue, const struct dal_constant *constant,
                    dal_memory *memory);

/* Frees the memory, which no kernel may use any more. */
void dal_placed_finish(struct dal_placed **list);
