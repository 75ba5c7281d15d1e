/*
 * The state of a thread that the runtime sets at its begin, and sets again after user code. So a
 * process's changes to it reach neither another process nor the runtime.
 *
 * Floating point is that of IEEE 754: rounded to nearest, denormal numbers, no traps, no exception
 * raised (doc/explanation/floating-point.md). The locale is "C".
 */
#pragma once

#include "rt/base/sync.h"

#include <locale.h>
#include <stdint.h>

/* Control and exceptions of the floating-point units of the calling thread. */
struct dal_float {
    uint32_t control; /* MXCSR, or FPCR and FPSR; with the exceptions that were raised */
    uint16_t x87;     /* control word */
    uint16_t raised;  /* exceptions of the x87 unit */
};

#if defined(__x86_64__)
#define DAL_FLOAT_RAISED 0x3fu /* bits of `control` that are exceptions */
#define DAL_FLOAT_PLAIN  ((struct dal_float){.control = 0x1f80, .x87 = 0x37f})

static inline struct dal_float dal_float_get(void)
{
    struct dal_float now;
    __asm__ volatile("stmxcsr %0" : "=m"(now.control));
    __asm__ volatile("fnstcw %0" : "=m"(now.x87));
    __asm__ volatile("fnstsw %0" : "=a"(now.raised));
    now.raised &= DAL_FLOAT_RAISED;
    return now;
}

static inline void dal_float_set_control(uint32_t control)
{
    __asm__ volatile("ldmxcsr %0" : : "m"(control));
}

/* Clears the exceptions of the x87 unit first, or the next instruction would trap. */
static inline void dal_float_set_x87(uint16_t control)
{
    __asm__ volatile("fnclex\n\tfldcw %0" : : "m"(control));
}

#elif defined(__aarch64__)
#define DAL_FLOAT_RAISED 0xf8000000u /* the exceptions of FPSR, at bits that FPCR does not use */
#define DAL_FLOAT_PLAIN  ((struct dal_float){0})

static inline struct dal_float dal_float_get(void)
{
    uint64_t control, status;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    __asm__ volatile("mrs %0, fpsr" : "=r"(status));
    return (struct dal_float){.control = (uint32_t)control | (uint32_t)status << 27};
}

static inline void dal_float_set_control(uint32_t control)
{
    uint64_t own = control & ~DAL_FLOAT_RAISED, status = control >> 27;
    __asm__ volatile("msr fpcr, %0" : : "r"(own));
    __asm__ volatile("msr fpsr, %0" : : "r"(status));
}

static inline void dal_float_set_x87(uint16_t control)
{
    (void)control;
}

#else /* another processor, whose control is unknown here */
#define DAL_FLOAT_RAISED 0u
#define DAL_FLOAT_PLAIN  ((struct dal_float){0})

static inline struct dal_float dal_float_get(void)
{
    return DAL_FLOAT_PLAIN;
}

static inline void dal_float_set_control(uint32_t control)
{
    (void)control;
}

static inline void dal_float_set_x87(uint16_t control)
{
    (void)control;
}
#endif

/* Returns the locale "C", for uselocale(). */
locale_t dal_thread_locale(void);

/* Sets the size of all stacks that are made from now on, those of libraries and of teams, too.
 * Returns DAL_OK, or DAL_ERR_INVALID where it is too small or too large, logged. Main thread.
 */
enum { DAL_STACK_USUAL = 8 << 20 };
int dal_threads_have(uint64_t stack_bytes);

/* Starts a thread that calls run(of). `what` and `name` stand one behind the other before a message
 * of failure. Returns DAL_OK or DAL_ERR_SYSTEM, logged. */
int dal_thread_start(pthread_t *thread, void *(*run)(void *), void *of, const char *what,
                     const char *name);

/* Sets this floating point and this locale for the calling thread, first of all in each thread. */
void dal_thread_begin(void);
