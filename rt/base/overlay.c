#include "rt/base/overlay.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

enum { ALIGNMENT = 64 };

struct overlay {
    size_t firing_bytes; /* bytes of a firing; the largest of its channels where a block is one
                            firing */
    int until;           /* the last process that uses it so far */
};

static int fits(const struct overlay *overlay, const struct dal_overlay_user *user, uint64_t block)
{
    return overlay->until < user->from &&
           (block == 1 || overlay->firing_bytes == user->firing_bytes);
}

/* Returns the overlay that a channel gets: the first that fits, or a new one. */
static int choose_overlay(struct overlay *overlays, int *count, const struct dal_overlay_user *user,
                          uint64_t block)
{
    int i = 0;
    while (i < *count && !fits(&overlays[i], user, block))
        i++;
    *count += i == *count;
    if (overlays[i].firing_bytes < user->firing_bytes)
        overlays[i].firing_bytes = user->firing_bytes;
    overlays[i].until = user->to;
    return i;
}

int dal_overlays_place(struct dal_overlay_user *users, int count, uint64_t block,
                       size_t *overlays_bytes)
{
    struct overlay *overlays = dal_calloc((size_t)count + 1, sizeof(*overlays));
    size_t *begins = dal_calloc((size_t)count + 1, sizeof(*begins));
    int overlay_count = 0, status = overlays && begins ? DAL_OK : DAL_ERR_NOMEM;
    for (int i = 0; status == DAL_OK && i < count; i++)
        users[i].place = (size_t)choose_overlay(overlays, &overlay_count, &users[i], block);
    for (int i = 0; i < overlay_count; i++) {
        size_t bytes = block * overlays[i].firing_bytes;
        begins[i + 1] = begins[i] + (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    for (int i = 0; status == DAL_OK && i < count; i++)
        users[i].place = begins[users[i].place];
    *overlays_bytes = status == DAL_OK ? begins[overlay_count] : 0;
    dal_free(overlays);
    dal_free(begins);
    return status;
}
