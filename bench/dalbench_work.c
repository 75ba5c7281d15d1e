/*
 * Producer and Consumer in one loop, by hand. It is compiled once for each set of flags of
 * apps/synthetic/overhead.xml; BENCH_LEVEL tells them apart.
 */
#include "bench/dalbench_work.h"

#include "work.h"

#define JOIN(a, b)  a##b
#define NAME(level) JOIN(bench_work_, level)

uint64_t NAME(BENCH_LEVEL)(long tokens, long work)
{
    uint32_t token[BENCH_WORK_ELEMENTS], state = 0;
    uint64_t sum = WORK_SUM_START;
    for (long n = 0; n < tokens; n++) {
        work_produce(token, BENCH_WORK_ELEMENTS, state++, work);
        sum = work_sum(sum, work_consume(token, BENCH_WORK_ELEMENTS));
    }
    return sum;
}
