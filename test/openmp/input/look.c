/*
 * What a team is: a line with its threads, and with those that it gets where it asks for more than
 * it has; then each thread's cores, how many they are and the first.
 */
#define _GNU_SOURCE
#include "dal.h"

#include <omp.h>
#include <sched.h>
#include <stdio.h>

enum { MOST = 64 };

typedef struct _local_states {
    int fired;
} State;

static void look(int *count, int *first)
{
    cpu_set_t set;
    sched_getaffinity(0, sizeof(set), &set);
    *count = CPU_COUNT(&set);
    for (*first = 0; !CPU_ISSET(*first, &set);)
        ++*first;
}

int Look_fire(DALProcess *p)
{
    int counts[MOST] = {0}, firsts[MOST] = {0}, i, size = 0, more = 0;
    char text[1024];
    int length;
#pragma omp parallel
    {
        look(&counts[omp_get_thread_num()], &firsts[omp_get_thread_num()]);
#pragma omp master
        size = omp_get_num_threads();
    }
#pragma omp parallel num_threads(MOST)
    {
#pragma omp master
        more = omp_get_num_threads();
    }
    length = snprintf(text, sizeof(text), "%s %d of %d, %d:", DAL_getParameter("name", p), size,
                      omp_get_max_threads(), more);
    for (i = 0; i < size; i++)
        length +=
            snprintf(text + length, sizeof(text) - (size_t)length, " %d/%d", counts[i], firsts[i]);
    if (p->local->fired == 19)
        printf("%s\n", text);
    return ++p->local->fired == 20;
}
