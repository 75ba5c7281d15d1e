/*
 * Chooses how many firings an activation may take. Others see its work only when it ends: readers,
 * the core's other processes, the watchdog, and a stop. So it takes no more firings than last some
 * 100 us, found by trying. Where firings become slow in the middle of an activation, the monitor
 * asks it to end (rt/watch/monitor.h).
 */
#pragma once

#include "rt/base/clock.h"

struct dal_pace {
    uint64_t firings; /* of the next activation, at most; 1 at first */
    uint64_t most;
    unsigned unmeasured; /* activations that cannot make it larger, of which few are measured */
    int64_t short_ns;    /* an activation should last so long, and at most DAL_PACE_RANGE as long */
};

enum { DAL_PACE_SHORT_NS = 50 * 1000, DAL_PACE_RANGE = 4, DAL_PACE_MEASURED = 16 };

/* Copies of a group begin and end one at a time, which takes a microsecond or less. With many at
 * once activations last longer, so that this is a quarter of the time at most. */
enum { DAL_PACE_TURN_NS = 4 * 1000 };

/* The most blocks of an activation: of a process by itself, whose tokens should stay in a cache for
 * who is next; and of several, where only what leaves them counts. */
enum { DAL_PACE_BLOCKS_ALONE = 8, DAL_PACE_BLOCKS = 64 };

/* Activations of each copy that its channels have room for: it is in one, the next one is ready,
 * and others are held until the ones before them are released. Of a process without copies, one;
 * meanwhile the other side works in the rest. */
enum { DAL_PACE_ACTIVATIONS = 4 };

/* Returns the most firings of an activation at a channel with room for so many. */
static inline uint64_t dal_pace_room(uint64_t room, uint64_t copies)
{
    uint64_t firings = room / (DAL_PACE_ACTIVATIONS * copies);
    return firings ? firings : 1;
}

/* Returns the most firings of an activation in blocks of `block`, with the least dal_pace_room() of
 * all its channels. A process by itself may always have a block. */
static inline uint64_t dal_pace_most(uint64_t block, uint64_t room, int alone)
{
    uint64_t blocks = alone ? DAL_PACE_BLOCKS_ALONE : DAL_PACE_BLOCKS;
    uint64_t most = room / blocks < block ? room : blocks * block;
    return alone && most < block ? block : most;
}

/* Returns how long an activation should last at least, of a group with so many at once. */
static inline int64_t dal_pace_short(uint64_t at_once)
{
    int64_t turns_ns = (int64_t)at_once * DAL_PACE_TURN_NS;
    return turns_ns > DAL_PACE_SHORT_NS ? turns_ns : DAL_PACE_SHORT_NS;
}

/* Called before an activation of `firings` firings. Returns the time, or 0 if it is not measured.
 * Only some are measured of those that cannot make the pace larger. */
static inline int64_t dal_pace_begin(struct dal_pace *pace, uint64_t firings)
{
    int is_whole = firings >= pace->firings && pace->firings < pace->most;
    if (pace->most == 1 || (!is_whole && ++pace->unmeasured % DAL_PACE_MEASURED != 0))
        return 0;
    return dal_now_ns();
}

/* Does an activation of that time last too long? */
static inline int dal_pace_is_long(const struct dal_pace *pace, int64_t time_ns)
{
    return time_ns > DAL_PACE_RANGE * pace->short_ns;
}

/* Returns the firings of the next activation, after one of `firings` firings that took
 * `time_ns`. */
static inline uint64_t dal_pace_next(const struct dal_pace *pace, uint64_t firings, int64_t time_ns)
{
    uint64_t factor = time_ns < pace->short_ns / 8 ? 8 : 2;
    if (dal_pace_is_long(pace, time_ns))
        return (firings + 1) / 2;
    if (time_ns >= pace->short_ns || firings >= pace->most)
        return firings;
    return firings < pace->most / factor ? factor * firings : pace->most;
}

/* Returns the pace after an activation of `firings` firings that took `time_ns`. Copies have one
 * pace: others may have changed it since this one began. So only a whole activation makes it
 * larger, and only one that took long makes it smaller. */
static inline uint64_t dal_pace_after(const struct dal_pace *pace, uint64_t firings,
                                      int64_t time_ns)
{
    uint64_t next = dal_pace_next(pace, firings ? firings : 1, time_ns);
    if (dal_pace_is_long(pace, time_ns))
        return next < pace->firings ? next : pace->firings;
    return firings < pace->firings ? pace->firings : next;
}

/* Called after an activation of `firings` firings. `begin_ns` comes from dal_pace_begin(); `share`
 * processes shared the time. `early` is set when it had to be asked to end: then a single firing is
 * tried next. */
static inline void dal_pace_end(struct dal_pace *pace, int64_t begin_ns, uint64_t firings,
                                int share, int early)
{
    int64_t time_ns = begin_ns ? (dal_now_ns() - begin_ns) / share : pace->short_ns;
    pace->firings = early ? 1 : dal_pace_after(pace, firings, time_ns);
}
