/*
 * peer.h: what programs without dal share that dalbench runs beside cores.xml: arguments, cores and
 * the report, all as those of a network. They are compiled with the constants of a row:
 *
 *     BYTES of a token, STEPS of a stage, STAGES between Source and Sink (an even number).
 */
#ifndef SYNTHETIC_PEER_H
#define SYNTHETIC_PEER_H

#include "pass.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PEER_CORES = 256, PEER_LINE = 64 };

struct peer {
    long tokens;
    int count; /* of cores */
    int cores[PEER_CORES];
};

/* Takes `-p tokens=1000 -p cores=0,1,5`. */
static inline void peer_start(struct peer *peer, int argc, char **argv)
{
    char *text;
    int i;

    peer->tokens = 1000;
    peer->count = 0;
    for (i = 1; i < argc; i++) {
        if (strncmp(argv[i], "tokens=", 7) == 0)
            peer->tokens = strtol(argv[i] + 7, NULL, 10);
        if (strncmp(argv[i], "cores=", 6) != 0)
            continue;
        for (text = argv[i] + 5; *text && peer->count < PEER_CORES;)
            peer->cores[peer->count++] = (int)strtol(text + 1, &text, 10);
    }
}

/* Binds the calling thread to some of the cores. */
static inline void peer_pin(const struct peer *peer, int first, int count)
{
    cpu_set_t set;
    int i;

    CPU_ZERO(&set);
    for (i = first; i < first + count && i < peer->count; i++)
        CPU_SET(peer->cores[i], &set);
    if (peer->count > 0 && sched_setaffinity(0, sizeof(set), &set) != 0)
        perror("sched_setaffinity");
}

static inline int64_t peer_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline void peer_report(long tokens, int64_t ns, uint64_t sum)
{
    printf("tokens %ld ns %lld sum %016llx\n", tokens, (long long)ns, (unsigned long long)sum);
}

/* Returns memory for tokens, at the beginning of a cache line. */
static inline unsigned char *peer_tokens(long count)
{
    size_t bytes = (size_t)count * BYTES;
    void *memory = aligned_alloc(PEER_LINE, (bytes + PEER_LINE - 1) / PEER_LINE * PEER_LINE);

    if (!memory)
        abort();
    return (unsigned char *)memset(memory, 1, bytes);
}

/* What the processes do, as functions to call. */
static __attribute__((noinline)) void peer_source(unsigned char *out, uint32_t number)
{
    pass_source(out, BYTES, number);
}

static __attribute__((noinline)) void peer_stage(unsigned char *out, const unsigned char *in)
{
    pass_step(out, in, BYTES, STEPS);
}

static __attribute__((noinline)) uint64_t peer_sink(const unsigned char *in)
{
    return pass_sink(in, BYTES);
}

#endif
