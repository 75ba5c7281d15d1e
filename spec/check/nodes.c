/* Nodes: which processors stand in one machine, and that a mapping stays within one. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/check/check.h"

#include <string.h>

/* Of a link between a processor and a shared, which is which; one between two shareds is a network,
 * and joins nothing. */
struct joint {
    size_t processor;
    const char *shared;
};

static int find_joint(const struct dal__raw *raw, const struct dal_names *names,
                      const struct dal__raw_link *link, struct joint *joint)
{
    for (int i = 0; i < 2; i++) {
        size_t processor = dal_names_find(&raw->processors, link->ends[i].name);
        const char *other = link->ends[1 - i].name;
        if (processor == DAL_NAMES_NONE || dal_names_find(names, other) == DAL_NAMES_NONE ||
            dal_names_find(&raw->processors, other) != DAL_NAMES_NONE)
            continue;
        *joint = (struct joint){.processor = processor, .shared = other};
        return 1;
    }
    return 0;
}

/* The first node counts; another one is kept for whoever uses the processor. */
static int join_node(struct dal_spec_processor *processor, const char *shared,
                     struct dal_spec_place place)
{
    char **name = processor->node ? &processor->other_node : &processor->node;
    if (processor->node && (processor->other_node || strcmp(processor->node, shared) == 0))
        return DAL_OK;
    *name = dal_strdup(shared);
    *(processor->other_node ? &processor->other_place : &processor->node_place) = place;
    return *name ? DAL_OK : DAL_ERR_NOMEM;
}

int dal__name_nodes(struct dal_diags *diags, struct dal_spec_architecture *architecture,
                    const struct dal__raw *raw, const struct dal_names *names)
{
    for (size_t i = 0; i < raw->link_count; i++) {
        struct joint joint;
        if (find_joint(raw, names, &raw->links[i], &joint) &&
            join_node(&architecture->processors[joint.processor], joint.shared,
                      raw->links[i].place))
            return dal__lost(diags);
    }
    return DAL_OK;
}

/* Of the first binding that has a processor of this node. */
static struct dal_spec_place find_user(const struct dal_spec_mapping *mapping, const char *node)
{
    for (size_t i = 0; i < mapping->binding_count; i++) {
        const struct dal_spec_binding *binding = &mapping->bindings[i];
        for (size_t k = 0; k < binding->processor_count; k++)
            if (binding->processors[k]->node && strcmp(binding->processors[k]->node, node) == 0)
                return binding->place;
    }
    return mapping->place;
}

/* Returns whether a processor may be used beside those that are used already. */
static int take_node(struct dal_spec_mapping *mapping, const struct dal_spec_processor *processor)
{
    if (!mapping->node)
        mapping->node = processor->node;
    return !processor->other_node &&
           (!processor->node || strcmp(mapping->node, processor->node) == 0);
}

static void refuse_two_nodes(struct dal_diags *diags, const struct dal_spec_binding *binding,
                             const struct dal_spec_processor *processor)
{
    dal_error(
        diags, binding->place, "several-nodes",
        "binding '%s': processor '%s' is linked to the nodes '%s' and '%s'; a program runs on "
        "one node",
        binding->name, processor->name, processor->node, processor->other_node);
    dal_note(diags, processor->node_place, "it is linked to node '%s' here", processor->node);
    dal_note(diags, processor->other_place, "and to node '%s' here", processor->other_node);
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
    dal_note(diags, find_user(mapping, mapping->node), "node '%s' is used first here",
             mapping->node);
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
        if (stranger && told != binding->place.line && stranger->other_node)
            refuse_two_nodes(diags, binding, stranger);
        else if (stranger && told != binding->place.line)
            refuse_node(diags, mapping, binding, stranger);
        told = stranger ? binding->place.line : told;
    }
}
