#define _GNU_SOURCE
#include "rt/base/fault.h"

#include "rt/base/output.h"
#include "rt/base/sync.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <ucontext.h>
#include <unistd.h>

/* ---- the program's end ----------------------------------------------------------------------- */

enum { NAP_MS = 5, LONGEST_MS = 10000 };

static _Atomic int wanted, ending;
static _Atomic pid_t owner; /* a child made by fork() has nobody who writes */
static _Thread_local int writes;

static int nap(void)
{
    const struct timespec time = {.tv_nsec = NAP_MS * 1000 * 1000};
    nanosleep(&time, NULL);
    return NAP_MS;
}

void dal_report_want(void)
{
    atomic_store(&owner, getpid());
    atomic_fetch_add(&wanted, 1);
}

int dal_report_take(_Atomic int *taken)
{
    int first = !atomic_exchange(taken, 1);
    writes |= first;
    return first;
}

void dal_report_done(void)
{
    writes = 0;
    atomic_fetch_sub(&wanted, 1);
    for (int ms = 0; ms < LONGEST_MS && atomic_load(&ending); ms += nap())
        continue;
}

int dal_program_ends(void)
{
    return atomic_load(&ending);
}

void dal_program_end(void)
{
    int ends = atomic_exchange(&ending, 1);
    if (atomic_load(&owner) != getpid())
        return;
    if (writes) /* a crash within the report */
        atomic_store(&wanted, 0);
    while (writes && ends)
        pause();
    for (int ms = 0; ms < LONGEST_MS && atomic_load(&wanted) > 0; ms += nap())
        continue;
}

/* ---- the handler ----------------------------------------------------------------------------- */

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

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { HAS_SANITIZER = 1 };
#else
enum { HAS_SANITIZER = 0 };
#endif

static enum dal_fault_end (*_Atomic tell_fault)(const struct dal_fault *fault);

/* Does the calling thread put off what comes from outside, and which signal has it put off? */
static _Thread_local volatile sig_atomic_t puts_off, put_off;

/* The guard of the calling thread's stack, where it is watched. */
static _Thread_local struct {
    uintptr_t guard, guard_end;
    char bytes[24];
} stack;

/* Was the memory written? The processor tells. */
static int is_write(const void *context)
{
#if defined(__x86_64__)
    return (int)(((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] >> 1 & 1);
#else
    (void)context;
    return -1;
#endif
}

static struct dal_fault describe(int index, const siginfo_t *info, const void *context)
{
    uintptr_t at = (uintptr_t)info->si_addr;
    int number = faults[index].number;
    struct dal_fault fault = {.name = faults[index].name, .writes = -1};
    if (info->si_code <= 0 || (number != SIGSEGV && number != SIGBUS))
        return fault;
    fault.at = info->si_addr;
    fault.writes = fault.at ? is_write(context) : -1;
    if (number == SIGSEGV && at >= stack.guard && at < stack.guard_end)
        fault.stack_bytes = stack.bytes;
    return fault;
}

/* Returns whether an earlier handler was there, and was called. */
static int is_passed_on(const struct sigaction *before, int number, siginfo_t *info, void *context)
{
    if (before->sa_flags & SA_SIGINFO)
        before->sa_sigaction(number, info, context);
    else if (before->sa_handler == SIG_DFL)
        return 0;
    else
        before->sa_handler(number);
    return 1;
}

/* Has the earlier handler given up? That of LLVM cleans up and returns, and the next signal ends
 * the program. */
static int is_default(int number)
{
    struct sigaction now;
    return sigaction(number, NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) &&
           now.sa_handler == SIG_DFL;
}

/* Ends the program. An instruction that failed is tried again, so that a debugger sees it, and the
 * core shows it. An earlier handler may have stepped over it. */
static void end_by(int number, enum dal_fault_end end, int again)
{
    dal_program_end();
    dal_output_drop();
    if (end == DAL_FAULT_EXIT)
        _exit(1);
    signal(number, SIG_DFL);
    if (again)
        raise(number);
}

static void take_fault(int number, siginfo_t *info, void *context)
{
    enum dal_fault_end (*tell)(const struct dal_fault *) = atomic_load(&tell_fault);
    enum dal_fault_end end;
    struct dal_fault fault;
    int index = 0, passed = 0, error = errno;
    if (puts_off && (info->si_code == SI_USER || info->si_code == SI_QUEUE)) {
        put_off = number;
        return;
    }
    while (faults[index].number != number)
        index++;
    fault = describe(index, info, context);
    end = tell(&fault);
    if (end != DAL_FAULT_EXIT)
        passed = is_passed_on(&faults[index].before, number, info, context);
    errno = error;
    if (passed && !is_default(number) && (end == DAL_FAULT_FOREIGN || info->si_code <= 0))
        return;
    fault.is_left = 1;
    if (end == DAL_FAULT_FOREIGN)
        tell(&fault);
    end_by(number, end, passed || info->si_code <= 0);
}

static void catch_faults(void)
{
    struct sigaction action = {.sa_sigaction = take_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; !HAS_SANITIZER && i < sizeof(faults) / sizeof(faults[0]); i++) {
        struct sigaction *before = &faults[i].before;
        sigaction(faults[i].number, NULL, before);
        if (before->sa_flags & SA_SIGINFO || before->sa_handler != SIG_IGN)
            sigaction(faults[i].number, &action, NULL);
    }
}

void dal_faults_catch(enum dal_fault_end (*tell)(const struct dal_fault *fault))
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    atomic_store(&tell_fault, tell);
    pthread_once(&once, catch_faults);
}

void dal_faults_put_off(void)
{
    puts_off = 1;
}

void dal_faults_take_up(void)
{
    puts_off = 0;
    if (put_off)
        kill(getpid(), put_off);
    put_off = 0;
}

void dal_faults_block(sigset_t *before)
{
    sigset_t all;
    sigemptyset(&all);
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
        sigaddset(&all, faults[i].number);
    pthread_sigmask(SIG_BLOCK, &all, before);
}

/* ---- a stack that is used up ----------------------------------------------------------------- */

/* Depending on the version of libc, the guard lies below the reported stack, or is its lowest part.
 * So both count. */
static void find_guard(void)
{
    pthread_attr_t own;
    size_t guard, bytes = 0;
    void *low;
    if (pthread_getattr_np(pthread_self(), &own))
        return;
    if (!pthread_attr_getstack(&own, &low, &bytes) && !pthread_attr_getguardsize(&own, &guard)) {
        snprintf(stack.bytes, sizeof(stack.bytes), "%zu", bytes);
        stack.guard = (uintptr_t)low - guard;
        stack.guard_end = (uintptr_t)low + guard;
    }
    pthread_attr_destroy(&own);
}

void dal_faults_watch_stack(void *memory)
{
    const stack_t place = {.ss_sp = memory, .ss_size = DAL_STACK_SIGNAL};
    stack_t there;
    /* A sanitizer's thread has a signal stack already, which the sanitizer frees itself. */
    if (sigaltstack(NULL, &there) == 0 && (there.ss_flags & SS_DISABLE) &&
        sigaltstack(&place, NULL) == 0)
        find_guard();
}
