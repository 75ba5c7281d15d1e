#include "rt/base/lanes.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

enum { ALIGNMENT = 64 };

struct lane {
    size_t firing_bytes; /* of one of its channels; the most where a block is one firing */
    int until;           /* the last process that uses it so far */
};

static int fits(const struct lane *lane, const struct dal_lane_user *user, uint64_t block)
{
    return lane->until < user->from && (block == 1 || lane->firing_bytes == user->firing_bytes);
}

/* The lane that a channel gets: the first that fits, or a new one. */
static int choose_lane(struct lane *lanes, int *count, const struct dal_lane_user *user,
                       uint64_t block)
{
    int i = 0;
    while (i < *count && !fits(&lanes[i], user, block))
        i++;
    *count += i == *count;
    if (lanes[i].firing_bytes < user->firing_bytes)
        lanes[i].firing_bytes = user->firing_bytes;
    lanes[i].until = user->to;
    return i;
}

int dal_lanes_place(struct dal_lane_user *users, int count, uint64_t block, size_t *lanes_bytes)
{
    struct lane *lanes = dal_calloc((size_t)count + 1, sizeof(*lanes));
    size_t *begins = dal_calloc((size_t)count + 1, sizeof(*begins));
    int i, lane_count = 0, status = lanes && begins ? DAL_OK : DAL_ERR_NOMEM;
    for (i = 0; status == DAL_OK && i < count; i++)
        users[i].place = (size_t)choose_lane(lanes, &lane_count, &users[i], block);
    for (i = 0; i < lane_count; i++) {
        size_t bytes = block * lanes[i].firing_bytes;
        begins[i + 1] = begins[i] + (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    for (i = 0; status == DAL_OK && i < count; i++)
        users[i].place = begins[users[i].place];
    *lanes_bytes = status == DAL_OK ? begins[lane_count] : 0;
    dal_free(lanes);
    dal_free(begins);
    return status;
}
