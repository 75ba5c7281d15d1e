/* Deadlock, in words. */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/sdf/sdf.h"
#include "spec/sdf/deadlock.h"

#include <inttypes.h>

/* Channel ends looked at in search of a fix: less than a second. */
#define MAX_FIX_WORK ((uint64_t)1 << 26)
/* Processes of a deadlock, and changes that end it, that are named. */
#define MAX_NOTES 16

uint64_t dal_sdf_least_capacity(const struct dal_spec_channel *channel)
{
    uint64_t p = channel->rate_in, c = channel->rate_out, d = channel->initial_tokens;
    uint64_t g = dal_gcd(p, c), least = p + c - g + d % g;
    /* A process that feeds itself claims space while it still holds what it reads. */
    if (channel->producer && channel->producer == channel->consumer && d + p > least)
        least = d + p;
    return least > d ? least : d;
}

static void note_wait(struct dal_diags *diags, const struct dal_spec_network *network,
                      const struct dal_sdf_wait *wait)
{
    const struct dal_spec_channel *channel = &network->channels[wait->channel];
    const char *process = network->processes[wait->process].name;
    if (wait->space)
        dal_note(diags, channel->place,
                 "process '%s' waits for '%s' to read from sw_channel '%s': %" PRIu64
                 " tokens have room, it writes %" PRIu64,
                 process, channel->consumer->name, channel->name, wait->have, wait->need);
    else
        dal_note(diags, channel->place,
                 "process '%s' waits for '%s' to write to sw_channel '%s': %" PRIu64
                 " tokens are there, it reads %" PRIu64,
                 process, channel->producer->name, channel->name, wait->have, wait->need);
}

static void note_unsaid(struct dal_diags *diags, const struct dal_spec_channel *channel)
{
    static const char *const which[] = {"", "tokenratein", "tokenrateout",
                                        "tokenratein and tokenrateout"};
    int unsaid = (channel->unsaid_in ? 1 : 0) + (channel->unsaid_out ? 2 : 0);
    if (unsaid)
        dal_note(diags, channel->place,
                 "sw_channel '%s' does not say %s, taken to be 1; an end that reads or writes any "
                 "number of tokens says \"dynamic\"",
                 channel->name, which[unsaid]);
}

static void note_change(struct dal_diags *diags, const struct dal_spec_channel *channel,
                        uint64_t capacity, uint64_t tokens, const char *also)
{
    if (tokens)
        dal_note(diags, channel->place,
                 "with initialtokens=\"%" PRIu64 "\" on sw_channel '%s' (now %" PRIu64
                 "), and room for them,%s",
                 channel->initial_tokens + tokens, channel->name, channel->initial_tokens, also);
    else
        dal_note(diags, channel->place, "with size=\"%" PRIu64 "\" on sw_channel '%s'%s", capacity,
                 channel->name, also);
}

static size_t count_changes(const struct dal_spec_network *network,
                            const struct dal_sdf_deadlock *deadlock)
{
    size_t count = 0;
    for (size_t i = 0; i < network->channel_count; i++)
        count += deadlock->more_capacity[i] || deadlock->more_tokens[i];
    return count;
}

static void note_fix(struct dal_diags *diags, const struct dal_spec_network *network,
                     const uint64_t *capacity, const struct dal_sdf_deadlock *deadlock)
{
    size_t left = count_changes(network, deadlock), named = 0;
    for (size_t i = 0; i < network->channel_count && named < MAX_NOTES; i++) {
        uint64_t tokens = deadlock->more_tokens[i], more = deadlock->more_capacity[i];
        if (!tokens && !more)
            continue;
        note_change(diags, &network->channels[i], capacity[i] + more + tokens, tokens,
                    --left ? " and what follows" : " it would not");
        named++;
    }
    if (left)
        dal_note(diags, network->place, "and %zu more changes it would not", left);
}

void dal_sdf_deadlock_tell(struct dal_diags *diags, const struct dal_spec_network *network,
                           const uint64_t *capacity, const struct dal_sdf_deadlock *deadlock)
{
    size_t length = deadlock->cycle_count;
    if (length == 0) {
        dal_error(diags, network->place, "deadlock", "the network deadlocks");
        return;
    }
    dal_error(diags, network->channels[deadlock->cycle[0].channel].place, "deadlock",
              "the network deadlocks: %zu of %zu processes are blocked, %zu of them in a cycle",
              deadlock->blocked_count, network->process_count, length);
    for (size_t i = 0; i < length && i < MAX_NOTES; i++)
        note_wait(diags, network, &deadlock->cycle[i]);
    if (length > MAX_NOTES)
        dal_note(diags, network->place, "and %zu more processes", length - MAX_NOTES);
    for (size_t i = 0; i < length && i < MAX_NOTES; i++)
        note_unsaid(diags, &network->channels[deadlock->cycle[i].channel]);
    if (deadlock->has_fix)
        note_fix(diags, network, capacity, deadlock);
}

static int judge(struct dal_diags *diags, const struct dal_spec_network *network,
                 const struct dal_sdf_graph *graph, const uint64_t *capacity)
{
    struct dal_sdf_budget budget = {.work = MAX_FIX_WORK};
    struct dal_sdf_deadlock deadlock;
    int known, status = dal_sdf_deadlock_find(&deadlock, graph, capacity, &budget, &known);
    if (!status && deadlock.dead) {
        dal_sdf_deadlock_tell(diags, network, capacity, &deadlock);
        status = DAL_ERR_INVALID;
    } else if (!status && !known) {
        dal_warning(diags, network->place, "analysis-limit",
                    "one iteration has too many firings to show that it never deadlocks");
    }
    dal_sdf_deadlock_finish(&deadlock);
    return status;
}

int dal_sdf_live(struct dal_diags *diags, const struct dal_spec_network *network,
                 const uint64_t *capacity)
{
    uint64_t *times = dal_calloc(network->process_count + 1, sizeof(*times));
    struct dal_sdf_graph graph;
    int status = times ? dal_sdf_graph_init(&graph, network, times) : DAL_ERR_NOMEM;
    if (!status) {
        status = judge(diags, network, &graph, capacity);
        dal_sdf_graph_finish(&graph);
    }
    dal_free(times);
    if (status == DAL_ERR_NOMEM)
        diags->lost = 1;
    return status ? DAL_ERR_INVALID : DAL_OK;
}
