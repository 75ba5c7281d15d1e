/* Notes times of launches, and tokens of their packets, for statistics and traces. */
#include "channels/port.h"
#include "include/counted.h"
#include "include/kinds.h"
#include "rt/base/number.h"
#include "rt/device/launcher.h"

#include <string.h>

/* Returns a channel of an output by which its packets come to the host; NULL without one. */
static const struct dal_channel *counted_channel(const struct dal_end *end)
{
    for (int i = 0; end->output && i < end->port->count; i++) {
        const struct dal_channel *channel = end->port->channels[i];
        if (channel->desc->most && channel->host && !channel->consumer.ops)
            return channel;
    }
    return NULL;
}

/* The time at which a launch's packets arrive: with the launch, or behind it, by a queue of
 * downloads. UNKNOWN where there are none, or some arrive either way. */
enum arrival { UNKNOWN, WITH_IT, BEHIND };

static enum arrival arrival_of(const struct dal_launcher *launcher,
                               const struct dal_launcher_replica *replica)
{
    enum arrival arrival = UNKNOWN;
    for (int i = 0; replica->queue->log && i < launcher->actor.end_count; i++) {
        const struct dal_channel *channel = counted_channel(launcher->actor.ends[i]);
        int behind;
        if (!channel)
            continue;
        behind = !dal_channel_traits(channel->kind)->in_place && replica->queue->downloads;
        if (arrival != UNKNOWN && arrival != (behind ? BEHIND : WITH_IT))
            return UNKNOWN;
        arrival = behind ? BEHIND : WITH_IT;
    }
    return arrival;
}

static void add_event(struct dal_launcher *launcher, const struct dal_launcher_replica *replica,
                      const struct dal_event_times *times, uint64_t rounds)
{
    dal_trace_add(&replica->rows->rows[DAL_TRACE_FIRINGS],
                  (struct dal_trace_event){.name = launcher->subject.name,
                                           .begin_ns = times->begin,
                                           .end_ns = times->end,
                                           .firings = rounds,
                                           .tokens = launcher->call.made,
                                           .made = launcher->call.made});
    launcher->call.made = 0;
}

/* Returns the times of a launch; zeros where the device does not tell them. */
static struct dal_event_times times_of(const struct dal_launcher_replica *replica, dal_event event)
{
    struct dal_event_times times = {0};
    replica->queue->backend->times(event, &times);
    dal_device_rows_clock(replica->rows, replica->rows->first_ns, &times);
    return times;
}

/* A launch of a size that is tried is no usual one. */
static void note_time(const struct dal_launcher *launcher, struct dal_launcher_replica *replica,
                      int64_t time_ns, uint64_t rounds)
{
    if (dal_curve_most(replica->curve, replica->curve->ended, launcher->copies) == UINT64_MAX)
        dal_histogram_add(replica->times, (double)time_ns, rounds);
    dal_curve_add(replica->curve, rounds, time_ns);
}

void dal__launcher_measure(struct dal_launcher *launcher, struct dal_launcher_replica *replica,
                           dal_event event, uint64_t rounds)
{
    struct dal_event_times times = times_of(replica, event);
    int64_t time_ns = times.end - times.begin;
    for (int i = 0; i < launcher->actor.count; i++)
        dal_count_add(launcher->actor.members[i].process->time.wall_ns,
                      time_ns / launcher->actor.count);
    replica->busy_ns += time_ns;
    dal_span_add(&replica->span, times.begin, times.end);
    if (replica->curve)
        note_time(launcher, replica, time_ns, rounds);
    if (arrival_of(launcher, replica) != BEHIND)
        add_event(launcher, replica, &times, rounds);
}

/* ---- packets of counted channels --------------------------------------------------------------
 */

/* Returns the end of an update, which has end and replica in `memory_at`. */
static const struct dal_end *end_of(const struct dal_update *update)
{
    const struct dal_launcher *launcher = update->object;
    return launcher->actor.ends[update->memory_at / (size_t)launcher->replica_count];
}

/* Counts the tokens of packets. They are in the host's ring, and nothing is written there until
 * this thread allows it. */
static int count_packets(const struct dal_update *update, dal_event event)
{
    struct dal_launcher *launcher = update->object;
    const struct dal_channel *channel = counted_channel(end_of(update));
    const unsigned char *packet = channel->host + update->at;
    uint32_t header[DAL_PACKET_WAY + 1];
    (void)event;
    for (uint64_t i = 0; i < update->amount; i++, packet += channel->desc->token_bytes) {
        memcpy(header, packet, sizeof(header));
        launcher->call.made += dal_least(header[DAL_PACKET_COUNT], channel->desc->most);
    }
    return DAL_OK;
}

static int launch_arrived(const struct dal_update *update, dal_event event)
{
    struct dal_launcher *launcher = update->object;
    const struct dal_launcher_replica *replica = &launcher->replicas[update->amount];
    struct dal_event_times times = times_of(replica, update->timer);
    (void)event;
    add_event(launcher, replica, &times, update->at);
    return DAL_OK;
}

/* Called when the batch is flushed: its downloads are in the open batch of their own queue. */
static int packets_flushed(const struct dal_update *update, dal_event event)
{
    const struct dal_launcher *launcher = update->object;
    const struct dal_launcher_replica *replica =
        &launcher->replicas[update->memory_at % (size_t)launcher->replica_count];
    struct dal_update arrived = *update;
    (void)event;
    arrived.apply = count_packets;
    return dal_queue_defer(replica->queue->downloads, DAL_AT_COMPLETION, arrived);
}

static int launch_flushed(const struct dal_update *update, dal_event event)
{
    const struct dal_launcher *launcher = update->object;
    struct dal_queue *queue = launcher->replicas[update->amount].queue;
    struct dal_update arrived = *update;
    (void)event;
    arrived.apply = launch_arrived;
    queue->backend->retain(arrived.timer);
    return dal_queue_defer(queue->downloads, DAL_AT_COMPLETION, arrived);
}

int dal__launcher_defer_packets(struct dal_launcher *launcher, uint64_t rounds, dal_event timer)
{
    struct dal_launcher_replica *replica = launcher->replica;
    enum arrival arrival = arrival_of(launcher, replica);
    int later = arrival == BEHIND, status = DAL_OK;
    enum dal_when when = later ? DAL_AT_FLUSH : DAL_AT_COMPLETION;
    for (int i = 0; arrival != UNKNOWN && status == DAL_OK && i < launcher->actor.end_count; i++) {
        const struct dal_end *end = launcher->actor.ends[i];
        struct dal_update packets = {
            .apply = later ? packets_flushed : count_packets,
            .object = launcher,
            .amount = rounds * end->rate,
            .at = launcher->call.arguments[i].offset + end->replica->buffer->memory_at,
            .memory_at = (size_t)(i * launcher->replica_count + (replica - launcher->replicas))};
        if (counted_channel(end))
            status = dal_queue_defer(replica->queue, when, packets);
    }
    if (status < 0 || !later)
        return status;
    replica->queue->backend->retain(timer);
    return dal_queue_defer(replica->queue, when,
                           (struct dal_update){.apply = launch_flushed,
                                               .object = launcher,
                                               .amount = (uint64_t)(replica - launcher->replicas),
                                               .at = rounds,
                                               .timer = timer});
}
