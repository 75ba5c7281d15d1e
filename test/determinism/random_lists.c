/* The lists of what a run leaves, for determinism.sh. */
#include "test/determinism/random_open.h"

/* Returns the phases that a process fires one by one: where a run ends, it may have fired some. */
static int phases_of(const struct random_plan *plan, int node)
{
    return plan->traits[node].by_phase ? plan->traits[node].phases : 1;
}

/* Returns the tokens of so many firings, or phases, at one end of an edge. */
static int tokens_of(const struct random_plan *plan, int number, int output, int firings)
{
    const struct random_edge *edge = &plan->graph.edges[number];
    int phases = phases_of(plan, output ? edge->from : edge->to);
    int rate = output ? edge->rate_in : edge->rate_out;
    int tokens = firings / phases * rate;
    for (int i = 0; i < firings % phases; i++)
        tokens += output ? plan->out_phases[edge->port][i] : plan->in_phases[number][i];
    return tokens;
}

/* By node, the firings that it takes for all firings of the sinks. */
static void find_needed(const struct random_plan *plan, int *needed)
{
    const struct random_graph *graph = &plan->graph;
    int changed = 1;
    for (int i = 0; i < graph->node_count; i++)
        needed[i] = graph->nodes[i].sink
                        ? graph->nodes[i].firings * plan->iterations * phases_of(plan, i)
                        : 0;
    while (changed) {
        changed = 0;
        for (int i = 0; i < graph->edge_count; i++) {
            const struct random_edge *edge = &graph->edges[i];
            int tokens = tokens_of(plan, i, 0, needed[edge->to]) - edge->initial;
            while (tokens_of(plan, i, 1, needed[edge->from]) < tokens) {
                needed[edge->from]++;
                changed = 1;
            }
        }
    }
}

static void write_channel_stream(FILE *file, const struct random_plan *plan, int number, int needed)
{
    const struct random_edge *edge = &plan->graph.edges[number];
    int tokens = tokens_of(plan, number, 0, needed) - edge->initial;
    fprintf(file, "c%d %d %d %d\n", number, edge->bytes, tokens > 0 ? tokens * edge->bytes : 0,
            plan->tap_rates[number]);
}

static void write_sink_stream(FILE *file, const struct random_plan *plan, int node,
                              const struct random_count *count)
{
    const struct random_graph *graph = &plan->graph;
    int bytes = 0;
    long read = 0;
    for (int i = 0; i < graph->edge_count; i++)
        if (graph->edges[i].to == node) {
            bytes += graph->edges[i].bytes * graph->edges[i].rate_out;
            read += graph->edges[i].bytes * count->read[i];
        }
    fprintf(file, "P%d %d %ld 0\n", node, bytes, read);
}

void random_write_streams(const struct random_plan *plan, const struct random_variant *variant,
                          int number)
{
    const struct random_graph *graph = &plan->graph;
    FILE *file = random_create(plan->folder, "channels-%d", number);
    struct random_count count;
    int needed[RANDOM_NODES], node, i;
    find_needed(plan, needed);
    random_count(plan, variant, &count);
    for (node = 0; node < graph->node_count; node++)
        for (i = 0; i < graph->edge_count; i++)
            if (graph->edges[i].from == node)
                write_channel_stream(file, plan, i,
                                     variant->is_cut ? 0 : needed[graph->edges[i].to]);
    for (node = 0; node < graph->node_count; node++)
        if (graph->nodes[node].sink)
            write_sink_stream(file, plan, node, &count);
    random_finish(file);
}

void random_write_lengths(const struct random_plan *plan)
{
    FILE *file = random_create(plan->folder, "lengths");
    for (int source = 1; source >= 0; source--)
        for (int i = 0; i < plan->graph.node_count; i++)
            if (random_counts(plan, i) && plan->graph.nodes[i].source == source)
                fprintf(file, "P%d %d %d %d\n", i, random_firings(plan, i), plan->traits[i].phases,
                        source * plan->iterations);
    random_finish(file);
}
