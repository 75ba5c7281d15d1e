#include "spec/read/join.h"
#include "spec/read/ends.h"
#include "spec/read/meet.h"
#include "spec/read/typed.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <stdarg.h>
#include <string.h>

#define NONE SIZE_MAX

/* A port of the network or of a part. */
struct node {
    const struct dal__raw_part *part;
    const struct dal__raw_port *port;
    size_t in;      /* the channel that leads to it, or NONE */
    size_t readers; /* channels that lead from it */
};

/* The two connections of a channel, and the nodes at their other ends; NONE where there is none. */
struct joint {
    size_t origin, target; /* connections */
    size_t from, to;       /* nodes */
    int is_named;          /* its name has been given to a flat channel */
    int is_joined;         /* it is part of one */
    int is_refused;        /* its tokens are others, which is told */
};

struct join {
    struct dal_diags *diags;
    struct dal_spec_network *network;
    struct dal__raw_network *raw;
    struct dal_names parts, channels;
    size_t *first; /* of each part: its first node */
    struct node *nodes;
    size_t node_count;
    struct joint *joints; /* of each channel */
    int failed;
};

static void refuse_join(struct join *j, struct dal_spec_place place, const char *code,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));

static void refuse_join(struct join *j, struct dal_spec_place place, const char *code,
                        const char *format, ...)
{
    va_list list;
    va_start(list, format);
    dal_error_list(j->diags, place, code, format, list);
    va_end(list);
    j->failed = 1;
}

/* ---- ends ------------------------------------------------------------------------------------ */

static int list_names(struct join *j)
{
    int status = DAL_OK;
    for (size_t i = 0; i < j->raw->part_count && status != DAL_ERR_NOMEM; i++) {
        const struct dal__raw_part *part = &j->raw->parts[i];
        status = dal_names_add(&j->parts, part->name, i);
        if (status == DAL_ERR_INVALID)
            refuse_join(j, part->place, "duplicate-name",
                        "network '%s': there is one of this name already", part->name);
    }
    if (status != DAL_ERR_NOMEM)
        status = dal__list_channels(j->diags, j->network, &j->channels);
    for (size_t i = 0; i < j->network->process_count; i++) {
        const struct dal_spec_process *process = &j->network->processes[i];
        if (dal_names_find(&j->parts, process->name) != DAL_NAMES_NONE)
            refuse_join(j, process->place, "duplicate-name",
                        "process '%s': there is a network of this name already", process->name);
    }
    return status;
}

static void list_nodes(struct join *j)
{
    for (size_t i = 0; i < j->raw->part_count; i++) {
        const struct dal__raw_part *part = &j->raw->parts[i];
        j->first[i] = j->node_count;
        for (size_t k = 0; k < part->port_count; k++)
            j->nodes[j->node_count++] =
                (struct node){.part = part, .port = &part->ports[k], .in = NONE};
    }
}

/* Finds the port that an end names. `leads_in`: a channel leads to it. NONE after an error, too. */
static size_t find_node(struct join *j, const struct dal__raw_connection *connection,
                        const struct dal__raw_end *end, int leads_in)
{
    size_t part = dal_names_find(&j->parts, end->name), k = 0;
    const struct dal__raw_part *of;
    struct dal_names names = {0};
    struct dal__hint hint;
    if (part == DAL_NAMES_NONE)
        return NONE;
    of = &j->raw->parts[part];
    while (k < of->port_count && strcmp(of->ports[k].name, end->port) != 0)
        k++;
    if (k == of->port_count) {
        for (k = 0; k < of->port_count; k++)
            dal_names_add(&names, of->ports[k].name, k);
        refuse_join(j, connection->place, "unknown-port", "network '%s' has no port '%s'%s",
                    of->name, end->port, dal__did_you_mean(&hint, &names, end->port));
        dal_names_finish(&names);
        return NONE;
    }
    if (of->ports[k].output == (leads_in == end->is_own))
        return j->first[part] + k;
    refuse_join(j, connection->place, "port-direction",
                "port '%s' of the network%s%s%s is an %s port: %s", end->port,
                *of->name ? " '" : "", of->name, *of->name ? "'" : "",
                of->ports[k].output ? "output" : "input",
                leads_in ? "nothing can lead to it here" : "nothing can lead from it here");
    return NONE;
}

/* Notes the channel of a connection, and what is at its other end. */
static void note_connection(struct join *j, size_t number)
{
    const struct dal__raw_connection *c = &j->raw->connections[number];
    size_t into = dal_names_find(&j->channels, c->target.name);
    size_t out = dal_names_find(&j->channels, c->origin.name);
    if (into != DAL_NAMES_NONE && j->joints[into].origin == NONE) {
        j->joints[into].origin = number;
        j->joints[into].from = find_node(j, c, &c->origin, 0);
    }
    if (out != DAL_NAMES_NONE && j->joints[out].target == NONE) {
        j->joints[out].target = number;
        j->joints[out].to = find_node(j, c, &c->target, 1);
    }
}

/* Notes which channels lead to a port and from it. */
static void note_nodes(struct join *j)
{
    for (size_t i = 0; i < j->network->channel_count; i++) {
        const struct joint *joint = &j->joints[i];
        if (joint->from != NONE)
            j->nodes[joint->from].readers++;
        if (joint->to == NONE)
            continue;
        if (j->nodes[joint->to].in != NONE)
            refuse_join(
                j, j->network->channels[i].place, "port-connected-twice",
                "sw_channel '%s': another channel leads to port '%s' of network '%s' already",
                j->network->channels[i].name, j->nodes[joint->to].port->name,
                j->nodes[joint->to].part->name);
        j->nodes[joint->to].in = i;
    }
}

/* The network's own ports lead to processes (open.h). */
static void check_node(struct join *j, const struct node *node)
{
    const char *name = node->part->name;
    if ((node->in != NONE && node->readers) || !*name)
        return;
    if (node->in == NONE)
        refuse_join(j, node->port->output ? node->port->place : node->part->place,
                    "port-unconnected",
                    "port '%s' of network '%s' is not connected: nothing writes to it",
                    node->port->name, name);
    else
        refuse_join(j, node->port->output ? node->part->place : node->port->place,
                    "port-unconnected",
                    "port '%s' of network '%s' is not connected: nothing reads from it",
                    node->port->name, name);
}

/* ---- what channels say ----------------------------------------------------------------------- */

static char *copy_text(struct join *j, const char *text)
{
    char *made = text ? dal_strdup(text) : NULL;
    if (text && !made)
        dal__lost(j->diags);
    return made;
}

/* Returns how deep a channel is within parts. */
static int depth_of(const struct join *j, size_t channel)
{
    return j->raw->channels[channel].depth;
}

/* Takes the type of a channel on the way. Whoever uses a part is wrong, not the part; it is told
 * once, though many may read in the part. */
static void take_type(struct join *j, size_t last, size_t on_way)
{
    struct dal_spec_channel *channel = &j->network->channels[last];
    const struct dal_spec_channel *other = &j->network->channels[on_way];
    size_t wrong = depth_of(j, on_way) < depth_of(j, last) ? on_way : last;
    if (!dal__take_tokens(j->diags, channel, other))
        return;
    if (!j->joints[wrong].is_refused)
        dal__refuse_tokens(j->diags, wrong == last ? channel : other,
                           wrong == last ? other : channel);
    j->joints[wrong].is_refused = 1;
    j->failed = 1;
}

/* Checks the own ports of a channel that leads to a port of a part. It is taken out later on. */
static void check_own_ports(struct join *j, size_t number)
{
    const struct joint *joint = &j->joints[number];
    const struct dal__raw_connection *list = j->raw->connections;
    const struct dal_spec_channel *channel = &j->network->channels[number];
    const struct dal__raw_channel *ports = &j->raw->channels[number];
    if (joint->to == NONE)
        return;
    if (!dal__check_channel_ports(j->diags, channel, ports) ||
        (joint->origin != NONE &&
         !dal__check_channel_end(j->diags, &list[joint->origin], channel, ports, 1)) ||
        !dal__check_channel_end(j->diags, &list[joint->target], channel, ports, 0))
        j->failed = 1;
}

/* A port has no rate: that is the affair of the processes at the ends. */
static void check_rates(struct join *j, size_t number)
{
    const struct dal_spec_channel *channel = &j->network->channels[number];
    const struct joint *joint = &j->joints[number];
    int is_counted = channel->counted.most != 0;
    int in = joint->from != NONE && !is_counted && !channel->unsaid_in;
    int out = joint->to != NONE && (is_counted ? channel->dynamic_out : !channel->unsaid_out);
    if (in || out)
        refuse_join(
            j, channel->place, "part-port",
            "sw_channel '%s' has a %s, but port '%s' is of a network: a rate is of a process",
            channel->name, in ? "tokenratein" : "tokenrateout",
            j->nodes[in ? joint->from : joint->to].port->name);
}

/* Takes the producer's rate from the first channel. */
static int take_rate(struct join *j, size_t last, size_t first)
{
    struct dal_spec_channel *to = &j->network->channels[last];
    const struct dal_spec_channel *from = &j->network->channels[first];
    const struct dal_spec_phases *phases = &j->raw->channels[first].in;
    struct dal__raw_channel *raw = &j->raw->channels[last];
    to->rate_in = from->rate_in;
    to->dynamic_in = from->dynamic_in;
    to->unsaid_in = from->unsaid_in && !to->counted.most;
    dal_free(raw->in.of);
    raw->in = (struct dal_spec_phases){0};
    if (!phases->count)
        return DAL_OK;
    raw->in.of = dal_calloc(phases->count, sizeof(*phases->of));
    if (!raw->in.of)
        return dal__lost(j->diags);
    memcpy(raw->in.of, phases->of, phases->count * sizeof(*phases->of));
    raw->in.count = phases->count;
    return DAL_OK;
}

/* ---- joining --------------------------------------------------------------------------------- */

/* Returns the channel in front of another one; NONE at a process. */
static size_t before(const struct join *j, size_t channel)
{
    size_t node = j->joints[channel].from;
    return node == NONE ? NONE : j->nodes[node].in;
}

/* Returns the first channel on the way to another one; NONE where a ring leads to it. */
static size_t first_of(const struct join *j, size_t channel)
{
    size_t first = channel, at;
    for (size_t i = 0; i <= j->network->channel_count; i++, first = at)
        if ((at = before(j, first)) == NONE)
            return first;
    return NONE;
}

/* The first channel may have the producer's rate, and the last one the consumer's; neither where
 * any on the way is counted. */
static void check_counted(struct join *j, size_t last, size_t first)
{
    const struct dal_spec_channel *all = j->network->channels;
    size_t counted = last;
    while (counted != first && !all[counted].counted.most)
        counted = before(j, counted);
    if (!all[counted].counted.most)
        return;
    j->failed |= dal__meet_counted(j->diags, &all[counted], &all[first], &j->raw->channels[first]);
    j->failed |= dal__meet_counted(j->diags, &all[counted], &all[last], &j->raw->channels[last]);
}

/* Notes a name for the parts' own mappings, which takes it over. */
static int note_inner(struct join *j, char *name)
{
    struct dal__raw_network *raw = j->raw;
    if (!name || dal_extend(&raw->inner, raw->inner_count, sizeof(*raw->inner))) {
        dal_free(name);
        return dal__lost(j->diags);
    }
    raw->inner[raw->inner_count++] = name;
    return DAL_OK;
}

/* Notes the names that go, if any part has a mapping of its own: of ports, and channels there. */
static int note_all_inner(struct join *j)
{
    size_t own = 0;
    int status = DAL_OK;
    while (own < j->network->part_count && !j->network->parts[own]->mapping)
        own++;
    if (own == j->network->part_count)
        return DAL_OK;
    for (size_t i = 0; i < j->node_count && !status; i++)
        status = note_inner(j, dal_format("%s.%s", j->nodes[i].part->name, j->nodes[i].port->name));
    for (size_t i = 0; i < j->network->channel_count && !status; i++)
        if (j->joints[i].to != NONE || j->joints[i].from != NONE)
            status = note_inner(j, dal_strdup(j->network->channels[i].name));
    return status;
}

static int rename_channel(struct join *j, size_t channel, const char *name)
{
    struct joint *joint = &j->joints[channel];
    char **const places[] = {&j->network->channels[channel].name,
                             &j->raw->connections[joint->origin].target.name,
                             &j->raw->connections[joint->target].origin.name};
    for (size_t i = 0; i < 3; i++) {
        char *made = copy_text(j, name);
        if (!made)
            return DAL_ERR_NOMEM;
        dal_free(*places[i]);
        *places[i] = made;
    }
    return DAL_OK;
}

/* Lets the last channel begin where the first one does. */
static int begin_at(struct join *j, size_t last, size_t first)
{
    const struct dal__raw_end *from = &j->raw->connections[j->joints[first].origin].origin;
    struct dal__raw_end *to = &j->raw->connections[j->joints[last].origin].origin;
    char *name = copy_text(j, from->name), *port = copy_text(j, from->port);
    dal_free_all(to->name, to->port);
    *to = (struct dal__raw_end){.name = name, .port = port};
    return name && port ? DAL_OK : DAL_ERR_NOMEM;
}

/* Notes the port of a part in front of those that are noted already. */
static int lead_through(struct dal_spec_channel *channel, const struct node *node)
{
    char *through = dal_format("%s.%s\n%s", node->part->name, node->port->name,
                               channel->through ? channel->through : "");
    dal_free(channel->through);
    channel->through = through;
    return through ? DAL_OK : DAL_ERR_NOMEM;
}

/* Joins all channels on the way to a consumer, of which this is the last. */
static int join_one(struct join *j, size_t last, size_t first)
{
    struct dal_spec_channel *channel = &j->network->channels[last];
    size_t outermost = last, at, behind;
    char *name;
    int status = DAL_OK;
    if (first == NONE)
        return DAL_OK; /* which is told of the ring */
    check_counted(j, last, first);
    for (at = before(j, last), behind = last; at != NONE; behind = at, at = before(j, at)) {
        j->failed |=
            dal__agree_on_tokens(j->diags, channel, &j->nodes[j->joints[behind].from].port->tokens);
        if (j->joints[at].origin == NONE)
            return DAL_OK; /* which is told of a channel without a producer */
        j->joints[at].is_joined = 1;
        if (depth_of(j, at) <= depth_of(j, outermost))
            outermost = at;
        take_type(j, last, at);
        j->failed |= dal__meet(j->diags, j->network, j->raw, last, at);
    }
    for (at = last; j->joints[at].from != NONE && !status; at = before(j, at))
        status = lead_through(channel, &j->nodes[j->joints[at].from]);
    name =
        j->joints[outermost].is_named ? NULL : copy_text(j, j->network->channels[outermost].name);
    j->joints[outermost].is_named = 1;
    if (!status)
        status = take_rate(j, last, first);
    if (!status)
        status = begin_at(j, last, first);
    if (!status && name)
        status = rename_channel(j, last, name);
    dal_free(name);
    return status;
}

static void finish_channel(struct join *j, size_t i)
{
    dal_spec_finish_channel(&j->network->channels[i]);
    dal__raw_finish_channel(&j->raw->channels[i]);
}

/* Takes the channels out that lead to ports, and their connections. */
static void remove_joined(struct join *j)
{
    size_t kept = 0;
    for (size_t i = 0; i < j->network->channel_count; i++) {
        const struct joint *joint = &j->joints[i];
        if (joint->to == NONE)
            continue;
        dal__raw_finish_connection(&j->raw->connections[joint->origin]);
        dal__raw_finish_connection(&j->raw->connections[joint->target]);
        j->raw->connections[joint->origin].name = j->raw->connections[joint->target].name = NULL;
    }
    for (size_t i = 0; i < j->raw->connection_count; i++)
        if (j->raw->connections[i].name)
            j->raw->connections[kept++] = j->raw->connections[i];
    j->raw->connection_count = kept;
    kept = 0;
    for (size_t i = 0; i < j->network->channel_count; i++) {
        if (j->joints[i].to != NONE) {
            finish_channel(j, i);
            continue;
        }
        j->network->channels[kept] = j->network->channels[i];
        j->network->channels[kept].number = kept;
        j->raw->channels[kept++] = j->raw->channels[i];
    }
    j->network->channel_count = j->raw->channel_count = kept;
}

static int make_lists(struct join *j)
{
    size_t nodes = 0, channels = j->network->channel_count;
    for (size_t i = 0; i < j->raw->part_count; i++)
        nodes += j->raw->parts[i].port_count;
    j->first = dal_calloc(j->raw->part_count + 1, sizeof(*j->first));
    j->nodes = dal_calloc(nodes + 1, sizeof(*j->nodes));
    j->joints = dal_calloc(channels + 1, sizeof(*j->joints));
    if (!j->first || !j->nodes || !j->joints)
        return dal__lost(j->diags);
    for (size_t i = 0; i < channels; i++)
        j->joints[i] = (struct joint){.origin = NONE, .target = NONE, .from = NONE, .to = NONE};
    list_nodes(j);
    return DAL_OK;
}

static int join_all(struct join *j)
{
    int status = DAL_OK;
    for (size_t i = 0; i < j->raw->connection_count; i++)
        note_connection(j, i);
    note_nodes(j);
    for (size_t i = 0; i < j->node_count && !j->failed; i++)
        check_node(j, &j->nodes[i]);
    for (size_t i = 0; i < j->network->channel_count; i++) {
        check_own_ports(j, i);
        check_rates(j, i);
    }
    if (j->failed)
        return DAL_ERR_INVALID;
    status = note_all_inner(j);
    for (size_t i = 0; i < j->network->channel_count && !status; i++)
        if (j->joints[i].to == NONE && j->joints[i].from != NONE)
            status = join_one(j, i, first_of(j, i));
    for (size_t i = 0; i < j->network->channel_count && !status; i++)
        if (j->joints[i].to != NONE && !j->joints[i].is_joined)
            refuse_join(
                j, j->network->channels[i].place, "part-port",
                "sw_channel '%s' leads in a ring through ports of networks, or from one, with no "
                "process on it",
                j->network->channels[i].name);
    if (status || j->failed)
        return status ? status : DAL_ERR_INVALID;
    remove_joined(j);
    return DAL_OK;
}

int dal__join_parts(struct dal_diags *diags, struct dal_spec_network *network, struct dal__raw *raw)
{
    struct join j = {.diags = diags, .network = network, .raw = &raw->network};
    int status;
    if (!raw->network.part_count)
        return DAL_OK;
    status = make_lists(&j);
    if (!status)
        status = list_names(&j);
    if (!status)
        status = join_all(&j);
    dal_names_finish(&j.parts);
    dal_names_finish(&j.channels);
    dal_free_all(j.first, j.nodes, j.joints);
    return status == DAL_ERR_NOMEM ? dal__lost(diags) : status;
}
