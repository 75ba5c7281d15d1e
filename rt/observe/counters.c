#include "rt/observe/counters.h"

#include "channels/port.h"
#include "rt/base/clock.h"

#include <inttypes.h>

/* ---- processes ------------------------------------------------------------------------------- */

static uint64_t counter_firings(const struct dal_process *process)
{
    return dal_count_get(process->firings);
}

static uint64_t counter_firing_ns(const struct dal_process *process)
{
    return (uint64_t)dal_count_get(process->wall_ns);
}

static uint64_t counter_busy_ns(const struct dal_process *process)
{
    return (uint64_t)dal_count_get(process->busy_ns);
}

static uint64_t counter_device_ns(const struct dal_process *process)
{
    return process->launcher ? counter_firing_ns(process) : 0;
}

/* Returns the nanoseconds of all waits, with the one that goes on. */
static uint64_t wait_ns(const struct dal_waits *waits)
{
    int64_t ns = dal_count_get(waits->ns), since_ns = dal_count_get(waits->since_ns);
    return (uint64_t)(since_ns ? ns + dal_now_ns() - since_ns : ns);
}

/* Returns the nanoseconds a process waited at its inputs or its outputs, over all channels of each
 * port. */
static uint64_t sum_waits(const struct dal_process *process, int output)
{
    uint64_t sum = 0;
    int i, reader;
    for (i = 0; i < process->desc->port_count; i++) {
        const struct dal_end *end = process->ends[i];
        struct dal_channel *const *channels = output ? end->port->channels : &end->channel;
        int count = end->output != output ? 0 : output ? end->port->count : 1;
        for (reader = 0; reader < count; reader++)
            sum += wait_ns(&channels[reader]->waits[output]);
    }
    return sum;
}

static uint64_t counter_starved_ns(const struct dal_process *process)
{
    return sum_waits(process, 0);
}

static uint64_t counter_blocked_ns(const struct dal_process *process)
{
    return sum_waits(process, 1);
}

/* ---- channels -------------------------------------------------------------------------------- */

static uint64_t visible_at(const struct dal_end *end)
{
    return atomic_load_explicit(&end->visible, memory_order_acquire);
}

static uint64_t counter_tokens(const struct dal_channel *channel)
{
    return visible_at(&channel->consumer) - channel->consumer.first;
}

static uint64_t counter_left(const struct dal_channel *channel)
{
    return dal_channel_fill(channel);
}

static uint64_t counter_bytes_copied(const struct dal_channel *channel)
{
    return dal_count_get(channel->copied_bytes);
}

static uint64_t counter_bytes_in_place(const struct dal_channel *channel)
{
    uint64_t bytes = counter_tokens(channel) * channel->desc->token_bytes;
    uint64_t copied = counter_bytes_copied(channel);
    return bytes > copied ? bytes - copied : 0;
}

static uint64_t counter_token_waits(const struct dal_channel *channel)
{
    return dal_count_get(channel->waits[0].count);
}

static uint64_t counter_token_wait_ns(const struct dal_channel *channel)
{
    return wait_ns(&channel->waits[0]);
}

static uint64_t counter_space_waits(const struct dal_channel *channel)
{
    return dal_count_get(channel->waits[1].count);
}

static uint64_t counter_space_wait_ns(const struct dal_channel *channel)
{
    return wait_ns(&channel->waits[1]);
}

/* Returns the tokens in packets, as counted by the end on a core. If both are on cores, the
 * reader's count is taken. */
static uint64_t counter_packet_tokens(const struct dal_channel *channel)
{
    const struct dal_channel *first = channel->producer->channel;
    return channel->consumer.ops ? dal_count_get(first->packet_tokens[1])
                                 : dal_count_get(channel->packet_tokens[0]);
}

/* ---- all ------------------------------------------------------------------------------------- */

#define OF(name, unit, meaning)   counter_##name,
#define NAME(name, unit, meaning) #name,

uint64_t dal_process_count(const struct dal_process *process, enum dal_process_counter counter)
{
    static uint64_t (*const of[])(const struct dal_process *) = {DAL_PROCESS_COUNTERS(OF)};
    return of[counter](process);
}

uint64_t dal_channel_count(const struct dal_channel *channel, enum dal_channel_counter counter)
{
    static uint64_t (*const of[])(const struct dal_channel *) = {DAL_CHANNEL_COUNTERS(OF)};
    return of[counter](channel);
}

void dal__counters_process(FILE *file, const struct dal_process *process)
{
    static const char *const names[] = {DAL_PROCESS_COUNTERS(NAME)};
    int i;
    for (i = 0; i < DAL_COUNTERS_OF_PROCESS; i++)
        fprintf(file, ", \"%s\": %" PRIu64, names[i], dal_process_count(process, i));
}

void dal__counters_channel(FILE *file, const struct dal_channel *channel)
{
    static const char *const names[] = {DAL_CHANNEL_COUNTERS(NAME)};
    int i;
    for (i = 0; i < DAL_COUNTERS_OF_CHANNEL; i++)
        fprintf(file, ", \"%s\": %" PRIu64, names[i], dal_channel_count(channel, i));
}
