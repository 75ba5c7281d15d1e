#define _GNU_SOURCE
#include "rt/base/thread.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/sync.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

/* Frames of a process may be larger than a page, and must not leap over the guard. */
enum { GUARD_BYTES = 1 << 20, FEWEST_STACK_BYTES = 256 << 10 };

/* What a thread begins with that inherits a sink. It frees this. */
struct heir {
    void *(*run)(void *);
    void *of;
    struct dal_log_sink *sink;
};

static void *inherit(void *argument)
{
    struct heir heir = *(struct heir *)argument;
    dal_free(argument);
    dal_log_to(heir.sink);
    return heir.run(heir.of);
}

static int start_heir(pthread_t *thread, void *(*run)(void *), void *of)
{
    struct heir *heir = dal_alloc(sizeof(*heir));
    int error;
    if (!heir)
        return ENOMEM;
    *heir = (struct heir){.run = run, .of = of, .sink = dal_log_sink()};
    error = pthread_create(thread, NULL, inherit, heir);
    if (error)
        dal_free(heir);
    return error;
}

int dal_thread_start(pthread_t *thread, void *(*run)(void *), void *of, const char *what,
                     const char *name)
{
    int error =
        dal_log_sink() ? start_heir(thread, run, of) : pthread_create(thread, NULL, run, of);
    if (!error)
        return DAL_OK;
    dal_log(DAL_LOG_ERROR, "%s%s: no thread: %s", what, name, strerror(error));
    return DAL_ERR_SYSTEM;
}

int dal_threads_have(uint64_t stack_bytes)
{
    pthread_attr_t usual;
    int error = stack_bytes < FEWEST_STACK_BYTES || stack_bytes > SIZE_MAX / 2;
    pthread_attr_init(&usual);
    if (!error)
        error = pthread_attr_setguardsize(&usual, GUARD_BYTES) ||
                pthread_attr_setstacksize(&usual, (size_t)stack_bytes) ||
                pthread_setattr_default_np(&usual);
    pthread_attr_destroy(&usual);
    if (!error)
        return DAL_OK;
    dal_log(DAL_LOG_ERROR, "--stack=%" PRIu64 ": %d bytes or more are wanted", stack_bytes,
            FEWEST_STACK_BYTES);
    return DAL_ERR_INVALID;
}

/* ---- signals that end the program ------------------------------------------------------------ */

/* With what was done about them before. */
static struct {
    int number;
    const char *name;
    struct sigaction before;
} faults[] = {{.number = SIGSEGV, .name = "SIGSEGV"},
              {.number = SIGBUS, .name = "SIGBUS"},
              {.number = SIGFPE, .name = "SIGFPE"},
              {.number = SIGILL, .name = "SIGILL"},
              {.number = SIGABRT, .name = "SIGABRT"}};
enum { FAULTS = sizeof(faults) / sizeof(faults[0]) };

/* The calling thread, where it is watched, and the guard of its stack. */
static _Thread_local struct {
    uintptr_t guard, guard_end;
    char bytes[24];
    int (*tell)(const struct dal_fault *fault);
} watched;

static void (*_Atomic crash_hook)(void);

void dal_threads_crash(void (*crash)(void))
{
    atomic_store(&crash_hook, crash);
}

void dal_threads_end(void)
{
    void (*crash)(void) = atomic_load(&crash_hook);
    if (crash)
        crash();
}

/* Was the memory at the address written? The processor tells. */
static int is_write(const void *context)
{
#if defined(__x86_64__)
    return (int)(((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] >> 1 & 1);
#else
    (void)context;
    return -1;
#endif
}

static int tell_fault(int index, const siginfo_t *info, const void *context)
{
    uintptr_t at = (uintptr_t)info->si_addr;
    int number = faults[index].number;
    struct dal_fault fault = {.name = faults[index].name, .writes = -1};
    if (!watched.tell)
        return 0;
    if (info->si_code > 0 && (number == SIGSEGV || number == SIGBUS)) {
        fault.at = info->si_addr;
        fault.writes = fault.at ? is_write(context) : -1;
        if (number == SIGSEGV && at >= watched.guard && at < watched.guard_end)
            fault.stack_bytes = watched.bytes;
    }
    return watched.tell(&fault);
}

/* Returns whether an earlier handler was there, and was called. */
static int is_passed_on(const struct sigaction *before, int number, siginfo_t *info, void *context)
{
    if (before->sa_flags & SA_SIGINFO)
        before->sa_sigaction(number, info, context);
    else if (before->sa_handler == SIG_DFL || before->sa_handler == SIG_IGN)
        return 0;
    else
        before->sa_handler(number);
    return 1;
}

/* An instruction that failed is tried again, and ends the program. So a debugger sees it, and the
 * core shows it. */
static void take_fault(int number, siginfo_t *info, void *context)
{
    int index = 0, ends;
    while (faults[index].number != number)
        index++;
    ends = tell_fault(index, info, context);
    if (!ends && is_passed_on(&faults[index].before, number, info, context))
        return;
    dal_threads_end();
    if (ends)
        _exit(1);
    sigaction(number, &faults[index].before, NULL);
    if (info->si_code <= 0)
        raise(number);
}

static void catch_faults(void)
{
    struct sigaction action = {.sa_sigaction = take_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < FAULTS; i++)
        sigaction(faults[i].number, &action, &faults[i].before);
}

/* Finds the stack's guard. Depending on the version of libc, it lies below the reported stack, or
 * is its lowest part. So both count. */
static void find_guard(void)
{
    pthread_attr_t own;
    size_t guard, bytes = 0;
    void *low;
    if (pthread_getattr_np(pthread_self(), &own))
        return;
    if (!pthread_attr_getstack(&own, &low, &bytes) && !pthread_attr_getguardsize(&own, &guard)) {
        snprintf(watched.bytes, sizeof(watched.bytes), "%zu", bytes);
        watched.guard = (uintptr_t)low - guard;
        watched.guard_end = (uintptr_t)low + guard;
    }
    pthread_attr_destroy(&own);
}

void dal_thread_watch(void *memory, int (*tell)(const struct dal_fault *fault))
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const stack_t place = {.ss_sp = memory, .ss_size = DAL_STACK_SIGNAL};
    stack_t there;
    /* A sanitizer's thread has a signal stack already, which the sanitizer frees itself. */
    if (memory && sigaltstack(NULL, &there) == 0 && (there.ss_flags & SS_DISABLE) &&
        sigaltstack(&place, NULL) == 0)
        find_guard();
    watched.tell = tell;
    pthread_once(&once, catch_faults);
}

/* libc needs no memory for "C", so there is nothing to free. */
locale_t dal_thread_locale(void)
{
    return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

void dal_thread_begin(void)
{
    struct dal_float plain = DAL_FLOAT_PLAIN;
    dal_float_set_x87(plain.x87);
    dal_float_set_control(plain.control);
    uselocale(dal_thread_locale());
}
