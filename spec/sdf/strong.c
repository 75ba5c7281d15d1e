/* Strongly connected components without recursion (Tarjan 1972). */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/sdf/graph.h"

#define UNSEEN SIZE_MAX

/* Arrays are by node unless said otherwise, all in one block. */
struct walk {
    size_t *next; /* the target to look at */
    size_t *low, *index;
    size_t *stack, *path;
    size_t *first;  /* into targets; one more at the end */
    size_t *target; /* sorted by source */
    size_t stacked, depth, seen, components;
    size_t *component;
};

static int walk_init(struct walk *walk, size_t nodes, size_t edges, size_t *component)
{
    size_t *block = dal_calloc(6 * nodes + edges + 2, sizeof(*block));
    *walk = (struct walk){.next = block, .component = component};
    if (!block)
        return DAL_ERR_NOMEM;
    walk->low = block + nodes;
    walk->index = walk->low + nodes;
    walk->stack = walk->index + nodes;
    walk->path = walk->stack + nodes;
    walk->first = walk->path + nodes;
    walk->target = walk->first + nodes + 1;
    return DAL_OK;
}

static void sort_edges(struct walk *walk, size_t nodes, const struct dal__edge *edges, size_t count)
{
    for (size_t i = 0; i < count; i++)
        walk->first[edges[i].from + 1]++;
    for (size_t i = 0; i < nodes; i++) {
        walk->first[i + 1] += walk->first[i];
        walk->next[i] = walk->first[i];
    }
    for (size_t i = 0; i < count; i++)
        walk->target[walk->next[edges[i].from]++] = edges[i].to;
    for (size_t i = 0; i < nodes; i++) {
        walk->next[i] = walk->first[i];
        walk->index[i] = UNSEEN;
        walk->component[i] = UNSEEN;
    }
}

static void enter_node(struct walk *walk, size_t node)
{
    walk->index[node] = walk->low[node] = walk->seen++;
    walk->stack[walk->stacked++] = node;
    walk->path[walk->depth++] = node;
}

/* All that is on the stack from `node` on is a component. */
static void close_component(struct walk *walk, size_t node)
{
    size_t member;
    do {
        member = walk->stack[--walk->stacked];
        walk->component[member] = walk->components;
    } while (member != node);
    walk->components++;
}

static void leave_node(struct walk *walk, size_t node)
{
    size_t above;
    if (walk->low[node] == walk->index[node])
        close_component(walk, node);
    if (--walk->depth == 0)
        return;
    above = walk->path[walk->depth - 1];
    if (walk->low[node] < walk->low[above])
        walk->low[above] = walk->low[node];
}

static void visit_from(struct walk *walk, size_t root)
{
    enter_node(walk, root);
    while (walk->depth > 0) {
        size_t node = walk->path[walk->depth - 1], to;
        if (walk->next[node] == walk->first[node + 1]) {
            leave_node(walk, node);
            continue;
        }
        to = walk->target[walk->next[node]++];
        if (walk->index[to] == UNSEEN)
            enter_node(walk, to);
        else if (walk->component[to] == UNSEEN && walk->index[to] < walk->low[node])
            walk->low[node] = walk->index[to];
    }
}

int dal__strong(size_t nodes, const struct dal__edge *edges, size_t edge_count, size_t *component,
                size_t *count)
{
    struct walk walk;
    if (walk_init(&walk, nodes, edge_count, component))
        return DAL_ERR_NOMEM;
    sort_edges(&walk, nodes, edges, edge_count);
    for (size_t i = 0; i < nodes; i++)
        if (walk.index[i] == UNSEEN)
            visit_from(&walk, i);
    *count = walk.components;
    dal_free(walk.next);
    return DAL_OK;
}
