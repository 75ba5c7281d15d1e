/*
 * Kinds of channels and processors (net.h), overruns, types of values: their names and traits.
 * dalsynth plans with this table, and the runtime asks it what a kind means. Code that needs more
 * than a comparison with one kind asks for a trait: the order of the kinds has no meaning.
 */
#ifndef DAL_KINDS_H
#define DAL_KINDS_H

#include "include/net.h"

#include <string.h>

struct dal_channel_traits {
    const char *symbol;              /* the enumerator, as generated code has it */
    const char *name;                /* in texts */
    int least_devices, most_devices; /* ends on devices */
    int in_place; /* true if both ends' windows are in one ring, so that tokens are not moved
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
        [DAL_CHANNEL_MAPPED] = {"DAL_CHANNEL_MAPPED", "mapped", 1, 1, 1},
        [DAL_CHANNEL_STAGED] = {"DAL_CHANNEL_STAGED", "staged", 1, 2, 0},
        [DAL_CHANNEL_NAIVE] = {"DAL_CHANNEL_NAIVE", "naive", 1, 2, 0},
        [DAL_CHANNEL_REMOTE] = {"DAL_CHANNEL_REMOTE", "remote", 0, 2, 0},
        [DAL_CHANNEL_NEWEST] = {"DAL_CHANNEL_NEWEST", "newest", 0, 2, 1},
    };
    return &traits[kind];
}

struct dal_processor_traits {
    const char *symbol; /* the enumerator, as generated code has it */
    const char *capability;
};

enum { DAL_PROCESSOR_KINDS = DAL_PROCESSOR_CUDA + 1 };

static inline const struct dal_processor_traits *dal_processor_traits(enum dal_processor_kind kind)
{
    static const struct dal_processor_traits traits[DAL_PROCESSOR_KINDS] = {
        [DAL_PROCESSOR_CORE] = {"DAL_PROCESSOR_CORE", "POSIX"},
        [DAL_PROCESSOR_OPENCL] = {"DAL_PROCESSOR_OPENCL", "OPENCL"},
        [DAL_PROCESSOR_CUDA] = {"DAL_PROCESSOR_CUDA", "CUDA"},
    };
    return &traits[kind];
}

struct dal_overrun_traits {
    const char *symbol; /* the enumerator, as generated code has it */
    const char *name;   /* in networks */
};

enum { DAL_OVERRUNS = DAL_OVERRUN_SKIP + 1 };

static inline const struct dal_overrun_traits *dal_overrun_traits(enum dal_overrun overrun)
{
    static const struct dal_overrun_traits traits[DAL_OVERRUNS] = {
        [DAL_OVERRUN_DELAY] = {"DAL_OVERRUN_DELAY", "delay"},
        [DAL_OVERRUN_CATCHUP] = {"DAL_OVERRUN_CATCHUP", "catchup"},
        [DAL_OVERRUN_SKIP] = {"DAL_OVERRUN_SKIP", "skip"},
    };
    return &traits[overrun];
}

/* Returns the work-items of a process on a device in a dimension, of `work_items` in all. `shape`
 * has zeros where there is one dimension. */
static inline size_t dal_work_size(uint32_t work_items, const uint32_t shape[3], int dimension)
{
    if (shape[0])
        return shape[dimension];
    return dimension == 0 ? work_items : 1;
}

/* Returns the dimensions that its kernel sees. */
static inline unsigned dal_work_dimensions(const uint32_t shape[3])
{
    return !shape[0] ? 1 : shape[2] > 1 ? 3 : 2;
}

struct dal_value_traits {
    const char *symbol; /* the enumerator, as generated code has it */
    const char *name;   /* in OpenCL C */
    int is_real, is_signed;
    size_t bytes;
};

enum { DAL_VALUE_TYPES = DAL_VALUE_DOUBLE + 1 };

static inline const struct dal_value_traits *dal_value_traits(enum dal_value_type type)
{
    static const struct dal_value_traits traits[DAL_VALUE_TYPES] = {
        [DAL_VALUE_INT] = {"DAL_VALUE_INT", "int", 0, 1, 4},
        [DAL_VALUE_UINT] = {"DAL_VALUE_UINT", "uint", 0, 0, 4},
        [DAL_VALUE_LONG] = {"DAL_VALUE_LONG", "long", 0, 1, 8},
        [DAL_VALUE_ULONG] = {"DAL_VALUE_ULONG", "ulong", 0, 0, 8},
        [DAL_VALUE_FLOAT] = {"DAL_VALUE_FLOAT", "float", 1, 1, 4},
        [DAL_VALUE_DOUBLE] = {"DAL_VALUE_DOUBLE", "double", 1, 1, 8},
    };
    return &traits[type];
}

/* Returns the type of a name, or DAL_VALUE_TYPES. */
static inline enum dal_value_type dal_value_find(const char *name)
{
    int type = 0;
    while (type < DAL_VALUE_TYPES &&
           strcmp(dal_value_traits((enum dal_value_type)type)->name, name) != 0)
        type++;
    return (enum dal_value_type)type;
}

#endif
