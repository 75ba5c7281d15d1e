/* Nodes: which processors stand in one machine, and that a mapping stays within one. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/check/check.h"

#include <string.h>

/* Groups of <shared> and <processor> that links join: union-find, by index in raw->nodes. */
static size_t find_root(size_t *parents, size_t node)
{
    while (parents[node] != node)
        node = parents[node] = parents[parents[node]];
    return node;
}

static int is_processor(const struct dal__raw *raw, size_t node)
{
    return dal_names_find(&raw->processors, raw->nodes[node].name) != DAL_NAMES_NONE;
}

/* A link between a processor and a shared. One between two shareds is a network: it joins nothing.
 */
static void join_nodes(const struct dal__raw *raw, const struct dal_names *names,
                       const struct dal__raw_link *link, size_t *parents)
{
    size_t a = dal_names_find(names, link->ends[0].name);
    size_t b = dal_names_find(names, link->ends[1].name);
    if (a == DAL_NAMES_NONE || b == DAL_NAMES_NONE || is_processor(raw, a) == is_processor(raw, b))
        return;
    a = find_root(parents, a);
    b = find_root(parents, b);
    parents[a < b ? b : a] = a < b ? a : b;
}

/* The first shared of a group. */
static const char *find_shared(const struct dal__raw *raw, size_t *parents, size_t group)
{
    for (size_t i = 0; i < raw->node_count; i++)
        if (find_root(parents, i) == group && !is_processor(raw, i))
            return raw->nodes[i].name;
    return NULL;
}

int dal__name_nodes(struct dal_diags *diags, struct dal_spec_architecture *architecture,
                    const struct dal__raw *raw, const struct dal_names *names)
{
    size_t *parents = dal_calloc(raw->node_count + 1, sizeof(*parents));
    int status = parents ? DAL_OK : dal__lost(diags);
    for (size_t i = 0; !status && i < raw->node_count; i++)
        parents[i] = i;
    for (size_t i = 0; !status && i < raw->link_count; i++)
        join_nodes(raw, names, &raw->links[i], parents);
    for (size_t i = 0; !status && i < architecture->processor_count; i++) {
        struct dal_spec_processor *processor = &architecture->processors[i];
        size_t node = dal_names_find(names, processor->name);
        const char *shared =
            node == DAL_NAMES_NONE ? NULL : find_shared(raw, parents, find_root(parents, node));
        processor->node = shared ? dal_strdup(shared) : NULL;
        if (shared && !processor->node)
            status = dal__lost(diags);
    }
    dal_free(parents);
    return status;
}

/* Returns whether a processor may be used beside those that are used already. */
static int take_node(struct dal_spec_mapping *mapping, const struct dal_spec_processor *processor)
{
    if (!mapping->node)
        mapping->node = processor->node;
    return !processor->node || strcmp(mapping->node, processor->node) == 0;
}

static void refuse_node(struct dal_diags *diags, const struct dal_spec_mapping *mapping,
                        const struct dal_spec_binding *binding,
                        const struct dal_spec_processor *processor)
{
    dal_error(diags, binding->place, "several-nodes",
              "binding '%s': processor '%s' is of node '%s', but the mapping uses processors of "
              "node '%s'; a program runs on one node",
              binding->name, processor->name, processor->node, mapping->node);
    dal_note(diags, processor->place, "processor '%s' is here", processor->name);
}

static const struct dal_spec_processor *find_stranger(struct dal_spec_mapping *mapping,
                                                      const struct dal_spec_binding *binding)
{
    for (size_t i = 0; i < binding->processor_count; i++)
        if (!take_node(mapping, binding->processors[i]))
            return binding->processors[i];
    if (binding->fallback_processor && !take_node(mapping, binding->fallback_processor))
        return binding->fallback_processor;
    return NULL;
}

/* Of several processes that one binding places, the first is told of. */
void dal__check_nodes(struct dal_diags *diags, struct dal_spec_mapping *mapping)
{
    int told = 0;
    for (size_t i = 0; i < mapping->binding_count; i++) {
        const struct dal_spec_binding *binding = &mapping->bindings[i];
        const struct dal_spec_processor *stranger = find_stranger(mapping, binding);
        if (stranger && told != binding->place.line)
            refuse_node(diags, mapping, binding, stranger);
        told = stranger ? binding->place.line : told;
    }
}
