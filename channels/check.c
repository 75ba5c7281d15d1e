#include "channels/check.h"

#ifdef DAL_CHECKING
#include "channels/port.h"
#include "rt/base/error.h"
#include "rt/base/output.h"

#include <inttypes.h>
#include <stdlib.h>

/* The consumer's count is loaded first. The other way round, tokens that pass in between would look
 * like more taken than there ever were. */
static void check_channel(const struct dal_channel *channel)
{
    uint64_t read = dal__end_visible(&channel->consumer);
    uint64_t written = dal__end_visible(channel->consumer.peer);
    uint64_t again = dal__end_visible(&channel->consumer);
    uint64_t capacity = atomic_load_explicit(&channel->port->capacity, memory_order_relaxed);
    if (channel->port->newest)
        return; /* both count firings of their own */
    if (channel == channel->port->inplace)
        capacity *= 2; /* written, and not yet released as read */
    if (dal__end_is_closed(&channel->consumer))
        return; /* tokens are dropped */
    if (read <= written && (written < again || written - again <= capacity))
        return;
    dal_log(DAL_LOG_ERROR,
            "channel %s: %" PRIu64 " tokens written and %" PRIu64
            " read, with a capacity of %" PRIu64 ": this cannot be",
            channel->desc->name, written, read, capacity);
    dal_output_flush(DAL_OUTPUT_LAST_NS);
    abort();
}

void dal__end_check(const struct dal_end *end)
{
    for (int i = 0; end->output && i < end->port->count; i++)
        if (end->port->channels[i]->consumer.peer == end)
            check_channel(end->port->channels[i]);
    if (!end->output)
        check_channel(end->channel);
}
#endif
