/* The chain of a random network, and where it is. */
#include "test/determinism/random_words.h"

enum { MOST_NODES = 5, MOST_WORDS = 16 };

int random_has_words(const struct random_plan *plan, int node)
{
    return node >= plan->chain.first && node < plan->chain.first + plan->chain.nodes;
}

/* ---- the graph ------------------------------------------------------------------------------- */

/* Makes room for the chain behind a node. */
static void move_nodes(struct random_graph *graph, int first, int count)
{
    for (int i = 0; i < graph->edge_count; i++) {
        graph->edges[i].from += graph->edges[i].from >= first ? count : 0;
        graph->edges[i].to += graph->edges[i].to >= first ? count : 0;
    }
    for (int i = graph->node_count - 1; i >= first; i--)
        graph->nodes[i + count] = graph->nodes[i];
    graph->node_count += count;
}

static int add_edge(struct random_graph *graph, int from, int to, int bytes, int rate)
{
    int number = graph->edge_count++;
    graph->edges[number] = (struct random_edge){
        .from = from, .to = to, .rate_in = rate, .rate_out = rate, .bytes = bytes, .port = number};
    return number;
}

/* A node of the chain reads the one before it, and now and then the one before that. */
static void add_link(struct random_plan *plan, struct random_dice *dice, int node)
{
    struct random_graph *graph = &plan->graph;
    struct random_chain *chain = &plan->chain;
    int rate = random_once(dice, 2) || chain->words % 2 ? 1 : 2, before = graph->edge_count - 1;
    add_edge(graph, node - 1, node, chain->bytes * chain->words / rate, rate);
    if (node >= chain->first + 2 && random_once(dice, 3)) {
        while (graph->edges[before].from != node - 2)
            before--;
        graph->edges[graph->edge_count] = graph->edges[graph->edges[before].port];
        graph->edges[graph->edge_count++].to = node;
    }
}

/* The chain takes what the edge leads, and makes as much for its reader. */
static void add_chain(struct random_plan *plan, struct random_dice *dice, int edge)
{
    struct random_graph *graph = &plan->graph;
    struct random_chain *chain = &plan->chain;
    int from = graph->edges[edge].from, to, last, i;
    chain->first = from + 1;
    move_nodes(graph, chain->first, chain->nodes);
    for (i = 0; i < chain->nodes; i++)
        graph->nodes[chain->first + i] =
            (struct random_node){.firings = graph->nodes[from].firings};
    to = graph->edges[edge].to;
    last = add_edge(graph, chain->first + chain->nodes - 1, to, graph->edges[edge].bytes,
                    graph->edges[edge].rate_in);
    graph->edges[last].rate_out = graph->edges[edge].rate_out;
    graph->edges[edge].to = chain->first;
    graph->edges[edge].rate_out = graph->edges[edge].rate_in;
    for (i = 1; i < chain->nodes; i++)
        add_link(plan, dice, chain->first + i);
}

void random_words_insert(struct random_plan *plan, uint64_t seed)
{
    struct random_graph *graph = &plan->graph;
    struct random_dice dice;
    int edge;
    random_seed(&dice, seed + 8000003);
    plan->chain = (struct random_chain){.nodes = 2 + random_below(&dice, MOST_NODES - 1),
                                        .words = 1 + random_below(&dice, MOST_WORDS),
                                        .bytes = 1 << random_below(&dice, 4),
                                        .has_items = random_once(&dice, 3)};
    edge = random_below(&dice, graph->edge_count);
    if (random_once(&dice, 6) || graph->edges[edge].from >= graph->edges[edge].to)
        plan->chain = (struct random_chain){0};
    else
        add_chain(plan, &dice, edge);
}

void random_words_draw(struct random_plan *plan, uint64_t seed)
{
    struct random_dice dice;
    random_seed(&dice, seed + 9000003);
    for (int i = 0; i < plan->chain.nodes; i++) {
        struct random_trait *traits = &plan->traits[plan->chain.first + i];
        traits->has_kernel = 1;
        traits->look = (enum random_look)random_below(&dice, RANDOM_LOOKS);
        if (!random_once(&dice, 4))
            traits->look = random_once(&dice, 3) ? RANDOM_NOW_AND_THEN : RANDOM_OWN;
        traits->has_parameters |= traits->look == RANDOM_BY_PARAMETER;
        traits->form = (enum random_form)random_below(&dice, plan->chain.has_items ? RANDOM_FORMS
                                                                                   : RANDOM_ITEM);
        if (!random_once(&dice, 4))
            traits->blocks = plan->chain.words / (1 + random_below(&dice, plan->chain.words));
    }
}

/* ---- the mapping ----------------------------------------------------------------------------- */

void random_words_place(struct random_words_place *place, const struct random_plan *plan,
                        const struct random_machine *machine, int number)
{
    static const int items[] = {1, 2, 3, 8};
    struct random_dice dice;
    int all = machine->devices + machine->cuda, device, is_cuda, alike;
    random_seed(&dice, plan->seed * 64 + 10000003 + (uint64_t)number);
    *place = (struct random_words_place){.is_one = all > 0 && !random_once(&dice, 8)};
    if (!place->is_one)
        return;
    device = random_below(&dice, all);
    is_cuda = device >= machine->devices;
    alike = is_cuda ? machine->cuda : machine->devices;
    place->node = machine->nodes ? random_below(&dice, machine->nodes) : 0;
    if (machine->nodes)
        snprintf(place->prefix, sizeof(place->prefix), "n%d/", place->node);
    if (alike > 1 && random_once(&dice, 3))
        snprintf(place->processor, sizeof(place->processor), "%s_*", is_cuda ? "cuda" : "device");
    else
        snprintf(place->processor, sizeof(place->processor), "%s_%d", is_cuda ? "cuda" : "device",
                 is_cuda ? device - machine->devices : device);
    place->items = plan->chain.has_items ? plan->chain.words : items[random_below(&dice, 4)];
    place->copies = 1 + random_below(&dice, 16);
}

const char *random_words_items(const struct random_plan *plan, int node, const char *drawn,
                               char text[RANDOM_NAME])
{
    int number = 0, length = 0;
    if (!random_has_words(plan, node))
        return drawn;
    if (sscanf(drawn, "%d%n", &number, &length) == 1 && !drawn[length] && !plan->chain.has_items)
        return drawn;
    snprintf(text, RANDOM_NAME, "%d", plan->chain.words);
    return text;
}
