/* Consistent networks drawn by chance: rates to 12, cycles, initial tokens, channels of a process
 * to itself. The same sequence in every run. */
#pragma once

#include "rt/base/number.h"
#include "test/analyze/sdf_build.h"

#include <string.h>

enum { SAMPLE_MOST = 16 };

struct sample {
    size_t processes, count;
    struct edge edges[SAMPLE_MOST];
    uint64_t times[SAMPLE_MOST], repetitions[SAMPLE_MOST];
};

/* Rates of up to 12 that fit firings which are divisors of 12. */
static inline struct edge random_edge(const uint64_t *q, size_t from, size_t to)
{
    uint64_t common = dal_gcd(q[from], q[to]);
    uint64_t produce = q[to] / common, consume = q[from] / common;
    uint64_t most = 12 / (produce > consume ? produce : consume), k = 1 + below(most);
    return (struct edge){.from = from, .to = to, .produce = k * produce, .consume = k * consume};
}

/* A connected network: a tree, some channels more, some of a process to itself. */
static inline void random_sample(struct sample *sample, size_t most_processes, size_t most_more)
{
    static const uint64_t divisors[] = {1, 2, 3, 4, 6, 12};
    uint64_t *q = sample->repetitions;
    size_t more;
    memset(sample, 0, sizeof(*sample));
    sample->processes = 2 + below(most_processes - 1);
    more = below(most_more + 1);
    for (size_t i = 0; i < sample->processes; i++) {
        q[i] = divisors[below(6)];
        sample->times[i] = below(3) ? below(8) : 0;
    }
    for (size_t i = 1; i < sample->processes; i++) {
        size_t other = below(i);
        sample->edges[sample->count++] =
            below(2) ? random_edge(q, other, i) : random_edge(q, i, other);
    }
    for (size_t i = 0; i < more; i++)
        sample->edges[sample->count++] =
            random_edge(q, below(sample->processes), below(sample->processes));
    for (size_t i = 0; i < sample->count; i++) {
        struct edge *edge = &sample->edges[i];
        if (edge->from == edge->to)
            edge->initial = edge->produce * (1 + below(2));
        else if (below(3) == 0)
            edge->initial = below(2 * (edge->produce + edge->consume));
    }
}
