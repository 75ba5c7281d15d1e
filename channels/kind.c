#include "channels/kind.h"

#include "channels/queue.h"

int dal__is_dealt(const struct dal_end_config *config)
{
    return config->queue_count > 1;
}

/* Returns the firings of a block. */
static uint64_t block_firings(const struct dal_end_config *config)
{
    return config->firings * (config->round ? config->round : 1);
}

/* Are both ends on the same devices, with as many tokens in a block? */
static int has_same_blocks(const struct dal_channel_desc *desc,
                           const struct dal_end_config *producer,
                           const struct dal_end_config *consumer)
{
    int i;
    if (!dal__is_dealt(producer) || producer->queue_count != consumer->queue_count ||
        block_firings(producer) * desc->rate_in != block_firings(consumer) * desc->rate_out)
        return 0;
    for (i = 0; i < producer->queue_count; i++)
        if (producer->queues[i] != consumer->queues[i])
            return 0;
    return 1;
}

int dal__is_dealt_alike(const struct dal_channel_desc *desc, const struct dal_end_config *producer,
                        const struct dal_end_config *consumer)
{
    return desc->initial_tokens == 0 && has_same_blocks(desc, producer, consumer);
}

uint64_t dal__find_margin(const struct dal_channel_desc *desc,
                          const struct dal_end_config *producer,
                          const struct dal_end_config *consumer)
{
    return desc->initial_tokens <= block_firings(producer) * desc->rate_in &&
                   has_same_blocks(desc, producer, consumer)
               ? desc->initial_tokens
               : 0;
}

/* Returns the kind of a channel with an end that is dealt to several devices. */
static enum dal_channel_kind resolve_dealt(const struct dal_channel_desc *desc,
                                           enum dal_channel_kind kind,
                                           const struct dal_end_config *producer,
                                           const struct dal_end_config *consumer)
{
    if (!dal_channel_traits(kind)->in_place)
        return kind;
    if (dal__is_dealt_alike(desc, producer, consumer) || dal__find_margin(desc, producer, consumer))
        return DAL_CHANNEL_DEVICE;
    dal_log(DAL_LOG_NOTE, "channel %s: not each token stays on its device; staged instead",
            desc->name);
    return DAL_CHANNEL_STAGED;
}

/* Returns the kind of a channel between the host and a device that is said to share its memory. */
static enum dal_channel_kind resolve_shared(const struct dal_channel_desc *desc,
                                            enum dal_channel_kind kind,
                                            const struct dal_device_info *info)
{
    enum dal_channel_kind found = info->fine_svm  ? DAL_CHANNEL_UNIFIED
                                  : info->unified ? DAL_CHANNEL_MAPPED
                                                  : DAL_CHANNEL_STAGED;
    if (found != kind)
        dal_log(DAL_LOG_NOTE, "channel %s: %s has %s; %s instead", desc->name, info->name,
                found == DAL_CHANNEL_UNIFIED  ? "fine-grained shared virtual memory"
                : found == DAL_CHANNEL_MAPPED ? "no fine-grained shared virtual memory"
                                              : "its own memory",
                dal_channel_traits(found)->name);
    return found;
}

/* Returns the kind that `kind` becomes on the devices that are really there. */
static enum dal_channel_kind resolve(const struct dal_channel_desc *desc,
                                     enum dal_channel_kind kind, const struct dal_queue *p,
                                     const struct dal_queue *c)
{
    const struct dal_queue *device = p ? p : c;
    switch (kind) {
    case DAL_CHANNEL_GROUP:
    case DAL_CHANNEL_DEVICE:
    case DAL_CHANNEL_CONTEXT:
        if (p == c)
            return DAL_CHANNEL_DEVICE;
        if (dal_device_share_memory(p->device, c->device))
            return DAL_CHANNEL_CONTEXT;
        dal_log(DAL_LOG_NOTE, "channel %s: %s and %s share no %s; staged instead", desc->name,
                p->device->info.name, c->device->info.name,
                p->device->context == c->device->context ? "memory" : "context");
        return DAL_CHANNEL_STAGED;
    case DAL_CHANNEL_UNIFIED:
    case DAL_CHANNEL_MAPPED:
        return resolve_shared(desc, kind, &device->device->info);
    default:
        return kind;
    }
}

/* Returns the kind when a process was planned for a device but runs on a core, or runs on another
 * node: its end is the host's. */
static enum dal_channel_kind refit(const struct dal_channel_desc *desc,
                                   const struct dal_end_config *producer,
                                   const struct dal_end_config *consumer)
{
    const struct dal_queue *device = producer->queue ? producer->queue : consumer->queue;
    if (!device)
        return producer->core >= 0 && producer->core == consumer->core ? DAL_CHANNEL_CORE
                                                                       : DAL_CHANNEL_CORES;
    if (desc->kind != DAL_CHANNEL_REMOTE && dal_channel_traits(desc->kind)->least_devices < 2)
        return desc->kind;
    return device->device->info.unified ? DAL_CHANNEL_UNIFIED : DAL_CHANNEL_STAGED;
}

int dal__kind_choose(enum dal_channel_kind *kind, const struct dal_channel_desc *desc,
                     const struct dal_end_config *producer, const struct dal_end_config *consumer)
{
    int moved = producer->moved || consumer->moved || desc->kind == DAL_CHANNEL_REMOTE;
    enum dal_channel_kind wanted = moved ? refit(desc, producer, consumer) : desc->kind;
    int devices = (producer->queue != NULL) + (consumer->queue != NULL);
    const struct dal_channel_traits *traits = dal_channel_traits(wanted);
    if (devices < traits->least_devices || devices > traits->most_devices) {
        dal_log(DAL_LOG_ERROR, "channel %s: kind %s does not fit %d device ends", desc->name,
                traits->name, devices);
        return DAL_ERR_UNSUPPORTED;
    }
    *kind = wanted;
    if (wanted == DAL_CHANNEL_GROUP && producer->launcher &&
        producer->launcher == consumer->launcher)
        return DAL_OK;
    *kind = dal__is_dealt(producer) || dal__is_dealt(consumer)
                ? resolve_dealt(desc, wanted, producer, consumer)
                : resolve(desc, wanted, producer->queue, consumer->queue);
    return DAL_OK;
}
