#include "test/determinism/random_graph.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>

void random_seed(struct random_dice *dice, uint64_t seed)
{
    dice->state = seed * 0x9e3779b97f4a7c15u + 0xd1b54a32d192ed03u;
}

/* SplitMix64 */
int random_below(struct random_dice *dice, int sides)
{
    uint64_t z = dice->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (int)((z >> 16) % (uint64_t)sides);
}

int random_once(struct random_dice *dice, int chances)
{
    return random_below(dice, chances) == 0;
}

static int gcd(int a, int b)
{
    while (b) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* An edge whose port can feed one more to `to`; -1 without. */
static int find_port(const struct random_graph *graph, struct random_dice *dice, int from, int to)
{
    int found = -1;
    for (int i = 0; i < graph->edge_count; i++) {
        const struct random_edge *edge = &graph->edges[i];
        int tokens = graph->nodes[from].firings * edge->rate_in;
        if (edge->from == from && edge->port == i && tokens % graph->nodes[to].firings == 0 &&
            tokens / graph->nodes[to].firings <= RANDOM_RATE && random_once(dice, 2))
            found = i;
    }
    return found;
}

static void draw_reader(struct random_graph *graph, struct random_dice *dice, int port, int to)
{
    struct random_edge *edge = &graph->edges[graph->edge_count++];
    *edge = graph->edges[port];
    edge->to = to;
    edge->rate_out = graph->nodes[edge->from].firings * edge->rate_in / graph->nodes[to].firings;
    if (edge->from >= to)
        edge->initial = 1 + random_below(dice, 2 * edge->rate_out);
    else if (random_once(dice, 2))
        edge->initial = random_once(dice, 2) ? random_below(dice, 11) : 0;
}

static void draw_edge(struct random_graph *graph, struct random_dice *dice, int from, int to)
{
    static const int sizes[] = {1, 1, 2, 3, 4, 4, 4, 5, 7, 8, 8, 12, 16, 31, 64, 100};
    struct random_edge *edge = &graph->edges[graph->edge_count];
    int a = graph->nodes[from].firings, b = graph->nodes[to].firings, common = gcd(a, b);
    int larger = (a > b ? a : b) / common;
    int factor = 1 + random_below(dice, RANDOM_RATE / larger);
    int port = find_port(graph, dice, from, to);
    if (port >= 0) {
        draw_reader(graph, dice, port, to);
        return;
    }
    *edge = (struct random_edge){
        .from = from,
        .to = to,
        .rate_in = b / common * factor,
        .rate_out = a / common * factor,
        .bytes = sizes[random_below(dice, (int)(sizeof(sizes) / sizeof(*sizes)))],
        .port = graph->edge_count++,
    };
    if (from < to && random_once(dice, 3))
        edge->initial = random_below(dice, 11);
    if (from >= to)
        edge->initial = 1 + random_below(dice, 2 * edge->rate_out);
    if (random_once(dice, 40))
        edge->bytes = 512;
}

static void draw_inputs(struct random_graph *graph, struct random_dice *dice, int node)
{
    int count = 1 + random_below(dice, 3), i;
    for (i = 0; i < count; i++)
        draw_edge(graph, dice, random_below(dice, node), node);
}

static int has_output(const struct random_graph *graph, int node)
{
    for (int i = 0; i < graph->edge_count; i++)
        if (graph->edges[i].from == node && graph->edges[i].to > node)
            return 1;
    return 0;
}

/* Initial tokens where one iteration lacks them, until it does not. */
static void make_live(struct random_graph *graph)
{
    int stuck, full;
    while (!random_graph_live(graph, &stuck, &full))
        graph->edges[stuck].initial++;
}

void random_graph_draw(struct random_graph *graph, struct random_dice *dice)
{
    int i, last = 2 + random_below(dice, 8), back;
    *graph = (struct random_graph){.node_count = last + 1};
    for (i = 0; i <= last; i++) {
        graph->nodes[i].firings = 1 + random_below(dice, random_once(dice, 2) ? 3 : 8);
        graph->nodes[i].source = i == 0 || (i < last && random_once(dice, 6));
        if (!graph->nodes[i].source)
            draw_inputs(graph, dice, i);
    }
    for (i = 0; i <= last; i++) {
        if (graph->nodes[i].source && !has_output(graph, i))
            draw_edge(graph, dice, i, last);
        graph->nodes[i].sink = !has_output(graph, i);
    }
    for (back = random_below(dice, 4) - 1; back > 0; back--) {
        int from = random_below(dice, last + 1);
        /* Who has sent to a sink may have ended long before it: no way back but to itself. */
        draw_edge(graph, dice, from, graph->nodes[from].sink ? from : random_below(dice, from + 1));
    }
    make_live(graph);
}

static int fire_node(const struct random_graph *graph, int *fill, int node, int *stuck, int *full)
{
    for (int i = 0; i < graph->edge_count; i++) {
        const struct random_edge *edge = &graph->edges[i];
        int few = edge->to == node && fill[i] < edge->rate_out;
        int many = edge->from == node && edge->capacity && fill[i] + edge->rate_in > edge->capacity;
        if (few || many) {
            *stuck = i;
            *full = !few;
            return 0;
        }
    }
    for (int i = 0; i < graph->edge_count; i++) {
        const struct random_edge *edge = &graph->edges[i];
        fill[i] += edge->from == node ? edge->rate_in : 0;
        fill[i] -= edge->to == node ? edge->rate_out : 0;
    }
    return 1;
}

/* A node that lacks tokens waits for a producer that may lack space: the edge that is named is one
 * that is full when there is such a one, as only a capacity can then be wrong. */
int random_graph_live(const struct random_graph *graph, int *stuck, int *full)
{
    int fill[RANDOM_EDGES], left[RANDOM_NODES], i, moved = 1, open = 1;
    for (i = 0; i < graph->edge_count; i++)
        fill[i] = graph->edges[i].initial;
    for (i = 0; i < graph->node_count; i++)
        left[i] = graph->nodes[i].firings;
    while (moved && open) {
        int named = 0;
        moved = open = 0;
        for (i = 0; i < graph->node_count; i++) {
            int edge, is_full;
            while (left[i] && fire_node(graph, fill, i, &edge, &is_full)) {
                left[i]--;
                moved = 1;
            }
            if (!left[i])
                continue;
            open = 1;
            if (!named || (is_full && !*full)) {
                *stuck = edge;
                *full = is_full;
                named = 1;
            }
        }
    }
    return !open;
}

static int least_capacity(const struct random_edge *edge)
{
    int p = edge->rate_in, c = edge->rate_out, g = gcd(p, c);
    int least = p + c - g + edge->initial % g;
    return least > edge->initial ? least : edge->initial;
}

/* The edges of one port have one buffer. */
static void set_capacity(struct random_graph *graph, int port, int tokens)
{
    for (int i = port; i < graph->edge_count; i++)
        if (graph->edges[i].port == port)
            graph->edges[i].capacity = tokens;
}

static int largest_capacity(const struct random_graph *graph, int port)
{
    int largest = 0;
    for (int i = port; i < graph->edge_count; i++)
        if (graph->edges[i].port == port && graph->edges[i].capacity > largest)
            largest = graph->edges[i].capacity;
    return largest;
}

void random_graph_size(struct random_graph *graph, struct random_dice *dice)
{
    int ample = random_once(dice, 5), i, stuck, full;
    for (i = 0; i < graph->edge_count; i++) {
        struct random_edge *edge = &graph->edges[i];
        edge->capacity = least_capacity(edge);
        if (ample || random_once(dice, 4))
            edge->capacity += random_below(dice, 40);
    }
    for (i = 0; i < graph->edge_count; i++)
        set_capacity(graph, graph->edges[i].port, largest_capacity(graph, graph->edges[i].port));
    while (!random_graph_live(graph, &stuck, &full)) {
        assert(full);
        set_capacity(graph, graph->edges[stuck].port, graph->edges[stuck].capacity + 1);
    }
}

/* ---- its files ------------------------------------------------------------------------------- */

void random_fail(const char *what)
{
    perror(what);
    exit(2);
}

FILE *random_create(const char *folder, const char *format, ...)
{
    char path[4096];
    int length = snprintf(path, sizeof(path), "%s/", folder);
    va_list args;
    FILE *file;
    va_start(args, format);
    vsnprintf(path + length, sizeof(path) - (size_t)length, format, args);
    va_end(args);
    file = fopen(path, "w");
    if (!file)
        random_fail(path);
    return file;
}

void random_finish(FILE *file)
{
    if (ferror(file) | fclose(file))
        random_fail("write");
}

int random_edge_at(const struct random_graph *graph, int edge, int node, int output)
{
    if (!output)
        return graph->edges[edge].to == node;
    return graph->edges[edge].from == node && graph->edges[edge].port == edge;
}
