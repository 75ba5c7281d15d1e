#include "rt/base/snapshot.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

int dal_snapshot_init(struct dal_snapshot *snapshot, int processes, int ports, int channels)
{
    *snapshot = (struct dal_snapshot){
        .process_count = processes, .port_count = ports, .channel_count = channels};
    snapshot->processes = dal_calloc((size_t)processes + 1, sizeof(*snapshot->processes));
    snapshot->ports = dal_calloc((size_t)ports + 1, sizeof(*snapshot->ports));
    snapshot->channels = dal_calloc((size_t)channels + 1, sizeof(*snapshot->channels));
    return snapshot->processes && snapshot->ports && snapshot->channels ? DAL_OK : DAL_ERR_NOMEM;
}

void dal_snapshot_finish(struct dal_snapshot *snapshot)
{
    dal_free(snapshot->processes);
    dal_free(snapshot->ports);
    dal_free(snapshot->channels);
    *snapshot = (struct dal_snapshot){0};
}

/* ---- movement -------------------------------------------------------------------------------- */

int dal_snapshot_moved(const struct dal_snapshot *before, const struct dal_snapshot *now)
{
    for (int i = 0; i < now->channel_count; i++)
        if (before->channels[i].written != now->channels[i].written ||
            before->channels[i].read != now->channels[i].read)
            return 1;
    return 0;
}

uint64_t dal_snapshot_sum(const struct dal_snapshot *snapshot)
{
    uint64_t sum = 0;
    for (int i = 0; i < snapshot->channel_count; i++)
        sum += snapshot->channels[i].written + snapshot->channels[i].read;
    return sum;
}

static int is_same_process(const struct dal_seen_process *a, const struct dal_seen_process *b)
{
    return a->state == b->state && a->port == b->port && a->stops == b->stops;
}

static int is_same_channel(const struct dal_seen_channel *a, const struct dal_seen_channel *b)
{
    return a->growth == b->growth && a->writer_closed == b->writer_closed &&
           a->reader_closed == b->reader_closed && a->capacity == b->capacity &&
           a->written == b->written && a->read == b->read;
}

/* ---- who waits ------------------------------------------------------------------------------- */

/* Returns the tokens in a channel. Counts that cannot be of one moment give more than anybody
 * needs. */
static uint64_t tokens_in(const struct dal_seen_channel *channel)
{
    return channel->written < channel->read ? UINT64_MAX : channel->written - channel->read;
}

static uint64_t space_in(const struct dal_seen_channel *channel)
{
    uint64_t fill = tokens_in(channel);
    return fill > channel->capacity ? UINT64_MAX : channel->capacity - fill;
}

static int lacks_tokens(const struct dal_seen_channel *channel, uint64_t need)
{
    return !channel->writer_closed && tokens_in(channel) < need;
}

/* Readers that have ended stop nobody. */
static int lacks_space(const struct dal_seen_channel *channel, uint64_t need)
{
    return !channel->inplace && !channel->reader_closed && space_in(channel) < need;
}

static int lacks(const struct dal_snapshot *s, const struct dal_seen_port *port)
{
    if (!port->output)
        return lacks_tokens(&s->channels[port->channel], port->need);
    for (int i = port->channel; i >= 0; i = s->channels[i].next)
        if (lacks_space(&s->channels[i], port->need))
            return 1;
    return 0;
}

static int is_loop(const struct dal_seen_channel *channel)
{
    return channel->producer == channel->consumer;
}

/* Have all readers of a port closed? Tokens that a process sends to itself are no reason to go
 * on. */
static int is_port_unread(const struct dal_snapshot *s, const struct dal_seen_port *port)
{
    for (int i = port->channel; i >= 0; i = s->channels[i].next)
        if (!s->channels[i].reader_closed && !is_loop(&s->channels[i]))
            return 0;
    return 1;
}

static int is_unread(const struct dal_snapshot *s, const struct dal_seen_process *process)
{
    if (!process->heeds)
        return 0;
    for (int i = 0; i < process->port_count; i++) {
        const struct dal_seen_port *port = &s->ports[process->first_port + i];
        if (port->output && !is_port_unread(s, port))
            return 0;
    }
    return 1;
}

/* Will a resting process end when it is next looked at? It does if an input has ended, or nobody
 * reads what it writes. */
static int is_about_to_end(const struct dal_snapshot *s, const struct dal_seen_process *process)
{
    for (int i = 0; i < process->port_count; i++) {
        const struct dal_seen_port *port = &s->ports[process->first_port + i];
        const struct dal_seen_channel *channel = &s->channels[port->channel];
        if (!port->output && channel->writer_closed && tokens_in(channel) < port->need)
            return 1;
    }
    return process->stops || is_unread(s, process);
}

static int may_wait(const struct dal_snapshot *s, const struct dal_seen_process *process)
{
    return process->state == DAL_SEEN_BLOCKED ||
           (process->state == DAL_SEEN_RESTING && !is_about_to_end(s, process));
}

int dal_snapshot_is_held(const struct dal_snapshot *snapshot, int number)
{
    const struct dal_seen_process *process = &snapshot->processes[number];
    if (!process->held)
        return 0;
    for (int i = 0; i < process->port_count; i++)
        if (lacks(snapshot, &snapshot->ports[process->first_port + i]))
            return 0;
    return 1;
}

/* ---- the list -------------------------------------------------------------------------------- */

/* Two snapshots, and the waits found so far. */
struct listing {
    const struct dal_snapshot *before, *now;
    struct dal_wait *waits;
    int count;
};

static void add_wait(struct listing *listing, const struct dal_seen_port *port, int number)
{
    const struct dal_seen_channel *channel = &listing->now->channels[number];
    const struct dal_seen_process *processes = listing->now->processes;
    int waiter = port->output ? channel->producer : channel->consumer;
    int peer = port->output ? channel->consumer : channel->producer;
    listing->waits[listing->count++] = (struct dal_wait){.waiter = processes[waiter].vertex,
                                                         .peer = processes[peer].vertex,
                                                         .channel = channel->whole,
                                                         .rank = listing->now->rank,
                                                         .ring = channel->ring,
                                                         .output = port->output,
                                                         .growth = channel->growth,
                                                         .token_bytes = channel->token_bytes,
                                                         .rate = port->need,
                                                         .fill = tokens_in(channel),
                                                         .capacity = channel->capacity};
}

/* Lists a wait for each reader that leaves too little space. */
static void list_port(struct listing *listing, int number)
{
    const struct dal_seen_port *port = &listing->now->ports[number];
    if (listing->before->ports[number].need != port->need)
        return;
    for (int i = port->channel; i >= 0; i = port->output ? listing->now->channels[i].next : -1) {
        const struct dal_seen_channel *channel = &listing->now->channels[i];
        if (is_same_channel(&listing->before->channels[i], channel) &&
            (port->output ? lacks_space(channel, port->need) : lacks_tokens(channel, port->need)))
            add_wait(listing, port, i);
    }
}

/* Is it known whether a process at rest lacked tokens at an input, between the two snapshots? Some
 * may have come since. */
static int is_input_known(const struct listing *listing, int number)
{
    const struct dal_seen_port *port = &listing->now->ports[number];
    const struct dal_seen_channel *now = &listing->now->channels[port->channel];
    struct dal_seen_channel least = listing->before->channels[port->channel];
    if (is_same_channel(&least, now))
        return 1;
    if (lacks_tokens(&least, port->need))
        return 0;
    least.read = now->read;
    return !lacks_tokens(&least, port->need);
}

/* A process that lacks tokens of another must not be taken for one that lacks none. */
static int are_inputs_known(const struct listing *listing, const struct dal_seen_process *process)
{
    for (int i = process->first_port; i < process->first_port + process->port_count; i++) {
        const struct dal_seen_port *port = &listing->now->ports[i];
        if (!port->output &&
            (listing->before->ports[i].need != port->need || !is_input_known(listing, i)))
            return 0;
    }
    return 1;
}

static void list_process(struct listing *listing, int number)
{
    const struct dal_seen_process *process = &listing->now->processes[number];
    if (!is_same_process(&listing->before->processes[number], process) ||
        !may_wait(listing->now, process))
        return;
    if (process->state == DAL_SEEN_RESTING && !are_inputs_known(listing, process))
        return;
    for (int i = 0; i < process->port_count; i++)
        if (process->state != DAL_SEEN_BLOCKED || process->port == i)
            list_port(listing, process->first_port + i);
}

int dal_snapshot_list(const struct dal_snapshot *before, const struct dal_snapshot *now,
                      struct dal_wait *waits)
{
    struct listing listing = {before, now, waits, 0};
    for (int i = 0; i < now->process_count; i++)
        list_process(&listing, i);
    return listing.count;
}
