#include "spec/read/open.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/names.h"
#include "spec/read/ends.h"
#include "spec/read/typed.h"

#include <string.h>

struct opening {
    struct dal_diags *diags;
    struct dal_spec_network *network;
    struct dal__raw *raw;
    struct dal_names channels, taken; /* taken: processes, and behind them parts */
    int failed;
};

/* Returns the network's own ports; NULL without any. */
static struct dal__raw_part *find_own(const struct dal__raw_network *raw)
{
    for (size_t i = 0; i < raw->part_count; i++)
        if (!*raw->parts[i].name)
            return &raw->parts[i];
    return NULL;
}

static const char *name_inside(const struct dal__raw_port *port)
{
    return port->output ? "in" : "out";
}

static struct dal__raw_port *find_port(const struct dal__raw_part *own, const char *name)
{
    return DAL_NAMED(own->ports, own->port_count, name, name);
}

static void refuse_port(struct opening *o, struct dal_spec_place place, const char *code,
                        const struct dal__raw_port *port, const char *why)
{
    dal_error(o->diags, place, code, "port '%s' of the network: %s", port->name, why);
    o->failed = 1;
}

/* ---- processes ------------------------------------------------------------------------------- */

static int fill_process(const struct dal_spec_network *network, const char *name, int output,
                        struct dal_spec_place place, struct dal_spec_process *process)
{
    process->name = dal_strdup(name);
    process->base = dal_strdup(name);
    process->ports = dal_calloc(1, sizeof(*process->ports));
    process->sources = dal_calloc(1, sizeof(*process->sources));
    if (!process->name || !process->base || !process->ports || !process->sources)
        return DAL_ERR_NOMEM;
    process->port_count = process->source_count = 1;
    process->ports[0] = (struct dal_spec_port){.name = dal_strdup(output ? "out" : "in"),
                                               .output = output,
                                               .rate = 1,
                                               .blocks = 1,
                                               .place = place};
    process->sources[0] = (struct dal_spec_source){.type = DAL_SOURCE_OPEN,
                                                   .location = dal_strdup(network->file),
                                                   .path = dal_strdup(network->file),
                                                   .place = place};
    return process->ports[0].name && process->sources[0].location && process->sources[0].path
               ? DAL_OK
               : DAL_ERR_NOMEM;
}

int dal__add_open(struct dal_diags *diags, struct dal_spec_network *network, const char *name,
                  int output, struct dal_spec_place place)
{
    struct dal_spec_process *process;
    if (network->process_count == DAL_MAX_PROCESSES) {
        dal_error(diags, place, "network-size", "there are more than %d processes",
                  DAL_MAX_PROCESSES);
        return DAL_ERR_LIMIT;
    }
    if (dal_extend(&network->processes, network->process_count, sizeof(*process)))
        return dal__lost(diags);
    process = &network->processes[network->process_count];
    *process = (struct dal_spec_process){.number = network->process_count++,
                                         .phases = 1,
                                         .io = 1,
                                         .kpn = 1,
                                         .stateless = DAL_STATELESS_NO,
                                         .place = place};
    return fill_process(network, name, output, place, process) ? dal__lost(diags) : DAL_OK;
}

static int list_taken(struct opening *o)
{
    const struct dal__raw_network *raw = &o->raw->network;
    size_t processes = o->network->process_count;
    int status = DAL_OK;
    for (size_t i = 0; i < processes && status != DAL_ERR_NOMEM; i++)
        status = dal_names_add(&o->taken, o->network->processes[i].name, i);
    for (size_t i = 0; i < raw->part_count && status != DAL_ERR_NOMEM; i++)
        status = dal_names_add(&o->taken, raw->parts[i].name, processes + i);
    return status == DAL_ERR_NOMEM ? dal__lost(o->diags) : DAL_OK;
}

/* Its process has the name of the port, so nothing else may have it. */
static int refuse_taken(struct opening *o, size_t processes, const struct dal__raw_port *port)
{
    size_t found = dal_names_find(&o->taken, port->name);
    if (found == DAL_NAMES_NONE)
        return 0;
    refuse_port(o, port->place, "duplicate-name", port,
                found < processes ? "a process has this name" : "a part has this name");
    dal_note(o->diags,
             found < processes ? o->network->processes[found].place
                               : o->raw->network.parts[found - processes].place,
             "'%s' is here", port->name);
    return 1;
}

static int add_processes(struct opening *o, const struct dal__raw_part *own)
{
    size_t processes = o->network->process_count;
    int status = list_taken(o);
    for (size_t i = 0; i < own->port_count && !status; i++) {
        const struct dal__raw_port *port = &own->ports[i];
        if (find_port(own, port->name) != port)
            o->failed = 1; /* which is told already */
        else if (!port->is_used)
            refuse_port(o, port->place, "open-port", port,
                        port->output ? "nothing leads to it" : "nothing reads it");
        else if (!refuse_taken(o, processes, port))
            status = dal__add_open(o->diags, o->network, port->name, !port->output, port->place);
    }
    return status;
}

/* ---- channels -------------------------------------------------------------------------------- */

/* A rate is the affair of whoever is outside. */
static void make_dynamic(struct opening *o, struct dal_spec_channel *channel,
                         const struct dal__raw_port *port)
{
    int is_said = port->output ? !channel->unsaid_out : !channel->unsaid_in;
    if (is_said && !channel->counted.most)
        refuse_port(o, channel->place, "part-port", port,
                    port->output ? "it has no tokenrateout; a rate is of a process"
                                 : "it has no tokenratein; a rate is of a process");
    if (port->output) {
        channel->dynamic_out = 1;
        channel->unsaid_out = 0;
    } else {
        channel->dynamic_in = 1;
        channel->unsaid_in = 0;
    }
    o->failed |= dal__agree_on_tokens(o->diags, channel, &port->tokens);
}

static int rename_end(struct opening *o, struct dal__raw_end *end, const struct dal__raw_port *port)
{
    char *name = dal_strdup(port->name), *inside = dal_strdup(name_inside(port));
    dal_free_all(end->name, end->port);
    *end = (struct dal__raw_end){.name = name, .port = inside};
    return name && inside ? DAL_OK : dal__lost(o->diags);
}

/* Lets an end of a connection lead to the process of a port, where it is one of the network's
 * own. `channel`: the name at its other end. */
static int lead(struct opening *o, struct dal__raw_part *own, struct dal__raw_end *end,
                const char *channel, struct dal_spec_place place, int leads_in)
{
    struct dal__raw_port *port =
        end->is_own && !*end->name && end->port ? find_port(own, end->port) : NULL;
    size_t number = dal_names_find(&o->channels, channel);
    if (!port)
        return DAL_OK;
    if (port->output && port->is_used)
        refuse_port(o, place, "port-connected-twice", port, "a channel leads to it already");
    port->is_used = 1;
    if (port->output != leads_in)
        return DAL_OK; /* which the join refuses */
    if (number != DAL_NAMES_NONE)
        make_dynamic(o, &o->network->channels[number], port);
    return rename_end(o, end, port);
}

static int lead_all(struct opening *o, struct dal__raw_part *own)
{
    int status = dal__list_channels(o->diags, o->network, &o->channels);
    for (size_t i = 0; i < o->raw->network.connection_count && !status; i++) {
        struct dal__raw_connection *c = &o->raw->network.connections[i];
        status = lead(o, own, &c->origin, c->target.name, c->place, 0);
        if (!status)
            status = lead(o, own, &c->target, c->origin.name, c->place, 1);
    }
    return status;
}

int dal__open_ports(struct dal_diags *diags, struct dal_spec_network *network, struct dal__raw *raw)
{
    struct opening o = {.diags = diags, .network = network, .raw = raw};
    struct dal__raw_part *own = find_own(&raw->network);
    int status;
    if (!own)
        return DAL_OK;
    status = lead_all(&o, own);
    if (!status)
        status = add_processes(&o, own);
    dal_names_finish(&o.channels);
    dal_names_finish(&o.taken);
    return status ? status : o.failed ? DAL_ERR_INVALID : DAL_OK;
}
