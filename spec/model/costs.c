#include "spec/model/complete.h"

#include <string.h>

int dal__cost_order(const struct dal_spec_cost *a, const struct dal_spec_cost *b)
{
    if (a->kind != b->kind)
        return (int)a->kind - (int)b->kind;
    if (a->from->number != b->from->number)
        return a->from->number < b->from->number ? -1 : 1;
    return (a->to->number > b->to->number) - (a->to->number < b->to->number);
}

/* Returns the first cost that does not stand before `wanted`. */
static size_t find_place(const struct dal_spec_measured *measured,
                         const struct dal_spec_cost *wanted)
{
    size_t low = 0, high = measured->cost_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (dal__cost_order(&measured->costs[middle], wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const struct dal_spec_cost *find_exact(const struct dal_spec_measured *measured,
                                              enum dal_cost_kind kind,
                                              const struct dal_spec_processor *from,
                                              const struct dal_spec_processor *to)
{
    const struct dal_spec_cost wanted = {.kind = kind, .from = from, .to = to};
    size_t place = find_place(measured, &wanted);
    if (place == measured->cost_count || dal__cost_order(&measured->costs[place], &wanted) != 0)
        return NULL;
    return &measured->costs[place];
}

/* A processor without a node is on the only one. */
static int is_of_node(const struct dal_spec_processor *processor, const char *node)
{
    return !processor->node || !node || strcmp(processor->node, node) == 0;
}

static int is_worse(const struct dal_spec_cost *cost, const struct dal_spec_cost *than)
{
    if (!than)
        return 1;
    return cost->latency_ns > than->latency_ns || (cost->latency_ns >= than->latency_ns &&
                                                   cost->bytes_per_second < than->bytes_per_second);
}

static const struct dal_spec_cost *find_worst(const struct dal_spec_measured *measured,
                                              enum dal_cost_kind kind, const char *node)
{
    const struct dal_spec_cost *worst = NULL;
    for (size_t i = 0; i < measured->cost_count; i++)
        if (measured->costs[i].kind == kind && is_of_node(measured->costs[i].from, node) &&
            is_worse(&measured->costs[i], worst))
            worst = &measured->costs[i];
    return worst;
}

const struct dal_spec_cost *dal_spec_cost(const struct dal_spec *spec, enum dal_cost_kind kind,
                                          const struct dal_spec_processor *from,
                                          const struct dal_spec_processor *to)
{
    const struct dal_spec_measured *measured = &spec->architecture.measured;
    const struct dal_cost_rule *rule = &dal_cost_rules[kind];
    const struct dal_spec_cost *found;
    if ((rule->place == DAL_COST_ON) != (from == to))
        return NULL;
    found = find_exact(measured, kind, from, to);
    if (!found)
        found = find_exact(measured, kind, to, from);
    if (found || rule->of != DAL_COST_OF_CORE || !dal_spec_capability(from, DAL_PROCESSOR_CORE) ||
        !dal_spec_capability(to, DAL_PROCESSOR_CORE) || !is_of_node(to, from->node))
        return found;
    return find_worst(measured, kind, from->node);
}
