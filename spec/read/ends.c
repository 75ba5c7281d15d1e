#include "spec/read/ends.h"

#include "rt/base/error.h"

#include <string.h>

int dal__list_channels(struct dal_diags *diags, const struct dal_spec_network *network,
                       struct dal_names *names)
{
    size_t errors = diags->errors;
    for (size_t i = 0; i < network->channel_count; i++) {
        const struct dal_spec_channel *channel = &network->channels[i], *first;
        int status = dal_names_add(names, channel->name, i);
        if (status == DAL_ERR_NOMEM)
            return dal__lost(diags);
        if (!status)
            continue;
        first = &network->channels[dal_names_find(names, channel->name)];
        if (first->place.file != channel->place.file)
            continue;
        dal_error(diags, channel->place, "duplicate-name", "sw_channel '%s': this name is taken",
                  channel->name);
        dal_note(diags, first->place, "'%s' is here", channel->name);
    }
    return diags->errors > errors ? DAL_ERR_INVALID : DAL_OK;
}

int dal__check_channel_ports(struct dal_diags *diags, const struct dal_spec_channel *channel,
                             const struct dal__raw_channel *ports)
{
    if (ports->input && ports->output)
        return 1;
    dal_error(diags, channel->place, "channel-ports",
              "sw_channel '%s' has no %s port; it must have one input and one output port",
              channel->name, ports->input ? "output" : "input");
    return 0;
}

int dal__check_channel_end(struct dal_diags *diags, const struct dal__raw_connection *connection,
                           const struct dal_spec_channel *channel,
                           const struct dal__raw_channel *ports, int leads_in)
{
    const char *wanted = leads_in ? ports->input : ports->output;
    const char *other = leads_in ? ports->output : ports->input;
    const char *name = (leads_in ? &connection->target : &connection->origin)->port;
    if (wanted && strcmp(wanted, name) == 0)
        return 1;
    if (other && strcmp(other, name) == 0)
        dal_error(diags, connection->place, "port-direction",
                  "connection '%s': port '%s' is the %s port of sw_channel '%s', its %s port is "
                  "needed",
                  connection->name, name, leads_in ? "output" : "input", channel->name,
                  leads_in ? "input" : "output");
    else
        dal_error(diags, connection->place, "unknown-port",
                  "connection '%s': sw_channel '%s' has no port '%s'", connection->name,
                  channel->name, name);
    return 0;
}
