/* Doubles tokens, and does what it is told to in one firing, or in init or finish. */
#include "dal.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

struct _local_states {
    long how, at, firing;
};

static volatile int zero;

static void *write_nowhere(void *unused)
{
    *(volatile int *)8 = 1;
    return unused;
}

static int go_deeper(int frames)
{
    volatile char frame[10000];
    frame[0] = (char)frames;
    return frame[0] + go_deeper(frames + 1) + frame[0];
}

static void crash_apart(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, write_nowhere, NULL) == 0)
        pthread_join(thread, NULL);
}

static void hang(void)
{
    for (;;)
        pause();
}

static void take_it(int number)
{
    (void)number;
    _exit(33);
}

static void give_up(int number)
{
    signal(number, SIG_DFL);
}

/* As a library may: it had a handler before main(). That of LLVM in an OpenCL library gives up. */
__attribute__((constructor)) static void have_handler(void)
{
    const char *which = getenv("FAULTY_HANDLER");
    if (which)
        signal(SIGSEGV, *which == 'g' ? give_up : take_it);
}

static void crash(long how)
{
    switch (how) {
    case 1:
        *(volatile int *)8 = 1;
        break;
    case 2:
        zero = 1 / zero;
        raise(SIGFPE); /* not all processors trap */
        break;
    case 3:
        abort();
    case 4:
        __builtin_trap();
    case 5:
        raise(SIGBUS);
        break;
    case 6:
        exit(0);
    case 7:
        zero = go_deeper(0);
        break;
    case 9:
        crash_apart();
        break;
    case 10:
        kill(getpid(), SIGABRT);
        hang();
        break;
    case 11:
        hang();
        break;
    default:
        break;
    }
}

void faulty_init(DALProcess *p)
{
    DAL_getParameterInt("how", &p->local->how, p);
    DAL_getParameterInt("at", &p->local->at, p);
    if (p->local->at == 0)
        crash(p->local->how);
}

int faulty_fire(DALProcess *p)
{
    int tokens[100];
    DAL_read(PORT_in, tokens, sizeof(tokens), p);
    if (++p->local->firing == p->local->at && p->local->how == 8)
        DAL_fail(p, "told to");
    if (p->local->firing == p->local->at)
        crash(p->local->how);
    for (int i = 0; i < 100; i++)
        tokens[i] *= 2;
    DAL_write(PORT_out, tokens, sizeof(tokens), p);
    return 0;
}

void faulty_finish(DALProcess *p)
{
    if (p->local->at == 999)
        crash(p->local->how);
}
