/* Finds what the runtime will fire as one, and the bytes of the channels in between, for
 * --explain. */
#include "synth/plan/plan.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/number.h"
#include "rt/base/overlay.h"
#include "rt/base/turns.h"

/* The processes in the plan's order, as rt/base/turns.h sees them. */
struct graph {
    const struct dal_plan *plan;
    struct dal_turn_process *processes;
    struct dal_turn_link *links;
    int link_count;
    int *position; /* in the order, by process number */
};

static int same_place(const struct dal_plan_process *a, const struct dal_plan_process *b)
{
    return a->process->kpn == b->process->kpn && !b->device && dal_plan_is_bound_alike(a, b);
}

static int place_of(const struct dal_plan *plan, size_t process)
{
    const struct dal_plan_process *p = dal_plan_in_order(plan, process);
    size_t i = 0;
    if (p->device)
        return -1;
    while (!same_place(dal_plan_in_order(plan, i), p))
        i++;
    return (int)i;
}

static uint64_t room_in(const struct dal_plan *plan, const struct dal_spec_channel *c)
{
    const struct dal_plan_channel *ch = &plan->channels[c->number];
    int plain = dal_channel_traits(ch->kind)->most_devices == 0 && !c->dynamic_in &&
                !c->dynamic_out && c->producer != c->consumer && c->initial_tokens == 0 &&
                !c->newest.is_given && c->rate_in == c->rate_out &&
                !dal_spec_is_several(c->producer_port);
    return plain ? ch->capacity / c->rate_in : 0;
}

static void add_links(struct graph *graph, const struct dal_spec_port *port)
{
    const struct dal_spec_channel *c;
    for (c = port->channel; c; c = dal_port_next(port, c)) {
        const struct dal_spec_process *other = port->output ? c->consumer : c->producer;
        graph->links[graph->link_count++] =
            (struct dal_turn_link){.other = graph->position[other->number],
                                   .input = !port->output,
                                   .room = room_in(graph->plan, c)};
    }
}

static void describe_process(struct graph *graph, size_t i)
{
    const struct dal_plan_process *p = dal_plan_in_order(graph->plan, i);
    int begin = graph->link_count;
    for (size_t k = 0; k < p->process->port_count; k++)
        add_links(graph, &p->process->ports[k]);
    graph->processes[i] = (struct dal_turn_process){
        .place = place_of(graph->plan, i),
        .joins = !p->process->kpn && !p->device && !p->process->periodic.period_ns &&
                 !p->process->by_phase && !dal_spec_live_parameter(p->process) &&
                 p->shadow_copies == p->processor_count,
        .copies = (int)p->shadow_copies,
        .block = p->block,
        .links = &graph->links[begin],
        .link_count = graph->link_count - begin};
}

int dal_plan_turns(const struct dal_plan *plan, int *groups)
{
    struct graph graph = {.plan = plan,
                          .processes =
                              dal_calloc(plan->process_count + 1, sizeof(*graph.processes)),
                          .links = dal_calloc(2 * plan->channel_count + 1, sizeof(*graph.links)),
                          .position = dal_calloc(plan->process_count + 1, sizeof(*graph.position))};
    int status = graph.processes && graph.links && graph.position ? DAL_OK : DAL_ERR_NOMEM;
    for (size_t i = 0; status == DAL_OK && i < plan->process_count; i++)
        graph.position[plan->order[i]] = (int)i;
    for (size_t i = 0; status == DAL_OK && i < plan->process_count; i++)
        describe_process(&graph, i);
    if (status == DAL_OK)
        status = dal_turns_find(graph.processes, (int)plan->process_count, groups);
    dal_free_all(graph.processes, graph.links, graph.position);
    return status;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Fills in the channels of a group, in the order of their producers, and what else is known of it.
 */
static int list_between(const struct dal_plan *plan, const int *groups, int group, int *numbers,
                        struct dal_overlay_user *users, struct dal_plan_turn *turn)
{
    int count = 0;
    for (size_t i = 0; i < plan->process_count; i++)
        numbers[plan->order[i]] = groups[i] == group ? turn->count++ : -1;
    turn->block = UINT64_MAX;
    for (size_t i = 0; i < plan->process_count; i++) {
        const struct dal_plan_process *p = dal_plan_in_order(plan, i);
        if (groups[i] != group)
            continue;
        turn->first = turn->first ? turn->first : p;
        turn->last = p;
        turn->block = dal_least(turn->block, p->block);
        for (size_t k = 0; k < p->process->port_count; k++) {
            const struct dal_spec_channel *c = p->process->ports[k].channel;
            if (!p->process->ports[k].output || dal_spec_is_several(c->producer_port) ||
                numbers[c->consumer->number] < 0)
                continue;
            turn->ring_bytes += plan->channels[c->number].capacity * c->token_bytes;
            users[count++] = (struct dal_overlay_user){.from = numbers[c->producer->number],
                                                       .to = numbers[c->consumer->number],
                                                       .firing_bytes = c->rate_in * c->token_bytes};
        }
    }
    return count;
}

int dal_plan_turn(const struct dal_plan *plan, const int *groups, int group,
                  struct dal_plan_turn *turn)
{
    int *numbers = dal_calloc(plan->process_count + 1, sizeof(*numbers));
    struct dal_overlay_user *users = dal_calloc(plan->channel_count + 1, sizeof(*users));
    int status = DAL_ERR_NOMEM;
    size_t bytes = 0;
    *turn = (struct dal_plan_turn){0};
    if (numbers && users) {
        turn->channel_count = list_between(plan, groups, group, numbers, users, turn);
        status = dal_overlays_place(users, turn->channel_count, turn->block, &bytes);
        turn->overlay_bytes = bytes * turn->first->shadow_copies;
    }
    dal_free_all(numbers, users);
    return status;
}
