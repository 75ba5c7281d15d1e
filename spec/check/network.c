/* Checks the network: unique names, connections, sizes. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/analyse/graph.h"
#include "spec/base/limits.h"
#include "spec/check/check.h"
#include "spec/read/ends.h"

#include <inttypes.h>
#include <string.h>

/* State while connecting: the two connections of every channel, and the processes and channels that
 * a faulty connection may have meant. The loose ports of these are not reported. */
struct joints {
    const struct dal__raw_connection **producer, **consumer;
    unsigned char *doubtful_processes, *doubtful_channels;
    struct dal_names *ports; /* of each process; made when it is asked for */
};

/* A connection with its two names looked up: one must be a process, the other a channel. */
struct joint {
    const struct dal__raw_connection *connection;
    const struct dal__raw_end *process_end, *channel_end;
    struct dal_spec_process *process;
    struct dal_spec_channel *channel;
    const struct dal__raw_channel *channel_ports;
    int output; /* the process writes */
};

/* Channels and processes share their names. */
static int name_channels(struct dal_diags *diags, const struct dal_spec_network *network,
                         struct dal__raw *raw)
{
    int status = DAL__CHECK_NAMES(diags, &raw->names.channels, "sw_channel ", network->channels,
                                  network->channel_count);
    for (size_t i = 0; i < network->channel_count && !status; i++) {
        const struct dal_spec_channel *channel = &network->channels[i];
        size_t process = dal_names_find(&raw->names.processes, channel->name);
        if (process != DAL_NAMES_NONE && dal_names_find(&raw->names.channels, channel->name) == i)
            dal__name_taken(diags, "sw_channel ", channel->name, channel->place,
                            network->processes[process].place);
    }
    return status;
}

static int name_connections(struct dal_diags *diags, const struct dal__raw *raw)
{
    struct dal_names names = {0};
    int status = DAL__CHECK_NAMES(diags, &names, "connection ", raw->network.connections,
                                  raw->network.connection_count);
    dal_names_finish(&names);
    return status;
}

/* C has CONSTANT_NAME_COUNT and CONSTANT_NAME_t of a constant, which name no other. */
static void check_endings(struct dal_diags *diags, const struct dal_spec_process *process,
                          const struct dal_spec_constant *constant)
{
    for (size_t i = 0; i < process->constant_count; i++) {
        const struct dal_spec_constant *other = &process->constants[i];
        size_t length = strlen(other->name);
        const char *ending =
            strncmp(constant->name, other->name, length) == 0 ? constant->name + length : "";
        if (strcmp(ending, "_COUNT") != 0 && strcmp(ending, "_t") != 0)
            continue;
        dal_error(diags, constant->place, "duplicate-name", "CONSTANT_%s is the %s of '%s'",
                  constant->name, ending[1] == 't' ? "type" : "number of elements", other->name);
        dal_note(diags, other->place, "'%s' is here", other->name);
    }
}

/* A kernel has an argument for each, so a constant has a name of its own. */
static void check_constants(struct dal_diags *diags, const struct dal_spec_process *process)
{
    for (size_t i = 0; i < process->constant_count; i++) {
        const struct dal_spec_constant *constant = &process->constants[i];
        int port = dal_spec_find_port(process, constant->name),
            parameter = dal_spec_find_parameter(process, constant->name),
            other = dal_spec_find_constant(process, constant->name);
        const struct dal_spec_place *taken = &process->constants[other].place;
        if (port >= 0)
            taken = &process->ports[port].place;
        else if (parameter >= 0)
            taken = &process->parameters[parameter].place;
        if (taken != &constant->place)
            dal__name_taken(diags, "constant ", constant->name, constant->place, *taken);
        if (!dal_spec_is_python(process))
            check_endings(diags, process, constant);
    }
}

/* Checks that the ports of a process differ in name, and its parameters as well. */
static int check_inner_names(struct dal_diags *diags, const struct dal_spec_process *process)
{
    struct dal_names ports = {0}, parameters = {0};
    int status = DAL__CHECK_NAMES(diags, &ports, "port ", process->ports, process->port_count);
    if (!status)
        status = DAL__CHECK_NAMES(diags, &parameters, "parameter ", process->parameters,
                                  process->parameter_count);
    check_constants(diags, process);
    dal_names_finish(&ports);
    dal_names_finish(&parameters);
    return status;
}

/* A process whose source was refused may have no other one. */
static void check_sources(struct dal_diags *diags, const struct dal_spec_process *process,
                          const struct dal__raw *raw)
{
    if (process->source_count == 0 && !(raw->has_gaps && dal_diags_tell(diags, process->place)))
        dal_error(diags, process->place, "missing-source",
                  "process '%s' has no <source>, so there is nothing to run", process->name);
    for (size_t i = 0; i < process->source_count; i++)
        for (size_t k = 0; k < i; k++) {
            const struct dal_spec_source *source = &process->sources[i];
            if (source->id != process->sources[k].id)
                continue;
            dal_error(diags, source->place, "duplicate-name",
                      "process '%s': a second source with id %d", process->base, source->id);
            break;
        }
}

static int check_processes(struct dal_diags *diags, const struct dal_spec_network *network,
                           const struct dal__raw *raw)
{
    int status = DAL_OK;
    for (size_t i = 0; i < network->process_count && !status; i++) {
        const struct dal_spec_process *process = &network->processes[i];
        if (!raw->unchecked || process->source_count > 0)
            check_sources(diags, process, raw);
        status = check_inner_names(diags, process);
    }
    return status;
}

/* Connections */

static void doubt_both(const struct joints *joints, const struct joint *joint)
{
    if (joint->process)
        joints->doubtful_processes[joint->process->number] = 1;
    if (joint->channel)
        joints->doubtful_channels[joint->channel->number] = 1;
}

static void unknown_end(struct dal_diags *diags, const struct dal__raw *raw,
                        const struct joints *joints, const struct dal__raw_connection *connection,
                        const struct dal__raw_end *end)
{
    const char *process = dal_names_nearest(&raw->names.processes, end->name);
    const char *channel = dal_names_nearest(&raw->names.channels, end->name);
    struct dal__hint hint;
    if (process)
        joints->doubtful_processes[dal_names_find(&raw->names.processes, process)] = 1;
    if (channel)
        joints->doubtful_channels[dal_names_find(&raw->names.channels, channel)] = 1;
    dal_error(diags, connection->place, "unknown-process",
              "connection '%s': there is no process or sw_channel '%s'%s", connection->name,
              end->name,
              dal__did_you_mean(&hint, process ? &raw->names.processes : &raw->names.channels,
                                end->name));
}

/* Looks both names up. Returns 0 after an error. */
static int find_ends(struct dal_diags *diags, struct dal_spec_network *network,
                     const struct dal__raw *raw, const struct joints *joints, struct joint *joint)
{
    const struct dal__raw_connection *connection = joint->connection;
    const struct dal__raw_end *ends[2] = {&connection->origin, &connection->target};
    int found = 0;
    for (int i = 0; i < 2; i++) {
        size_t process = dal_names_find(&raw->names.processes, ends[i]->name);
        size_t channel = dal_names_find(&raw->names.channels, ends[i]->name);
        if (process != DAL_NAMES_NONE) {
            joint->process = &network->processes[process];
            joint->process_end = ends[i];
            joint->output = i == 0;
        } else if (channel != DAL_NAMES_NONE) {
            joint->channel = &network->channels[channel];
            joint->channel_ports = &raw->network.channels[channel];
            joint->channel_end = ends[i];
        } else {
            unknown_end(diags, raw, joints, connection, ends[i]);
            continue;
        }
        found++;
    }
    if (found < 2)
        return 0;
    if (joint->process && joint->channel)
        return 1;
    dal_error(diags, connection->place, "bad-connection",
              "connection '%s' joins two %s, '%s' and '%s'; it must join a process and a "
              "sw_channel",
              connection->name, joint->process ? "processes" : "channels", connection->origin.name,
              connection->target.name);
    return 0;
}

static void list_ports(struct dal_diags *diags, const struct dal_spec_process *process, int output)
{
    char list[300] = "";
    for (size_t i = 0; i < process->port_count; i++) {
        size_t used = strlen(list);
        if (used > 180)
            break;
        if (process->ports[i].output == output)
            snprintf(list + used, sizeof(list) - used, " %.100s", process->ports[i].name);
    }
    dal_note(diags, process->place, "%s ports of process '%s':%s", output ? "output" : "input",
             process->name, list[0] ? list : " none");
}

/* Returns NULL without a port of that name, or without memory. */
static struct dal_spec_port *look_up_port(struct dal_diags *diags, const struct joints *joints,
                                          const struct dal_spec_process *process, const char *name)
{
    struct dal_names *ports = &joints->ports[process->number];
    size_t found;
    for (size_t i = ports->count ? process->port_count : 0; i < process->port_count; i++)
        if (dal_names_add(ports, process->ports[i].name, i) == DAL_ERR_NOMEM)
            dal__lost(diags);
    found = dal_names_find(ports, name);
    return found == DAL_NAMES_NONE ? NULL : &process->ports[found];
}

static struct dal_spec_port *find_port(struct dal_diags *diags, const struct joints *joints,
                                       const struct joint *joint)
{
    const struct dal_spec_process *process = joint->process;
    const char *name = joint->process_end->port;
    struct dal_spec_port *port = look_up_port(diags, joints, process, name);
    if (port) {
        if (port->output == joint->output)
            return port;
        dal_error(diags, joint->connection->place, "port-direction",
                  "connection '%s': port '%s' of process '%s' is an %s port, an %s port is needed",
                  joint->connection->name, name, process->name, port->output ? "output" : "input",
                  joint->output ? "output" : "input");
        return NULL;
    }
    dal_error(diags, joint->connection->place, "unknown-port",
              "connection '%s': process '%s' has no port '%s'", joint->connection->name,
              process->name, name);
    list_ports(diags, process, joint->output);
    return NULL;
}

static void join_port(struct dal_diags *diags, const struct joint *joint,
                      struct dal_spec_port *port, const struct dal__raw_connection **first)
{
    struct dal_spec_channel *channel = joint->channel;
    const struct dal__raw_connection *connection = joint->connection;
    if (*first && dal_diags_tell(diags, connection->place))
        return; /* it is of a <channel> whose name is taken */
    if (*first) {
        dal_error(diags, connection->place, "port-connected-twice",
                  "connection '%s': port '%s' of sw_channel '%s' is connected already",
                  connection->name, joint->channel_end->port, channel->name);
        dal_note(diags, (*first)->place, "by connection '%s'", (*first)->name);
        return;
    }
    *first = connection;
    if (port->channel && !joint->output) {
        dal_error(diags, connection->place, "port-connected-twice",
                  "connection '%s': port '%s' of process '%s' is connected already, to sw_channel "
                  "'%s'",
                  connection->name, port->name, joint->process->name, port->channel->name);
        return;
    }
    port->dynamic = joint->output ? channel->dynamic_in : channel->dynamic_out;
    joint->process->kpn |= port->dynamic;
    if (joint->output) {
        channel->producer = joint->process;
        channel->producer_port = port;
    } else {
        port->channel = channel;
        port->rate = channel->rate_out;
        channel->consumer = joint->process;
        channel->consumer_port = port;
    }
}

static void connect_one(struct dal_diags *diags, struct dal_spec_network *network,
                        const struct dal__raw *raw, const struct joints *joints,
                        const struct dal__raw_connection *connection)
{
    struct joint joint = {.connection = connection};
    if (find_ends(diags, network, raw, joints, &joint)) {
        struct dal_spec_port *port = find_port(diags, joints, &joint);
        if (dal__check_channel_end(diags, connection, joint.channel, joint.channel_ports,
                                   joint.output) &&
            port)
            join_port(diags, &joint, port,
                      &(joint.output ? joints->producer : joints->consumer)[joint.channel->number]);
    }
    if (dal_diags_tell(diags, connection->place))
        doubt_both(joints, &joint);
}

/* Marks things whose name is taken: nothing can reach them by that name. */
static void doubt_duplicates(const struct dal_spec_network *network, const struct dal__raw *raw,
                             const struct joints *joints)
{
    for (size_t i = 0; i < network->process_count; i++)
        joints->doubtful_processes[i] =
            dal_names_find(&raw->names.processes, network->processes[i].name) != i;
    for (size_t i = 0; i < network->channel_count; i++) {
        const char *name = network->channels[i].name;
        joints->doubtful_channels[i] =
            dal_names_find(&raw->names.channels, name) != i ||
            dal_names_find(&raw->names.processes, name) != DAL_NAMES_NONE;
    }
}

static void check_process_connected(struct dal_diags *diags, const struct dal_spec_process *process)
{
    for (size_t i = 0; i < process->port_count; i++)
        if (!process->ports[i].channel)
            dal_error(diags, process->ports[i].place, "port-unconnected",
                      "port '%s' of process '%s' is not connected", process->ports[i].name,
                      process->name);
}

static void check_channel_connected(struct dal_diags *diags, const struct dal_spec_channel *channel,
                                    const struct dal__raw_channel *ports)
{
    dal__check_channel_ports(diags, channel, ports);
    if (ports->input && !channel->producer)
        dal_error(diags, channel->place, "port-unconnected",
                  "port '%s' of sw_channel '%s' is not connected: nothing writes to it",
                  ports->input, channel->name);
    if (ports->output && !channel->consumer)
        dal_error(diags, channel->place, "port-unconnected",
                  "port '%s' of sw_channel '%s' is not connected: nothing reads from it",
                  ports->output, channel->name);
}

static void check_connected(struct dal_diags *diags, const struct dal_spec_network *network,
                            const struct dal__raw *raw, const struct joints *joints)
{
    for (size_t i = 0; i < network->process_count; i++)
        if (!joints->doubtful_processes[i])
            check_process_connected(diags, &network->processes[i]);
    for (size_t i = 0; i < network->channel_count; i++)
        if (!joints->doubtful_channels[i])
            check_channel_connected(diags, &network->channels[i], &raw->network.channels[i]);
}

static int connect_all(struct dal_diags *diags, struct dal_spec_network *network,
                       const struct dal__raw *raw)
{
    size_t processes = network->process_count + 1, channels = network->channel_count + 1;
    struct joints joints = {
        .producer = dal_calloc(channels, sizeof(*joints.producer)),
        .consumer = dal_calloc(channels, sizeof(*joints.consumer)),
        .doubtful_processes = dal_calloc(processes, 1),
        .doubtful_channels = dal_calloc(channels, 1),
        .ports = dal_calloc(processes, sizeof(*joints.ports)),
    };
    int status = joints.producer && joints.consumer && joints.doubtful_processes &&
                         joints.doubtful_channels && joints.ports
                     ? DAL_OK
                     : dal__lost(diags);
    if (!status) {
        doubt_duplicates(network, raw, &joints);
        for (size_t i = 0; i < raw->network.connection_count; i++)
            connect_one(diags, network, raw, &joints, &raw->network.connections[i]);
        dal__feed_ports(network);
        check_connected(diags, network, raw, &joints);
    }
    for (size_t i = 0; joints.ports && i < network->process_count; i++)
        dal_names_finish(&joints.ports[i]);
    dal_free_all(joints.ports, joints.producer, joints.consumer, joints.doubtful_processes,
                 joints.doubtful_channels);
    return status;
}

/* A process in Python has windows of a fixed size. */
static void check_python(struct dal_diags *diags, const struct dal_spec_process *process)
{
    int python = 0;
    for (size_t i = 0; i < process->source_count; i++)
        python |= process->sources[i].python;
    for (size_t i = 0; i < process->port_count && python; i++) {
        const struct dal_spec_port *port = &process->ports[i];
        const char *what = port->dynamic                                  ? "a dynamic rate"
                           : port->channel && port->channel->counted.most ? "a counted channel"
                           : port->blocks > 1                             ? "blocks"
                                                                          : NULL;
        if (what)
            dal_error(diags, port->place, "python-process",
                      "port '%s' of process '%s' has %s, which a source in Python cannot have",
                      port->name, process->name, what);
    }
}

/* A KPN process is one thread of C that blocks where it reads and writes. */
static void check_kpn(struct dal_diags *diags, const struct dal_spec_process *process)
{
    size_t blocking = 0;
    for (size_t i = 0; i < process->source_count; i++)
        blocking += (size_t)dal_spec_blocks(process->sources[i].type);
    if (process->source_count > 0 && !blocking)
        dal_error(diags, process->place, "kpn-process",
                  "process '%s' has a port with a dynamic rate, so it needs a source of type c",
                  process->name);
    if (process->shadow_copies > 1 || process->stateless == DAL_STATELESS_YES)
        dal_error(diags, process->place, "kpn-process",
                  "process '%s' has a port with a dynamic rate: it is one thread and has no shadow "
                  "copies",
                  process->name);
    for (size_t i = 0; i < process->port_count; i++)
        if (process->ports[i].dynamic && process->ports[i].blocks > 1)
            dal_error(diags, process->ports[i].place, "kpn-process",
                      "port '%s' of process '%s' has a dynamic rate, so no window to divide into "
                      "blocks",
                      process->ports[i].name, process->name);
}

/* Notes the size of another channel of the port. */
static void note_size(struct dal_diags *diags, const struct dal_spec_channel *channel)
{
    if (channel->size_place.line != channel->place.line)
        dal_note(diags, channel->size_place,
                 "the size is given here, for all channels of port '%s' of process '%s'",
                 channel->producer_port->name, channel->producer->name);
}

static void check_channel_size(struct dal_diags *diags, const struct dal_spec_channel *channel,
                               const struct dal__raw *raw)
{
    uint64_t least = dal_spec_least_capacity(channel), bytes;
    uint64_t tokens = channel->capacity > least ? channel->capacity : least;
    if (channel->capacity && channel->capacity < least && !raw->unchecked) {
        dal_error(diags, channel->place, "capacity-too-small",
                  "sw_channel '%s': size is %" PRIu64 ", must be at least %" PRIu64 " for %" PRIu64
                  " written and %" PRIu64 " read in a %s and %" PRIu64 " initial tokens",
                  channel->name, channel->capacity, least, channel->rate_in, channel->rate_out,
                  channel->producer->phases > 1 || channel->consumer->phases > 1 ? "cycle of phases"
                                                                                 : "firing",
                  channel->initial_tokens);
        note_size(diags, channel);
    }
    if (__builtin_mul_overflow(tokens, channel->token_bytes, &bytes) ||
        bytes > DAL_MAX_CHANNEL_BYTES)
        dal_error(diags, channel->place, "size-too-large",
                  "sw_channel '%s': %" PRIu64 " tokens of %" PRIu64
                  " bytes are more than 2^40 bytes",
                  channel->name, tokens, channel->token_bytes);
}

int dal__check_elements(struct dal_diags *diags, const struct dal_spec_network *network,
                        struct dal__raw *raw)
{
    return DAL__CHECK_NAMES(diags, &raw->names.processes, "process ", network->processes,
                            network->process_count) ||
                   name_channels(diags, network, raw) ||
                   (!network->is_dol && name_connections(diags, raw)) ||
                   check_processes(diags, network, raw)
               ? DAL_ERR_NOMEM
               : DAL_OK;
}

int dal__check_network(struct dal_diags *diags, struct dal_spec_network *network,
                       struct dal__raw *raw)
{
    if (network->process_count == 0)
        dal_error(diags, network->place, "missing-process", "the network has no process");
    if (dal__check_elements(diags, network, raw) || connect_all(diags, network, raw))
        return DAL_ERR_NOMEM;
    dal__check_counted(diags, network, raw);
    dal__check_readers(diags, network, raw);
    if (dal__check_phases(diags, network, raw))
        return DAL_ERR_NOMEM;
    dal__check_newest(diags, network, raw);
    dal__check_inplace(diags, network, raw);
    for (size_t i = 0; i < network->channel_count; i++)
        if (!raw->network.channels[i].broken)
            check_channel_size(diags, &network->channels[i], raw);
    for (size_t i = 0; i < network->process_count; i++) {
        if (network->processes[i].kpn)
            check_kpn(diags, &network->processes[i]);
        check_python(diags, &network->processes[i]);
    }
    if (dal__check_time(diags, network, raw))
        return DAL_ERR_NOMEM;
    dal__check_effect_network(diags, network);
    return DAL_OK;
}
