/* Variants of a plan: with taps, KPN processes, parts. */
#include "test/determinism/random_words.h"

#include <stdlib.h>
#include <string.h>

static void name_nodes(struct random_variant *variant)
{
    for (int i = 0; i < variant->graph.node_count; i++)
        snprintf(variant->nodes[i], RANDOM_NAME, "P%d", i);
    for (int i = 0; i < variant->graph.edge_count; i++)
        snprintf(variant->edges[i], RANDOM_NAME, "c%d", i);
}

/* Initial tokens stand behind the tap, so that the rates of its stream need not divide them. */
static void add_tap(struct random_variant *variant, const struct random_plan *plan, int number)
{
    struct random_graph *graph = &variant->graph;
    int node = graph->node_count++, second = graph->edge_count++, rate = plan->tap_rates[number];
    struct random_edge *edge = &graph->edges[number];
    graph->nodes[node].firings = graph->nodes[edge->from].firings * edge->rate_in / rate;
    graph->edges[second] = *edge;
    graph->edges[second].from = edge->to = node;
    graph->edges[second].port = second;
    graph->edges[second].rate_in = edge->rate_out = rate;
    edge->initial = 0;
    variant->taps[number] = node;
    snprintf(variant->nodes[node], RANDOM_NAME, "Tap_%d", number);
    snprintf(variant->edges[second], RANDOM_NAME, "c%d_tapped", number);
}

static void add_keeper(struct random_variant *variant, int port)
{
    struct random_graph *graph = &variant->graph;
    int node = graph->node_count++, edge = graph->edge_count++;
    graph->nodes[node].firings = graph->nodes[graph->edges[port].from].firings;
    graph->edges[edge] = graph->edges[port];
    graph->edges[edge].to = node;
    graph->edges[edge].rate_out = 1;
    graph->edges[edge].initial = 0;
    graph->nodes[node].firings *= graph->edges[port].rate_in;
    variant->whole[port] = node;
    snprintf(variant->nodes[node], RANDOM_NAME, "Whole_%d", port);
    snprintf(variant->edges[edge], RANDOM_NAME, "c%d_whole", port);
}

void random_keep_whole(struct random_variant *variant, const struct random_plan *plan)
{
    for (int i = 0; i < plan->graph.edge_count; i++)
        if (plan->graph.edges[i].port == i && plan->traits[plan->graph.edges[i].from].may_open)
            add_keeper(variant, i);
}

/* A sink writes down what it has read: as a KPN process also a part of what a firing needs. */
void random_choose_kpn(struct random_variant *variant, struct random_plan *plan)
{
    for (int i = 0; i < plan->graph.node_count; i++)
        variant->kpn[i] = !plan->graph.nodes[i].sink &&
                          random_once(&plan->dice, random_has_words(plan, i) ? 16 : 4) &&
                          plan->traits[i].phases == 1;
}

/* Most channels within a chain of words have a tap in the reference alone. */
static int may_tap(struct random_plan *plan, int edge)
{
    return !random_has_words(plan, plan->graph.edges[edge].from) ||
           !random_has_words(plan, plan->graph.edges[edge].to) || random_once(&plan->dice, 8);
}

void random_make_variant(struct random_variant *variant, struct random_plan *plan, int some,
                         int among)
{
    *variant = (struct random_variant){.graph = plan->graph, .parts = {.count = 1}};
    name_nodes(variant);
    for (int i = 0; i < plan->graph.edge_count; i++)
        if (random_below(&plan->dice, among) < some && (among == 1 || may_tap(plan, i)))
            add_tap(variant, plan, i);
}

int random_has_portable(const struct random_plan *plan, int node)
{
    return node < plan->graph.node_count && plan->traits[node].has_kernel &&
           !plan->traits[node].has_parameters;
}

int random_firings(const struct random_plan *plan, int node)
{
    return plan->graph.nodes[node].firings * plan->traits[node].phases;
}

int random_origin(const struct random_variant *variant, int edge)
{
    return atoi(variant->edges[edge] + 1);
}

int random_is_open(const struct random_plan *plan, const struct random_variant *variant, int node)
{
    return node < plan->graph.node_count && variant->is_open[node];
}

int random_is_kpn(const struct random_plan *plan, const struct random_variant *variant, int node)
{
    return node < plan->graph.node_count && variant->kpn[node];
}

void random_name_part(const struct random_parts *parts, int part, int around, char *name)
{
    if (part == around)
        return;
    if (parts->around[part] != around) {
        random_name_part(parts, parts->around[part], around, name);
        strcat(name, ".");
    }
    snprintf(name + strlen(name), 2, "%c", 'A' + part - 1);
}

void random_name_flat(const struct random_parts *parts, int part, const char *name,
                      char flat[RANDOM_NAME])
{
    char made[2 * RANDOM_NAME] = "";
    random_name_part(parts, part, 0, made);
    strcat(made, part ? "." : "");
    strcat(made, name);
    memcpy(flat, made, RANDOM_NAME);
}
