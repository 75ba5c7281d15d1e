/* Checks the measured costs: processors of a cost must exist and be of its sort, and no cost may be
 * measured twice. */
#define _GNU_SOURCE
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/check/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Returns whether the moment is in the calendar, and converts it. The schema has checked its
 * form. */
static int read_moment(const char *text, int64_t *seconds)
{
    struct tm moment = {0}, again;
    time_t found;
    if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2dZ", &moment.tm_year, &moment.tm_mon, &moment.tm_mday,
               &moment.tm_hour, &moment.tm_min, &moment.tm_sec) != 6)
        return 0;
    moment.tm_year -= 1900;
    moment.tm_mon--;
    again = moment;
    found = timegm(&again);
    *seconds = (int64_t)found;
    return again.tm_mon == moment.tm_mon && again.tm_mday == moment.tm_mday &&
           again.tm_hour == moment.tm_hour && again.tm_min == moment.tm_min &&
           again.tm_sec == moment.tm_sec;
}

/* Returns the kind's name for messages: "cost 'wake'". */
static const char *name_of(const struct dal__raw_cost *cost)
{
    return dal_cost_rules[cost->kind].name;
}

/* Is an attribute there if and only if the kind has it? */
static int check_attribute(struct dal_diags *diags, const struct dal__raw_cost *cost,
                           const char *attribute, int is_there, int is_wanted)
{
    if (!is_there == !is_wanted)
        return 1;
    dal_error(diags, cost->place, is_wanted ? "missing-attribute" : "bad-cost",
              is_wanted ? "cost '%s' has no %s" : "cost '%s' has a '%s', which it cannot have",
              name_of(cost), attribute);
    return 0;
}

static int check_attributes(struct dal_diags *diags, const struct dal__raw_cost *cost)
{
    const struct dal_cost_rule *rule = &dal_cost_rules[cost->kind];
    int between = rule->place == DAL_COST_BETWEEN;
    int has_latency = (rule->has & DAL_COST_HAS_LATENCY) != 0;
    return check_attribute(diags, cost, "on", cost->on != NULL, !between) &&
           check_attribute(diags, cost, "from", cost->from != NULL, between) &&
           check_attribute(diags, cost, "to", cost->to != NULL, between) &&
           check_attribute(diags, cost, "latency", cost->has_latency, has_latency) &&
           check_attribute(diags, cost, "spread", cost->has_spread,
                           cost->has_spread && has_latency) &&
           check_attribute(diags, cost, "bandwidth", cost->has_bandwidth,
                           (rule->has & DAL_COST_HAS_BANDWIDTH) != 0);
}

/* Returns the processor of a name, or NULL. */
static const struct dal_spec_processor *
find_processor(struct dal_diags *diags, const struct dal_spec_architecture *architecture,
               const struct dal__raw *raw, const struct dal__raw_cost *cost, const char *name)
{
    size_t number = dal_names_find(&raw->names.processors, name);
    int of_core = dal_cost_rules[cost->kind].of == DAL_COST_OF_CORE;
    struct dal__hint hint;
    if (number == DAL_NAMES_NONE) {
        dal_error(diags, cost->place, "unknown-processor",
                  "cost '%s': there is no processor '%s'%s", name_of(cost), name,
                  dal__did_you_mean(&hint, &raw->names.processors, name));
        return NULL;
    }
    if (of_core ? dal_spec_capability(&architecture->processors[number], DAL_PROCESSOR_CORE)
                : dal_spec_device(&architecture->processors[number]))
        return &architecture->processors[number];
    dal_error(diags, cost->place, "bad-cost", "cost '%s' is of %s, which '%s' is not",
              name_of(cost), of_core ? "a core" : "a device", name);
    return NULL;
}

/* A kind between two processors needs two cores of one machine. */
static int check_pair(struct dal_diags *diags, const struct dal__raw_cost *raw,
                      const struct dal_spec_cost *cost)
{
    if (dal_cost_rules[cost->kind].place == DAL_COST_ON ||
        (cost->from != cost->to && dal__same_node(cost->from, cost->to)))
        return 1;
    if (cost->from == cost->to)
        dal_error(diags, raw->place, "bad-cost", "cost '%s' is from '%s' to itself", name_of(raw),
                  cost->from->name);
    else
        dal_error(diags, raw->place, "bad-cost",
                  "cost '%s' is from '%s' to '%s', which is of another node; links say what is "
                  "between nodes",
                  name_of(raw), cost->from->name, cost->to->name);
    return 0;
}

/* Fills in a cost; returns whether it is right. */
static int resolve_cost(struct dal_diags *diags, const struct dal_spec_architecture *architecture,
                        const struct dal__raw *raw, const struct dal__raw_cost *from,
                        struct dal_spec_cost *cost)
{
    if (!check_attributes(diags, from))
        return 0;
    *cost = (struct dal_spec_cost){.kind = from->kind,
                                   .latency_ns = (double)from->latency_ps / 1000,
                                   .spread_ns = (double)from->spread_ps / 1000,
                                   .bytes_per_second = (double)from->bandwidth,
                                   .place = from->place};
    if (!from->has_bandwidth)
        cost->bytes_per_second = 0;
    if (!from->has_latency)
        cost->latency_ns = 0;
    cost->from = find_processor(diags, architecture, raw, from, from->on ? from->on : from->from);
    cost->to = from->on ? cost->from : find_processor(diags, architecture, raw, from, from->to);
    return cost->from && cost->to && check_pair(diags, from, cost);
}

static int compare_costs(const void *first, const void *second)
{
    const struct dal_spec_cost *a = first, *b = second;
    int order = dal__cost_order(a, b);
    return order ? order : (a->place.line > b->place.line) - (a->place.line < b->place.line);
}

static void refuse_second(struct dal_diags *diags, const struct dal_spec_cost *first,
                          const struct dal_spec_cost *second)
{
    dal_error(diags, second->place, "bad-cost", "cost '%s' of '%s'%s%s is here a second time",
              dal_cost_rules[second->kind].name, second->from->name,
              second->from == second->to ? "" : " to ",
              second->from == second->to ? "" : second->to->name);
    dal_note(diags, first->place, "the first one is here");
}

int dal__check_measured(struct dal_diags *diags, struct dal_spec_architecture *architecture,
                        const struct dal__raw *raw)
{
    struct dal_spec_measured *measured = &architecture->measured;
    if (!measured->is_given)
        return DAL_OK;
    if (!read_moment(measured->at, &measured->at_s))
        dal_error(diags, measured->place, "bad-number", "measured: there is no moment '%s'",
                  measured->at);
    measured->costs = dal_calloc(raw->architecture.cost_count + 1, sizeof(*measured->costs));
    if (!measured->costs)
        return dal__lost(diags);
    for (size_t i = 0; i < raw->architecture.cost_count; i++)
        measured->cost_count +=
            (size_t)resolve_cost(diags, architecture, raw, &raw->architecture.costs[i],
                                 &measured->costs[measured->cost_count]);
    qsort(measured->costs, measured->cost_count, sizeof(*measured->costs), compare_costs);
    for (size_t i = 1; i < measured->cost_count; i++)
        if (dal__cost_order(&measured->costs[i - 1], &measured->costs[i]) == 0)
            refuse_second(diags, &measured->costs[i - 1], &measured->costs[i]);
    return DAL_OK;
}
