/*
 * A network as the analysis works on it: densely numbered, so that a part of a network is a graph
 * like the whole. Whoever has a network makes a graph of it (spec/analyse/graph.h does so of a
 * specification). Names are not owned; they and the places are for messages. One thread at a time;
 * a graph does not change once it is made, except for what dal_sdf_repetitions() fills in.
 */
#pragma once

#include "rt/base/number.h"
#include "spec/base/diag.h"

#include <stddef.h>
#include <stdint.h>

/* A capacity that never stops a producer. */
#define DAL_SDF_UNLIMITED UINT64_MAX
/* Stands for no channel, or no process. */
#define DAL_SDF_NONE SIZE_MAX

/* Numbers of a cyclo-static process, one for each phase; phases repeat in turn (Bilsen et al.
 * 1996). Not owned. */
struct dal_sdf_phases {
    const uint64_t *of;
    size_t count; /* 0: there are none, the number beside it counts */
};

/* Returns the number for phase `phase`, counted from the first one on. Without phases, it is
 * `constant`, of a firing. */
static inline uint64_t dal_sdf_in_phase(const struct dal_sdf_phases *phases, uint64_t phase,
                                        uint64_t constant)
{
    return phases->count ? phases->of[phase % phases->count] : constant;
}

struct dal_sdf_process {
    uint64_t time;               /* time units of one firing */
    struct dal_sdf_phases times; /* of each firing of a cycle, where they differ */
    uint64_t phases;             /* firings of a cycle, > 1: it is cyclo-static; else 0 or 1 */
    uint64_t repetitions;        /* firings in one iteration, or cycles: dal_sdf_repetitions() */
    uint64_t at_once;            /* most firings under way; 0 for any number */
    size_t first, count;         /* its ends in graph.ends */
    size_t number;               /* in the whole graph */
    size_t origin;               /* number in its source, a network */
    const char *name;
    struct dal_spec_place place;
};

enum dal_sdf_unsaid { DAL_SDF_UNSAID_IN = 1, DAL_SDF_UNSAID_OUT = 2 };

struct dal_sdf_channel {
    size_t producer, consumer;  /* in graph.processes */
    uint64_t rate_in, rate_out; /* of a firing; of a cycle where the process is cyclo-static */
    struct dal_sdf_phases phases_in, phases_out; /* of the firings of a cycle; none where
                                                  * the process is not cyclo-static, else 1 or more
                                                  * that divide its phases */
    uint64_t initial_tokens;
    uint64_t least;       /* dal_sdf_least_capacity() */
    uint64_t step;        /* between them, more capacity makes no difference: gcd of the rates */
    uint64_t given;       /* its size; 0 when it was left out */
    size_t number;        /* in the whole graph */
    size_t origin;        /* number in its source, a network */
    size_t first_of_port; /* the first channel that its output port feeds */
    size_t next_of_port;  /* the next one, or DAL_SDF_NONE; a port has one rate_in */
    unsigned unsaid;      /* rates that nobody gave, so that they are 1: bits of dal_sdf_unsaid */
    int64_t begun_tokens; /* of initial_tokens, what initial phases have added */
    /* The simulation of a mapping alone sets these two (synth/tune/predict/simulate.h). */
    double delay_ns; /* until the other end sees what one has done */
    int continues;   /* its tokens have their places in the channel before it in the list */
    const char *name;
    struct dal_spec_place place;
};

/* Returns the initial tokens that the file needs for `more` than there are: initial phases do the
 * same with more tokens as without. */
static inline uint64_t dal_sdf_tokens_in_file(const struct dal_sdf_channel *channel, uint64_t more)
{
    return channel->initial_tokens - (uint64_t)channel->begun_tokens + more;
}

/* One side of a channel, as its process sees it. */
struct dal_sdf_end {
    size_t channel; /* in graph.channels */
    uint64_t rate;  /* of a firing, or of a cycle */
    struct dal_sdf_phases phases;
    int output;
};

/* Returns the tokens that an end moves in a phase of its process. */
static inline uint64_t dal_sdf_end_rate(const struct dal_sdf_end *end, uint64_t phase)
{
    return dal_sdf_in_phase(&end->phases, phase, end->rate);
}

static inline int dal_sdf_is_cyclic(const struct dal_sdf_process *process)
{
    return process->phases > 1;
}

/* Returns the firings in one iteration; dal_sdf_repetitions() has made sure that they fit. */
static inline uint64_t dal_sdf_firings(const struct dal_sdf_process *process)
{
    return process->repetitions * (process->phases > 1 ? process->phases : 1);
}

struct dal_sdf_graph {
    struct dal_sdf_process *processes;
    size_t process_count;
    struct dal_sdf_channel *channels;
    size_t channel_count;
    struct dal_sdf_end *ends; /* process by process */
    uint64_t *times;          /* the graph's own times, into which process.times points */
    struct dal_spec_place place;
};

/* Makes room for so many processes, channels and their ends; none is there yet. Returns DAL_OK or
 * DAL_ERR_NOMEM; the caller finishes it on DAL_OK. */
int dal_sdf_graph_init(struct dal_sdf_graph *graph, size_t processes, size_t channels);
void dal_sdf_graph_finish(struct dal_sdf_graph *graph);

/* Fills in the ends of all processes from the channels, in the order of these. */
void dal_sdf_graph_ends(struct dal_sdf_graph *graph);

/* Returns whether a channel joins a process to itself. */
int dal_sdf_is_loop(const struct dal_sdf_channel *channel);

/* Channels of one port have one buffer, which counts at the first of them. Returns whether a
 * channel is the first of a port that feeds another process. */
int dal_sdf_is_counted(const struct dal_sdf_graph *graph, size_t channel);
/* Returns the least capacity with which each channel of a port can be live on its own. */
uint64_t dal_sdf_port_least(const struct dal_sdf_graph *graph, size_t first);
/* Returns the step of the least capacity within which no channel of a port sees a difference. */
uint64_t dal_sdf_port_step(const struct dal_sdf_graph *graph, size_t first);
/* Gives all channels the capacity that the first one of their port has; `capacity` is by channel.
 */
void dal_sdf_share(const struct dal_sdf_graph *graph, uint64_t *capacity);

/* Returns the process at the other side of the channel. */
size_t dal_sdf_other_end(const struct dal_sdf_graph *graph, const struct dal_sdf_end *end);

/*
 * Returns the least capacity of a channel that can be live on its own. It is rate_in + rate_out - g
 * + tokens mod g, and at least the tokens; g is the greatest common divisor of the rates (Murthy
 * and Bhattacharyya; doc/explanation/sources.md). A loop claims space while it still holds what it
 * reads.
 */
uint64_t dal_sdf_least_capacity(uint64_t rate_in, uint64_t rate_out, uint64_t tokens, int is_loop);

/*
 * As above, for a channel with phases. It is exact but for very long sequences, for which it is a
 * bound. The consumer fires whenever it can, the producer when it must: then a firing that writes
 * finds the fewest tokens there. Their number is known modulo the greatest common divisor of both
 * cycles, and all numbers that fit occur. A loop's bound is that of its process alone.
 */
uint64_t dal_sdf_least_with_phases(const struct dal_sdf_channel *channel);

/* Returns the greatest common divisor of all its rates: capacities matter in steps of it. */
uint64_t dal_sdf_capacity_step(const struct dal_sdf_channel *channel);

/* The strongly connected parts of a graph, where a channel with a capacity leads both ways. */
struct dal_sdf_parts {
    struct dal_sdf_graph *list;
    size_t count;
};

/*
 * Splits. `capacity` goes by channels[].number; only whether one is DAL_SDF_UNLIMITED matters.
 * The parts keep the numbers of processes and channels; channels between parts are in none.
 * `only` picks the one part that has this process, DAL_SDF_NONE takes them all.
 */
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
