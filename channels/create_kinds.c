/* Fits the kinds of a port's channels to each other, after each has its own (kind.h). */
#include "channels/create.h"

static int same_context(const struct dal_queue *a, const struct dal_queue *b)
{
    return a->device->context == b->device->context;
}

/* Can kernels use the host's memory as it is? */
static int shares_memory(const struct dal_queue *queue)
{
    return queue->device->info.fine_svm && queue->device->info.unified;
}

/* Is the channel STAGED, between devices that share no memory? A device that shares the host's
 * memory then needs no ring of its own: its kernels work in the ring that the other's transfers
 * reach. */
static int is_across(const struct dal_port_plan *plan, int i)
{
    return plan->from && dal__queue_at(plan, i) && dal__kind_at(plan, i) == DAL_CHANNEL_STAGED &&
           !dal__is_dealt(plan->producer) && !dal__is_dealt(&plan->consumers[i]) &&
           !dal_device_share_memory(plan->from->device, dal__queue_at(plan, i)->device);
}

/* Returns the queue whose context owns the producer's ring as shared memory: the first that asks;
 * or NULL. */
static const struct dal_queue *find_own_shared(const struct dal_port_plan *plan)
{
    const struct dal_queue *found = NULL;
    int i;
    for (i = 0; i < plan->port->count; i++)
        if (dal__kind_at(plan, i) == DAL_CHANNEL_UNIFIED)
            return plan->from ? plan->from : dal__queue_at(plan, i);
    for (i = 0; i < plan->port->count; i++) {
        if (dal__kind_at(plan, i) == DAL_CHANNEL_CONTEXT &&
            !dal__queue_at(plan, i)->device->info.fine_svm)
            return NULL;
        if (is_across(plan, i) && shares_memory(plan->from))
            found = plan->from;
    }
    return found;
}

static const struct dal_queue *find_host_shared(const struct dal_port_plan *plan)
{
    int i;
    for (i = 0; i < plan->port->count; i++)
        if (is_across(plan, i) && shares_memory(dal__queue_at(plan, i)))
            return dal__queue_at(plan, i);
    return NULL;
}

/* Makes readers STAGED that cannot work in the shared memory of the ring. */
static void stage_strangers(struct dal_port_plan *plan)
{
    int i;
    for (i = 0; plan->own_shared && i < plan->port->count; i++) {
        const struct dal_queue *queue = dal__queue_at(plan, i);
        const char *why = NULL;
        if (!queue || dal__is_moved(plan, i))
            continue;
        if (!same_context(queue, plan->own_shared))
            why = "is of another context than the ring";
        else if (!queue->device->info.fine_svm)
            why = "has no fine-grained shared virtual memory, where the ring is";
        if (!why)
            continue;
        dal_log(DAL_LOG_NOTE, "channel %s: %s %s; staged instead",
                dal__channel_at(plan, i)->desc->name, queue->device->info.name, why);
        dal__channel_at(plan, i)->kind = DAL_CHANNEL_STAGED;
    }
}

/* If only some readers are in the producer's group, these read from the ring that the others
 * have. */
static void find_counted(struct dal_port_plan *plan)
{
    int i;
    plan->counted = 1;
    for (i = 0; i < plan->port->count; i++)
        plan->counted &= dal__kind_at(plan, i) == DAL_CHANNEL_GROUP;
    for (i = 0; i < plan->port->count && !plan->counted; i++)
        if (dal__kind_at(plan, i) == DAL_CHANNEL_GROUP)
            dal__channel_at(plan, i)->kind = DAL_CHANNEL_DEVICE;
}

/* Refuses a channel that is changed in place where its two ends do not share one ring. */
static int check_inplace(const struct dal_port_plan *plan)
{
    const struct dal_channel *inplace = plan->port->inplace;
    if (!inplace || (dal_channel_traits(inplace->kind)->in_place && !plan->counted &&
                     !dal__is_dealt(plan->producer)))
        return DAL_OK;
    dal_log(DAL_LOG_ERROR, "channel %s: its tokens cannot be changed in place: kind %s%s",
            inplace->desc->name, dal_channel_traits(inplace->kind)->name,
            dal__is_dealt(plan->producer) ? ", on several devices" : "");
    return DAL_ERR_UNSUPPORTED;
}

int dal__choose_kinds(struct dal_port_plan *plan)
{
    int i, status = DAL_OK;
    for (i = 0; status == DAL_OK && i < plan->port->count; i++)
        status = dal__kind_choose(&dal__channel_at(plan, i)->kind, dal__channel_at(plan, i)->desc,
                                  plan->producer, &plan->consumers[i]);
    if (status < 0)
        return status;
    find_counted(plan);
    plan->own_shared = find_own_shared(plan);
    stage_strangers(plan);
    if (!plan->own_shared)
        plan->host_shared = find_host_shared(plan);
    return check_inplace(plan);
}

int dal__shares_host_ring(const struct dal_port_plan *plan, int reader)
{
    return plan->host_shared && is_across(plan, reader) &&
           shares_memory(dal__queue_at(plan, reader)) &&
           same_context(plan->host_shared, dal__queue_at(plan, reader));
}

uint64_t dal__margin_of(const struct dal_port_plan *plan, int i)
{
    return dal__kind_at(plan, i) == DAL_CHANNEL_DEVICE
               ? dal__find_margin(dal__channel_at(plan, i)->desc, plan->producer,
                                  &plan->consumers[i])
               : 0;
}

/* A block has one place in front of it, so all readers with a margin must have the same. */
void dal__choose_margin(struct dal_port_plan *plan)
{
    int i;
    for (i = 0; i < plan->port->count; i++) {
        uint64_t margin = dal__margin_of(plan, i);
        if (plan->margin && margin && margin != plan->margin) {
            dal_log(DAL_LOG_NOTE,
                    "channel %s: another reader has other initial tokens; staged "
                    "instead",
                    dal__channel_at(plan, i)->desc->name);
            dal__channel_at(plan, i)->kind = DAL_CHANNEL_STAGED;
        } else if (margin)
            plan->margin = margin;
    }
    plan->moved = plan->staged = plan->margin > 0;
}

void dal__count_kinds(struct dal_port_plan *plan)
{
    int i;
    plan->port->rewinds = 1;
    for (i = 0; i < plan->port->count; i++) {
        const struct dal_channel_desc *desc = dal__channel_at(plan, i)->desc;
        plan->moved |= dal__is_moved(plan, i);
        plan->staged |= dal__kind_at(plan, i) == DAL_CHANNEL_STAGED;
        plan->port->rewinds &=
            dal__kind_at(plan, i) == DAL_CHANNEL_CORE && desc->producer != desc->consumer;
    }
}
