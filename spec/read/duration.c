/* Reads the times in a network: when processes are released, and how long iterations may take. */
#include "rt/base/error.h"
#include "spec/base/limits.h"
#include "spec/read/network.h"

struct dal__quantity dal__duration(const char *attribute)
{
    return (struct dal__quantity){.attribute = attribute,
                                  .units = dal__xml_times,
                                  .least = 1000,
                                  .most = DAL_MAX_DURATION,
                                  .range = "at least 1us, at most 3600s"};
}

/* Refuses attributes that mean nothing without a period. */
static void refuse_without(struct dal__reader *reader, const xmlNode *element, const char *name)
{
    static const char *const names[] = {"phase", "deadline", "repetitions", "overrun"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (xmlHasProp(element, (const xmlChar *)names[i]))
            dal_error(reader->diags, dal__xml_place(element), "bad-period",
                      "process '%s': %s means nothing without a period", name, names[i]);
}

void dal__read_period(struct dal__reader *reader, const xmlNode *element,
                      struct dal_spec_process *process)
{
    static const struct dal__quantity phase = {.attribute = "phase",
                                               .units = dal__xml_times,
                                               .most = DAL_MAX_DURATION,
                                               .range = "at most 3600s"};
    static const struct dal__number repetitions = {
        .attribute = "repetitions", .least = 1, .most = DAL_MAX_RATE, .absent = 1};
    const struct dal__quantity period = dal__duration("period"),
                               deadline = dal__duration("deadline");
    struct dal_spec_period *periodic = &process->periodic;
    if (!dal__xml_quantity(reader, element, &period, &periodic->period_ns)) {
        periodic->period_ns = 0;
        refuse_without(reader, element, process->name);
        return;
    }
    dal__xml_quantity(reader, element, &phase, &periodic->phase_ns);
    if (!dal__xml_quantity(reader, element, &deadline, &periodic->deadline_ns))
        periodic->deadline_ns = periodic->period_ns;
    periodic->repetitions = (uint64_t)dal__xml_value(reader, element, &repetitions);
    periodic->overrun = DAL_OVERRUN_DELAY;
    for (int i = 0; i < DAL_OVERRUNS; i++)
        if (dal__xml_has(element, "overrun", dal_overrun_traits((enum dal_overrun)i)->name))
            periodic->overrun = (enum dal_overrun)i;
}

/* Returns the parts of a million that a percentile leaves, 0 without one. */
static uint32_t read_percentile(struct dal__reader *reader, const xmlNode *element)
{
    const char *text = dal__xml_get(element, "percentile");
    double percent = 100;
    if (text && (!dal__parse_positive(text, &percent) || percent > 100)) {
        dal_error(reader->diags, dal__xml_place(element), "bad-number",
                  "latency: percentile is %s, must be above 0 and at most 100", text);
        percent = 100;
    }
    return (uint32_t)((100 - percent) * 1e4 + 0.5);
}

int dal__read_latency(struct dal__reader *reader, struct dal__network_state *state,
                      xmlNode *element)
{
    const struct dal__quantity most = dal__duration("max");
    struct dal__raw *raw = state->raw;
    static const struct dal__limit limit = {.most = DAL_MAX_LATENCIES, .things = "latencies"};
    int status;
    struct dal__raw_latency *latency = DAL__ADD(reader, element, &limit, raw->network.latencies,
                                                raw->network.latency_count, &status);
    if (!latency)
        return status;
    latency->place = dal__xml_place(element);
    dal__xml_quantity(reader, element, &most, &latency->max_ns);
    latency->late_ppm = read_percentile(reader, element);
    if (dal__xml_text(reader, element, "from", &latency->from) ||
        dal__xml_text(reader, element, "to", &latency->to) ||
        dal__fatal(dal__qualify(reader, state, element, &latency->from)) ||
        dal__fatal(dal__qualify(reader, state, element, &latency->to)))
        return DAL_ERR_NOMEM;
    return DAL_OK;
}
