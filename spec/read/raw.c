#include "spec/read/raw.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

static void finish_end(struct dal__raw_end *end)
{
    dal_free_all(end->name, end->port);
}

void dal__raw_finish_channel(struct dal__raw_channel *channel)
{
    dal_free_all(channel->input, channel->output, channel->value, channel->data, channel->in.of,
                 channel->out.of);
}

void dal__raw_finish_connection(struct dal__raw_connection *connection)
{
    dal_free(connection->name);
    finish_end(&connection->origin);
    finish_end(&connection->target);
}

static void finish_network(struct dal__raw_network *raw)
{
    for (size_t i = 0; i < raw->connection_count; i++)
        dal__raw_finish_connection(&raw->connections[i]);
    for (size_t i = 0; i < raw->channel_count; i++)
        dal__raw_finish_channel(&raw->channels[i]);
    for (size_t i = 0; i < raw->latency_count; i++) {
        dal_free_all(raw->latencies[i].from, raw->latencies[i].to);
    }
    for (size_t i = 0; i < raw->inner_count; i++)
        dal_free(raw->inner[i]);
    for (size_t i = 0; i < raw->part_count; i++) {
        for (size_t k = 0; k < raw->parts[i].port_count; k++) {
            const struct dal__raw_port *port = &raw->parts[i].ports[k];
            dal_free_all(port->name, port->tokens.token_type, port->tokens.header);
        }
        dal_free_all(raw->parts[i].name, raw->parts[i].ports);
    }
    dal_free_all(raw->latencies, raw->connections, raw->channels, raw->parts, raw->mapping,
                 raw->inner);
}

static void finish_architecture(struct dal__raw_architecture *raw)
{
    for (size_t i = 0; i < raw->node_count; i++) {
        for (size_t k = 0; k < raw->nodes[i].port_count; k++)
            dal_free(raw->nodes[i].ports[k]);
        dal_free_all(raw->nodes[i].ports, raw->nodes[i].name);
    }
    for (size_t i = 0; i < raw->link_count; i++) {
        dal_free(raw->links[i].name);
        finish_end(&raw->links[i].ends[0]);
        finish_end(&raw->links[i].ends[1]);
    }
    for (size_t i = 0; i < raw->cost_count; i++) {
        dal_free_all(raw->costs[i].on, raw->costs[i].from, raw->costs[i].to);
    }
    dal_free_all(raw->nodes, raw->links, raw->costs);
}

static void finish_mapping(struct dal__raw_mapping *raw)
{
    for (size_t i = 0; i < raw->binding_count; i++) {
        struct dal__raw_binding *binding = &raw->bindings[i];
        for (size_t k = 0; k < binding->processor_count; k++)
            dal_free(binding->processors[k].name);
        dal_free_all(binding->processors, binding->process.name, binding->fallback.processor,
                     binding->name);
    }
    for (size_t i = 0; i < raw->value_count; i++)
        dal_free(raw->values[i].name);
    dal_free(raw->values);
    for (size_t i = 0; i < raw->override_count; i++)
        dal_free(raw->overrides[i].channel.name);
    dal_free_all(raw->bindings, raw->overrides, raw->chosen);
}

void dal__raw_finish(struct dal__raw *raw)
{
    finish_network(&raw->network);
    finish_architecture(&raw->architecture);
    finish_mapping(&raw->mapping);
    dal_expr_scope_finish(&raw->scope);
    dal_names_finish(&raw->names.processes);
    dal_names_finish(&raw->names.channels);
    dal_names_finish(&raw->names.processors);
    for (size_t i = 0; i < raw->gone_count; i++)
        dal_free(raw->gone[i]);
    dal_free(raw->gone);
    *raw = (struct dal__raw){0};
}
