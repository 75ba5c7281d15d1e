/*
 * Parallel paths: a channel beside a longer path must hold what is on that path, or it delays it.
 * This counts in iterations. Every channel holds some iterations, and a process lies as deep as the
 * most that is held on a path to it. A channel must hold the difference between the depths of its
 * ends.
 */
#include "synth/plan/link.h"
#include "synth/plan/plan.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <inttypes.h>

struct depths {
    struct dal_plan *plan;
    double *depth;   /* by process, in iterations */
    size_t *pending; /* by process: channels to it that have not been looked at */
    size_t *ready;
    size_t count;
    int searched; /* true when the capacities that the channels need to be fast were searched for */
};

/* Tokens of one iteration. */
static double per_iteration(const struct dal_spec_channel *c)
{
    return (double)c->producer->repetitions * (double)c->rate_in;
}

/* Iterations beyond what the search took into account, or, without it, all of them. */
static double held_iterations(const struct depths *d, const struct dal_plan_channel *ch)
{
    return (double)(d->searched ? ch->extra : ch->capacity) / per_iteration(ch->channel);
}

/* Does the channel lead on? One that feeds an iteration from its initial tokens leads back. At a
 * KPN process, and behind what keeps the newest alone, there are no iterations to count in. */
static int leads_on(const struct dal_spec_channel *c)
{
    return dal_spec_is_static(c) && c->producer != c->consumer &&
           (double)c->initial_tokens < per_iteration(c);
}

static void reach_consumer(struct depths *d, const struct dal_plan_channel *ch)
{
    const struct dal_spec_channel *c = ch->channel;
    size_t from = c->producer->number, to = c->consumer->number;
    double depth = d->depth[from] + held_iterations(d, ch);
    if (depth > d->depth[to])
        d->depth[to] = depth;
    if (--d->pending[to] == 0)
        d->ready[d->count++] = to;
}

/* Processes of a cycle that no initial tokens open are never ready: their depths stay as they
 * are. */
static void find_depths(struct depths *d)
{
    const struct dal_plan *plan = d->plan;
    for (size_t i = 0; i < plan->channel_count; i++)
        if (leads_on(plan->channels[i].channel))
            d->pending[plan->channels[i].channel->consumer->number]++;
    for (size_t i = 0; i < plan->process_count; i++)
        if (d->pending[i] == 0)
            d->ready[d->count++] = i;
    for (size_t i = 0; i < d->count; i++) {
        const struct dal_spec_process *process = plan->processes[d->ready[i]].process;
        for (size_t k = 0; k < process->port_count; k++) {
            const struct dal_spec_port *port = &process->ports[k];
            const struct dal_spec_channel *c;
            for (c = port->channel; port->output && c; c = c->next_of_port)
                if (leads_on(c))
                    reach_consumer(d, &plan->channels[c->number]);
        }
    }
}

static int widen_channel(const struct depths *d, struct dal_plan_channel *ch)
{
    const struct dal_spec_channel *c = ch->channel;
    double more =
        d->depth[c->consumer->number] - d->depth[c->producer->number] - held_iterations(d, ch);
    double tokens = more * per_iteration(c), most = (double)(DAL_PLAN_LINK_BYTES / c->token_bytes);
    char *reason;
    /* A path over a link may hold many small tokens. A process with as many large ones sets the
     * pace. */
    tokens = tokens < most ? tokens : most;
    if (tokens < 1e-6)
        return DAL_OK;
    ch->capacity += (uint64_t)tokens + (tokens > (double)(uint64_t)tokens + 1e-6);
    reason = dal_format("%s; made %" PRIu64 " to hold what is on a longer way beside it",
                        ch->capacity_reason, ch->capacity);
    if (!reason)
        return DAL_ERR_NOMEM;
    dal_free(ch->capacity_reason);
    ch->capacity_reason = reason;
    return DAL_OK;
}

int dal_plan_balance(struct dal_plan *plan)
{
    struct depths d = {
        .plan = plan,
        .depth = dal_calloc(plan->process_count + 1, sizeof(*d.depth)),
        .pending = dal_calloc(plan->process_count + 1, sizeof(*d.pending)),
        .ready = dal_calloc(plan->process_count + 1, sizeof(*d.ready)),
    };
    int status = d.depth && d.pending && d.ready ? DAL_OK : DAL_ERR_NOMEM;
    for (size_t i = 0; i < plan->channel_count; i++)
        d.searched |= plan->channels[i].fastest > 0;
    if (!status)
        find_depths(&d);
    for (size_t i = 0; i < plan->channel_count && !status; i++)
        if (dal_plan_is_open(&plan->channels[i]) && leads_on(plan->channels[i].channel))
            status = widen_channel(&d, &plan->channels[i]);
    dal_free_all(d.depth, d.pending, d.ready);
    return status;
}
