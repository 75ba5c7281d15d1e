#include "rt/network/regions.h"

#include "channels/storage.h"
#include "rt/base/alloc.h"

/* Returns the number of locations: each processor, and one for rings that belong to no single
 * core. */
static int location_count(const struct dal_network *network)
{
    return network->net->processor_count + 1;
}

static int location_of(const struct dal_network *network, const struct dal_process *process)
{
    return process->desc->processor_count == 1 ? process->desc->processors[0]
                                               : network->net->processor_count;
}

/* Returns whether a ring is likely to lie within a group of several processes (rt/host/group.c). */
static int may_lie_idle(const struct dal_network *network, const struct dal_channel_desc *channel)
{
    const struct dal_process *producer = &network->processes[channel->producer],
                             *consumer = &network->processes[channel->consumer];
    return producer != consumer && !channel->next_of_port && channel->initial_tokens == 0 &&
           channel->rate_in == channel->rate_out && !producer->ops->has_thread &&
           !consumer->ops->has_thread &&
           dal_process_same_processors(producer->desc, consumer->desc);
}

static int region_number(const struct dal_network *network, int first)
{
    const struct dal_channel_desc *channel = &network->net->channels[first];
    return 2 * location_of(network, &network->processes[channel->producer]) +
           may_lie_idle(network, channel);
}

struct dal_region *dal__region_of(struct dal_network *network, int first)
{
    return &network->regions[region_number(network, first)];
}

/* Adds a port's ring to its region if all ends are on the host; `met` marks the channels seen so
 * far. */
static void add_ring(struct dal_network *network, int first, const struct dal_channel_desc **descs,
                     unsigned char *met)
{
    const struct dal_channel_desc *table = network->net->channels;
    struct dal_region *region = dal__region_of(network, first);
    int i = first, count = 0, on_device = network->processes[table[i].producer].ops->on_device;
    size_t bytes;
    do {
        met[i] = 1;
        on_device |= network->processes[table[i].consumer].ops->on_device;
        descs[count++] = &table[i];
        i = table[i].next_of_port;
    } while (i);
    bytes = on_device ? 0 : dal_port_region_bytes(descs, count);
    region->bytes = bytes > SIZE_MAX - region->bytes ? SIZE_MAX : region->bytes + bytes;
}

static int complain(const struct dal_network *network, int location, size_t bytes)
{
    const struct dal_net *net = network->net;
    dal_log(DAL_LOG_ERROR, "no memory for the rings of %s: %zu bytes",
            location < net->processor_count ? net->processors[location].name : "several processors",
            bytes);
    return DAL_ERR_NOMEM;
}

static int make_regions(struct dal_network *network, const struct dal_channel_desc **descs,
                        unsigned char *met)
{
    for (int i = 0; i < network->net->channel_count; i++)
        if (!met[i])
            add_ring(network, i, descs, met);
    for (int i = 0; i < 2 * location_count(network); i++) {
        size_t bytes = network->regions[i].bytes;
        if (dal_region_init(&network->regions[i], bytes, i % 2 == 0) < 0)
            return complain(network, i / 2, bytes);
    }
    return DAL_OK;
}

int dal__regions_make(struct dal_network *network)
{
    size_t channels = (size_t)network->net->channel_count + 1;
    const struct dal_channel_desc **descs = dal_calloc(channels, sizeof(*descs));
    unsigned char *met = dal_calloc(channels, 1);
    int status;
    dal__regions_finish(network);
    network->regions = dal_calloc(2 * (size_t)location_count(network), sizeof(*network->regions));
    if (descs && met && network->regions)
        status = make_regions(network, descs, met);
    else
        status = dal_no_memory();
    dal_free(descs);
    dal_free(met);
    return status;
}

void dal__regions_finish(struct dal_network *network)
{
    for (int i = 0; network->regions && i < 2 * location_count(network); i++)
        if (network->regions[i].base)
            dal_region_finish(&network->regions[i]);
    dal_free(network->regions);
    network->regions = NULL;
}
