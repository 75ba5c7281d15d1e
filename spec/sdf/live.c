#include "spec/sdf/live.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/base/text.h"
#include "spec/sdf/repair.h"

#include <inttypes.h>
#include <string.h>

/* Most channel ends to look at before an execution is given up: a second or two. */
#define MAX_WORK ((uint64_t)1 << 29)
/* Most channel ends to look at in search of a fix: less than a second. */
#define MAX_FIX_WORK ((uint64_t)1 << 26)
/* Most processes of a deadlock, and changes that end it, that are named. */
#define MAX_NOTES 16

/* Finding */

void dal_sdf_deadlock_finish(struct dal_sdf_deadlock *deadlock)
{
    dal_free_all(deadlock->blocked, deadlock->cycle, deadlock->more_capacity,
                 deadlock->more_tokens);
    *deadlock = (struct dal_sdf_deadlock){0};
}

static int allocate_witness(struct dal_sdf_deadlock *deadlock, const struct dal_sdf_graph *graph)
{
    size_t processes = graph->process_count + 1, channels = graph->channel_count + 1;
    deadlock->blocked = dal_calloc(processes, sizeof(*deadlock->blocked));
    deadlock->cycle = dal_calloc(processes, sizeof(*deadlock->cycle));
    deadlock->more_capacity = dal_calloc(channels, sizeof(*deadlock->more_capacity));
    deadlock->more_tokens = dal_calloc(channels, sizeof(*deadlock->more_tokens));
    return deadlock->blocked && deadlock->cycle && deadlock->more_capacity && deadlock->more_tokens
               ? DAL_OK
               : DAL_ERR_NOMEM;
}

static int take_witness(struct dal_sdf_deadlock *deadlock, struct dal_sdf_engine *exec)
{
    deadlock->dead = 1;
    if (allocate_witness(deadlock, exec->graph))
        return DAL_ERR_NOMEM;
    for (size_t i = 0; i < exec->graph->process_count; i++)
        if (exec->left[i] > 0)
            deadlock->blocked[deadlock->blocked_count++] = i;
    deadlock->cycle_count = dal__exec_cycle(exec, deadlock->cycle);
    return DAL_OK;
}

/* Gives channels of one port, which have one size, the room of the one that needs most. */
static void share_fix(struct dal_sdf_deadlock *deadlock, const struct dal__repair *repair)
{
    const struct dal_sdf_channel *channels = repair->graph->channels;
    for (size_t first = 0; first < repair->graph->channel_count; first++) {
        uint64_t most = 0, *more = deadlock->more_capacity, *tokens = deadlock->more_tokens;
        if (channels[first].first_of_port != first || repair->capacity[first] == DAL_SDF_UNLIMITED)
            continue;
        for (size_t i = first; i != DAL_SDF_NONE; i = channels[i].next_of_port)
            most = more[first] + tokens[i] > most ? more[first] + tokens[i] : most;
        for (size_t i = first; i != DAL_SDF_NONE; i = channels[i].next_of_port)
            more[i] = most - tokens[i];
    }
}

/* Tries to mend the deadlock by capacity, or with `tokens` by tokens as well: these only if
 * capacity is no help. */
static int try_fix(struct dal_sdf_deadlock *deadlock, struct dal__repair *repair, int tokens)
{
    size_t channels = repair->graph->channel_count;
    int status;
    for (size_t i = 0; i < channels; i++) {
        repair->allowed[i] = repair->capacity[i] != DAL_SDF_UNLIMITED;
        repair->allowed[channels + i] = (unsigned char)tokens;
    }
    status = dal__repair(repair);
    if (status || !repair->found)
        return status;
    memcpy(deadlock->more_capacity, repair->more, channels * sizeof(*repair->more));
    memcpy(deadlock->more_tokens, repair->more + channels, channels * sizeof(*repair->more));
    share_fix(deadlock, repair);
    deadlock->has_fix = 1;
    deadlock->is_smallest = repair->least == repair->total;
    return DAL_OK;
}

static int find_fix(struct dal_sdf_deadlock *deadlock, const struct dal_sdf_graph *graph,
                    const uint64_t *capacity, struct dal_sdf_budget *budget)
{
    struct dal__repair repair;
    int status = dal__repair_init(&repair, graph, capacity, budget);
    if (!status)
        status = try_fix(deadlock, &repair, 0);
    if (!status && !deadlock->has_fix)
        status = try_fix(deadlock, &repair, 1);
    dal__repair_finish(&repair);
    return status;
}

int dal_sdf_deadlock_find(struct dal_sdf_deadlock *deadlock, const struct dal_sdf_graph *graph,
                          const uint64_t *capacity, struct dal_sdf_budget *budget, int *known)
{
    struct dal_sdf_budget limit = {.work = MAX_WORK, .deadline_ns = budget->deadline_ns};
    struct dal_sdf_engine *exec = dal__exec_create(graph);
    int status = DAL_OK;
    *deadlock = (struct dal_sdf_deadlock){0};
    *known = 0;
    if (!exec)
        return DAL_ERR_NOMEM;
    dal__engine_begin(exec, capacity, NULL, &limit);
    if (exec->unfinished > 0 && !limit.expired)
        status = take_witness(deadlock, exec);
    *known = !limit.expired;
    dal_sdf_engine_destroy(exec);
    if (!status && deadlock->dead)
        status = find_fix(deadlock, graph, capacity, budget);
    return status;
}

int dal_sdf_dead_loops(const struct dal_sdf_graph *graph, const uint64_t *capacity,
                       struct dal_sdf_budget *budget, unsigned char *in_loop, int *dead)
{
    struct dal_sdf_engine *exec = dal__exec_create(graph);
    int status = DAL_OK;
    *dead = 0;
    if (!exec)
        return DAL_ERR_NOMEM;
    dal__engine_begin(exec, capacity, NULL, budget);
    *dead = exec->unfinished > 0 && !budget->expired;
    if (*dead)
        status = dal__exec_loops(exec, in_loop);
    dal_sdf_engine_destroy(exec);
    return status;
}

/* Telling */

static void note_wait(struct dal_diags *diags, const struct dal_sdf_graph *graph,
                      const struct dal_sdf_wait *wait)
{
    const struct dal_sdf_channel *channel = &graph->channels[wait->channel];
    const char *process = graph->processes[wait->process].name;
    if (wait->space)
        dal_note(diags, channel->place,
                 "process '%s' waits for '%s' to read from sw_channel '%s': %" PRIu64
                 " tokens have room, it writes %" PRIu64,
                 process, graph->processes[channel->consumer].name, channel->name, wait->have,
                 wait->need);
    else
        dal_note(diags, channel->place,
                 "process '%s' waits for '%s' to write to sw_channel '%s': %" PRIu64
                 " tokens are there, it reads %" PRIu64,
                 process, graph->processes[channel->producer].name, channel->name, wait->have,
                 wait->need);
}

/* Is a channel that of an earlier wait? A process may wait for its tokens, another for its room. */
static int is_named_before(const struct dal_sdf_wait *waits, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (waits[k].channel == waits[i].channel)
            return 1;
    return 0;
}

/* Names the channels of some waits that leave out the same rates. */
static void note_unsaid(struct dal_diags *diags, const struct dal_sdf_graph *graph,
                        const struct dal_sdf_wait *waits, size_t length, unsigned unsaid)
{
    static const char *const which[] = {[DAL_SDF_UNSAID_IN] = "tokenratein",
                                        [DAL_SDF_UNSAID_OUT] = "tokenrateout",
                                        [DAL_SDF_UNSAID_IN | DAL_SDF_UNSAID_OUT] =
                                            "tokenratein and tokenrateout"};
    const struct dal_sdf_channel *first = NULL;
    struct dal_text names = {0};
    int is_one = 1;
    for (size_t i = 0; i < length; i++) {
        const struct dal_sdf_channel *channel = &graph->channels[waits[i].channel];
        if (channel->unsaid != unsaid || is_named_before(waits, i))
            continue;
        is_one = !first;
        first = first ? first : channel;
        dal_text_printf(&names, "%s'%s'", is_one ? "" : ", ", channel->name);
    }
    if (first)
        dal_note(diags, first->place,
                 "sw_channel%s %s %s not say %s, taken to be 1; an end that reads or writes any "
                 "number of tokens says \"dynamic\"",
                 is_one ? "" : "s", dal_text_get(&names), is_one ? "does" : "do", which[unsaid]);
    if (names.lost)
        dal__lost(diags);
    dal_text_finish(&names);
}

/* Names more tokens, more room, or both: a size that is given needs room for more tokens. */
static void note_change(struct dal_diags *diags, const struct dal_sdf_channel *channel,
                        uint64_t capacity, uint64_t tokens, const char *also)
{
    uint64_t now = dal_sdf_tokens_in_file(channel, 0);
    if (tokens && channel->given)
        dal_note(diags, channel->place,
                 "with initialtokens=\"%" PRIu64 "\" on sw_channel '%s' (now %" PRIu64
                 "), and size=\"%" PRIu64 "\",%s",
                 now + tokens, channel->name, now, capacity, also);
    else if (tokens)
        dal_note(diags, channel->place,
                 "with initialtokens=\"%" PRIu64 "\" on sw_channel '%s' (now %" PRIu64
                 "), and room for them,%s",
                 now + tokens, channel->name, now, also);
    else
        dal_note(diags, channel->place, "with size=\"%" PRIu64 "\" on sw_channel '%s'%s", capacity,
                 channel->name, also);
}

static size_t count_changes(const struct dal_sdf_graph *graph,
                            const struct dal_sdf_deadlock *deadlock)
{
    size_t count = 0;
    for (size_t i = 0; i < graph->channel_count; i++)
        count += deadlock->more_capacity[i] || deadlock->more_tokens[i];
    return count;
}

static void note_fix(struct dal_diags *diags, const struct dal_sdf_graph *graph,
                     const uint64_t *capacity, const struct dal_sdf_deadlock *deadlock)
{
    size_t left = count_changes(graph, deadlock), named = 0;
    for (size_t i = 0; i < graph->channel_count && named < MAX_NOTES; i++) {
        uint64_t tokens = deadlock->more_tokens[i], more = deadlock->more_capacity[i];
        if (!tokens && !more)
            continue;
        note_change(diags, &graph->channels[i], capacity[i] + more + tokens, tokens,
                    --left ? " and what follows" : " it would not");
        named++;
    }
    if (left)
        dal_note(diags, graph->place, "and %zu more changes it would not", left);
}

void dal_sdf_deadlock_tell(struct dal_diags *diags, const struct dal_sdf_graph *graph,
                           const uint64_t *capacity, const struct dal_sdf_deadlock *deadlock)
{
    size_t length = deadlock->cycle_count;
    unsigned told = 0; /* bits of channel.unsaid */
    if (length == 0) {
        dal_error(diags, graph->place, "deadlock", "the network deadlocks");
        return;
    }
    dal_error(diags, graph->channels[deadlock->cycle[0].channel].place, "deadlock",
              "the network deadlocks: %zu of %zu processes are blocked, %zu of them in a cycle",
              deadlock->blocked_count, graph->process_count, length);
    for (size_t i = 0; i < length && i < MAX_NOTES; i++)
        note_wait(diags, graph, &deadlock->cycle[i]);
    if (length > MAX_NOTES)
        dal_note(diags, graph->place, "and %zu more processes", length - MAX_NOTES);
    for (size_t i = 0; i < length && i < MAX_NOTES; i++) {
        unsigned unsaid = graph->channels[deadlock->cycle[i].channel].unsaid;
        if (unsaid && !(told & 1U << unsaid))
            note_unsaid(diags, graph, deadlock->cycle, length < MAX_NOTES ? length : MAX_NOTES,
                        unsaid);
        told |= 1U << unsaid;
    }
    if (deadlock->has_fix)
        note_fix(diags, graph, capacity, deadlock);
}

int dal_sdf_live(struct dal_diags *diags, const struct dal_sdf_graph *graph,
                 const uint64_t *capacity)
{
    struct dal_sdf_budget budget = {.work = MAX_FIX_WORK};
    struct dal_sdf_deadlock deadlock;
    int known, status = dal_sdf_deadlock_find(&deadlock, graph, capacity, &budget, &known);
    if (status) {
        diags->lost = 1;
    } else if (deadlock.dead) {
        dal_sdf_deadlock_tell(diags, graph, capacity, &deadlock);
        status = DAL_ERR_INVALID;
    } else if (!known) {
        dal_warning(diags, graph->place, "analysis-limit",
                    "one iteration has too many firings to show that it never deadlocks");
    }
    dal_sdf_deadlock_finish(&deadlock);
    return status ? DAL_ERR_INVALID : DAL_OK;
}
