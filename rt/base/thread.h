/*
 * What a thread of the runtime begins with, and goes back to behind what users run: nothing that a
 * process sets for its thread reaches another process, or what the runtime reads and writes.
 *
 * Floating point is that of IEEE 754: rounded to nearest, denormal numbers, no traps, no exception
 * raised (doc/floating-point.md). The locale is "C".
 */
#ifndef DAL_RT_BASE_THREAD_H
#define DAL_RT_BASE_THREAD_H

#include <locale.h>
#include <stddef.h>
#include <stdint.h>

/* Control and exceptions of the floating-point units of the calling thread. */
struct dal_float {
    uint32_t control; /* with the exceptions that were raised: MXCSR; elsewhere FPCR and FPSR */
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

/* What the x87 unit has raised is forgotten first, or the next instruction would trap. */
static inline void dal_float_set_x87(uint16_t control)
{
    __asm__ volatile("fnclex\n\tfldcw %0" : : "m"(control));
}

#elif defined(__aarch64__)
#define DAL_FLOAT_RAISED 0xf8000000u /* where FPCR has nothing: the exceptions of FPSR */
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

#else /* another processor: it has no control that this knows */
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

/* The locale "C", for uselocale(). */
locale_t dal_thread_locale(void);

/* All threads that are made from now on have stacks of so many bytes: those of libraries, too, and
 * of teams. DAL_OK, or DAL_ERR_INVALID where that is too little or too much, logged. Main thread.
 */
enum { DAL_STACK_USUAL = 8 << 20 };
int dal_threads_have(uint64_t stack_bytes);

/* From now on the calling thread's signal of a stack that is used up is handled on `memory`, of
 * DAL_STACK_SIGNAL bytes, which stays as long as the thread: `tell` is called in the signal's
 * handler with the size of the stack as digits, and the program ends with 1. A handler that the
 * program has already stays, and nothing is told. */
enum { DAL_STACK_SIGNAL = 64 << 10 };
void dal_thread_watch_stack(void *memory, void (*tell)(const char *stack_bytes));

/* The calling thread gets this floating point and this locale: first of all in each. */
void dal_thread_begin(void);

#endif
