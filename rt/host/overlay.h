/*
 * The memory of a group of several processes: where the tokens between them lie while they fire in
 * turn. Channels that never hold tokens at the same time lie in the same bytes (rt/base/overlay.h).
 * Each copy of the group has bytes of its own, which only the worker that fires it touches.
 *
 * The channels' own rings lie untouched meanwhile. When the group is over, what is in between moves
 * to them, and each process goes on in its rings.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct dal_channel;
struct dal_group;
struct dal_group_copy;
struct dal_process_list; /* rt/host/group.h */

/* A channel between two processes of a group. */
struct dal_between {
    struct dal_channel *channel;
    int from, to;      /* numbers of its processes in the group */
    int output, input; /* its ports there */
    size_t place;      /* where the first firing of a block has its tokens, in a copy's bytes */
};

/* The inner channels of a group, and their memory. */
struct dal_overlays {
    struct dal_between *between;
    int count;
    unsigned char *memory; /* of all copies, in pages */
    size_t bytes;          /* of a copy */
    size_t stride;         /* from one copy to the next */
};

/* Lists the inner channels of a group, and makes their memory and the windows of all copies. The
 * group's processes and copies exist, with room for the windows. Returns DAL_OK or DAL_ERR_NOMEM;
 * call dal__overlays_finish() either way. Main thread. */
int dal__overlays_init(struct dal_group *group, const struct dal_process_list *all);
void dal__overlays_finish(struct dal_group *group);

/* Moves the inner tokens of a copy to the channels' rings, and both ends and the copy's windows
 * with them. The next firing is then the one that the last process of the group has not done. */
void dal__overlays_leave(const struct dal_group *group, const struct dal_group_copy *copy);

/* Counts tokens of so many firings as written and read, in all inner channels. */
void dal__overlays_pass(const struct dal_overlays *overlays, uint64_t firings);
