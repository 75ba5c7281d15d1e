/* Prints what the one before it has seen, and what it sees itself: nothing of what that one has
 * set. */
#define _GNU_SOURCE
#include "dal.h"
#include <fenv.h>
#include <langinfo.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int stays_fire(DALProcess *p)
{
    double seen[7];
    char folder[4096];
    volatile double zero = 0, infinity;
    volatile float small = 2e-38f, one = 1, three = 3;
    volatile long double wide = 1;
    cpu_set_t cores;
    sigset_t mask;
    int overflow = fetestexcept(FE_OVERFLOW), number = 1;
    DAL_read(PORT_in, seen, sizeof(seen), p);
    infinity = 1 / zero;
    if (overflow || (double)(one / three) != (double)(1.0f / 3) || small * 0.125f == 0 ||
        wide / 3 != 1.0L / 3 || !(infinity > 1e300) || strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ||
        pthread_sigmask(SIG_BLOCK, NULL, &mask) || sigismember(&mask, SIGUSR1) || fegetexcept())
        DAL_printf("something reached another process\n");
    if (sched_getaffinity(0, sizeof(cores), &cores) || CPU_COUNT(&cores) != 1 ||
        !CPU_ISSET(sched_getcpu(), &cores) || !getcwd(folder, sizeof(folder)) ||
        strcmp(folder, "/") == 0)
        DAL_printf("it is elsewhere\n");
    while (number < 7 && seen[number] == seen[number])
        number++;
    DAL_printf("%g %.9g %g %g %g %g %g %d\n", seen[0], seen[1], seen[2], seen[3], seen[4], seen[5],
               seen[6], number);
    return 0;
}
