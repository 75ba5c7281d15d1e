/*
 * Windows that are watched (dalsynth --guard). A begin call of dal.h hands out a copy of the
 * window, and the end call moves it to the ring, or compares it if it is an input. So a process has
 * no pointer to a ring.
 *
 * A port has two copies in turn. Behind each, and before it, lie pages that nobody can touch; the
 * bytes between these and the window have a pattern. A copy that is not handed out is pattern, too.
 * So a write through a pointer that was kept shows. The looks are behind an end call and behind
 * fire. Who touches the pages gets a signal, whose handler asks dal_guard_tell(). In a program with
 * AddressSanitizer all that is not handed out is poison (rt/base/poison.h).
 *
 * Of a window that is changed in place (`inplace`) both ends have one copy, since they have the
 * same bytes. It is there until fire returns, and the end calls of the output move it.
 *
 * In a program without guards the loop of a unit (dal_unit.h) knows that there is none, and is the
 * same machine code as without the check. Elsewhere a call looks at one pointer. On busy AMD cores
 * 10^8 tokens of 4 bytes took 2.82 s with that look and 2.75 s without it (means of 7 runs).
 *
 * Thread: a guard belongs to the thread that runs its activation.
 */
#pragma once

#include "include/dal.h"
#include "include/net.h"

#include <stdint.h>
#include <string.h>

struct dal_guard_port;
struct dal_line;

struct dal_guard {
    void (*look)(struct dal_guard *guard); /* see dal_guard_look() */
    struct dal_activation *activation;
    struct dal_guard *next;       /* in the list of all */
    uint64_t looks;               /* that are through */
    struct dal_guard_port *ports; /* in the order of the specification */
};

/* Returns NULL without memory. dal_guard_destroy() accepts NULL. */
struct dal_guard *dal_guard_create(struct dal_activation *activation);
void dal_guard_destroy(struct dal_guard *guard);

/* Looks behind a firing. What was written where it must not be is reported, and ends the network.
 * Windows that have no end call end here. Accepts NULL. */
static inline void dal_guard_look(struct dal_guard *guard)
{
    if (guard)
        guard->look(guard);
}

static inline int dal_is_pattern(const unsigned char *from, size_t bytes, int pattern)
{
    return bytes == 0 || (*from == pattern && memcmp(from, from + 1, bytes - 1) == 0);
}

/* Reports who touched an address if that is near a watched window, and returns whether it is. Only
 * the first call in a program reports. `writes` is 1 for a write, 0 for a read, -1 if that is not
 * known. For handlers of signals. */
int dal_guard_tell(const void *address, int writes);

/* What a firing did that it must not. */
enum dal_wrong { DAL_BEHIND_WINDOW, DAL_BEFORE_WINDOW, DAL_IN_INPUT, DAL_IN_ENDED, DAL_IN_KEPT };
struct dal_beside {
    int port;
    enum dal_wrong wrong;
    size_t distance, window_bytes; /* how far beside the window, or at which of its bytes, from 1 */
    int writes;                    /* as for dal_guard_tell() */
};

/* Adds it to a line, for this file and for kernels (rt/device/watch.h). Async-signal-safe. */
void dal_guard_describe(struct dal_line *line, const struct dal_process_desc *desc, uint64_t firing,
                        const struct dal_beside *beside);
