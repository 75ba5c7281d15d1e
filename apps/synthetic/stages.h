/*
 * stages.h: the processes of cores.xml as functions, for programs without dal. These are compiled
 * with the constants of a network:
 *
 *     BYTES of a token, STEPS of a stage, STAGES between Source and Sink (an even number).
 */
#ifndef SYNTHETIC_STAGES_H
#define SYNTHETIC_STAGES_H

#include "pass.h"
#include "peer.h"

enum { STAGE_LINE = 64 };

static inline void stage_report(long tokens, int64_t ns, uint64_t sum)
{
    printf("tokens %ld ns %lld sum %016llx\n", tokens, (long long)ns, (unsigned long long)sum);
}

/* Returns memory for tokens, at the beginning of a cache line. */
static inline unsigned char *stage_tokens(long count)
{
    size_t bytes = (size_t)count * BYTES;
    void *memory = aligned_alloc(STAGE_LINE, (bytes + STAGE_LINE - 1) / STAGE_LINE * STAGE_LINE);

    if (!memory)
        abort();
    return (unsigned char *)memset(memory, 1, bytes);
}

/* What the processes do, as functions to call. */
static __attribute__((noinline)) void stage_source(unsigned char *out, uint32_t number)
{
    pass_source(out, BYTES, number);
}

static __attribute__((noinline)) void stage_step(unsigned char *out, const unsigned char *in)
{
    pass_step(out, in, BYTES, STEPS);
}

static __attribute__((noinline)) uint64_t stage_sink(const unsigned char *in)
{
    return pass_sink(in, BYTES);
}

#endif
