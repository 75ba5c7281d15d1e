#include "rt/observe/counters.h"

#include "channels/newest.h"
#include "channels/port.h"
#include "rt/base/clock.h"
#include "rt/observe/timing.h"

#include <inttypes.h>

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
    for (int i = 0; i < process->desc->port_count; i++) {
        const struct dal_end *end = process->ends[i];
        struct dal_channel *const *channels = output ? end->port->channels : &end->channel;
        int count = end->output != output ? 0 : output ? end->port->count : 1;
        for (int reader = 0; reader < count; reader++)
            sum += wait_ns(&channels[reader]->waits[output]);
    }
    return sum;
}

uint64_t dal_process_count(const struct dal_process *process, enum dal_process_counter counter)
{
    switch (counter) {
    case DAL_COUNTER_firings:
        return dal_count_get(process->firings);
    case DAL_COUNTER_firing_ns:
        return (uint64_t)dal_count_get(process->time.wall_ns);
    case DAL_COUNTER_busy_ns:
        return (uint64_t)dal_count_get(process->time.busy_ns);
    case DAL_COUNTER_device_ns:
        return process->launcher ? (uint64_t)dal_count_get(process->time.wall_ns) : 0;
    case DAL_COUNTER_starved_ns:
        return sum_waits(process, 0);
    case DAL_COUNTER_blocked_ns:
        return sum_waits(process, 1);
    case DAL_COUNTER_in_use:
        return process->ops->on_device ? 0 : (uint64_t)dal_pool_in_use(process->pool);
    case DAL_COUNTERS_OF_PROCESS:
        break;
    }
    return 0;
}

static uint64_t count_tokens(const struct dal_channel *channel)
{
    return atomic_load_explicit(&channel->consumer.visible, memory_order_acquire) -
           channel->consumer.first;
}

static uint64_t count_in_place(const struct dal_channel *channel)
{
    uint64_t bytes = count_tokens(channel) * channel->desc->token_bytes;
    uint64_t copied = dal_count_get(channel->copied_bytes);
    return bytes > copied ? bytes - copied : 0;
}

static uint64_t count_of_newest(const struct dal_channel *channel, enum dal_channel_counter counter)
{
    const struct dal_newest *newest = channel->port->newest;
    if (!newest)
        return 0;
    switch (counter) {
    case DAL_COUNTER_lost:
        return dal_newest_lost(channel);
    case DAL_COUNTER_repeated:
        return dal_newest_repeated(channel);
    case DAL_COUNTER_age_ns:
        return (uint64_t)dal_count_get(newest->counts.age_ns);
    default:
        return (uint64_t)dal_count_get(newest->counts.oldest_ns);
    }
}

uint64_t dal_channel_count(const struct dal_channel *channel, enum dal_channel_counter counter)
{
    switch (counter) {
    case DAL_COUNTER_tokens:
        return count_tokens(channel);
    case DAL_COUNTER_left:
        return dal_channel_fill(channel);
    case DAL_COUNTER_bytes_copied:
        return dal_count_get(channel->copied_bytes);
    case DAL_COUNTER_bytes_in_place:
        return count_in_place(channel);
    case DAL_COUNTER_token_waits:
        return dal_count_get(channel->waits[0].count);
    case DAL_COUNTER_token_wait_ns:
        return wait_ns(&channel->waits[0]);
    case DAL_COUNTER_space_waits:
        return dal_count_get(channel->waits[1].count);
    case DAL_COUNTER_space_wait_ns:
        return wait_ns(&channel->waits[1]);
    case DAL_COUNTER_packet_tokens: /* if both ends are on cores, the reader counts */
        return channel->consumer.ops ? dal_count_get(channel->producer->channel->packet_tokens[1])
                                     : dal_count_get(channel->packet_tokens[0]);
    case DAL_COUNTER_lost:
    case DAL_COUNTER_repeated:
    case DAL_COUNTER_age_ns:
    case DAL_COUNTER_oldest_ns:
        return count_of_newest(channel, counter);
    case DAL_COUNTERS_OF_CHANNEL:
        break;
    }
    return 0;
}

/* The owner counts an iteration before its miss, so misses are looked at first. */
struct dal_latency_counts dal_latency_count(const struct dal_latency *latency)
{
    double part = dal__timing_percentile(latency) / 100;
    struct dal_latency_counts counts = {.misses = dal_count_get(latency->misses)};
    counts.iterations = dal_count_get(latency->times.count);
    counts.percentile_ns = (uint64_t)dal_histogram_quantile(&latency->times, part);
    counts.max_ns = (uint64_t)dal_count_get(latency->times.most);
    counts.lost = dal_count_get(latency->lost);
    if (counts.misses > counts.iterations) /* loads need not happen in this order */
        counts.misses = counts.iterations;
    return counts;
}

struct dal_periodic_counts dal_periodic_count(const struct dal_timer *timer)
{
    return (struct dal_periodic_counts){.releases = dal_timer_releases(timer),
                                        .misses = dal_count_get(timer->misses),
                                        .overruns = dal_count_get(timer->overruns),
                                        .skipped = dal_count_get(timer->skipped)};
}

#define NAME(name, unit, meaning) #name,

void dal__counters_process(FILE *file, const struct dal_process *process, int timed)
{
    static const char *const names[] = {DAL_PROCESS_COUNTERS(NAME)};
    for (int i = 0; i < DAL_COUNTERS_OF_PROCESS; i++)
        if (timed || i < DAL_COUNTER_firing_ns || i > DAL_COUNTER_blocked_ns)
            fprintf(file, ", \"%s\": %" PRIu64, names[i], dal_process_count(process, i));
}

void dal__counters_channel(FILE *file, const struct dal_channel *channel, int timed)
{
    static const char *const names[] = {DAL_CHANNEL_COUNTERS(NAME)};
    for (int i = 0; i < DAL_COUNTERS_OF_CHANNEL; i++)
        if (timed || i < DAL_COUNTER_token_waits || i > DAL_COUNTER_space_wait_ns)
            fprintf(file, ", \"%s\": %" PRIu64, names[i], dal_channel_count(channel, i));
}

#define PRINT(name, unit, meaning) fprintf(file, ", \"" #name "\": %" PRIu64, counts.name);

void dal__counters_latency(FILE *file, const struct dal_latency *latency)
{
    struct dal_latency_counts counts = dal_latency_count(latency);
    DAL_LATENCY_COUNTERS(PRINT)
}

void dal__counters_periodic(FILE *file, const struct dal_timer *timer)
{
    struct dal_periodic_counts counts = dal_periodic_count(timer);
    DAL_PERIODIC_COUNTERS(PRINT)
}
