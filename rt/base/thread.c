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

/* ---- a stack that is used up ----------------------------------------------------------------- */

/* The calling thread's stack, where it is watched. */
static _Thread_local struct {
    uintptr_t guard, guard_end;
    char bytes[24];
    void (*tell)(const char *stack_bytes);
} stack;

/* Handles SIGSEGV. One that is not in the guard ends the program as usual: the instruction is tried
 * again. */
static void end_of_stack(int number, siginfo_t *info, void *context)
{
    uintptr_t at = (uintptr_t)info->si_addr;
    (void)context;
    if (info->si_code > 0 && stack.tell && at >= stack.guard && at < stack.guard_end) {
        stack.tell(stack.bytes);
        _exit(1);
    }
    signal(number, SIG_DFL);
    if (info->si_code <= 0)
        raise(number);
}

static void catch_end(void)
{
    struct sigaction action = {.sa_sigaction = end_of_stack, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    struct sigaction old;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGSEGV, NULL, &old) == 0 && !(old.sa_flags & SA_SIGINFO) &&
        old.sa_handler == SIG_DFL)
        sigaction(SIGSEGV, &action, NULL);
}

/* Finds the stack's guard. Depending on the version of libc, it lies below the reported stack, or
 * is its lowest part. So both count. */
static int find_guard(void)
{
    pthread_attr_t own;
    size_t guard, bytes = 0;
    void *low;
    int error = pthread_getattr_np(pthread_self(), &own);
    if (error)
        return 0;
    error = pthread_attr_getstack(&own, &low, &bytes) || pthread_attr_getguardsize(&own, &guard);
    pthread_attr_destroy(&own);
    if (error || guard == 0)
        return 0;
    snprintf(stack.bytes, sizeof(stack.bytes), "%zu", bytes);
    stack.guard = (uintptr_t)low - guard;
    stack.guard_end = (uintptr_t)low + guard;
    return 1;
}

void dal_thread_watch_stack(void *memory, void (*tell)(const char *stack_bytes))
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const stack_t place = {.ss_sp = memory, .ss_size = DAL_STACK_SIGNAL};
    stack_t there;
    /* A sanitizer's thread has a signal stack already, which the sanitizer frees itself. */
    if (sigaltstack(NULL, &there) || !(there.ss_flags & SS_DISABLE))
        return;
    if (!find_guard() || sigaltstack(&place, NULL))
        return;
    stack.tell = tell;
    pthread_once(&once, catch_end);
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
