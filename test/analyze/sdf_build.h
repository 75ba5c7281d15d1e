/* Networks of nothing but rates, made in a test, and numbers that look random. */
#pragma once

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/analyse/graph.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct edge {
    size_t from, to;
    uint64_t produce, consume, initial;
};

static inline void count_ports(struct dal_spec_network *network, const struct edge *edges,
                               size_t count)
{
    for (size_t i = 0; i < count; i++) {
        network->processes[edges[i].from].port_count++;
        network->processes[edges[i].to].port_count++;
    }
    for (size_t i = 0; i < network->process_count; i++) {
        struct dal_spec_process *process = &network->processes[i];
        process->ports = dal_calloc(process->port_count + 1, sizeof(*process->ports));
        process->port_count = 0;
    }
}

static inline struct dal_spec_port *add_port(struct dal_spec_process *process,
                                             struct dal_spec_channel *channel, int output)
{
    struct dal_spec_port *port = &process->ports[process->port_count++];
    *port =
        (struct dal_spec_port){.name = dal_strdup("port"), .output = output, .channel = channel};
    port->rate = output ? channel->rate_in : channel->rate_out;
    return port;
}

/* A network of nothing but rates; for dal_spec_destroy(). */
static inline struct dal_spec *build_spec(size_t processes, const struct edge *edges, size_t count)
{
    struct dal_spec *spec = dal_calloc(1, sizeof(*spec));
    struct dal_spec_network *network = &spec->network;
    network->name = dal_strdup("graph");
    network->file = network->place.file = "graph";
    network->processes = dal_calloc(processes + 1, sizeof(*network->processes));
    network->channels = dal_calloc(count + 1, sizeof(*network->channels));
    network->process_count = processes;
    network->channel_count = count;
    for (size_t i = 0; i < processes; i++) {
        struct dal_spec_process *process = &network->processes[i];
        *process = (struct dal_spec_process){.number = i, .place = {.file = "graph", .line = 1}};
        process->name = dal_format("p%zu", i);
    }
    count_ports(network, edges, count);
    for (size_t i = 0; i < count; i++) {
        struct dal_spec_channel *channel = &network->channels[i];
        *channel = (struct dal_spec_channel){.name = dal_format("c%zu", i),
                                             .token_bytes = 1,
                                             .rate_in = edges[i].produce,
                                             .rate_out = edges[i].consume,
                                             .initial_tokens = edges[i].initial,
                                             .producer = &network->processes[edges[i].from],
                                             .consumer = &network->processes[edges[i].to],
                                             .number = i,
                                             .place = {.file = "graph", .line = (int)i + 2}};
        channel->producer_port = add_port(channel->producer, channel, 1);
        channel->consumer_port = add_port(channel->consumer, channel, 0);
    }
    return spec;
}

/* What dal_spec_repetitions() returns; no test goes on where its diagnostics say something else. */
static inline int repetitions(struct dal_spec *spec)
{
    struct dal_diags diags;
    int status;
    dal_diags_init(&diags);
    status = dal_spec_repetitions(&diags, &spec->network);
    if ((diags.errors > 0) != (status != DAL_OK)) {
        fprintf(stderr, "repetitions: status %d with %zu errors\n", status, diags.errors);
        abort();
    }
    dal_diags_finish(&diags);
    return status;
}

/* The same sequence in every run. */
static inline uint64_t below(uint64_t limit)
{
    static uint64_t state = 88172645463325252;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % limit;
}
