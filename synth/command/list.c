#include "synth/command/commands.h"

#include "rt/base/error.h"
#include "spec/base/names.h"
#include "spec/load/load.h"

#include <string.h>

static void list_processes(const struct dal_spec *spec, FILE *out)
{
    for (size_t i = 0; i < spec->network.process_count; i++)
        fprintf(out, "%s\n", spec->network.processes[i].name);
}

static void list_ports_of(const struct dal_spec *spec, int inputs, FILE *out)
{
    for (size_t i = 0; i < spec->network.process_count; i++) {
        const struct dal_spec_process *process = &spec->network.processes[i];
        for (size_t k = 0; k < process->port_count; k++)
            if (inputs || process->ports[k].output)
                fprintf(out, "%s.%s\n", process->name, process->ports[k].name);
    }
}

static void list_ports(const struct dal_spec *spec, FILE *out)
{
    list_ports_of(spec, 1, out);
}

static void list_outputs(const struct dal_spec *spec, FILE *out)
{
    list_ports_of(spec, 0, out);
}

static void list_channels(const struct dal_spec *spec, FILE *out)
{
    for (size_t i = 0; i < spec->network.channel_count; i++)
        fprintf(out, "%s\n", spec->network.channels[i].name);
}

static void list_variables(const struct dal_spec *spec, FILE *out)
{
    for (size_t i = 0; i < spec->network.variable_count; i++)
        fprintf(out, "%s\n", spec->network.variables[i].name);
}

static void list_parameters(const struct dal_spec *spec, FILE *out)
{
    for (size_t i = 0; i < spec->network.process_count; i++) {
        const struct dal_spec_process *process = &spec->network.processes[i];
        for (size_t k = 0; k < process->parameter_count; k++)
            fprintf(out, "%s.%s\n", process->name, process->parameters[k].name);
    }
}

static void list_processors(const struct dal_spec *spec, FILE *out)
{
    for (size_t i = 0; i < spec->architecture.processor_count; i++)
        fprintf(out, "%s\n", spec->architecture.processors[i].name);
}

static const struct list {
    const char *name;
    void (*print)(const struct dal_spec *spec, FILE *out);
} lists[] = {
    {"processes", list_processes},   {"ports", list_ports},         {"outputs", list_outputs},
    {"channels", list_channels},     {"variables", list_variables}, {"parameters", list_parameters},
    {"processors", list_processors},
};

int dal_list_knows(const char *what)
{
    return DAL_NAMED_IN(lists, name, what) != NULL;
}

int dal_list(struct dal_diags *diags, const struct dal_request *request)
{
    const struct list *list =
        DAL_NAMED_IN(lists, name, request->list ? request->list : "processes");
    struct dal_spec *spec;
    spec = dal_spec_load_names(diags, request->files.network, request->files.architecture,
                               request->defines.list, request->defines.count);
    if (!spec)
        return DAL_ERR_INVALID;
    list->print(spec, stdout);
    dal_spec_destroy(spec);
    return DAL_OK;
}
