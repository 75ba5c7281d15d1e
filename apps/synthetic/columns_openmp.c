/*
 * What the network of a pattern does, by OpenMP: a thread a column, and a barrier behind each step,
 * unless columns are independent. PATTERN and COLUMNS are constants of the compiler.
 */
#define _GNU_SOURCE
#include "pass.h"
#include "patterns.h"
#include "peer.h"

#include <omp.h>

enum { WORDS = 16, PHASES = 32 }; /* a cache line for each value */

static uint32_t values[2][COLUMNS][WORDS];

/* The columns that one reads from. */
struct reads {
    int count[PHASES], from[PHASES][COLUMNS];
};

static int list_reads(struct reads *reads, int column)
{
    int phases = pattern_phases(PATTERN, COLUMNS), phase, from;

    for (phase = 0; phase < phases; phase++)
        for (from = reads->count[phase] = 0; from < COLUMNS; from++)
            if (pattern_reads(PATTERN, phase, column, from))
                reads->from[phase][reads->count[phase]++] = from;
    return phases;
}

static uint32_t run_column(const struct peer *peer, const struct reads *reads, int phases,
                           int column)
{
    uint32_t value = 0;
    int phase = 0, k;
    long n;

    for (n = 0; n < peer->tokens; n++) {
        value = pattern_begin(value, column);
        for (k = 0; k < reads->count[phase]; k++)
            value = pattern_mix(value, values[n % 2][reads->from[phase][k]][0]);
        value = pass_work(value, peer->steps);
        values[(n + 1) % 2][column][0] = value;
        phase = phase + 1 < phases ? phase + 1 : 0;
        if (PATTERN != PATTERN_INDEPENDENT) {
#pragma omp barrier
        }
    }
    return value;
}

int main(int argc, char **argv)
{
    struct peer peer;

    peer_start(&peer, argc, argv);
#pragma omp parallel num_threads(COLUMNS)
    {
        int column = omp_get_thread_num(), phases;
        struct reads reads;
        int64_t begin;
        uint32_t value;

        peer_pin(&peer, column, 1);
        phases = list_reads(&reads, column);
#pragma omp barrier
        begin = peer_now();
        value = run_column(&peer, &reads, phases, column);
        printf("column %d begin %lld end %lld value %08x\n", column, (long long)begin,
               (long long)peer_now(), (unsigned)value);
    }
    return 0;
}
