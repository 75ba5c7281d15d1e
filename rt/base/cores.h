/*
 * The cores of this machine: which of them this process may use, and binding a thread to one.
 *
 * Core numbers are the operating system's. A core is a hardware thread as the system schedules
 * it; what the process may not use (affinity, control groups) does not count.
 */
#ifndef DAL_RT_BASE_CORES_H
#define DAL_RT_BASE_CORES_H

#include <stddef.h>

/* What a core shares with others: those with the same number. -1 where the system does not say. */
struct dal_core_place {
    int l1, l2, l3; /* caches */
    int memory;     /* that is near: NUMA node */
};

struct dal_cores {
    int *numbers;                  /* ascending */
    struct dal_core_place *places; /* of each of them */
    size_t count;                  /* 1 or more */
    size_t l1_bytes; /* first-level data cache of one core; 32 KiB when the system does not say */
    size_t cache_bytes; /* the largest cache of the machine, and no less than l1_bytes */
    char *model;        /* name of the processor, or "unknown" */
    char *all; /* numbers of all cores of the machine, "0-3,8": also of those that this process may
                  not use */
};

/* Returns DAL_OK, DAL_ERR_NOMEM or DAL_ERR_SYSTEM. The caller finishes it on DAL_OK. */
int dal_cores_init(struct dal_cores *cores);
void dal_cores_finish(struct dal_cores *cores);

/* How near two cores are: the nearest thing that they share. */
enum dal_near { DAL_NEAR_L1, DAL_NEAR_L2, DAL_NEAR_L3, DAL_NEAR_MEMORY, DAL_NEAR_NOTHING };
enum dal_near dal_cores_near(const struct dal_core_place *a, const struct dal_core_place *b);

/* What the machine is, in 32 hexadecimal digits: the same for each process on it. */
enum { DAL_CORES_DIGEST = 33 };
void dal_cores_digest(const struct dal_cores *cores, char text[DAL_CORES_DIGEST]);

/*
 * Binds the calling thread to a core. DAL_ERR_UNSUPPORTED when this process has no such core or
 * the system cannot bind, DAL_ERR_SYSTEM when the system refuses, DAL_ERR_NOMEM; nothing is logged,
 * and the thread stays as it was.
 */
int dal_core_pin(int core);
/* The same for several: it runs on one of them at a time. */
int dal_cores_pin(const int *cores, int count);

/* May the calling thread run on it? No without memory. */
int dal_core_is_usable(int core);

#endif
