#include "rt/watch/resolve.h"

#include "channels/grow.h"
#include "channels/port.h"
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/model/network.h"
#include "rt/nodes/nodes.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST_REPORTED = 64 }; /* lines of a report */

/* ---- reports --------------------------------------------------------------------------------- */

/* Logs that the readers' node has no room; that is why others wait for a flow's tokens. */
static void tell_flow(const struct dal_net *whole, const struct dal_wait *wait, const char *reader)
{
    if (wait->output)
        dal_log(DAL_LOG_NOTE,
                "node %s has no room for tokens of channel %s (%" PRIu64 " of %" PRIu64
                " there), which process %s reads",
                whole->nodes[wait->rank], whole->channels[wait->channel].name, wait->fill,
                wait->capacity, reader);
}

/* Logs a wait. Processes that are launched together are one vertex; the channel tells which of them
 * waits. */
void dal_wait_tell(const struct dal_network *network, const struct dal_wait *wait)
{
    const struct dal_net *whole = network->whole;
    const struct dal_channel_desc *channel = &whole->channels[wait->channel];
    const char *reader = whole->processes[channel->consumer].name;
    const char *writer = whole->processes[channel->producer].name;
    if (wait->waiter >= whole->process_count)
        tell_flow(whole, wait, reader);
    else
        dal_log(DAL_LOG_NOTE,
                "process %s waits for %" PRIu64 " token%s%s of channel %s (%" PRIu64 " of %" PRIu64
                " there), which process %s %s",
                wait->output ? writer : reader, wait->rate, wait->rate == 1 ? "" : "s",
                wait->output ? " of space" : "", channel->name, wait->fill, wait->capacity,
                wait->output ? reader : writer, wait->output ? "reads" : "writes");
}

/* ---- growing --------------------------------------------------------------------------------- */

/* Returns the tokens by which a channel may grow: its capacity, or less if the limit is near. */
static uint64_t more_of(const struct dal_network *network, const struct dal_channel *channel)
{
    uint64_t grown = atomic_load_explicit(&network->supervision.grown_bytes, memory_order_relaxed);
    uint64_t left = (network->supervision.limits.growth_bytes - grown) / channel->desc->token_bytes;
    uint64_t capacity = dal_channel_capacity(channel);
    return capacity < left ? capacity : left;
}

enum dal_growth dal_growth_of(const struct dal_network *network, const struct dal_channel *channel)
{
    if (channel->port->inplace)
        return DAL_GROWTH_INPLACE;
    if (!dal_channel_can_grow(channel))
        return DAL_GROWTH_DEVICE;
    if (dal_channel_is_growing(channel))
        return DAL_GROWTH_UNDER_WAY;
    return more_of(network, channel) < channel->desc->rate_in ? DAL_GROWTH_LIMIT : DAL_GROWTH_READY;
}

static void grow_now(struct dal_network *network, struct dal_channel *channel)
{
    uint64_t capacity = dal_channel_capacity(channel), more = more_of(network, channel);
    struct dal_listener *producer = &network->processes[channel->desc->producer].listener;
    int status = dal_channel_grow(channel, capacity + more);
    if (status < 0) {
        dal_control_break(&network->control, status);
        return;
    }
    atomic_fetch_add_explicit(&network->supervision.grown_bytes, more * channel->desc->token_bytes,
                              memory_order_relaxed);
    dal_log(DAL_LOG_NOTE,
            "channel %s: grown from %" PRIu64 " to %" PRIu64 " tokens, since processes waited for "
            "each other",
            channel->desc->name, capacity, capacity + more);
    producer->notify(producer);
}

/* The monitor calls this for waits within a node, the progress thread for waits across nodes. */
void dal_grow_ring(struct dal_network *network, int ring)
{
    static pthread_mutex_t growing = PTHREAD_MUTEX_INITIALIZER;
    if (ring < 0 || ring >= network->net->channel_count)
        return;
    pthread_mutex_lock(&growing);
    if (dal_growth_of(network, network->channels[ring]) == DAL_GROWTH_READY)
        grow_now(network, network->channels[ring]);
    pthread_mutex_unlock(&growing);
}

/* ---- verdicts -------------------------------------------------------------------------------- */

static const char *const reasons[DAL_VERDICTS] = {
    [DAL_VERDICT_TOKENS] = "these processes wait for each other's tokens",
    [DAL_VERDICT_LIMIT] = "these processes wait for each other, and channels have grown as far as "
                          "--max-memory allows",
    [DAL_VERDICT_DEVICE] = "these processes wait for each other, and no full channel between them "
                           "can grow, since a device uses it; give it a larger size",
    [DAL_VERDICT_INPLACE] = "these processes wait for each other, and no full channel between them "
                            "can grow, since it is changed in place: it has room for its initial "
                            "tokens alone"};

static void end_deadlock(struct dal_network *network, const struct dal_verdict *verdict,
                         const struct dal_wait *waits)
{
    dal_log(DAL_LOG_ERROR, "network %s: deadlock: %s", network->net->name, reasons[verdict->kind]);
    for (int i = 0; i < verdict->length && i < MOST_REPORTED; i++)
        dal_wait_tell(network, &waits[verdict->cycle[i]]);
    dal_control_break(&network->control, DAL_ERR_DEADLOCK);
}

const struct dal_wait *dal_resolve(struct dal_network *network, struct dal_judge *judge,
                                   const struct dal_wait *waits, int count)
{
    struct dal_verdict verdict = dal_judge_waits(judge, waits, count);
    if (reasons[verdict.kind])
        end_deadlock(network, &verdict, waits);
    return verdict.grows;
}

/* ---- over nodes ------------------------------------------------------------------------------ */

/* One rank's look at its part, for the global snapshot. The progress thread alone uses it. */
struct dal_snapshot_taker {
    struct dal_snapshot_callbacks callbacks;
    struct dal_look look;
};

static void look_at_part(void *argument, struct dal_local_snapshot *local)
{
    struct dal_network *network = argument;
    struct dal_look *look = &network->supervision.snapshot_taker->look;
    dal_look_take(look);
    local->sum = dal_snapshot_sum(dal_look_now(look));
    local->count = dal_look_list(look, local->waits);
}

static int compare_waiters(const void *a, const void *b)
{
    const struct dal_wait *one = a, *other = b;
    return (one->waiter > other->waiter) - (one->waiter < other->waiter);
}

static const struct dal_wait *judge_all(void *argument, struct dal_wait *waits, int count)
{
    struct dal_network *network = argument;
    qsort(waits, (size_t)count, sizeof(*waits), compare_waiters);
    return dal_resolve(network, &network->supervision.snapshot_taker->look.judge, waits, count);
}

static void grow_of(void *network, int ring)
{
    dal_grow_ring(network, ring);
}

/* May capacities be too small, since the analysis does not know all? */
static int may_wait_for_ever(const struct dal_net *whole)
{
    for (int i = 0; i < whole->process_count; i++)
        if (whole->processes[i].kind == DAL_PROCESS_KPN)
            return 1;
    for (int i = 0; i < whole->channel_count; i++)
        if (whole->channels[i].kind == DAL_CHANNEL_NEWEST)
            return 1;
    return 0;
}

int dal_resolve_nodes(struct dal_network *network)
{
    struct dal_snapshot_taker *snapshot_taker;
    if (!network->nodes || !may_wait_for_ever(network->whole))
        return DAL_OK;
    snapshot_taker = network->supervision.snapshot_taker = dal_calloc(1, sizeof(*snapshot_taker));
    if (!snapshot_taker || dal_look_init(&snapshot_taker->look, network) < 0)
        return dal_no_memory();
    snapshot_taker->callbacks =
        (struct dal_snapshot_callbacks){.network = network,
                                        .most_waits = dal_look_most(&snapshot_taker->look),
                                        .look = look_at_part,
                                        .judge = judge_all,
                                        .grow = grow_of};
    return dal_global_snapshot_init(&network->nodes->global, &snapshot_taker->callbacks,
                                    network->nodes->link->count) < 0
               ? dal_no_memory()
               : DAL_OK;
}

void dal_resolve_finish(struct dal_network *network)
{
    if (network->supervision.snapshot_taker)
        dal_look_finish(&network->supervision.snapshot_taker->look);
    dal_free(network->supervision.snapshot_taker);
}
