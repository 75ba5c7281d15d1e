/* The loop of dalbench_work.c, as compiled with -O0, with -O2 and with -O3 -march=native. */
#pragma once

#include <stdint.h>

enum { BENCH_WORK_ELEMENTS = 256 }; /* words of a token */

/* Makes and consumes `tokens` tokens; returns the sum over them. */
uint64_t bench_work_O0(long tokens, long work);
uint64_t bench_work_O2(long tokens, long work);
uint64_t bench_work_O3(long tokens, long work);
