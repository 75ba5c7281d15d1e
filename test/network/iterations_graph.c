#include "test/network/iterations.h"

#include "rt/base/error.h"
#include "spec/analyse/graph.h"
#include "test/analyze/sdf_sample.h"

static void take_network(struct iterations_graph *graph, const struct dal_spec_network *network,
                         const struct dal_sdf_buffers *minimum)
{
    graph->processes = (int)network->process_count;
    graph->channels = (int)network->channel_count;
    graph->proven = minimum->least == minimum->total;
    for (size_t i = 0; i < network->process_count; i++)
        graph->repetitions[i] = network->processes[i].repetitions;
    for (size_t i = 0; i < network->channel_count; i++) {
        const struct dal_spec_channel *channel = &network->channels[i];
        int loop = channel->producer == channel->consumer;
        graph->list[i] = (struct iterations_channel){
            .from = (int)channel->producer->number,
            .to = (int)channel->consumer->number,
            .produce = channel->rate_in,
            .consume = channel->rate_out,
            .initial = channel->initial_tokens,
            .capacity = loop ? channel->initial_tokens + channel->rate_in : minimum->capacity[i],
            .is_loop = loop,
        };
    }
}

static int find_capacities(struct iterations_graph *graph, struct dal_spec_network *network,
                           const uint64_t *times)
{
    uint64_t fixed[SAMPLE_MOST] = {0}, weight[SAMPLE_MOST];
    struct dal_sdf_budget budget = {.work = (uint64_t)1 << 32};
    struct dal_sdf_graph numbers = {0};
    struct dal_sdf_sizing sizing = {
        .graph = &numbers, .fixed = fixed, .weight = weight, .budget = &budget};
    struct dal_sdf_buffers minimum = {0};
    int found = 0;
    for (size_t i = 0; i < SAMPLE_MOST; i++)
        weight[i] = 1;
    if (dal_spec_graph_init(&numbers, network, times) == DAL_OK &&
        dal_sdf_minimum(&sizing, &minimum) == DAL_OK && minimum.found) {
        take_network(graph, network, &minimum);
        found = 1;
    }
    dal_sdf_buffers_finish(&minimum);
    dal_sdf_graph_finish(&numbers);
    return found;
}

int iterations_draw(struct iterations_graph *graph)
{
    struct sample sample;
    struct dal_spec *spec;
    int found = 0;
    random_sample(&sample, 5, 3);
    spec = build_spec(sample.processes, sample.edges, sample.count);
    if (repetitions(spec) == DAL_OK)
        found = find_capacities(graph, &spec->network, sample.times);
    dal_spec_destroy(spec);
    return found;
}

uint64_t iterations_below(uint64_t limit)
{
    return below(limit);
}
