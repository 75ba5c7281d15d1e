/* Adds readers that listen at ports. */
#include "spec/read/tap_edges.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <string.h>

static char *copy_text(int *lost, const char *text)
{
    char *copy = text ? dal_strdup(text) : NULL;
    *lost |= text && !copy;
    return copy;
}

static int copy_phases(struct dal_spec_phases *to, const struct dal_spec_phases *from)
{
    *to = (struct dal_spec_phases){0};
    if (!from->count)
        return 0;
    to->of = dal_calloc(from->count, sizeof(*to->of));
    if (!to->of)
        return 1;
    memcpy(to->of, from->of, from->count * sizeof(*to->of));
    to->count = from->count;
    return 0;
}

/* Adds a channel beside another one, at the same port. It has no initial tokens. */
static int add_channel(struct dal__taps *taps, const char *name, size_t beside)
{
    struct dal_spec_network *network = taps->network;
    struct dal__raw_network *raw = &taps->raw->network;
    struct dal_spec_channel *c;
    struct dal__raw_channel *r;
    int lost = 0;
    if (network->channel_count == DAL_MAX_CHANNELS)
        return dal_error(taps->diags, network->place, "network-size",
                         "with taps there are more than %d channels", DAL_MAX_CHANNELS);
    if (dal_extend(&network->channels, network->channel_count, sizeof(*c)) ||
        dal_extend(&raw->channels, raw->channel_count, sizeof(*r)))
        return dal__lost(taps->diags);
    c = &network->channels[network->channel_count];
    r = &raw->channels[raw->channel_count++];
    *c = network->channels[beside];
    *r = (struct dal__raw_channel){.broken = raw->channels[beside].broken,
                                   .is_sized = raw->channels[beside].is_sized};
    c->name = dal_format("%s.tap", name);
    c->token_type = copy_text(&lost, c->token_type);
    c->header = copy_text(&lost, c->header);
    c->initial_data = NULL;
    c->through = NULL;
    c->initial_tokens = 0;
    c->inplace = c->unsaid_out = 0;
    c->rate_out = 1;
    c->number = network->channel_count++;
    r->input = copy_text(&lost, "in");
    r->output = copy_text(&lost, "out");
    lost |= copy_phases(&r->in, &raw->channels[beside].in) || !c->name;
    return lost ? dal__lost(taps->diags) : DAL_OK;
}

/* Adds a connection between a process and the last channel, whose process may come later. */
static int add_connection(struct dal__taps *taps, const char *process, const char *port, int into)
{
    struct dal__raw_network *raw = &taps->raw->network;
    const struct dal_spec_channel *channel =
        &taps->network->channels[taps->network->channel_count - 1];
    struct dal__raw_connection *c;
    struct dal__raw_end *at_process, *at_channel;
    if (dal_extend(&raw->connections, raw->connection_count, sizeof(*c)))
        return dal__lost(taps->diags);
    c = &raw->connections[raw->connection_count++];
    *c = (struct dal__raw_connection){
        .name = dal_format("%s.%s", channel->name, into ? "in" : "out"), .place = channel->place};
    at_process = into ? &c->origin : &c->target;
    at_channel = into ? &c->target : &c->origin;
    *at_process = (struct dal__raw_end){.name = dal_strdup(process), .port = dal_strdup(port)};
    *at_channel = (struct dal__raw_end){.name = dal_strdup(channel->name),
                                        .port = dal_strdup(into ? "in" : "out")};
    return c->name && at_process->name && at_process->port && at_channel->name && at_channel->port
               ? DAL_OK
               : dal__lost(taps->diags);
}

int dal__taps_listen(struct dal__taps *taps, const char *name, size_t beside,
                     struct dal_spec_tap tap)
{
    size_t number = taps->network->channel_count, count = taps->raw->network.connection_count;
    const char *process = taps->network->processes[taps->edges[beside].from].name;
    int status = add_channel(taps, name, beside);
    if (!status)
        status = add_connection(taps, process, dal__edge_port(taps, beside, 1), 1);
    if (!status)
        status = add_connection(taps, "", "", 0);
    if (status)
        return status;
    taps->edges[number] =
        (struct dal__edge){.from = taps->edges[beside].from, .origin = count, .target = count + 1};
    return dal__taps_add(taps, dal_strdup(name), dal_strdup(name), number, 0, tap);
}
