/* How far a random network runs: each process fires as often as the tokens allow. */
#include "test/determinism/random_open.h"

struct run {
    const struct random_plan *plan;
    const struct random_variant *variant;
    struct random_count *count;
};

/* Of a firing: of a cycle, or of the phase that is next. */
static int rate_of(const struct run *run, int node, int edge, int output)
{
    const struct random_plan *plan = run->plan;
    const struct random_edge *e = &plan->graph.edges[edge];
    long phase = run->count->fired[node] % plan->traits[node].phases;
    if (!plan->traits[node].by_phase)
        return output ? e->rate_in : e->rate_out;
    return output ? plan->out_phases[edge][phase] : plan->in_phases[edge][phase];
}

static int can_fire(const struct run *run, int node)
{
    const struct random_graph *graph = &run->plan->graph;
    int phases = run->plan->traits[node].by_phase ? run->plan->traits[node].phases : 1;
    if (run->variant->is_open[node] ||
        (graph->nodes[node].source && run->count->fired[node] == (long)run->plan->iterations *
                                                                     graph->nodes[node].firings *
                                                                     phases))
        return 0;
    for (int i = 0; i < graph->edge_count; i++) {
        const struct random_edge *edge = &graph->edges[i];
        long there = run->count->written[edge->port] + edge->initial - run->count->read[i];
        if (edge->to == node && there < rate_of(run, node, i, 0))
            return 0;
    }
    return 1;
}

static void fire_once(struct run *run, int node)
{
    for (int i = 0; i < run->plan->graph.edge_count; i++) {
        if (random_edge_at(&run->plan->graph, i, node, 0))
            run->count->read[i] += rate_of(run, node, i, 0);
        if (random_edge_at(&run->plan->graph, i, node, 1))
            run->count->written[i] += rate_of(run, node, i, 1);
    }
    run->count->fired[node]++;
}

void random_count(const struct random_plan *plan, const struct random_variant *variant,
                  struct random_count *count)
{
    struct run run = {.plan = plan, .variant = variant, .count = count};
    const struct random_graph *graph = &plan->graph;
    int moved = 1;
    *count = (struct random_count){0};
    for (int i = 0; i < graph->edge_count; i++)
        if (variant->is_open[graph->edges[i].from])
            count->written[i] = variant->fed[i];
    while (moved) {
        moved = 0;
        for (int i = 0; i < graph->node_count; i++)
            while (can_fire(&run, i)) {
                fire_once(&run, i);
                moved = 1;
            }
    }
}
