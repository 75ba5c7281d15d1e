/* Draws the plan of a network. */
#include "test/determinism/random_open.h"
#include "test/determinism/random_words.h"

#include <stdlib.h>
#include <string.h>

static int most_initial(const struct random_graph *graph, int port)
{
    int most = 0;
    for (int i = port; i < graph->edge_count; i++)
        if (graph->edges[i].port == port && graph->edges[i].initial > most)
            most = graph->edges[i].initial;
    return most;
}

/* The initial tokens of the edge at a port that has most, one drawn or all; NULL where all are
 * zero. */
static unsigned char *draw_tokens(struct random_plan *plan, int port)
{
    int bytes = plan->graph.edges[port].bytes, tokens = most_initial(&plan->graph, port), i;
    int drawn = random_once(&plan->dice, 2) ? bytes : bytes * tokens;
    unsigned char *data;
    if (tokens == 0 || random_once(&plan->dice, 4))
        return NULL;
    data = malloc((size_t)(bytes * tokens));
    if (!data)
        random_fail("memory");
    for (i = 0; i < bytes * tokens; i++)
        data[i] = i < drawn ? (unsigned char)random_below(&plan->dice, 256) : data[i - bytes];
    return data;
}

/* All tokens that an edge begins with, the last of its port's, into initial-EDGE. */
static void write_initial(const struct random_plan *plan, int number, const unsigned char *tokens)
{
    const struct random_edge *edge = &plan->graph.edges[number];
    FILE *file = random_create(plan->folder, "initial-%d", number);
    int skipped = edge->bytes * (most_initial(&plan->graph, edge->port) - edge->initial);
    for (int i = 0; i < edge->bytes * edge->initial; i++)
        fputc(tokens ? tokens[skipped + i] : 0, file);
    random_finish(file);
}

/* The attribute with an edge's initial tokens, the last of its port's; once where all are one. */
static char *write_data(struct random_plan *plan, int number, const unsigned char *tokens)
{
    const struct random_edge *edge = &plan->graph.edges[number];
    int most = most_initial(&plan->graph, edge->port), bytes = edge->bytes * edge->initial, i;
    char *text = calloc(1, 600);
    if (!text)
        random_fail("memory");
    if (!tokens || bytes == 0)
        return text;
    tokens += (size_t)(edge->bytes * (most - edge->initial));
    if (memcmp(tokens, tokens + edge->bytes, (size_t)(bytes - edge->bytes)) == 0)
        bytes = edge->bytes;
    if (bytes <= 256) {
        strcpy(text, " value=\"");
        for (i = 0; i < bytes; i++)
            sprintf(text + strlen(text), "%02x", tokens[i]);
        strcat(text, "\"");
    } else {
        FILE *file = random_create(plan->folder, "c%d.bin", number);
        fwrite(tokens, 1, (size_t)(edge->bytes * edge->initial), file);
        random_finish(file);
        sprintf(text, " data=\"c%d.bin\"", number);
    }
    return text;
}

static void draw_data(struct random_plan *plan)
{
    const struct random_graph *graph = &plan->graph;
    for (int port = 0; port < graph->edge_count; port++) {
        unsigned char *tokens = graph->edges[port].port == port ? draw_tokens(plan, port) : NULL;
        for (int i = port; graph->edges[port].port == port && i < graph->edge_count; i++)
            if (graph->edges[i].port == port) {
                plan->data[i] = write_data(plan, i, tokens);
                write_initial(plan, i, tokens);
            }
        free(tokens);
    }
}

/* A simulated device is slow: there one work-item reads for all when there is much to read. */
static int reads_much(const struct random_graph *graph, int node)
{
    int bytes = 0;
    for (int i = 0; i < graph->edge_count; i++)
        if (graph->edges[i].to == node)
            bytes += graph->edges[i].bytes * graph->edges[i].rate_out;
    return bytes > 200;
}

static int has_loop(const struct random_graph *graph, int node)
{
    for (int i = 0; i < graph->edge_count; i++)
        if (graph->edges[i].from == node && graph->edges[i].to == node)
            return 1;
    return 0;
}

/* A rate of a cycle over its phases: some have none. */
static void spread(struct random_dice *dice, int *rates, int phases, int tokens)
{
    memset(rates, 0, RANDOM_PHASES * sizeof(*rates));
    while (tokens-- > 0)
        rates[random_below(dice, phases)]++;
}

/* With dice of their own, so that networks are else what they were. */
static void draw_firing(struct random_plan *plan, uint64_t seed)
{
    struct random_dice dice;
    random_seed(&dice, seed + 2000003);
    for (int i = 0; i < plan->graph.node_count; i++)
        plan->traits[i].by_phase = random_once(&dice, 2) && plan->traits[i].phases > 1;
    /* Who is fired phase by phase, or ends by itself, ends with any number of tokens: all of them
     * go on. */
    for (int i = 0; i < plan->graph.edge_count; i++) {
        int from = plan->graph.edges[i].from;
        if (plan->traits[from].by_phase ||
            (plan->traits[from].phases > 1 && random_counts(plan, from)))
            plan->tap_rates[i] = 1;
    }
}

/* Likewise. */
static void draw_teams(struct random_plan *plan, uint64_t seed)
{
    struct random_dice dice;
    random_seed(&dice, seed + 3000003);
    for (int i = 0; i < plan->graph.node_count; i++)
        plan->traits[i].shares_loops = random_once(&dice, 2);
}

/* Likewise. */
static void draw_phases(struct random_plan *plan, uint64_t seed)
{
    const struct random_graph *graph = &plan->graph;
    struct random_dice dice;
    random_seed(&dice, seed + 1000003);
    for (int i = 0; i < graph->node_count; i++) {
        struct random_trait *traits = &plan->traits[i];
        traits->phases = random_once(&dice, 3) ? 2 + random_below(&dice, RANDOM_PHASES - 1) : 1;
        if (random_has_words(plan, i))
            traits->phases = 1;
    }
    draw_firing(plan, seed);
    for (int i = 0; i < graph->edge_count; i++) {
        const struct random_edge *edge = &graph->edges[i];
        spread(&dice, plan->in_phases[i], plan->traits[edge->to].phases, edge->rate_out);
        if (edge->port == i)
            spread(&dice, plan->out_phases[i], plan->traits[edge->from].phases, edge->rate_in);
    }
}

/* Likewise. Behind initial tokens windows do not lie in the ring as they would from its beginning:
 * it has a tail, and what ends by itself may end there. */
static void draw_offsets(struct random_plan *plan, uint64_t seed)
{
    struct random_dice dice;
    random_seed(&dice, seed + 4000003);
    for (int i = 0; i < plan->graph.edge_count; i++) {
        struct random_edge *edge = &plan->graph.edges[i];
        if (random_counts(plan, edge->from) && edge->initial == 0 && edge->from < edge->to &&
            random_once(&dice, 2))
            edge->initial = 1 + random_below(&dice, 10);
    }
}

static void draw(struct random_plan *plan, uint64_t seed)
{
    struct random_graph *graph = &plan->graph;
    struct random_dice *dice = &plan->dice;
    random_graph_draw(graph, dice);
    random_words_insert(plan, seed);
    plan->iterations = 30 + random_below(dice, 100);
    for (int i = 0; i < graph->node_count; i++) {
        const struct random_node *node = &graph->nodes[i];
        plan->traits[i] = (struct random_trait){
            .has_kernel = !node->source && !node->sink && !random_once(dice, 5),
            .stateless =
                !node->source && !node->sink && !has_loop(graph, i) && random_once(dice, 2),
            .local_memory = reads_much(graph, i) || random_once(dice, 2),
            .blocks = 1 + random_below(dice, 12),
            .ends_in_firing = random_once(dice, 2),
        };
        plan->traits[i].has_constant = i % 3 == 0;
        plan->traits[i].has_parameters = plan->traits[i].has_kernel && i % 3 == 1;
    }
    for (int i = 0; i < graph->edge_count; i++) {
        plan->inputs[i].copies = random_once(dice, 2);
        plan->outputs[i].copies = random_once(dice, 2);
        plan->tap_rates[i] = random_once(dice, 3) ? graph->edges[i].rate_in : 1;
    }
    random_words_draw(plan, seed);
    draw_offsets(plan, seed);
    draw_data(plan);
}

void random_plan_draw(struct random_plan *plan, uint64_t seed)
{
    random_seed(&plan->dice, seed);
    plan->seed = seed;
    draw(plan, seed);
    draw_phases(plan, seed);
    draw_teams(plan, seed);
    random_open_draw(plan, seed);
}
