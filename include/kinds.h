/*
 * Kinds of channels (net.h): their names and their traits. dalsynth plans with this table, and
 * the runtime asks it what a kind means. Who wants to know more than whether a channel is of one
 * kind asks for a trait: the order of the kinds has no meaning.
 */
#ifndef DAL_KINDS_H
#define DAL_KINDS_H

#include "include/net.h"

struct dal_channel_traits {
    const char *symbol;              /* the enumerator, as generated code has it */
    const char *name;                /* in texts */
    int least_devices, most_devices; /* ends that are on a device */
    int in_place; /* both ends have their windows in one ring; otherwise tokens are moved to another
                   */
};

static inline const struct dal_channel_traits *dal_channel_traits(enum dal_channel_kind kind)
{
    static const struct dal_channel_traits traits[] = {
        [DAL_CHANNEL_CORE] = {"DAL_CHANNEL_CORE", "core", 0, 0, 1},
        [DAL_CHANNEL_CORES] = {"DAL_CHANNEL_CORES", "cores", 0, 0, 1},
        [DAL_CHANNEL_DEVICE] = {"DAL_CHANNEL_DEVICE", "device", 2, 2, 1},
        [DAL_CHANNEL_GROUP] = {"DAL_CHANNEL_GROUP", "group", 2, 2, 1},
        [DAL_CHANNEL_CONTEXT] = {"DAL_CHANNEL_CONTEXT", "context", 2, 2, 1},
        [DAL_CHANNEL_UNIFIED] = {"DAL_CHANNEL_UNIFIED", "unified", 1, 1, 1},
        [DAL_CHANNEL_STAGED] = {"DAL_CHANNEL_STAGED", "staged", 1, 2, 0},
        [DAL_CHANNEL_NAIVE] = {"DAL_CHANNEL_NAIVE", "naive", 1, 2, 0},
    };
    return &traits[kind];
}

#endif
