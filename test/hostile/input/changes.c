/* Changes state of its thread or of the program as `how` says, and tells what its firings see of
 * it. */
#define _GNU_SOURCE
#include "dal.h"
#include <fenv.h>
#include <langinfo.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct _local_states {
    long how, in_init;
    int fired;
};

/* Denormal numbers, single precision of the x87 unit. */
static void set_control(int flush, int single)
{
#ifdef __x86_64__
    unsigned short control;
    if (flush)
        __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
    __asm__ volatile("fnstcw %0" : "=m"(control));
    control = (unsigned short)(control & (single ? ~0x300 : ~0));
    __asm__ volatile("fldcw %0" : : "m"(control));
#else
    (void)flush, (void)single;
#endif
}

static void block(int number)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

static void move(int core)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    sched_setaffinity(0, sizeof(set), &set);
}

static void change(int how)
{
    switch (how) {
    case 1:
        feenableexcept(FE_DIVBYZERO | FE_INVALID);
        break;
    case 2:
        uselocale(newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0));
        break;
    case 3:
        move(1 - sched_getcpu() % 2);
        break;
    case 4:
        block(SIGUSR1);
        break;
    case 5:
        set_control(0, 1);
        break;
    case 6:
        fesetround(FE_DOWNWARD);
        break;
    case 7:
        set_control(1, 0);
        break;
    case 8:
        feraiseexcept(FE_OVERFLOW);
        break;
    case 9:
        setlocale(LC_ALL, "C.UTF-8");
        break;
    case 10:
        (void)!chdir("/");
        break;
    case 11:
        setenv("DAL_STATS", "other.json", 1);
        setenv("DAL_TIMES", "other-times.json", 1);
        break;
    default:
        break;
    }
}

void changes_init(DALProcess *p)
{
    DAL_getParameterInt("how", &p->local->how, p);
    DAL_getParameterInt("ininit", &p->local->in_init, p);
    if (p->local->in_init)
        change(p->local->how);
}

/* What a process has of its thread, as numbers: the control, what was raised, locale, mask. */
int changes_fire(DALProcess *p)
{
    volatile float small = 2e-38f, one = 1, three = 3;
    volatile long double wide = 1;
    sigset_t mask;
    double seen[7];
    if (p->local->fired++ == 8)
        return 1;
    seen[0] = fetestexcept(FE_OVERFLOW) != 0;
    seen[1] = one / three;
    seen[2] = small * 0.125f;
    seen[3] = (double)(wide / 3 - 1.0L / 3);
    seen[4] = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    seen[5] = pthread_sigmask(SIG_BLOCK, NULL, &mask) == 0 && sigismember(&mask, SIGUSR1);
    seen[6] = fegetexcept();
    DAL_write(PORT_out, seen, sizeof(seen), p);
    if (!p->local->in_init && p->local->fired == 1)
        change(p->local->how);
    return 0;
}
