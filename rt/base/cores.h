/*
 * The cores of this machine that this process may use, and the binding of threads to them.
 *
 * Core numbers are the operating system's. A core is a hardware thread as the system schedules it;
 * cores that the process may not use (affinity, control groups) do not count.
 */
#pragma once

#include <stddef.h>

/* Numbers of the caches and the memory that a core uses: cores with the same number share them. -1
 * where the system does not say. */
struct dal_core_place {
    int l1, l2, l3; /* caches */
    int memory;     /* NUMA node */
};

struct dal_cores {
    int *numbers;                  /* ascending */
    struct dal_core_place *places; /* one for each core */
    size_t count;                  /* 1 or more */
    size_t l1_bytes; /* first-level data cache of one core; 32 KiB when the system does not say */
    size_t cache_bytes; /* the largest cache of the machine, and no less than l1_bytes */
    char *model;        /* name of the processor, or "unknown" */
    char *all; /* "0-3,8": all cores of the machine, also those that this process may not use */
};

/* Returns DAL_OK, DAL_ERR_NOMEM or DAL_ERR_SYSTEM. The caller finishes it on DAL_OK. */
int dal_cores_init(struct dal_cores *cores);
void dal_cores_finish(struct dal_cores *cores);

/* The distance of two cores: the nearest thing that they share. */
enum dal_near { DAL_NEAR_L1, DAL_NEAR_L2, DAL_NEAR_L3, DAL_NEAR_MEMORY, DAL_NEAR_NOTHING };
enum dal_near dal_cores_near(const struct dal_core_place *a, const struct dal_core_place *b);

/* Writes a digest of the machine, 32 hexadecimal digits, the same for each process on it. */
enum { DAL_CORES_DIGEST = 33 };
void dal_cores_digest(const struct dal_cores *cores, char text[DAL_CORES_DIGEST]);

/*
 * Binds the calling thread to a core. Returns DAL_OK; DAL_ERR_UNSUPPORTED when this process has no
 * such core or the system cannot bind, DAL_ERR_SYSTEM when the system refuses; or DAL_ERR_NOMEM.
 * Nothing is logged, and on an error the thread stays as it was.
 */
int dal_core_pin(int core);
/* Binds the calling thread to several cores, as dal_core_pin() does to one. */
int dal_cores_pin(const int *cores, int count);

/* May the calling thread run on this core? Returns 0 without memory. */
int dal_core_is_usable(int core);
