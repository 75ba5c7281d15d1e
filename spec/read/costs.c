#include "spec/read/costs.h"

#include "rt/base/error.h"

#include <string.h>

/* Enough for two of each pair of 256 cores, and more. */
#define MAX_COSTS 200000

/* The schema has checked the value. */
static enum dal_cost_kind kind_of(const char *name)
{
    for (int i = 0; i < DAL_COST_KINDS; i++)
        if (strcmp(dal_cost_rules[i].name, name) == 0)
            return (enum dal_cost_kind)i;
    return DAL_COST_FIRING;
}

/* Reads values in picoseconds, since a firing may cost less than 10 ns. */
static void read_values(struct dal__reader *reader, const xmlNode *element,
                        struct dal__raw_cost *cost)
{
    static const struct dal__unit times[] = {
        {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}, {0}};
    static const struct dal__quantity latency = {.attribute = "latency",
                                                 .units = times,
                                                 .least = 1,
                                                 .most = UINT64_C(10000000000000),
                                                 .range = "more than 0, at most 10s"};
    static const struct dal__quantity spread = {.attribute = "spread",
                                                .units = times,
                                                .most = UINT64_C(10000000000000),
                                                .range = "at most 10s"};
    cost->has_latency = dal__xml_quantity(reader, element, &latency, &cost->latency_ps);
    cost->has_spread = dal__xml_quantity(reader, element, &spread, &cost->spread_ps);
    cost->has_bandwidth = dal__read_bandwidth(reader, element, &cost->bandwidth);
}

static int read_cost(struct dal__reader *reader, struct dal__raw *raw, const xmlNode *element)
{
    static const struct dal__limit limit = {.most = MAX_COSTS, .things = "costs"};
    int status;
    struct dal__raw_cost *cost = DAL__ADD(reader, element, &limit, raw->architecture.costs,
                                          raw->architecture.cost_count, &status);
    if (!cost)
        return status;
    cost->place = dal__xml_place(element);
    cost->kind = kind_of(dal__xml_get(element, "of"));
    read_values(reader, element, cost);
    if (dal__xml_text(reader, element, "on", &cost->on) ||
        dal__xml_text(reader, element, "from", &cost->from) ||
        dal__xml_text(reader, element, "to", &cost->to))
        return DAL_ERR_NOMEM;
    return DAL_OK;
}

int dal__read_measured(struct dal__reader *reader, struct dal_spec_measured *measured,
                       struct dal__raw *raw, const xmlNode *element)
{
    int status = DAL_OK;
    measured->place = dal__xml_place(element);
    measured->is_given = 1;
    if (dal__xml_text(reader, element, "at", &measured->at) ||
        dal__xml_text(reader, element, "by", &measured->by) ||
        dal__xml_text(reader, element, "cores", &measured->cores) ||
        dal__xml_text(reader, element, "devices", &measured->devices))
        return DAL_ERR_NOMEM;
    DAL__XML_EACH(child, element)
    {
        if (!status)
            status = read_cost(reader, raw, child);
    }
    return status;
}
