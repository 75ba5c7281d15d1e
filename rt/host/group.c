#include "rt/host/group.h"

#include "channels/port.h"
#include "include/kinds.h"
#include "rt/base/alloc.h"
#include "rt/base/number.h"
#include "rt/base/pace.h"
#include "rt/base/turns.h"

/* ---- which processes ------------------------------------------------------------------------- */

/* All processes, as rt/base/turns.h sees them. */
struct graph {
    struct dal_turn_process *processes;
    struct dal_turn_link *links;
    int link_count;
};

static int same_place(const struct dal_process *a, const struct dal_process *b)
{
    return a->ops == b->ops && dal_process_same_processors(a->desc, b->desc);
}

/* Returns the first process of the same kind and the same cores. */
static int place_of(const struct dal_process_list *all, int process)
{
    int i = 0;
    if (!dal_is_on_host(all->processes[process].ops))
        return -1;
    while (!same_place(&all->processes[i], &all->processes[process]))
        i++;
    return i;
}

static uint64_t room_in(const struct dal_channel *channel)
{
    const struct dal_channel_desc *desc = channel->desc;
    int plain = dal_channel_traits(channel->kind)->most_devices == 0 && channel->port->count == 1 &&
                !channel->port->newest && desc->producer != desc->consumer &&
                desc->initial_tokens == 0 && desc->rate_in == desc->rate_out;
    return plain ? desc->capacity / desc->rate_in : 0;
}

static void add_link(struct graph *graph, const struct dal_channel *channel, int output)
{
    graph->links[graph->link_count++] =
        (struct dal_turn_link){.other = output ? channel->desc->consumer : channel->desc->producer,
                               .input = !output,
                               .room = room_in(channel)};
}

static void add_links(struct graph *graph, const struct dal_process *process)
{
    if (process->ops->is_proxy)
        graph->links[graph->link_count++] = (struct dal_turn_link){.other = process->desc->beyond};
    for (int i = 0; i < process->desc->port_count; i++) {
        const struct dal_end *end = process->ends[i];
        if (!end->output)
            add_link(graph, end->channel, 0);
        for (int k = 0; end->output && k < end->port->count; k++)
            add_link(graph, end->port->channels[k], 1);
    }
}

/* A process on several cores joins a group only if it has a copy for each core. Otherwise its work
 * is spread better without a group. A periodic process and one with live parameters stay alone:
 * they fire at their own times. */
static void describe_process(struct graph *graph, const struct dal_process_list *all, int i)
{
    const struct dal_process *process = &all->processes[i];
    struct dal_turn_process *turn = &graph->processes[i];
    int begin = graph->link_count;
    add_links(graph, process);
    *turn = (struct dal_turn_process){
        .place = place_of(all, i),
        .joins = !process->ops->has_thread && !process->desc->periodic && !process->host.changes &&
                 !process->desc->by_phase &&
                 process->host.copy_count == process->desc->processor_count,
        .copies = process->host.copy_count,
        .block = process->desc->block,
        .links = &graph->links[begin],
        .link_count = graph->link_count - begin};
}

static size_t count_links(const struct dal_process_list *all)
{
    size_t count = 1;
    for (int i = 0; i < all->count; i++) {
        const struct dal_process *process = &all->processes[i];
        count += (size_t)process->ops->is_proxy;
        for (int k = 0; k < process->desc->port_count; k++)
            count += process->ends[k]->output ? (size_t)process->ends[k]->port->count : 1;
    }
    return count;
}

/* Finds the number of each process's group. */
static int find_turns(const struct dal_process_list *all, int *numbers)
{
    struct graph graph = {.processes = dal_calloc((size_t)all->count + 1, sizeof(*graph.processes)),
                          .links = dal_calloc(count_links(all), sizeof(*graph.links))};
    int status = graph.processes && graph.links ? DAL_OK : DAL_ERR_NOMEM;
    for (int i = 0; status == DAL_OK && i < all->count; i++)
        describe_process(&graph, all, i);
    if (status == DAL_OK)
        status = dal_turns_find(graph.processes, all->count, numbers);
    dal_free(graph.processes);
    dal_free(graph.links);
    return status;
}

static void add_member(struct dal_group *group, struct dal_process *process)
{
    group->actor.members[group->actor.count++] = (struct dal_member){process, 1};
}

/* Returns whether an end leads to a process of the group. */
static int leads_in(const struct dal_process_list *all, const struct dal_group *group,
                    const struct dal_end *end)
{
    const struct dal_channel_desc *desc = end->channel->desc;
    if (!end->output)
        return all->processes[desc->producer].host.group == group;
    for (int i = 0; i < end->port->count; i++)
        if (all->processes[end->port->channels[i]->desc->consumer].host.group == group)
            return 1;
    return 0;
}

/* ---- ends and copies ------------------------------------------------------------------------- */

/* Adds the outer ends, which limit the pace, and so does a process. A process alone has all its
 * ends there, even those that lead back to it. */
static void add_ends(const struct dal_process_list *all, struct dal_group *group)
{
    for (int i = 0; i < group->actor.count; i++) {
        struct dal_process *process = dal__member(group, i);
        if (process->desc->most_firings)
            group->pace.most = dal_least(group->pace.most, process->desc->most_firings);
        for (int k = 0; k < process->desc->port_count; k++) {
            struct dal_end *end = process->ends[k];
            uint64_t room;
            if (group->actor.count > 1 && leads_in(all, group, end))
                continue;
            for (int n = 0; n < group->copy_count; n++)
                group->copies[n].windows[group->actor.end_count] =
                    &process->host.copies[n].activation.windows[k];
            room = dal_pace_room(end->channel->desc->capacity / end->rate,
                                 (uint64_t)group->copy_count);
            group->pace.most = dal_least(group->pace.most, room);
            group->actor.ends[group->actor.end_count++] = end;
        }
    }
}

static int make_copy(const struct dal_group *group, struct dal_group_copy *copy, int number,
                     size_t ends)
{
    copy->windows = dal_calloc(ends, sizeof(struct dal_window *));
    copy->steps = dal_calloc((size_t)group->actor.count, sizeof(*copy->steps));
    if (!copy->windows || !copy->steps)
        return DAL_ERR_NOMEM;
    for (int i = 0; i < group->actor.count; i++) {
        struct dal_process *process = dal__member(group, i);
        copy->steps[i] = (struct dal_step){process->host.run, &process->host.copies[number], 0};
    }
    return DAL_OK;
}

static int make_copies(struct dal_group *group, size_t ends)
{
    int status = DAL_OK;
    group->copy_count = dal__member(group, 0)->host.copy_count;
    group->copies = dal_calloc_apart((size_t)group->copy_count, sizeof(*group->copies));
    group->actor.ends = dal_calloc(ends, sizeof(struct dal_end *));
    if (!group->copies || !group->actor.ends)
        return DAL_ERR_NOMEM;
    for (int i = 0; status == DAL_OK && i < group->copy_count; i++)
        status = make_copy(group, &group->copies[i], i, ends);
    return status;
}

/* With copies: makes room for the activations that are under way. */
static int make_held(struct dal_group *group)
{
    size_t ends = (size_t)group->actor.end_count;
    unsigned char **windows;
    if (group->copy_count == 1)
        return DAL_OK;
    group->held_count = DAL_PACE_ACTIVATIONS * group->copy_count;
    group->held = dal_calloc((size_t)group->held_count, sizeof(*group->held));
    windows = dal_calloc((size_t)group->held_count * ends + 1, sizeof(*windows));
    if (!group->held || !windows) {
        dal_free(windows);
        return DAL_ERR_NOMEM;
    }
    for (int i = 0; i < group->held_count; i++)
        group->held[i].windows = windows + (size_t)i * ends;
    return DAL_OK;
}

/* Fills in what a group needs to fire. */
static int complete_group(const struct dal_process_list *all, struct dal_group *group)
{
    const struct dal_process *first = dal__member(group, 0);
    size_t ends = 1;
    group->claim.shared = !first->ops->has_thread && first->desc->processor_count > 1;
    group->by_phase = first->desc->by_phase;
    dal_actor_take_notes(&group->actor);
    group->block = UINT64_MAX;
    for (int i = 0; i < group->actor.count; i++) {
        ends += (size_t)dal__member(group, i)->desc->port_count;
        group->block = dal_least(group->block, dal__member(group, i)->desc->block);
    }
    if (make_copies(group, ends) < 0)
        return DAL_ERR_NOMEM;
    group->pace = (struct dal_pace){
        .firings = 1,
        .most = UINT64_MAX,
        .short_ns = dal_pace_short(
            dal_least((uint64_t)group->copy_count, (uint64_t)first->desc->processor_count))};
    add_ends(all, group);
    group->pace.most = dal_pace_most(group->block, group->pace.most, group->actor.count == 1);
    if (make_held(group) < 0)
        return DAL_ERR_NOMEM;
    return group->actor.count > 1 ? dal__overlays_init(group, all) : DAL_OK;
}

/* Makes a group of each process alone. */
static int make_alone(const struct dal_process_list *all, struct dal_groups *groups)
{
    int status = DAL_OK;
    for (int i = 0; status == DAL_OK && i < all->count; i++) {
        struct dal_process *process = &all->processes[i];
        struct dal_group *group = &groups->alone[i];
        if (!dal_is_on_host(process->ops))
            continue;
        groups->alone_count = i + 1;
        process->host.alone = group;
        group->actor.members = &groups->members[i];
        add_member(group, process);
        status = complete_group(all, group);
    }
    return status;
}

/* Adds all processes of the group whose first process is `first`. */
static void gather(const struct dal_process_list *all, const int *numbers, int first,
                   struct dal_group *group)
{
    for (int i = first; i < all->count; i++) {
        if (numbers[i] != numbers[first])
            continue;
        all->processes[i].host.number = group->actor.count;
        all->processes[i].host.group = group;
        add_member(group, &all->processes[i]);
    }
}

static int find_groups(const struct dal_process_list *all, struct dal_groups *groups,
                       const int *numbers, const int *members)
{
    struct dal_member *room = groups->members + all->count;
    int i, status = make_alone(all, groups);
    for (i = 0; status == DAL_OK && i < all->count; i++) {
        struct dal_group *group = &groups->together[groups->together_count];
        struct dal_process *process = &all->processes[i];
        if (!process->host.alone || process->host.group)
            continue;
        if (members[numbers[i]] == 1) {
            process->host.group = process->host.alone;
            groups->list[groups->count++] = process->host.alone;
            continue;
        }
        group->actor.members = room;
        gather(all, numbers, i, group);
        room += group->actor.count;
        groups->list[groups->count++] = group;
        groups->together_count++;
        status = complete_group(all, group);
    }
    return status;
}

static int number_groups(const struct dal_process_list *all, struct dal_groups *groups)
{
    int *numbers = dal_calloc(2 * ((size_t)all->count + 1), sizeof(*numbers));
    int *members = numbers + all->count + 1, status = DAL_ERR_NOMEM;
    if (numbers)
        status = find_turns(all, numbers);
    for (int i = 0; status >= 0 && i < all->count; i++)
        if (numbers[i] >= 0)
            members[numbers[i]]++;
    if (status >= 0)
        status = find_groups(all, groups, numbers, members);
    dal_free(numbers);
    return status;
}

int dal_groups_find(struct dal_groups *groups, const struct dal_process_list *all)
{
    size_t count = (size_t)all->count + 1;
    groups->list = dal_calloc(count, sizeof(struct dal_group *));
    groups->members = dal_calloc(2 * count, sizeof(*groups->members));
    groups->alone = dal_calloc_apart(count, sizeof(*groups->alone));
    groups->together = dal_calloc_apart(count / 2 + 1, sizeof(*groups->together));
    if (!groups->list || !groups->members || !groups->alone || !groups->together)
        return DAL_ERR_NOMEM;
    return number_groups(all, groups);
}

static void finish_group(struct dal_group *group)
{
    for (int i = 0; group->copies && i < group->copy_count; i++) {
        dal_free(group->copies[i].windows);
        dal_free(group->copies[i].steps);
    }
    dal__overlays_finish(group);
    dal_free(group->copies);
    if (group->held)
        dal_free(group->held->windows);
    dal_free(group->held);
    dal_free(group->actor.ends);
}

void dal_groups_finish(struct dal_groups *groups)
{
    for (int i = 0; i < groups->alone_count; i++)
        finish_group(&groups->alone[i]);
    for (int i = 0; i < groups->together_count; i++)
        finish_group(&groups->together[i]);
    dal_free(groups->list);
    dal_free(groups->members);
    dal_free(groups->alone);
    dal_free(groups->together);
    *groups = (struct dal_groups){0};
}
