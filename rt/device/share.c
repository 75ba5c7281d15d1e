#include "rt/device/share.h"

/* A device without a share is tried once in the time that its block takes, this many times: what
 * the others lose by waiting for it is at most 1 %. */
enum { TRIED_ONCE_IN = 100 };

/* From this part of the fastest one's speed on, a device is as fast. */
#define AS_FAST 0.8

static double speed_of(const struct dal_share *device)
{
    return device->block_ns > 0 ? 1 / device->block_ns : 0;
}

/* Returns a device's portion by its part of the speed of all: half of its part of the room. A
 * single block is more than that, as long as the others need not wait for it. A device about as
 * fast as the fastest has its whole part, since larger launches are faster. */
static uint64_t portion_of(double part, int fast, uint64_t most, uint64_t room)
{
    double blocks = part * (double)room / (fast ? 1 : 2) + 1.0 / 3;
    return blocks < (double)most ? (uint64_t)blocks : most;
}

/* Returns the blocks that a device may have now. Sets *ready_ns to when it would begin with them.
 */
static uint64_t may_have(const struct dal_share *device, double all, int fast, uint64_t most,
                         uint64_t room, double *ready_ns)
{
    double part = all > 0 ? speed_of(device) / all : 0, limit = part * (double)room;
    uint64_t portion = portion_of(part, fast, most, room);
    *ready_ns = device->open * device->block_ns;
    if (fast) { /* always two launches, however little room there is */
        portion = portion ? portion : 1;
        limit = limit < 2 * (double)portion ? 2 * (double)portion : limit;
    }
    if (device->full)
        return 0;
    if (portion > 0)
        return device->open + (double)portion <= limit ? portion : 0;
    return device->open <= 0 && (part <= 0 || device->passed * part >= TRIED_ONCE_IN);
}

struct dal_portion dal_share_next(const struct dal_share *devices, int count, uint64_t most,
                                  uint64_t room)
{
    struct dal_portion next = {-1, 0};
    double all = 0, most_speed = 0, first_ns = 0;
    for (int i = 0; i < count; i++) {
        all += speed_of(&devices[i]);
        if (speed_of(&devices[i]) > most_speed)
            most_speed = speed_of(&devices[i]);
    }
    for (int i = 0; i < count; i++) {
        double ready_ns;
        int fast = all > 0 && speed_of(&devices[i]) >= AS_FAST * most_speed;
        uint64_t blocks = may_have(&devices[i], all, fast, most, room, &ready_ns);
        if (blocks == 0 || (next.blocks > 0 && ready_ns >= first_ns))
            continue;
        next = (struct dal_portion){i, blocks};
        first_ns = ready_ns;
    }
    return next;
}
