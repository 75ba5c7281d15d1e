#define _GNU_SOURCE
#include "rt/base/realtime.h"

#include "rt/base/error.h"
#include "rt/base/setting.h"
#include "rt/base/sync.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Bytes of stack below the begin of a worker: less than the smallest stack has. */
enum { STACK_BYTES = 128 << 10 };

int dal_realtime_read(int usual, int *priority)
{
    const char *text = dal_setting("DAL_REALTIME");
    char *rest;
    long number;
    *priority = usual;
    if (!text || !*text)
        return DAL_OK;
    number = strtol(text, &rest, 10);
    if (rest == text || *rest || number < 0 || number > DAL_REALTIME_MOST) {
        dal_log(DAL_LOG_ERROR, "DAL_REALTIME=%s: not a number from 0 to %d", text,
                DAL_REALTIME_MOST);
        return DAL_ERR_INVALID;
    }
    *priority = (int)number;
    return DAL_OK;
}

/* Warns the first time. `told` pairs with itself in other threads: one of them tells. */
static void tell_refused(_Atomic int *told, const char *what, int error, const char *remedy)
{
    if (!atomic_exchange_explicit(told, 1, memory_order_relaxed))
        dal_log(DAL_LOG_WARNING, "real-time mode: %s: %s; %s", what, strerror(error), remedy);
}

static void __attribute__((noinline)) touch_stack(void)
{
    volatile unsigned char pages[STACK_BYTES];
    dal_realtime_touch((void *)pages, sizeof(pages));
}

void dal_realtime_begin(int priority)
{
    static _Atomic int told;
    const struct sched_param parameter = {.sched_priority = priority};
    if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &parameter) != 0)
        tell_refused(&told, "threads have the usual priority", errno,
                     "rtprio in limits.conf(5), rtkit, or setcap cap_sys_nice=ep of the program "
                     "allows another");
    touch_stack();
}

/* A byte or nothing, in one step, is that byte: what another thread writes is not lost. */
void dal_realtime_touch(void *memory, size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *bytes_of = memory;
    for (size_t i = 0; i < bytes; i += page)
        __atomic_fetch_or(&bytes_of[i], 0, __ATOMIC_RELAXED);
    if (bytes > 0)
        __atomic_fetch_or(&bytes_of[bytes - 1], 0, __ATOMIC_RELAXED);
}

void dal_realtime_lock(void)
{
    static _Atomic int told;
    if (mlockall(MCL_CURRENT | MCL_ONFAULT) != 0)
        tell_refused(&told, "memory may be taken away", errno,
                     "memlock in limits.conf(5), or setcap cap_ipc_lock=ep of the program keeps "
                     "it");
}
