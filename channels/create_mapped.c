/* Makes the mapped ring of a port, or says why it cannot be mapped. */
#include "channels/create.h"

/* Returns the reader on a device, which borrows blocks of the mapped ring; -1 for the producer.
 * Sets *why where other readers would have to work in the ring, too. */
static int find_borrower(const struct dal_port_plan *plan, const char **why)
{
    int i, found = -1, others = 0;
    for (i = 0; i < plan->port->count; i++) {
        others += plan->from ? dal__kind_at(plan, i) != DAL_CHANNEL_MAPPED
                             : dal__queue_at(plan, i) != NULL;
        found = dal__queue_at(plan, i) ? i : found;
    }
    if (others > (plan->from ? 0 : 1))
        *why = "other readers are on devices";
    return plan->from ? -1 : found;
}

static void size_blocks(struct dal_port_plan *plan)
{
    int borrower = plan->borrower;
    const struct dal_channel_desc *desc = dal__channel_at(plan, borrower < 0 ? 0 : borrower)->desc;
    const struct dal_end_config *config =
        borrower < 0 ? plan->producer : &plan->consumers[borrower];
    uint64_t rate = dal__window_rate(plan, config, borrower < 0 ? desc->rate_in : desc->rate_out);
    uint64_t first = borrower < 0 ? plan->initial : plan->initial - desc->initial_tokens;
    uint64_t firings = dal__block_firings(&plan->port->shape, rate, first, config->firings);
    plan->block = firings * rate * desc->token_bytes;
    plan->lends_all = firings == 1 && (borrower < 0 || plan->port->count == 1);
}

void dal__choose_blocks(struct dal_port_plan *plan)
{
    const char *why = NULL;
    int i, mapped = 0;
    for (i = 0; i < plan->port->count; i++)
        mapped += dal__kind_at(plan, i) == DAL_CHANNEL_MAPPED;
    if (!mapped)
        return;
    plan->borrower = find_borrower(plan, &why);
    if (plan->port->inplace)
        why = "its tokens are changed in place";
    if (!why)
        size_blocks(plan);
    if (!why && plan->block == 0)
        why = "its windows do not lie in blocks that could be mapped";
    for (i = 0; why && i < plan->port->count; i++) {
        if (dal__kind_at(plan, i) != DAL_CHANNEL_MAPPED)
            continue;
        dal_log(DAL_LOG_NOTE, "channel %s: %s; staged instead",
                dal__channel_at(plan, i)->desc->name, why);
        dal__channel_at(plan, i)->kind = DAL_CHANNEL_STAGED;
    }
}

int dal__make_mapped_ring(struct dal_port_plan *plan, struct dal_storage *storage)
{
    const struct dal_subject subject = dal__port_subject(plan);
    struct dal_blocks *blocks = &plan->port->blocks;
    int writes = plan->borrower < 0;
    const struct dal_queue *queue = writes ? plan->from : dal__queue_at(plan, plan->borrower);
    int status = dal_storage_pages(storage, dal__port_name(plan), dal__ring_bytes(plan->port));
    if (status == DAL_OK)
        status = dal__blocks_init(blocks, &subject, storage, queue, plan->block, writes);
    if (status < 0 || plan->lends_all)
        return status;
    return dal_storage_device(&blocks->rest, &subject, queue->device, plan->block, 1);
}
