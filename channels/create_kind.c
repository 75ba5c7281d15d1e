/* Chooses the kind of a channel on the devices that are there. */
#include "channels/create.h"

enum dal_channel_kind dal__kind_staged(const struct dal_channel_desc *desc, const char *device,
                                       const char *why)
{
    dal_log(DAL_LOG_NOTE, "channel %s: %s%s%s; staged instead", desc->name, device,
            *device ? " " : "", why);
    return DAL_CHANNEL_STAGED;
}

/* Returns the kind of a channel with an end that is distributed to several devices. */
static enum dal_channel_kind resolve_distributed(const struct dal_channel_desc *desc,
                                                 enum dal_channel_kind kind,
                                                 const struct dal_end_config *producer,
                                                 const struct dal_end_config *consumer)
{
    if (!dal_channel_traits(kind)->in_place)
        return kind;
    if (dal__is_distributed_alike(desc, producer, consumer) ||
        dal__find_halo(desc, producer, consumer))
        return DAL_CHANNEL_DEVICE;
    return dal__kind_staged(desc, "", "not each token stays on its device");
}

/* Returns the kind of a channel between the host and a device that is said to share its memory. */
static enum dal_channel_kind resolve_shared(const struct dal_channel_desc *desc,
                                            enum dal_channel_kind kind,
                                            const struct dal_device_info *info)
{
    enum dal_channel_kind found = info->traits.fine_svm  ? DAL_CHANNEL_UNIFIED
                                  : info->traits.unified ? DAL_CHANNEL_MAPPED
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
    case DAL_CHANNEL_NEWEST: /* the ends swap slots of the host */
        return !device                                   ? kind
               : !(p && c) && dal__works_on_host(device) ? DAL_CHANNEL_UNIFIED
                                                         : DAL_CHANNEL_STAGED;
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
    if (desc->kind == DAL_CHANNEL_NEWEST)
        return desc->kind;
    if (!device)
        return producer->core >= 0 && producer->core == consumer->core ? DAL_CHANNEL_CORE
                                                                       : DAL_CHANNEL_CORES;
    if (desc->kind != DAL_CHANNEL_REMOTE && dal_channel_traits(desc->kind)->least_devices < 2)
        return desc->kind;
    return device->device->info.traits.unified ? DAL_CHANNEL_UNIFIED : DAL_CHANNEL_STAGED;
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
    *kind = dal__is_distributed(producer) || dal__is_distributed(consumer)
                ? resolve_distributed(desc, wanted, producer, consumer)
                : resolve(desc, wanted, producer->queue, consumer->queue);
    return DAL_OK;
}
