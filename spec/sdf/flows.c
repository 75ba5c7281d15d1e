#include "spec/sdf/flows.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

void dal__periodic_finish(struct dal__periodic *p)
{
    dal_free_all(p->flows, p->phases, p->repetitions, p->k, p->first, p->overtakes, p->arcs.list,
                 p->places);
}

static struct dal__amounts describe_end(struct dal__periodic *p, size_t process,
                                        const struct dal_sdf_phases *phases, uint64_t rate)
{
    struct dal__amounts amounts = {
        .process = process, .phases = *phases, .each = rate / p->phases[process], .cycle = rate};
    uint64_t sum = 0;
    for (uint64_t i = 0; i < p->phases[process]; i++)
        p->lost |= __builtin_add_overflow(sum, dal__amount_of(&amounts, i), &sum);
    p->lost |= sum != rate || rate == 0;
    return amounts;
}

static void add_channel_flows(struct dal__periodic *p, size_t number, uint64_t capacity)
{
    const struct dal_sdf_channel *channel = &p->part->channels[number];
    struct dal__amounts in =
        describe_end(p, channel->producer, &channel->phases_in, channel->rate_in);
    struct dal__amounts out =
        describe_end(p, channel->consumer, &channel->phases_out, channel->rate_out);
    uint64_t tokens = channel->initial_tokens;
    p->flows[p->flow_count++] =
        (struct dal__flow){.from = in, .to = out, .tokens = tokens, .channel = number};
    if (capacity != DAL_SDF_UNLIMITED)
        p->flows[p->flow_count++] =
            (struct dal__flow){.from = out,
                               .to = in,
                               .tokens = capacity > tokens ? capacity - tokens : 0,
                               .channel = number,
                               .is_space = 1};
}

static void add_flows(struct dal__periodic *p, const uint64_t *capacity)
{
    const struct dal_sdf_graph *part = p->part;
    for (size_t i = 0; i < part->channel_count && !p->lost; i++)
        add_channel_flows(p, i, capacity[part->channels[i].number]);
    for (size_t i = 0; i < part->process_count; i++) {
        struct dal__amounts once = {.process = i, .each = 1, .cycle = p->phases[i]};
        if (part->processes[i].at_once)
            p->flows[p->flow_count++] = (struct dal__flow){.from = once,
                                                           .to = once,
                                                           .tokens = part->processes[i].at_once,
                                                           .channel = DAL_SDF_NONE};
    }
    for (size_t i = 0; i < p->flow_count; i++)
        p->lost |= p->flows[i].tokens >= MAX_TOKENS;
}

int dal__flow_is_serial(const struct dal__periodic *p, const struct dal__flow *flow)
{
    uint64_t tokens = flow->tokens, phases = p->phases[flow->from.process];
    if (flow->from.process != flow->to.process)
        return 0;
    for (uint64_t i = 0; i < phases; i++) {
        uint64_t taken = dal__amount_of(&flow->to, i);
        if (tokens < taken || tokens - taken >= dal__amount_of(&flow->to, (i + 1) % phases))
            return 0;
        tokens += dal__amount_of(&flow->from, i) - taken;
    }
    return 1;
}

/* Returns whether a firing could end before one that has started earlier. Then it waits for that
 * one, even where the earlier one hands over nothing. */
static int may_overtake(const struct dal__periodic *p, size_t process)
{
    const struct dal_sdf_process *all = p->part->processes;
    int same = 1;
    for (uint64_t i = 1; i < p->phases[process]; i++)
        same &= dal__time_of(&all[process], i) == dal__time_of(&all[process], 0);
    for (size_t i = 0; i < p->flow_count && !same; i++)
        same = p->flows[i].from.process == process && dal__flow_is_serial(p, &p->flows[i]);
    return !same;
}

int dal__periodic_init(struct dal__periodic *p, const struct dal_sdf_graph *part,
                       const uint64_t *capacity, struct dal_sdf_budget *budget)
{
    size_t processes = part->process_count + 1;
    *p = (struct dal__periodic){
        .part = part,
        .flows = dal_calloc(2 * part->channel_count + processes, sizeof(*p->flows)),
        .phases = dal_calloc(processes, sizeof(*p->phases)),
        .repetitions = dal_calloc(processes, sizeof(*p->repetitions)),
        .k = dal_calloc(processes, sizeof(*p->k)),
        .first = dal_calloc(processes, sizeof(*p->first)),
        .overtakes = dal_calloc(processes, 1),
        .budget = budget,
    };
    if (!p->flows || !p->phases || !p->repetitions || !p->k || !p->first || !p->overtakes)
        return DAL_ERR_NOMEM;
    for (size_t i = 0; i < part->process_count; i++) {
        uint64_t phases = part->processes[i].phases;
        p->phases[i] = phases > 1 ? phases : 1;
        p->common = dal_gcd(p->common, part->processes[i].repetitions);
        p->k[i] = 1;
    }
    p->lost |= p->common == 0;
    for (size_t i = 0; i < part->process_count && !p->lost; i++) {
        p->repetitions[i] = part->processes[i].repetitions / p->common;
        for (uint64_t k = 0; k < p->phases[i]; k++)
            p->lost |= dal__time_of(&part->processes[i], k) >= (uint64_t)DAL__ARC_LIMIT;
    }
    if (!p->lost)
        add_flows(p, capacity);
    for (size_t i = 0; i < part->process_count && !p->lost; i++)
        p->overtakes[i] = (unsigned char)may_overtake(p, i);
    return DAL_OK;
}
