#include "test/determinism/random_parts.h"

int random_parts_holds(const struct random_parts *parts, int around, int part)
{
    while (part != around && part)
        part = parts->around[part];
    return part == around;
}

/* ---- drawing --------------------------------------------------------------------------------- */

/* Takes a node of `around` that has an edge to `part`. Returns whether there was one. */
static int take_neighbour(struct random_parts *parts, const struct random_graph *graph,
                          struct random_dice *dice, int around, int part)
{
    int first = random_below(dice, graph->edge_count);
    for (int i = 0; i < graph->edge_count; i++) {
        const struct random_edge *edge = &graph->edges[(first + i) % graph->edge_count];
        int from = parts->within[edge->from], to = parts->within[edge->to];
        if (!(from == part && to == around) && !(from == around && to == part))
            continue;
        parts->within[from == part ? edge->to : edge->from] = part;
        return 1;
    }
    return 0;
}

static int count_nodes(const struct random_parts *parts, const struct random_graph *graph, int part)
{
    int count = 0;
    for (int i = 0; i < graph->node_count; i++)
        count += parts->within[i] == part;
    return count;
}

/* Makes a part of some of the nodes that stand in `around` itself. */
static void draw_part(struct random_parts *parts, const struct random_graph *graph,
                      struct random_dice *dice, int around)
{
    int there = count_nodes(parts, graph, around), part = parts->count, wanted, first, i;
    if (there == 0)
        return;
    parts->count++;
    parts->around[part] = around;
    wanted = 1 + random_below(dice, there);
    first = random_below(dice, there);
    for (i = 0; parts->within[i] != around || first--; i++)
        ;
    parts->within[i] = part;
    while (--wanted && take_neighbour(parts, graph, dice, around, part))
        ;
}

void random_parts_draw(struct random_parts *parts, const struct random_graph *graph,
                       struct random_dice *dice, const int *is_open)
{
    int wanted = random_once(dice, 2) ? 1 + random_below(dice, RANDOM_PARTS - 1) : 0;
    *parts = (struct random_parts){.count = 1};
    for (int i = 0; i < graph->node_count; i++)
        parts->within[i] = is_open[i] ? RANDOM_NO_PART : 0;
    for (int i = 0; i < wanted; i++)
        draw_part(parts, graph, dice, random_below(dice, parts->count));
    for (int i = 0; i < graph->node_count; i++)
        parts->within[i] = is_open[i] ? 0 : parts->within[i];
    for (int i = 0; i < graph->edge_count; i++) {
        parts->is_shared[i] = random_once(dice, 2);
        parts->sized_at[i] = random_below(dice, 3);
        parts->starts_last[i] = random_once(dice, 2);
    }
}

/* ---- edges ----------------------------------------------------------------------------------- */

/* The part whose port an end of an edge is, as seen in `part`, where its node is in part `of`. */
static int border_of(const struct random_parts *parts, int part, int of)
{
    if (!random_parts_holds(parts, part, of))
        return part;
    for (int i = 1; i < parts->count; i++)
        if (parts->around[i] == part && random_parts_holds(parts, i, of))
            return i;
    return RANDOM_NO_PART;
}

struct random_piece random_parts_piece(const struct random_parts *parts,
                                       const struct random_graph *graph, int edge, int part)
{
    const struct random_edge *e = &graph->edges[edge];
    int from = parts->within[e->from], to = parts->within[e->to];
    int has_from = random_parts_holds(parts, part, from);
    int has_to = random_parts_holds(parts, part, to);
    struct random_piece piece = {.from_part = border_of(parts, part, from),
                                 .to_part = border_of(parts, part, to),
                                 .port = parts->is_shared[e->port] ? e->port : edge};
    piece.is_outermost = has_from && has_to;
    piece.is_there = (has_from || has_to) &&
                     (piece.from_part != piece.to_part || piece.from_part == RANDOM_NO_PART);
    return piece;
}
