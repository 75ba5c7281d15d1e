/*
 * Deadlock by executing one iteration. Firing order does not matter (a firing never disables
 * another), so processes are taken from a work list and fired as often as they can be at once.
 */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/sdf.h"

#include <inttypes.h>
#include <string.h>

/* Ports looked at before the execution is given up: a second or two. */
#define MAX_WORK ((uint64_t)1 << 29)
/* The same for all executions that look for a remedy. */
#define MAX_REMEDY_WORK ((uint64_t)1 << 26)
/* Processes of a deadlock that are named. */
#define MAX_NOTES 16

/* One execution. */
struct run {
    const struct dal_network *network;
    const uint64_t *capacity;
    uint64_t *tokens;    /* by channel number */
    uint64_t *remaining; /* firings, by process number */
    size_t *queue;       /* ring of process numbers */
    unsigned char *queued;
    size_t head, waiting;
    uint64_t work; /* ports that may still be looked at */
};

/* What a process waits for. */
struct wait {
    const struct dal_process *process;
    const struct dal_port *port; /* NULL: for nothing */
    uint64_t have, need;         /* tokens of an input, free places of an output */
};

uint64_t dal_sdf_least_capacity(const struct dal_channel *channel)
{
    uint64_t p = channel->rate_in, c = channel->rate_out, d = channel->initial_tokens;
    uint64_t g = p, r = c, least;
    while (r) {
        uint64_t rest = g % r;
        g = r;
        r = rest;
    }
    least = p + c - g + d % g;
    /* A process that feeds itself claims space while it still holds what it reads. */
    if (channel->producer && channel->producer == channel->consumer && d + p > least)
        least = d + p;
    return least > d ? least : d;
}

static void run_finish(struct run *run)
{
    dal_free(run->tokens);
    dal_free(run->remaining);
    dal_free(run->queue);
    dal_free(run->queued);
}

static int run_init(struct run *run, const struct dal_network *network, const uint64_t *capacity)
{
    *run = (struct run){
        .network = network,
        .capacity = capacity,
        .tokens = dal_calloc(network->channel_count + 1, sizeof(*run->tokens)),
        .remaining = dal_calloc(network->process_count + 1, sizeof(*run->remaining)),
        .queue = dal_calloc(network->process_count + 1, sizeof(*run->queue)),
        .queued = dal_calloc(network->process_count + 1, 1),
    };
    if (run->tokens && run->remaining && run->queue && run->queued)
        return DAL_OK;
    run_finish(run);
    return DAL_ERR_NOMEM;
}

static uint64_t space(const struct run *run, const struct dal_channel *channel)
{
    uint64_t tokens = run->tokens[channel->number], capacity = run->capacity[channel->number];
    return capacity > tokens ? capacity - tokens : 0;
}

/* What there is at a port and what one firing needs of it. */
static struct wait look(const struct run *run, const struct dal_process *process,
                        const struct dal_port *port)
{
    const struct dal_channel *channel = port->channel;
    return (struct wait){
        .process = process,
        .port = port,
        .have = port->output ? space(run, channel) : run->tokens[channel->number],
        .need = port->output ? channel->rate_in : channel->rate_out,
    };
}

/* How often a process can fire at once. On a channel to itself a firing changes nothing. */
static uint64_t firings(struct run *run, const struct dal_process *process)
{
    uint64_t most = run->remaining[process->number];
    for (size_t i = 0; i < process->port_count && most; i++) {
        struct wait at = look(run, process, &process->ports[i]);
        const struct dal_channel *channel = at.port->channel;
        if (at.have < at.need)
            most = 0;
        else if (channel->producer != channel->consumer && at.have / at.need < most)
            most = at.have / at.need;
    }
    return most;
}

static void enqueue(struct run *run, const struct dal_process *process)
{
    size_t room = run->network->process_count;
    if (run->queued[process->number] || run->remaining[process->number] == 0)
        return;
    run->queue[(run->head + run->waiting++) % room] = process->number;
    run->queued[process->number] = 1;
}

static const struct dal_process *dequeue(struct run *run)
{
    size_t number = run->queue[run->head];
    run->head = (run->head + 1) % run->network->process_count;
    run->waiting--;
    run->queued[number] = 0;
    return &run->network->processes[number];
}

static void fire(struct run *run, const struct dal_process *process, uint64_t count)
{
    run->remaining[process->number] -= count;
    for (size_t i = 0; i < process->port_count; i++) {
        const struct dal_port *port = &process->ports[i];
        const struct dal_channel *channel = port->channel;
        if (port->output)
            run->tokens[channel->number] += count * channel->rate_in;
        else
            run->tokens[channel->number] -= count * channel->rate_out;
    }
    for (size_t i = 0; i < process->port_count; i++) {
        const struct dal_channel *channel = process->ports[i].channel;
        enqueue(run, process->ports[i].output ? channel->consumer : channel->producer);
    }
}

/* The tokens and firings that an iteration starts with. */
static void reset(struct run *run, uint64_t work)
{
    const struct dal_network *network = run->network;
    run->work = work;
    run->head = run->waiting = 0;
    memset(run->queued, 0, network->process_count);
    for (size_t i = 0; i < network->channel_count; i++)
        run->tokens[i] = network->channels[i].initial_tokens;
    for (size_t i = 0; i < network->process_count; i++)
        run->remaining[i] = network->processes[i].repetitions;
}

/* Returns the number of processes that have not fired as often as they should. */
static size_t execute(struct run *run)
{
    const struct dal_network *network = run->network;
    size_t blocked = 0;
    for (size_t i = 0; i < network->process_count; i++)
        enqueue(run, &network->processes[i]);
    while (run->waiting > 0 && run->work > 0) {
        const struct dal_process *process = dequeue(run);
        uint64_t count = firings(run, process);
        run->work -= run->work > process->port_count ? process->port_count + 1 : run->work;
        if (count)
            fire(run, process, count);
    }
    for (size_t i = 0; i < network->process_count; i++)
        blocked += run->remaining[i] > 0;
    return blocked;
}

static struct wait find_wait(const struct run *run, const struct dal_process *process)
{
    for (size_t i = 0; i < process->port_count; i++) {
        struct wait wait = look(run, process, &process->ports[i]);
        if (wait.have < wait.need)
            return wait;
    }
    return (struct wait){.process = process};
}

static const struct dal_process *waits_for(const struct wait *wait)
{
    const struct dal_channel *channel = wait->port->channel;
    return wait->port->output ? channel->consumer : channel->producer;
}

/* Follows who waits for whom until a process comes up again: `queued` marks those that have been
 * seen. Returns a process of the cycle. */
static const struct dal_process *find_cycle(struct run *run)
{
    const struct dal_network *network = run->network;
    const struct dal_process *process = network->processes;
    memset(run->queued, 0, network->process_count);
    while (run->remaining[process->number] == 0)
        process++;
    while (!run->queued[process->number]) {
        struct wait wait = find_wait(run, process);
        run->queued[process->number] = 1;
        if (wait.port)
            process = waits_for(&wait);
    }
    return process;
}

static size_t list_cycle(struct run *run, struct wait waits[MAX_NOTES], size_t *length)
{
    const struct dal_process *first = find_cycle(run), *process = first;
    size_t count = 0;
    *length = 0;
    do {
        struct wait wait = find_wait(run, process);
        if (!wait.port)
            break;
        ++*length;
        if (count < MAX_NOTES)
            waits[count++] = wait;
        process = waits_for(&wait);
    } while (process != first);
    return count;
}

static void note_wait(struct dal_diags *diags, const struct wait *wait)
{
    const struct dal_channel *channel = wait->port->channel;
    if (wait->port->output)
        dal_note(diags, channel->place,
                 "process '%s' waits for '%s' to read from sw_channel '%s': %" PRIu64
                 " tokens have room, it writes %" PRIu64,
                 wait->process->name, channel->consumer->name, channel->name, wait->have,
                 wait->need);
    else
        dal_note(diags, channel->place,
                 "process '%s' waits for '%s' to write to sw_channel '%s': %" PRIu64
                 " tokens are there, it reads %" PRIu64,
                 wait->process->name, channel->producer->name, channel->name, wait->have,
                 wait->need);
}

/* Remedies: more initial tokens on a channel, or more capacity. */

struct trial {
    struct run *run;
    uint64_t *capacity; /* a copy to change */
    uint64_t work;
};

/* Whether the network is live with `more` tokens or places at a port. */
static int helps(struct trial *trial, const struct dal_port *port, uint64_t more)
{
    size_t channel = port->channel->number;
    uint64_t kept = trial->capacity[channel];
    size_t blocked;
    if (trial->work == 0)
        return 0;
    reset(trial->run, trial->work);
    if (__builtin_add_overflow(kept, more, &trial->capacity[channel]))
        trial->capacity[channel] = UINT64_MAX;
    if (!port->output)
        trial->run->tokens[channel] += more;
    blocked = execute(trial->run);
    trial->capacity[channel] = kept;
    trial->work = trial->run->work;
    return blocked == 0;
}

/* The least that helps at a port, 0 when nothing up to `limit` does. More never hurts. */
static uint64_t least_help(struct trial *trial, const struct wait *wait, uint64_t limit)
{
    uint64_t low = wait->need - wait->have - 1, high = low + 1;
    while (high <= limit && !helps(trial, wait->port, high)) {
        low = high;
        high *= 2;
    }
    if (high > limit)
        return 0;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (helps(trial, wait->port, middle))
            high = middle;
        else
            low = middle;
    }
    return trial->work ? high : 0;
}

static void note_remedy(struct dal_diags *diags, struct trial *trial, const struct wait *waits,
                        size_t count)
{
    const struct wait *best = NULL;
    uint64_t least = (uint64_t)1 << 32;
    const struct dal_channel *channel;
    for (size_t i = 0; i < count && least > 1; i++) {
        uint64_t more = least_help(trial, &waits[i], least - 1);
        if (more) {
            least = more;
            best = &waits[i];
        }
    }
    if (!best)
        return;
    channel = best->port->channel;
    if (best->port->output)
        dal_note(diags, channel->place, "with size=\"%" PRIu64 "\" on sw_channel '%s' it would not",
                 trial->capacity[channel->number] + least, channel->name);
    else
        dal_note(diags, channel->place,
                 "with initialtokens=\"%" PRIu64 "\" on sw_channel '%s' (now %" PRIu64
                 "), and room for them, it would not",
                 channel->initial_tokens + least, channel->name, channel->initial_tokens);
}

static void suggest(struct dal_diags *diags, struct run *run, const struct wait *waits,
                    size_t count)
{
    size_t bytes = run->network->channel_count * sizeof(uint64_t);
    struct trial trial = {.run = run, .capacity = dal_alloc(bytes + 1), .work = MAX_REMEDY_WORK};
    if (!trial.capacity) {
        diags->lost = 1;
        return;
    }
    if (bytes)
        memcpy(trial.capacity, run->capacity, bytes);
    run->capacity = trial.capacity;
    note_remedy(diags, &trial, waits, count);
    dal_free(trial.capacity);
}

static int deadlock(struct dal_diags *diags, struct run *run, size_t blocked)
{
    struct wait waits[MAX_NOTES];
    size_t length, count = list_cycle(run, waits, &length);
    if (count == 0) {
        dal_error(diags, run->network->place, "deadlock", "the network deadlocks");
        return DAL_ERR_INVALID;
    }
    dal_error(diags, waits[0].port->channel->place, "deadlock",
              "the network deadlocks: %zu of %zu processes are blocked, %zu of them in a cycle",
              blocked, run->network->process_count, length);
    for (size_t i = 0; i < count; i++)
        note_wait(diags, &waits[i]);
    if (length > count)
        dal_note(diags, run->network->place, "and %zu more processes", length - count);
    suggest(diags, run, waits, count);
    return DAL_ERR_INVALID;
}

int dal_sdf_live(struct dal_diags *diags, const struct dal_network *network,
                 const uint64_t *capacity)
{
    struct run run;
    size_t blocked;
    int status = DAL_OK;
    if (run_init(&run, network, capacity)) {
        diags->lost = 1;
        return DAL_ERR_INVALID;
    }
    reset(&run, MAX_WORK);
    blocked = execute(&run);
    if (blocked && run.work == 0)
        dal_warning(diags, network->place, "analysis-limit",
                    "one iteration has too many firings to show that it never deadlocks");
    else if (blocked)
        status = deadlock(diags, &run, blocked);
    run_finish(&run);
    return status;
}
