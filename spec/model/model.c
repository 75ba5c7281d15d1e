#include "spec/base/names.h"
#include "spec/model/complete.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <inttypes.h>
#include <string.h>

void dal__feed_ports(struct dal_spec_network *network)
{
    for (size_t i = network->channel_count; i-- > 0;) {
        struct dal_spec_channel *channel = &network->channels[i];
        struct dal_spec_port *port = channel->producer_port;
        if (!port)
            continue;
        channel->next_of_port = port->channel;
        port->channel = channel;
        port->rate = channel->rate_in;
    }
}

int dal_spec_find_port(const struct dal_spec_process *process, const char *name)
{
    const struct dal_spec_port *found = DAL_NAMED(process->ports, process->port_count, name, name);
    return found ? (int)(found - process->ports) : -1;
}

const struct dal_spec_parameter *dal_spec_live_parameter(const struct dal_spec_process *process)
{
    for (size_t i = 0; i < process->parameter_count; i++)
        if (process->parameters[i].live)
            return &process->parameters[i];
    return NULL;
}

int dal_spec_find_parameter(const struct dal_spec_process *process, const char *name)
{
    const struct dal_spec_parameter *found =
        DAL_NAMED(process->parameters, process->parameter_count, name, name);
    return found ? (int)(found - process->parameters) : -1;
}

int dal_spec_find_constant(const struct dal_spec_process *process, const char *name)
{
    const struct dal_spec_constant *found =
        DAL_NAMED(process->constants, process->constant_count, name, name);
    return found ? (int)(found - process->constants) : -1;
}

int dal_spec_has_cxx(const struct dal_spec_source *source)
{
    int cxx = source->cxx;
    for (size_t i = 0; i < source->file_count; i++)
        cxx |= source->files[i].cxx;
    return cxx;
}

int dal_spec_same_files(const struct dal_spec_source *a, const struct dal_spec_source *b)
{
    if (a->file_count != b->file_count)
        return 0;
    for (size_t i = 0; i < a->file_count; i++)
        if (strcmp(a->files[i].path, b->files[i].path) != 0)
            return 0;
    return 1;
}

double dal_spec_released_ns(const struct dal_spec_period *periodic, uint64_t firings)
{
    return periodic->period_ns
               ? (double)periodic->period_ns * (double)firings / (double)periodic->repetitions
               : 0;
}

double dal_spec_iteration_ns(const struct dal_spec_process *process)
{
    return dal_spec_released_ns(&process->periodic, process->repetitions);
}

int dal_spec_is_python(const struct dal_spec_process *process)
{
    size_t python = 0;
    for (size_t i = 0; i < process->source_count; i++)
        python += process->sources[i].python != 0;
    return python && python == process->source_count;
}

int dal_spec_is_stateless(const struct dal_spec_process *process,
                          const struct dal_spec_source *source)
{
    return (process->stateless == DAL_STATELESS_YES && !(source && source->has_state)) ||
           (process->stateless == DAL_STATELESS_UNSAID && source && source->keeps_nothing);
}

int dal_spec_same_variables(const struct dal_spec_process *a, const struct dal_spec_process *b)
{
    const struct dal_spec_part *one = a->part, *other = b->part;
    if (one == other)
        return 1;
    if (!one || !other || one->variable_count != other->variable_count)
        return 0;
    for (size_t i = 0; i < one->variable_count; i++)
        if (!dal_variable_same(&one->variables[i], &other->variables[i]))
            return 0;
    return 1;
}

static void finish_files(struct dal_spec_source *source)
{
    for (size_t i = 0; i < source->file_count; i++) {
        dal_free_all(source->files[i].location, source->files[i].path);
    }
    dal_free(source->files);
}

void dal_spec_finish_process(struct dal_spec_process *process)
{
    for (size_t i = 0; i < process->source_count; i++) {
        dal_free_all(process->sources[i].location, process->sources[i].cflags,
                     process->sources[i].libs, process->sources[i].path, process->sources[i].doubt,
                     process->sources[i].times.of);
        finish_files(&process->sources[i]);
    }
    for (size_t i = 0; i < process->port_count; i++) {
        dal_free_all(process->ports[i].name, process->ports[i].phases.of);
    }
    for (size_t i = 0; i < process->parameter_count; i++) {
        dal_free_all(process->parameters[i].name, process->parameters[i].value,
                     process->parameters[i].min, process->parameters[i].max);
    }
    for (size_t i = 0; i < process->constant_count; i++)
        dal_free_all(process->constants[i].name, process->constants[i].type,
                     process->constants[i].file, process->constants[i].value);
    dal_free_all(process->constants, process->sources, process->ports, process->parameters,
                 process->times.of, process->index, process->name, process->base, process->tap.of);
}

void dal_spec_finish_channel(struct dal_spec_channel *channel)
{
    dal_free_all(channel->name, channel->initial_data, channel->token_type, channel->header,
                 channel->through);
}

static void finish_part(struct dal_spec_part *part)
{
    for (size_t i = 0; i < part->variable_count; i++)
        dal_free_all(part->variables[i].name, part->variables[i].text);
    dal_free_all(part->variables, part->name, part->network, part);
}

static void finish_network(struct dal_spec_network *network)
{
    for (size_t i = 0; i < network->part_count; i++)
        finish_part(network->parts[i]);
    for (size_t i = 0; i < network->variable_count; i++)
        dal_free_all(network->variables[i].name, network->variables[i].text);
    for (size_t i = 0; i < network->data_count; i++)
        dal_free_all(network->data[i].key, network->data[i].whole);
    for (size_t i = 0; i < network->process_count; i++)
        dal_spec_finish_process(&network->processes[i]);
    for (size_t i = 0; i < network->channel_count; i++)
        dal_spec_finish_channel(&network->channels[i]);
    dal_free_all(network->data, network->parts, network->variables, network->processes,
                 network->channels, network->latencies, network->name);
}

static void finish_processor(struct dal_spec_processor *processor)
{
    for (size_t i = 0; i < processor->capability_count; i++) {
        dal_free_all(processor->capabilities[i].identifier, processor->capabilities[i].platform);
    }
    dal_free_all(processor->capabilities, processor->name, processor->node, processor->other_node,
                 processor->type);
}

static void finish_architecture(struct dal_spec_architecture *architecture)
{
    for (size_t i = 0; i < architecture->processor_count; i++)
        finish_processor(&architecture->processors[i]);
    for (size_t i = 0; i < architecture->link_count; i++)
        dal_free(architecture->links[i].name);
    dal_free_all(architecture->measured.costs, architecture->measured.at, architecture->measured.by,
                 architecture->measured.cores, architecture->measured.devices,
                 architecture->processors, architecture->links, architecture->name);
}

static void finish_mapping(struct dal_spec_mapping *mapping)
{
    for (size_t i = 0; i < mapping->binding_count; i++) {
        dal_free_all(mapping->bindings[i].name, mapping->bindings[i].processors);
    }
    dal_free_all(mapping->bindings, mapping->overrides, mapping->nodes, mapping->name,
                 mapping->policy);
}

void dal_spec_destroy(struct dal_spec *spec)
{
    if (!spec)
        return;
    finish_network(&spec->network);
    finish_architecture(&spec->architecture);
    finish_mapping(&spec->mapping);
    dal_spec_curves_finish(spec->curves);
    dal_free(spec);
}

int dal_spec_give_sizes(struct dal_spec *copy, const uint64_t *capacities)
{
    struct dal_spec_mapping *mapping = &copy->mapping;
    const struct dal_spec_override *old = mapping->overrides;
    size_t count = 0, old_count = mapping->override_count;
    size_t channels = copy->network.channel_count;
    mapping->overrides = dal_calloc(old_count + channels + 1, sizeof(*mapping->overrides));
    if (!mapping->overrides)
        return DAL_ERR_NOMEM;
    for (size_t i = 0; i < channels; i++) {
        struct dal_spec_channel *c = &copy->network.channels[i];
        for (size_t k = 0; k < old_count; k++)
            if (old[k].channel == c)
                mapping->overrides[count++] = old[k];
        if (capacities[i])
            mapping->overrides[count++] = (struct dal_spec_override){
                .channel = c, .capacity = capacities[i], .place = c->place};
    }
    mapping->override_count = count;
    return DAL_OK;
}

char *dal_spec_token_name(const struct dal_spec_channel *channel)
{
    return channel->token_count == 1
               ? dal_strdup(channel->token_type)
               : dal_format("%s[%" PRIu64 "]", channel->token_type, channel->token_count);
}

int dal_spec_is_static(const struct dal_spec_channel *c)
{
    return !c->producer->kpn && !c->consumer->kpn && !c->newest.is_given;
}

const struct dal_spec_channel *dal_spec_inplace(const struct dal_spec_port *port)
{
    const struct dal_spec_channel *channel = port->output ? port->channel : NULL;
    while (channel && !channel->inplace)
        channel = channel->next_of_port;
    return channel;
}

uint64_t dal_spec_open_firings(const struct dal_spec_process *port)
{
    const struct dal_spec_port *own = &port->ports[0];
    uint64_t tokens = 0, all;
    for (const struct dal_spec_channel *c = own->channel; c; c = dal_port_next(own, c)) {
        const struct dal_spec_process *inside = own->output ? c->consumer : c->producer;
        uint64_t rate = own->output ? c->rate_out : c->rate_in;
        if (inside->kpn || __builtin_mul_overflow(rate, inside->repetitions, &all) ||
            (c != own->channel && all != tokens))
            return 0;
        tokens = all;
    }
    return tokens % own->rate ? 0 : tokens / own->rate;
}

int dal_spec_has_counted(const struct dal_spec_process *process, int output)
{
    for (size_t i = 0; i < process->port_count; i++) {
        const struct dal_spec_port *port = &process->ports[i];
        if (port->output == output && port->channel && port->channel->counted.most)
            return 1;
    }
    return 0;
}
