/* Reads the processes of a network: ports, sources, parameters. */
#include "rt/base/error.h"
#include "spec/base/file.h"
#include "spec/base/limits.h"
#include "spec/read/libraries.h"
#include "spec/read/network.h"

#include <limits.h>
#include <string.h>

#define MAX_SOURCES 64

static int read_process_port(struct dal__reader *reader, xmlNode *element, void *context)
{
    static const struct dal__number blocks_rule = {
        .attribute = "blocks", .least = 1, .most = DAL_MAX_RATE, .absent = 1};
    struct dal_spec_process *process = context;
    const struct dal__limit limit = {
        .most = DAL_MAX_PORTS, .things = "ports", .of = "process", .name = process->name};
    struct dal_spec_port *port;
    int status;
    if (!dal__xml_is(element, "port"))
        return DAL_OK;
    port = DAL__ADD(reader, element, &limit, process->ports, process->port_count, &status);
    if (!port)
        return status;
    port->place = dal__xml_place(element);
    port->output = dal__xml_has(element, "type", "output");
    port->rate = 1;
    status = dal__fatal(dal__xml_name(reader, element, &port->name));
    port->blocks = (uint64_t)dal__xml_value(reader, element, &blocks_rule);
    return status;
}

static void check_source(struct dal__reader *reader, const struct dal__raw *raw,
                         const struct dal_spec_process *process,
                         const struct dal_spec_source *source)
{
    const char *why = raw->unchecked ? NULL : dal_file_fault(source->path);
    if (why)
        dal_error(reader->diags, source->place, "missing-source-file",
                  "source of process '%s': '%s': %s", process->base, source->path, why);
}

static int is_plain(struct dal__reader *reader, const struct dal_spec_source *source)
{
    const char *const texts[] = {source->location, source->cflags, source->libs};
    static const char *const names[] = {"location", "cflags", "libs"};
    int plain = 1;
    for (size_t i = 0; i < 3; i++)
        plain &= !texts[i] || dal__xml_plain(reader->diags, source->place, names[i], texts[i]);
    return plain;
}

static void read_time(struct dal__reader *reader, const xmlNode *element,
                      struct dal_spec_execution_time *time, struct dal_spec_phases *phases)
{
    static const struct dal__number rule = {
        .attribute = "executiontime", .most = DAL_MAX_TIME, .absent = -1};
    int64_t value;
    dal__xml_sequence(reader, element, &rule, &value, &phases->of, &phases->count);
    time->is_given = value >= 0;
    time->units = value >= 0 ? (uint64_t)value : 0;
}

static int read_source(struct dal__reader *reader, struct dal__network_state *state,
                       const xmlNode *element, struct dal_spec_process *process)
{
    const struct dal__number id_rule = {
        .attribute = "id", .most = INT_MAX, .absent = (int64_t)process->source_count};
    const struct dal__limit limit = {
        .most = MAX_SOURCES, .things = "sources", .of = "process", .name = process->name};
    const char *type = dal__xml_get(element, "type");
    int known = dal_spec_find_source(type), status;
    struct dal_spec_source *source =
        DAL__ADD(reader, element, &limit, process->sources, process->source_count, &status);
    if (!source)
        return status;
    source->place = dal__xml_place(element);
    source->id = (int)dal__xml_value(reader, element, &id_rule);
    dal__xml_work_items(reader, element, "dataparallelism", &source->work_items,
                        source->work_shape);
    read_time(reader, element, &source->execution_time, &source->times);
    if (dal__xml_text(reader, element, "location", &source->location) ||
        dal__fatal(dal__xml_expand(reader, element, "cflags", &source->cflags)) ||
        dal__xml_text(reader, element, "libs", &source->libs))
        return DAL_ERR_NOMEM;
    source->contraction = dal__xml_has(element, "contraction", "on");
    source->cxx = strcmp(type, "c++") == 0;
    source->python = strcmp(type, "python") == 0;
    source->type = known < 0 ? DAL_SOURCE_C : (enum dal_spec_source_type)known;
    source->cxx |=
        state->network->is_dol && source->type == DAL_SOURCE_C && dal__is_cxx(source->location);
    source->path = dal__source_path(state, source->location);
    if (!source->path)
        return dal__lost(reader->diags);
    if (!is_plain(reader, source))
        return DAL_OK;
    check_source(reader, state->raw, process, source);
    status = dal__place_options(reader, state, &source->cflags, 0);
    if (!status)
        status = dal__place_options(reader, state, &source->libs, 1);
    return status ? status : dal__read_libraries(reader, state, element, source);
}

int dal__check_parameter(struct dal__reader *reader, struct dal_spec_place place,
                         const struct dal_spec_process *process,
                         const struct dal_spec_parameter *parameter)
{
    char why[DAL_VALUE_WHY];
    if (!parameter->value || !dal_spec_parameter_check(parameter, why))
        return DAL_OK;
    dal_error(reader->diags, place, "parameter-value", "process '%s', parameter '%s': %s",
              process->name, parameter->name, why);
    return reader->diags->lost ? DAL_ERR_NOMEM : DAL_OK;
}

static int read_type(struct dal__reader *reader, const xmlNode *element,
                     struct dal_spec_parameter *parameter)
{
    const char *type = dal__xml_get(element, "type");
    parameter->typed = type != NULL;
    if (type) {
        parameter->type = dal_value_find(type);
    } else if (dal__xml_get(element, "min") || dal__xml_get(element, "max")) {
        dal_error(reader->diags, parameter->place, "parameter-value",
                  "parameter '%s': it has limits and no type", parameter->name);
        return reader->diags->lost ? DAL_ERR_NOMEM : DAL_OK;
    }
    if (dal__fatal(dal__xml_expand(reader, element, "min", &parameter->min)))
        return DAL_ERR_NOMEM;
    return dal__fatal(dal__xml_expand(reader, element, "max", &parameter->max));
}

static int read_parameter(struct dal__reader *reader, const xmlNode *element,
                          struct dal_spec_process *process)
{
    int status;
    struct dal_spec_parameter *parameter =
        DAL__ADD(reader, element, NULL, process->parameters, process->parameter_count, &status);
    if (!parameter)
        return status;
    parameter->place = dal__xml_place(element);
    if (dal__xml_text(reader, element, "name", &parameter->name))
        return DAL_ERR_NOMEM;
    parameter->live = dal__xml_is_true(dal__xml_get(element, "live"));
    status = dal__fatal(dal__xml_expand(reader, element, "value", &parameter->value));
    if (!status)
        status = read_type(reader, element, parameter);
    return status ? status : dal__check_parameter(reader, parameter->place, process, parameter);
}

static void read_process_numbers(struct dal__reader *reader, const xmlNode *element,
                                 struct dal_spec_process *process)
{
    static const struct dal__number copies_rule = {
        .attribute = "shadowcopies", .least = 1, .most = DAL_MAX_COPIES};
    static const struct dal__number priority_rule = {
        .attribute = "priority", .least = -DAL_MAX_PRIORITY, .most = DAL_MAX_PRIORITY};
    static const struct dal__number state_rule = {.attribute = "statebits",
                                                  .most = DAL_MAX_STATE_BITS};
    int64_t copies;
    dal__xml_number_or_auto(reader, element, &copies_rule, &copies);
    process->shadow_copies = copies == DAL_SPEC_AUTO ? 0 : (uint32_t)copies;
    process->priority = (int)dal__xml_value(reader, element, &priority_rule);
    process->state_bits = (uint64_t)dal__xml_value(reader, element, &state_rule);
    read_time(reader, element, &process->execution_time, &process->times);
    dal__read_period(reader, element, process);
    process->io = dal__xml_has(element, "type", "io");
    if (dal__xml_get(element, "stateless"))
        process->stateless = dal__xml_is_true(dal__xml_get(element, "stateless"))
                                 ? DAL_STATELESS_YES
                                 : DAL_STATELESS_NO;
    process->firing = dal__xml_has(element, "firing", "phase")   ? DAL_FIRING_PHASE
                      : dal__xml_has(element, "firing", "cycle") ? DAL_FIRING_CYCLE
                                                                 : DAL_FIRING_UNSAID;
}

/* A flat network has parts in front of the names of its processes. */
static void drop_parts(char *base)
{
    const char *point = base ? strrchr(base, '.') : NULL;
    if (point)
        memmove(base, point + 1, strlen(point));
}

int dal__read_process(struct dal__reader *reader, struct dal__network_state *state,
                      xmlNode *element)
{
    struct dal_spec_network *network = state->network;
    static const struct dal__limit limit = {.most = DAL_MAX_PROCESSES, .things = "processes"};
    struct dal__label label;
    int status;
    struct dal_spec_process *process =
        DAL__ADD(reader, element, &limit, network->processes, network->process_count, &status);
    if (!process)
        return status;
    process->number = network->process_count - 1;
    process->phases = 1;
    process->place = dal__xml_place(element);
    status = dal__fatal(dal__xml_label(reader, element, &label));
    process->name = label.name;
    process->base = label.base;
    if (!network->is_dol)
        drop_parts(process->base);
    process->index = label.index;
    process->index_count = label.index_count;
    process->part = state->part;
    if (!status)
        status = dal__fatal(dal__qualify(reader, state, element, &process->name));
    if (!status)
        read_process_numbers(reader, element, process);
    if (!status)
        status = dal__xml_walk(reader, element, read_process_port, process);
    DAL__XML_EACH(child, element)
    {
        if (!status && dal__xml_is(child, "source"))
            status = read_source(reader, state, child, process);
        else if (!status && dal__xml_is(child, "parameter"))
            status = read_parameter(reader, child, process);
        else if (!status && dal__xml_is(child, "constant"))
            status = dal__read_constant(reader, state, child, process);
    }
    return status;
}
