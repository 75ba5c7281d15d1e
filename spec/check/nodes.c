/* Checks nodes: which processors stand in one machine, and that a process stays within one. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/check/check.h"

#include <string.h>

/* The two ends of a link: a processor and a shared. A link between two shareds is a network, and
 * joins nothing. */
struct joint {
    size_t processor;
    const char *shared;
    size_t number; /* of the shared */
};

static int find_joint(const struct dal__raw *raw, const struct dal_names *names,
                      const struct dal__raw_link *link, struct joint *joint)
{
    for (int i = 0; i < 2; i++) {
        size_t processor = dal_names_find(&raw->names.processors, link->ends[i].name);
        const char *other = link->ends[1 - i].name;
        if (processor == DAL_NAMES_NONE || dal_names_find(names, other) == DAL_NAMES_NONE ||
            dal_names_find(&raw->names.processors, other) != DAL_NAMES_NONE)
            continue;
        *joint = (struct joint){
            .processor = processor, .shared = other, .number = dal_names_find(names, other)};
        return 1;
    }
    return 0;
}

/* Takes the first node; another one is kept for the users of the processor. */
static int join_node(struct dal_spec_processor *processor, const struct joint *joint,
                     struct dal_spec_place place)
{
    char **name = processor->node ? &processor->other_node : &processor->node;
    if (processor->node && (processor->other_node || strcmp(processor->node, joint->shared) == 0))
        return DAL_OK;
    if (!processor->node)
        processor->node_number = joint->number;
    *name = dal_strdup(joint->shared);
    *(processor->other_node ? &processor->other_place : &processor->node_place) = place;
    return *name ? DAL_OK : DAL_ERR_NOMEM;
}

/* NODE/NAME is a processor of that node, with a link to it or without. */
static int join_by_name(struct dal_diags *diags, struct dal_spec_processor *processor,
                        const struct dal__raw *raw, const struct dal_names *names)
{
    const char *slash = strchr(processor->name, '/');
    struct joint joint = {0};
    char *node;
    int status = DAL_OK;
    if (!slash)
        return DAL_OK;
    node = dal_format("%.*s", (int)(slash - processor->name), processor->name);
    if (!node)
        return DAL_ERR_NOMEM;
    joint.shared = node;
    joint.number = dal_names_find(names, node);
    if (joint.number == DAL_NAMES_NONE ||
        dal_names_find(&raw->names.processors, node) != DAL_NAMES_NONE)
        dal_error(diags, processor->place, "unknown-processor",
                  "processor '%s': there is no shared '%s'", processor->name, node);
    else
        status = join_node(processor, &joint, processor->place);
    dal_free(node);
    return status;
}

int dal__name_nodes(struct dal_diags *diags, struct dal_spec_architecture *architecture,
                    const struct dal__raw *raw, const struct dal_names *names)
{
    for (size_t i = 0; i < raw->architecture.link_count; i++) {
        struct joint joint;
        if (find_joint(raw, names, &raw->architecture.links[i], &joint) &&
            join_node(&architecture->processors[joint.processor], &joint,
                      raw->architecture.links[i].place))
            return dal__lost(diags);
    }
    for (size_t i = 0; i < architecture->processor_count; i++)
        if (join_by_name(diags, &architecture->processors[i], raw, names))
            return dal__lost(diags);
    return DAL_OK;
}

/* Returns the number of a node; DAL_NAMES_NONE for a processor, and for an unknown name. */
static size_t find_node(const struct dal__raw *raw, const struct dal_names *names, const char *name)
{
    if (dal_names_find(&raw->names.processors, name) != DAL_NAMES_NONE)
        return DAL_NAMES_NONE;
    return dal_names_find(names, name);
}

static int keep_link(struct dal_spec_architecture *architecture, const struct dal__raw_link *raw,
                     size_t from, size_t to)
{
    struct dal_spec_link *link;
    if (dal_extend(&architecture->links, architecture->link_count, sizeof(*link)))
        return DAL_ERR_NOMEM;
    link = &architecture->links[architecture->link_count];
    *link = (struct dal_spec_link){.name = dal_strdup(raw->name),
                                   .ends = {from, to},
                                   .latency_ns = raw->latency_ns,
                                   .bandwidth = raw->bandwidth,
                                   .place = raw->place};
    if (!link->name)
        return DAL_ERR_NOMEM;
    architecture->link_count++;
    return DAL_OK;
}

int dal__check_links(struct dal_diags *diags, struct dal_spec_architecture *architecture,
                     const struct dal__raw *raw, const struct dal_names *names)
{
    architecture->node_limit = raw->architecture.node_count;
    for (size_t i = 0; i < raw->architecture.link_count; i++) {
        const struct dal__raw_link *link = &raw->architecture.links[i];
        size_t from = find_node(raw, names, link->ends[0].name);
        size_t to = find_node(raw, names, link->ends[1].name);
        if (link->has_latency != link->has_bandwidth)
            dal_error(diags, link->place, "missing-attribute",
                      "link '%s' has a %s but no %s; what a channel needs follows from both",
                      link->name, link->has_latency ? "latency" : "bandwidth",
                      link->has_latency ? "bandwidth" : "latency");
        else if (link->has_latency && from != DAL_NAMES_NONE && to != DAL_NAMES_NONE &&
                 from != to && keep_link(architecture, link, from, to))
            return dal__lost(diags);
    }
    return DAL_OK;
}

int dal__same_node(const struct dal_spec_processor *a, const struct dal_spec_processor *b)
{
    return !a || !b || !a->node || !b->node || strcmp(a->node, b->node) == 0;
}

/* Returns the processors of a binding, then that of its fallback; NULL behind the last. */
static const struct dal_spec_processor *processor_of(const struct dal_spec_binding *binding,
                                                     size_t i)
{
    if (i < binding->processor_count)
        return binding->processors[i];
    return i == binding->processor_count ? binding->fallback_processor : NULL;
}

static void refuse_two_nodes(struct dal_diags *diags, const struct dal_spec_binding *binding,
                             const struct dal_spec_processor *processor)
{
    dal_error(
        diags, binding->place, "several-nodes",
        "binding '%s': processor '%s' is linked to the nodes '%s' and '%s'; a process runs on "
        "one node",
        binding->name, processor->name, processor->node, processor->other_node);
    dal_note(diags, processor->node_place, "it is linked to node '%s' here", processor->node);
    dal_note(diags, processor->other_place, "and to node '%s' here", processor->other_node);
}

static void refuse_stranger(struct dal_diags *diags, const struct dal_spec_binding *binding,
                            const struct dal_spec_processor *first,
                            const struct dal_spec_processor *stranger)
{
    dal_error(diags, binding->place, "several-nodes",
              "binding '%s': processor '%s' is of node '%s', but '%s' of node '%s'; a process runs "
              "on one node",
              binding->name, stranger->name, stranger->node, first->name, first->node);
    dal_note(diags, stranger->place, "processor '%s' is here", stranger->name);
}

static void refuse_homeless(struct dal_diags *diags, const struct dal_spec_mapping *mapping,
                            const struct dal_spec_binding *binding,
                            const struct dal_spec_processor *processor)
{
    dal_error(diags, binding->place, "several-nodes",
              "binding '%s': processor '%s' is linked to no node, but the program is for the nodes "
              "'%s' and '%s'",
              binding->name, processor->name, mapping->nodes[0], mapping->nodes[1]);
    dal_note(diags, processor->place, "processor '%s' is here", processor->name);
}

/* Returns whether something of a binding was refused. */
static int check_binding(struct dal_diags *diags, const struct dal_spec_mapping *mapping,
                         const struct dal_spec_binding *binding)
{
    const struct dal_spec_processor *first = binding->processors[0], *p;
    for (size_t i = 0; (p = processor_of(binding, i)); i++) {
        if (p->other_node)
            refuse_two_nodes(diags, binding, p);
        else if (!dal__same_node(first, p))
            refuse_stranger(diags, binding, first, p);
        else if (mapping->node_count > 1 && !p->node)
            refuse_homeless(diags, mapping, binding, p);
        else
            continue;
        return 1;
    }
    return 0;
}

/* Adds a node to those in use, which are in the order of `numbers`. */
static void insert_node(struct dal_spec_mapping *mapping, size_t *numbers,
                        const struct dal_spec_processor *processor)
{
    size_t at = mapping->node_count, low = 0, high = at;
    if (!processor->node)
        return;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (numbers[middle] == processor->node_number)
            return;
        if (numbers[middle] < processor->node_number)
            low = middle + 1;
        else
            high = middle;
    }
    for (; at > 0 && numbers[at - 1] > processor->node_number; at--) {
        numbers[at] = numbers[at - 1];
        mapping->nodes[at] = mapping->nodes[at - 1];
    }
    numbers[at] = processor->node_number;
    mapping->nodes[at] = processor->node;
    mapping->node_count++;
}

static size_t count_uses(const struct dal_spec_mapping *mapping)
{
    size_t uses = 0;
    for (size_t i = 0; i < mapping->binding_count; i++)
        uses += mapping->bindings[i].processor_count + 1;
    return uses;
}

static void insert_nodes_of(struct dal_spec_mapping *mapping, size_t *numbers,
                            const struct dal_spec_mapping *from)
{
    const struct dal_spec_processor *p;
    for (size_t i = 0; i < from->binding_count; i++)
        for (size_t k = 0; (p = processor_of(&from->bindings[i], k)); k++)
            insert_node(mapping, numbers, p);
}

/* Lists the nodes that any of several mappings uses. */
static int collect_nodes(struct dal_diags *diags, struct dal_spec_mapping *mapping,
                         struct dal_spec_mapping *const *all, size_t count)
{
    size_t room = 1, *numbers;
    for (size_t i = 0; i < count; i++)
        room += count_uses(all[i]);
    dal_free(mapping->nodes);
    mapping->node_count = 0;
    mapping->nodes = dal_calloc(room, sizeof(*mapping->nodes));
    numbers = dal_calloc(room, sizeof(*numbers));
    for (size_t i = 0; mapping->nodes && numbers && i < count; i++)
        insert_nodes_of(mapping, numbers, all[i]);
    dal_free(numbers);
    return mapping->nodes && numbers ? DAL_OK : dal__lost(diags);
}

/* If one binding places several processes, only the first fault is reported. */
static void check_bindings(struct dal_diags *diags, const struct dal_spec_mapping *mapping)
{
    int told = 0;
    for (size_t i = 0; i < mapping->binding_count; i++) {
        const struct dal_spec_binding *binding = &mapping->bindings[i];
        int is_refused = mapping->node_count > 1 && dal_spec_is_port(binding->process);
        if (!is_refused && told != binding->place.line && check_binding(diags, mapping, binding))
            told = binding->place.line;
    }
}

/* The ranks share a command line, and so would the streams of their ports. */
static void refuse_open(struct dal_diags *diags, const struct dal_spec_mapping *mapping)
{
    for (size_t i = 0; mapping->node_count > 1 && i < mapping->binding_count; i++) {
        const struct dal_spec_process *process = mapping->bindings[i].process;
        if (dal_spec_is_port(process))
            dal_error(diags, mapping->bindings[i].place, "open-port",
                      "port '%s' of the network is open: all of it runs on one node then, but the "
                      "mapping has %zu nodes",
                      process->name, mapping->node_count);
    }
}

int dal__check_nodes(struct dal_diags *diags, struct dal_spec_mapping *mapping)
{
    if (collect_nodes(diags, mapping, &mapping, 1))
        return DAL_ERR_NOMEM;
    refuse_open(diags, mapping);
    check_bindings(diags, mapping);
    return DAL_OK;
}

int dal_spec_share_nodes(struct dal_diags *diags, struct dal_spec_mapping *const *mappings,
                         size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (collect_nodes(diags, mappings[i], mappings, count))
            return DAL_ERR_NOMEM;
    for (size_t i = 0; i < count; i++)
        check_bindings(diags, mappings[i]);
    return diags->errors ? DAL_ERR_INVALID : DAL_OK;
}
