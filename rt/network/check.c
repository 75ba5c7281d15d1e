#include "rt/network/check.h"

#include "channels/check.h"

#include <inttypes.h>

/* Checks that an end moved its rate in each firing. The last firing may have moved nothing (dal.h),
 * and the last cycle only a part. */
static int check_end(const struct dal_process *process, int port)
{
    const struct dal_end *end = process->ends[port];
    uint64_t rate = process->desc->ports[port].rate;
    uint64_t moved = atomic_load_explicit(&end->visible, memory_order_relaxed) - end->first;
    uint64_t due = process->firings * rate;
    if (moved == due || moved + rate == due)
        return DAL_OK;
    if (process->desc->code && process->desc->code->phases && moved < due && moved + rate > due)
        return DAL_OK;
    dal_log(DAL_LOG_ERROR,
            "process %s: %" PRIu64 " firings have moved %" PRIu64
            " tokens of channel %s, should be "
            "%" PRIu64,
            process->desc->name, process->firings, moved, end->channel->desc->name, due);
    return DAL_ERR_SYSTEM;
}

static int check_ends(const struct dal_process *process)
{
    int status = DAL_OK;
    for (int i = 0; status == DAL_OK && !process->ops->has_thread && i < process->desc->port_count;
         i++)
        status = check_end(process, i);
    return status;
}

/* Returns the firings in which a source sent tokens. The firing that ends it may have sent none
 * (dal.h). */
static uint64_t sent_firings(const struct dal_process *process)
{
    return process->firings - (process->host.by_itself && process->firings > 0);
}

/* Returns the whole iterations that all sources have made. Returns 0 if other processes need not
 * match: one has dynamic rates, reads what is newest, or has ended by itself. */
static uint64_t whole_iterations(const struct dal_network *network)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < network->net->channel_count; i++)
        if (network->net->channels[i].kind == DAL_CHANNEL_NEWEST)
            return 0;
    for (int i = 0; i < network->net->process_count; i++) {
        const struct dal_process *process = &network->processes[i];
        if (process->desc->repetitions == 0 || (process->host.by_itself && !process->source))
            return 0;
        if (process->source && sent_firings(process) / process->desc->repetitions < least)
            least = sent_firings(process) / process->desc->repetitions;
    }
    return least == UINT64_MAX ? 0 : least;
}

int dal__network_check(const struct dal_network *network)
{
    uint64_t iterations;
    int status = DAL_OK;
    if (!DAL_IS_CHECKING)
        return DAL_OK;
    for (int i = 0; status == DAL_OK && i < network->net->process_count; i++)
        status = check_ends(&network->processes[i]);
    iterations = whole_iterations(network);
    for (int i = 0; status == DAL_OK && i < network->net->process_count; i++) {
        const struct dal_process *process = &network->processes[i];
        /* initial tokens may replace the last firings of the processes before them */
        if (process->source || process->unread ||
            process->firings >= iterations * process->desc->repetitions)
            continue;
        dal_log(DAL_LOG_ERROR,
                "process %s: %" PRIu64 " firings in %" PRIu64 " iterations, should be %" PRIu64
                " in each",
                process->desc->name, process->firings, iterations, process->desc->repetitions);
        status = DAL_ERR_SYSTEM;
    }
    return status;
}
