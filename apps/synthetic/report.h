/* report.h: the line in which a network's last process tells what was measured. */
#ifndef SYNTHETIC_REPORT_H
#define SYNTHETIC_REPORT_H

#include "dal.h"

#include <time.h>

/* Nanoseconds since a fixed moment. */
static inline int64_t report_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Processor time that this program has had, in nanoseconds. */
static inline int64_t report_used(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The most memory that this program has had, in KiB; 0 when the system does not say. */
static inline long report_peak(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[128];
    long kib = 0;

    while (file && kib == 0 && fgets(line, sizeof(line), file))
        sscanf(line, "VmHWM: %ld", &kib);
    if (file)
        fclose(file);
    return kib;
}

/* `tokens` of them took `ns`; `sum` says which they were. The last tokens come together, so a short
 * time is no rate: it says so. */
static inline void report(uint64_t tokens, int64_t ns, uint64_t sum)
{
    if (ns < 1000000)
        fprintf(stderr, "too few tokens for a rate: %.3f us\n", 1e-3 * (double)ns);
    DAL_printf("tokens %llu ns %lld sum %016llx peak %ld\n", (unsigned long long)tokens,
               (long long)ns, (unsigned long long)sum, report_peak());
}

#endif
