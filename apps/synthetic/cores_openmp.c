/*
 * What cores.xml does, as a loop over the tokens with a thread a core; without OpenMP, on one core.
 * The second line tells what Source and Sink alone take: they are one after the other in the
 * network, so they bound it.
 */
#define _GNU_SOURCE
#include "stages.h"

#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_thread_num(void)
{
    return 0;
}
#endif

/* Carries a token through all stages, between two buffers. */
static uint64_t carry(unsigned char *buffers, uint32_t number)
{
    unsigned char *a = buffers, *b = buffers + BYTES;
    int k;

    stage_source(a, number);
    for (k = 0; k < STAGES; k += 2) {
        stage_step(b, a);
        stage_step(a, b);
    }
    return stage_sink(a);
}

static uint64_t carry_all(long tokens, unsigned char *const *buffers, int threads)
{
    uint64_t sum = 0;
    long chunk = tokens / (128 * threads) + 1, n;

#pragma omp parallel for num_threads(threads) schedule(dynamic, chunk) reduction(+ : sum)
    for (n = 0; n < tokens; n++)
        sum += carry(buffers[omp_get_thread_num()], (uint32_t)n);
    (void)chunk;
    return sum;
}

static void time_ends(unsigned char *buffers, long tokens)
{
    volatile uint64_t kept;
    uint64_t sum = 0;
    int64_t start = peer_now(), between;
    long n;

    for (n = 0; n < tokens; n++)
        stage_source(buffers + n % 2 * BYTES, (uint32_t)n);
    between = peer_now();
    for (n = 0; n < tokens; n++) {
        __asm__ volatile("" ::: "memory"); /* a token each time */
        sum += stage_sink(buffers + n % 2 * BYTES);
    }
    kept = sum;
    (void)kept;
    printf("source %.4f sink %.4f\n", (double)(between - start) / (double)tokens,
           (double)(peer_now() - between) / (double)tokens);
}

int main(int argc, char **argv)
{
    static unsigned char *buffers[PEER_CORES];
    struct peer peer;
    int64_t start;
    uint64_t sum;
    int threads;

    peer_start(&peer, argc, argv);
    threads = peer.count > 0 ? peer.count : 1;
#pragma omp parallel num_threads(threads)
    {
        peer_pin(&peer, omp_get_thread_num(), 1);
        buffers[omp_get_thread_num()] = stage_tokens(2);
    }
    start = peer_now();
    sum = carry_all(peer.tokens, buffers, threads);
    stage_report(peer.tokens, peer_now() - start, sum);
    if (threads == 1)
        time_ends(buffers[0], peer.tokens);
    return 0;
}
