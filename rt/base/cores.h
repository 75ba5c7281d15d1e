/*
 * The cores of this machine: which of them this process may use, and binding a thread to one.
 *
 * Core numbers are the operating system's. A core is a hardware thread as the system schedules
 * it; what the process may not use (affinity, control groups) does not count.
 */
#ifndef DAL_RT_BASE_CORES_H
#define DAL_RT_BASE_CORES_H

#include <stddef.h>

struct dal_cores {
    int *numbers;    /* ascending */
    size_t count;    /* 1 or more */
    size_t l1_bytes; /* first-level data cache of one core; 32 KiB when the system does not say */
    char *model;     /* name of the processor, or "unknown" */
};

/* Returns DAL_OK, DAL_ERR_NOMEM or DAL_ERR_SYSTEM. The caller finishes it on DAL_OK. */
int dal_cores_init(struct dal_cores *cores);
void dal_cores_finish(struct dal_cores *cores);

/*
 * Binds the calling thread to a core. DAL_ERR_UNSUPPORTED when this process has no such core or
 * the system cannot bind, DAL_ERR_SYSTEM when the system refuses, DAL_ERR_NOMEM; nothing is logged,
 * and the thread stays as it was.
 */
int dal_core_pin(int core);

#endif
