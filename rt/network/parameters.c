/* Parameters of processes that the command line sets: "PROCESS.NAME=VALUE". */
#include "include/kinds.h"
#include "rt/base/error.h"
#include "rt/base/value.h"
#include "rt/host/parameter.h"
#include "rt/network/install.h"

#include <string.h>

/* Returns how long the names of the parts are that stand in front of a process's own: its base, and
 * behind that indices. */
static size_t part_length(const struct dal_process_desc *desc)
{
    size_t length = strlen(desc->base), found = 0;
    for (const char *at = desc->name; at; at = strchr(at, '.') ? strchr(at, '.') + 1 : NULL)
        if (strncmp(at, desc->base, length) == 0 && (!at[length] || at[length] == '_'))
            found = (size_t)(at - desc->name);
    return found;
}

/* Does a name address a process? That is by its own name, or by that without indices. */
static int addresses(const struct dal_process_desc *desc, const char *name, size_t length)
{
    size_t around = part_length(desc);
    if (strlen(desc->name) == length && memcmp(desc->name, name, length) == 0)
        return 1;
    return around + strlen(desc->base) == length && memcmp(desc->name, name, around) == 0 &&
           memcmp(desc->base, name + around, length - around) == 0;
}

static int any_addressed(const struct dal_net *net, const char *name, size_t length)
{
    for (int i = 0; i < net->process_count; i++)
        if (addresses(&net->processes[i], name, length))
            return 1;
    return 0;
}

/* The parts of "PROCESS.NAME=VALUE". */
struct override {
    const char *process, *name, *value;
    size_t process_length, name_length;
};

/* Returns the dot between process and parameter, both of which may have more: the last one behind a
 * process, or, where there is none, the last one. NULL without a dot. */
static const char *find_dot(const struct dal_net *net, const char *text, const char *equals)
{
    const char *last = NULL;
    for (const char *dot = equals; dot-- > text;) {
        if (*dot != '.')
            continue;
        if (any_addressed(net, text, (size_t)(dot - text)))
            return dot;
        last = last ? last : dot;
    }
    return last;
}

static int split(const struct dal_net *net, const char *text, struct override *override)
{
    const char *equals = strchr(text, '='), *dot = equals ? find_dot(net, text, equals) : NULL;
    if (!dot) {
        dal_log(DAL_LOG_ERROR, "parameter %s: expected PROCESS.PARAMETER=VALUE", text);
        return DAL_ERR_INVALID;
    }
    *override = (struct override){.process = text,
                                  .process_length = (size_t)(dot - text),
                                  .name = dot + 1,
                                  .name_length = (size_t)(equals - dot - 1),
                                  .value = equals + 1};
    return DAL_OK;
}

static int find_parameter(const struct dal_process_desc *desc, const struct override *override)
{
    for (int i = 0; i < desc->parameter_count; i++)
        if (strlen(desc->parameters[i].name) == override->name_length &&
            memcmp(desc->parameters[i].name, override->name, override->name_length) == 0)
            return i;
    return -1;
}

/* A kernel takes numbers: any other value is an error before anything is built. */
static int check_kernel(const struct dal_process_desc *desc, const char *name, const char *given,
                        const char *text)
{
    const struct dal_kernel *kernel = desc->kernel;
    for (int i = 0; kernel && i < kernel->value_count; i++) {
        const struct dal_kernel_value *value = &kernel->values[i];
        const struct dal_value_traits *type = dal_value_traits(value->type);
        char number[8];
        int status;
        if (value->is_constant || strcmp(value->parameter, name) != 0)
            continue;
        status = dal_value_parse(given, type->is_real, type->is_signed, type->bytes, number);
        if (status < 0)
            dal_log(DAL_LOG_ERROR,
                    "parameter %s: \"%s\" is %s %s, which the kernel of process %s takes", text,
                    given, status == DAL_ERR_LIMIT ? "out of the range of" : "no", type->name,
                    desc->name);
        return status < 0 ? DAL_ERR_INVALID : DAL_OK;
    }
    return DAL_OK;
}

static int check_value(const struct dal_process_desc *desc, int parameter, const char *given,
                       const char *text)
{
    char why[DAL_VALUE_WHY];
    if (dal_parameter_check(&desc->parameters[parameter], given, why) == DAL_OK)
        return check_kernel(desc, desc->parameters[parameter].name, given, text);
    dal_log(DAL_LOG_ERROR, "parameter %s: %s", text, why);
    return DAL_ERR_INVALID;
}

int dal_network_check_override(const struct dal_net *net, const char *text)
{
    struct override override;
    int processes = 0, parameters = 0, parameter;
    if (split(net, text, &override) < 0)
        return DAL_ERR_INVALID;
    for (int i = 0; i < net->process_count; i++) {
        if (!addresses(&net->processes[i], override.process, override.process_length))
            continue;
        processes++;
        parameter = find_parameter(&net->processes[i], &override);
        if (parameter < 0)
            continue;
        parameters++;
        if (check_value(&net->processes[i], parameter, override.value, text) < 0)
            return DAL_ERR_INVALID;
    }
    if (parameters)
        return DAL_OK;
    if (processes)
        dal_log(DAL_LOG_ERROR, "parameter %s: process %.*s has no parameter %.*s", text,
                (int) override.process_length, override.process, (int) override.name_length,
                override.name);
    else
        dal_log(DAL_LOG_ERROR, "parameter %s: no process %.*s", text, (int) override.process_length,
                override.process);
    return DAL_ERR_INVALID;
}

int dal__set_parameters(struct dal_network *network, const char *text)
{
    struct override override;
    int i, status = dal_network_check_override(network->whole, text);
    if (status < 0 || split(network->whole, text, &override) < 0)
        return DAL_ERR_INVALID;
    for (i = 0; i < network->net->process_count; i++) {
        struct dal_process *process = &network->processes[i];
        int parameter = find_parameter(process->desc, &override);
        if (parameter >= 0 && addresses(process->desc, text, override.process_length))
            dal_parameter_set(&process->parameters[parameter],
                              &process->desc->parameters[parameter], override.value);
    }
    return DAL_OK;
}
