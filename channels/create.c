#include "channels/create.h"

#include <string.h>

/* Makes all that a port has but its channels. */
static int build_port(const struct dal_port_request *of)
{
    struct dal_port_layout layout;
    struct dal_port_rings rings;
    struct dal_port_readers readers;
    int status = dal__port_layout(of, &layout);
    if (status == DAL_OK)
        status = dal__port_rings(&layout, &rings);
    if (status == DAL_OK)
        status = dal__port_readers(&rings, &readers);
    return status == DAL_OK ? dal__port_end(&readers) : status;
}

int dal_port_create(struct dal_channel **channels, const struct dal_channel_desc *const *descs,
                    int count, const struct dal_end_config *producer,
                    const struct dal_end_config *consumers)
{
    const struct dal_port_request of = {.port = dal__port_new(descs, count),
                                        .descs = descs,
                                        .count = count,
                                        .producer = producer,
                                        .consumers = consumers,
                                        .from = producer->queue};
    int i, status;
    memset(channels, 0, (size_t)count * sizeof(*channels));
    if (!of.port)
        return DAL_ERR_NOMEM;
    status = build_port(&of);
    for (i = 0; i < count; i++)
        if (status == DAL_OK)
            channels[i] = of.port->channels[i];
        else
            dal_channel_destroy(of.port->channels[i]);
    dal__port_leave(of.port);
    return status;
}
