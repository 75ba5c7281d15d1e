/*
 * A network as the analysis works on it: numbers only and densely numbered, so that a part of a
 * network is a graph like the whole. Made from the model after dal_sdf_repetitions(); the model is
 * not needed afterwards. One thread at a time; a graph does not change once it is made.
 */
#ifndef DAL_SPEC_SDF_GRAPH_H
#define DAL_SPEC_SDF_GRAPH_H

#include "rt/base/gcd.h"
#include "spec/model.h"

#include <stddef.h>
#include <stdint.h>

/* A capacity that never stops a producer. */
#define DAL_SDF_UNLIMITED UINT64_MAX

struct dal_sdf_process {
    uint64_t time;        /* time units of one firing */
    uint64_t repetitions; /* firings in one iteration */
    uint64_t at_once;     /* most firings under way; 0, as it is made, for any number */
    size_t first, count;  /* its ends in graph.ends */
    size_t number;        /* in the network */
};

struct dal_sdf_channel {
    size_t producer, consumer; /* in graph.processes */
    uint64_t rate_in, rate_out, initial_tokens;
    uint64_t token_bytes;
    uint64_t least; /* dal_sdf_least_capacity() */
    uint64_t step;  /* between them, more capacity makes no difference: gcd of the rates */
    uint64_t given; /* the size attribute; 0 when it was left out */
    size_t number;  /* in the network */
};

/* One side of a channel, as its process sees it. */
struct dal_sdf_end {
    size_t channel; /* in graph.channels */
    uint64_t rate;
    int output;
};

struct dal_sdf_graph {
    struct dal_sdf_process *processes;
    size_t process_count;
    struct dal_sdf_channel *channels;
    size_t channel_count;
    struct dal_sdf_end *ends; /* process by process */
};

/* `times` has the time units of a firing by process number. Returns DAL_OK or DAL_ERR_NOMEM; the
 * caller finishes it on DAL_OK. */
int dal_sdf_graph_init(struct dal_sdf_graph *graph, const struct dal_spec_network *network,
                       const uint64_t *times);
void dal_sdf_graph_finish(struct dal_sdf_graph *graph);

/* Whether it joins a process to itself. */
int dal_sdf_is_loop(const struct dal_sdf_channel *channel);

/* The strongly connected parts of a graph, where a channel with a capacity leads both ways. */
struct dal_sdf_parts {
    struct dal_sdf_graph *list;
    size_t count;
};

/*
 * Splits. `capacity` goes by channels[].number; only whether one is DAL_SDF_UNLIMITED matters.
 * The parts keep the numbers of processes and channels; channels between parts are in none.
 * `only` picks the one part that has this process, DAL_SDF_ALL takes them all.
 */
#define DAL_SDF_ALL SIZE_MAX
int dal_sdf_parts_init(struct dal_sdf_parts *parts, const struct dal_sdf_graph *graph,
                       const uint64_t *capacity, size_t only);
void dal_sdf_parts_finish(struct dal_sdf_parts *parts);

/* An edge of any directed graph. */
struct dal__edge {
    size_t from, to;
};

/* Strongly connected components (Tarjan) of a graph of `nodes` nodes: component[node] is a number
 * below *count. Returns DAL_OK or DAL_ERR_NOMEM. */
int dal__strong(size_t nodes, const struct dal__edge *edges, size_t edge_count, size_t *component,
                size_t *count);

#endif
