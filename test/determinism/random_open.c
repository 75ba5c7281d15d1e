/* Open ports of a random network: which there are, and how they are written. */
#include "test/determinism/random_open.h"

#include "test/determinism/random_words.h"

/* ---- drawing --------------------------------------------------------------------------------- */

/* With channels against the order of nodes, what stands outside would be a part of a cycle. */
static int is_outermost(const struct random_graph *graph, int node)
{
    const struct random_node *self = &graph->nodes[node];
    for (int i = 0; i < graph->edge_count; i++) {
        const struct random_edge *edge = &graph->edges[i];
        if ((self->source && edge->to == node) || (self->sink && edge->from == node))
            return 0;
    }
    return self->source != self->sink;
}

/* What tokens of a size can be; the first are in sounds. */
static const struct random_type types[] = {
    {1, "uint8_t", "|u1", 1},  {2, "int16_t", "<i2", 1},   {4, "float", "<f4", 1},
    {4, "int16_t", "<i2", 2},  {4, "uint32_t", "<u4", 1},  {8, "double", "<f8", 1},
    {8, "float", "<f4", 2},    {8, "int64_t", "<i8", 1},   {3, "uint8_t", "|u1", 3},
    {5, "int8_t", "|i1", 5},   {7, "uint8_t", "|u1", 7},   {12, "float", "<f4", 3},
    {16, "double", "<f8", 2},  {31, "int8_t", "|i1", 31},  {64, "int16_t", "<i2", 32},
    {100, "float", "<f4", 25}, {512, "double", "<f8", 64},
};

static const struct random_type *draw_type(struct random_dice *dice, int bytes)
{
    enum { COUNT = sizeof(types) / sizeof(*types) };
    int first = random_below(dice, COUNT);
    if (random_once(dice, 3))
        return NULL;
    for (int i = 0; i < COUNT; i++)
        if (types[(first + i) % COUNT].bytes == bytes)
            return &types[(first + i) % COUNT];
    return NULL;
}

/* Kernels of the chain say what its words are: its ports say no more than their size. */
static int has_words(const struct random_plan *plan, int port)
{
    for (int i = 0; i < plan->graph.edge_count; i++) {
        const struct random_edge *edge = &plan->graph.edges[i];
        if (edge->port == port &&
            (random_has_words(plan, edge->from) || random_has_words(plan, edge->to)))
            return 1;
    }
    return 0;
}

void random_open_draw(struct random_plan *plan, uint64_t seed)
{
    struct random_dice dice;
    random_seed(&dice, seed + 6000003);
    for (int i = 0; i < plan->graph.node_count; i++)
        plan->traits[i].may_open = is_outermost(&plan->graph, i) && !random_once(&dice, 8);
    for (int i = 0; i < plan->graph.edge_count; i++) {
        const struct random_edge *edge = &plan->graph.edges[i];
        plan->types[i] = edge->port == i ? draw_type(&dice, edge->bytes) : plan->types[edge->port];
        if (has_words(plan, edge->port))
            plan->types[i] = NULL;
        if (plan->traits[edge->from].may_open)
            plan->tap_rates[i] = 1;
    }
}

/* Of a source that is cut, mostly a few. */
static int draw_fed(struct random_dice *dice, int whole)
{
    if (random_once(dice, 3))
        return random_below(dice, whole + 1);
    return whole - random_below(dice, whole < 40 ? whole + 1 : 40);
}

void random_open_choose(struct random_variant *variant, const struct random_plan *plan,
                        struct random_dice *dice)
{
    const struct random_graph *graph = &plan->graph;
    int is_cut;
    if (!random_once(dice, 2))
        return;
    is_cut = random_once(dice, 2);
    for (int i = 0; i < graph->node_count; i++)
        variant->is_open[i] = plan->traits[i].may_open && !random_once(dice, 4);
    for (int i = 0; i < graph->edge_count; i++) {
        const struct random_edge *edge = &graph->edges[i];
        int whole = plan->iterations * graph->nodes[edge->from].firings * edge->rate_in;
        variant->fed[i] = is_cut ? draw_fed(dice, whole) : whole;
        variant->is_cut |= variant->is_open[edge->from] && variant->fed[i] < whole;
    }
}

/* ---- ports ----------------------------------------------------------------------------------- */

/* Is an edge a port of the network, with its source or its sink? */
static int is_port(const struct random_plan *plan, const struct random_variant *variant, int edge,
                   int is_input)
{
    const struct random_edge *e = &plan->graph.edges[edge];
    return is_input ? variant->is_open[e->from] && e->port == edge : variant->is_open[e->to];
}

void random_open_name(const struct random_plan *plan, int edge, int is_input,
                      char name[RANDOM_NAME])
{
    snprintf(name, RANDOM_NAME, "%s_%d", is_input ? "in" : "out",
             is_input ? plan->graph.edges[edge].port : edge);
}

/* A port of a type says so. Half of the others say how large a token is; the channels do, too. */
static void write_port(FILE *file, const struct random_plan *plan, int edge, int is_input)
{
    const struct random_type *type = plan->types[edge];
    char name[RANDOM_NAME];
    random_open_name(plan, edge, is_input, name);
    fprintf(file, "  <port type=\"%s\" name=\"%s\"", is_input ? "input" : "output", name);
    if (type && type->count > 1)
        fprintf(file, " tokentype=\"%s[%d]\"", type->name, type->count);
    else if (type)
        fprintf(file, " tokentype=\"%s\"", type->name);
    else if ((plan->iterations + edge) % 2)
        fprintf(file, " tokensize=\"%d\"", plan->graph.edges[edge].bytes);
    fprintf(file, "/>\n");
}

void random_open_write(FILE *file, const struct random_plan *plan,
                       const struct random_variant *variant)
{
    for (int is_input = 0; is_input < 2; is_input++)
        for (int i = 0; i < plan->graph.edge_count; i++)
            if (is_port(plan, variant, i, is_input))
                write_port(file, plan, i, is_input);
}

void random_open_bind(FILE *file, struct random_plan *plan, const struct random_variant *variant)
{
    char name[RANDOM_NAME];
    for (int is_input = 0; is_input < 2; is_input++)
        for (int i = 0; i < plan->graph.edge_count; i++) {
            if (!is_port(plan, variant, i, is_input) || !random_once(&plan->dice, 3))
                continue;
            random_open_name(plan, i, is_input, name);
            fprintf(file,
                    "  <binding name=\"b%s\"><process name=\"%s\"/>"
                    "<processor name=\"core_%d\"/></binding>\n",
                    name, name, random_below(&plan->dice, plan->cores));
        }
}

/* ---- their list ------------------------------------------------------------------------------ */

static void list_port(FILE *file, const struct random_plan *plan, int edge, int is_input,
                      long tokens)
{
    const struct random_edge *e = &plan->graph.edges[edge];
    const struct random_type *type = plan->types[edge];
    char name[RANDOM_NAME];
    int sink_bytes = 0;
    random_open_name(plan, edge, is_input, name);
    for (int i = 0; i < plan->graph.edge_count; i++)
        if (plan->graph.edges[i].to == e->to)
            sink_bytes += plan->graph.edges[i].bytes * plan->graph.edges[i].rate_out;
    fprintf(file, "%s %s %d %d %ld %s %d P%d %d %d\n", name, is_input ? "in" : "out", edge,
            e->bytes, tokens, type ? type->descr : "-", type ? type->count : 1, e->to, sink_bytes,
            e->rate_out);
}

void random_write_ports(const struct random_plan *plan, const struct random_variant *variant,
                        int number)
{
    FILE *file = random_create(plan->folder, "ports-%d", number);
    struct random_count count;
    random_count(plan, variant, &count);
    for (int is_input = 1; is_input >= 0; is_input--)
        for (int i = 0; i < plan->graph.edge_count; i++) {
            const struct random_edge *edge = &plan->graph.edges[i];
            if (is_port(plan, variant, i, is_input))
                list_port(file, plan, i, is_input,
                          count.written[edge->port] + (is_input ? 0 : edge->initial));
        }
    random_finish(file);
}
