#include "rt/host/group.h"

#include "channels/port.h"
#include "include/kinds.h"
#include "rt/base/alloc.h"
#include "rt/base/number.h"
#include "rt/host/lanes.h"

#include <string.h>

/* Blocks of an activation of several processes, at most. */
enum { MOST_BLOCKS = 64 };

/* ---- which processes ------------------------------------------------------------------------- */

/* The i-th process at the other side of an end; NULL behind the last. */
static struct dal_process *neighbour(const struct dal_process_list *all, const struct dal_end *end,
                                     int i)
{
    if (i == (end->output ? end->port->count : 1))
        return NULL;
    return &all->processes[end->output ? end->port->channels[i]->desc->consumer
                                       : end->channel->desc->producer];
}

/* Does an end of a process lead to one in the group, or back to itself? */
static int leads_in(const struct dal_process_list *all, const struct dal_group *group,
                    const struct dal_process *process, const struct dal_end *end)
{
    const struct dal_process *other;
    int i;
    for (i = 0; (other = neighbour(all, end, i)); i++)
        if (other == process || other->group == group)
            return 1;
    return 0;
}

static int same_cores(const struct dal_process_desc *a, const struct dal_process_desc *b)
{
    return a->processor_count == b->processor_count &&
           memcmp(a->processors, b->processors,
                  (size_t)a->processor_count * sizeof(*a->processors)) == 0;
}

/* Can both ends of a channel move as one, with room for the blocks of all copies and nothing left
 * behind them? */
static int is_plain(const struct dal_channel *channel, const struct dal_process *process)
{
    const struct dal_channel_desc *desc = channel->desc;
    return dal_channel_traits(channel->kind)->most_devices == 0 && channel->port->count == 1 &&
           desc->producer != desc->consumer && desc->initial_tokens == 0 &&
           desc->rate_in == desc->rate_out &&
           (uint64_t)process->copy_count * process->desc->block <= desc->capacity / desc->rate_in;
}

/* May a process be in a group with others? What several cores share without a copy for each is
 * better spread over them. */
static int may_join(const struct dal_process *process)
{
    return !process->ops->has_thread && process->copy_count == process->desc->processor_count;
}

static int joins(const struct dal_process_list *all, const struct dal_group *group,
                 const struct dal_process *process)
{
    int i, fed = 0;
    if (!may_join(process) || process->copy_count != group->processes[0]->copy_count)
        return 0;
    for (i = 0; i < process->desc->port_count; i++) {
        const struct dal_end *end = process->ends[i];
        if (!leads_in(all, group, process, end))
            continue;
        if (end->output || !is_plain(end->channel, process))
            return 0;
        fed = 1;
    }
    return fed;
}

static void add_process(struct dal_group *group, struct dal_process *process)
{
    process->number = group->count;
    group->processes[group->count++] = process;
    process->group = group;
}

/* A process, and of those behind it that the same cores fire all that can join, up to the first
 * that cannot. */
static void gather(const struct dal_process_list *all, struct dal_group *group, int first)
{
    struct dal_process *process = &all->processes[first];
    int i, open;
    add_process(group, process);
    open = may_join(process);
    for (i = 0; open && i < process->desc->port_count; i++)
        open = !leads_in(all, group, process, process->ends[i]);
    for (i = first + 1; open && i < all->count; i++) {
        struct dal_process *other = &all->processes[i];
        if (other->ops != all->processes[first].ops || !same_cores(process->desc, other->desc))
            continue;
        open = joins(all, group, other);
        if (open)
            add_process(group, other);
    }
}

/* Processes outside a group that have been met, and those to go on from. */
struct search {
    struct dal_process **stack;
    int depth;
    unsigned char *met;
};

/* Meets the processes at the other side of an end; returns whether one had been met before. */
static int meet(const struct dal_process_list *all, const struct dal_group *group,
                const struct dal_end *end, struct search *search)
{
    struct dal_process *other;
    int i, again = 0;
    for (i = 0; (other = neighbour(all, end, i)); i++) {
        unsigned char *met = &search->met[other - all->processes];
        if (other->group == group)
            continue;
        again |= *met;
        if (!*met)
            search->stack[search->depth++] = other;
        *met = 1;
    }
    return again;
}

/* Do two ends of a group lead to processes that are connected without it? */
static int is_bypassed(const struct dal_process_list *all, const struct dal_group *group,
                       struct search *search)
{
    int i, k, n;
    memset(search->met, 0, (size_t)all->count);
    for (i = 0; i < group->count; i++) {
        const struct dal_process *process = group->processes[i];
        for (k = 0; k < process->desc->port_count; k++) {
            if (meet(all, group, process->ends[k], search))
                return 1;
            while (search->depth > 0) {
                const struct dal_process *outside = search->stack[--search->depth];
                for (n = 0; n < outside->desc->port_count; n++)
                    meet(all, group, outside->ends[n], search);
            }
        }
    }
    return 0;
}

/* ---- ends and copies ------------------------------------------------------------------------- */

/* Of a channel that leads out, a quarter at once: the other side works at the rest meanwhile. */
static uint64_t most_at_once(const struct dal_group *group, const struct dal_end *end)
{
    uint64_t share = 4 * (uint64_t)group->copy_count;
    uint64_t firings = end->channel->desc->capacity / end->rate / share;
    return firings ? firings : 1;
}

/* Adds the ends that lead out: all ends of a process alone, also where they lead back to it. */
static void add_ends(const struct dal_process_list *all, struct dal_group *group)
{
    int i, k, n;
    for (i = 0; i < group->count; i++) {
        struct dal_process *process = group->processes[i];
        for (k = 0; k < process->desc->port_count; k++) {
            struct dal_end *end = process->ends[k];
            if (group->count > 1 && leads_in(all, group, process, end))
                continue;
            for (n = 0; n < group->copy_count; n++)
                group->copies[n].windows[group->outer_count] =
                    &process->copies[n].activation.windows[k];
            if (group->count > 1)
                group->pace.most = dal_least(group->pace.most, most_at_once(group, end));
            group->ends[group->outer_count++] = end;
        }
    }
}

static int make_copy(const struct dal_group *group, struct dal_group_copy *copy, int number,
                     size_t ends)
{
    int i;
    copy->windows = dal_calloc(ends, sizeof(struct dal_window *));
    copy->steps = dal_calloc((size_t)group->count, sizeof(*copy->steps));
    if (!copy->windows || !copy->steps)
        return DAL_ERR_NOMEM;
    for (i = 0; i < group->count; i++) {
        struct dal_process *process = group->processes[i];
        copy->steps[i] = (struct dal_step){process->run, &process->copies[number], 0};
    }
    return DAL_OK;
}

static int make_copies(struct dal_group *group, size_t ends)
{
    int i, status = DAL_OK;
    group->copy_count = group->processes[0]->copy_count;
    group->copies = dal_calloc_apart((size_t)group->copy_count, sizeof(*group->copies));
    group->order = dal_calloc((size_t)group->copy_count, sizeof(*group->order));
    group->ends = dal_calloc(ends, sizeof(struct dal_end *));
    if (!group->copies || !group->order || !group->ends)
        return DAL_ERR_NOMEM;
    for (i = 0; status == DAL_OK && i < group->copy_count; i++)
        status = make_copy(group, &group->copies[i], i, ends);
    return status;
}

/* What firing needs. */
static int complete_group(const struct dal_process_list *all, struct dal_group *group)
{
    const struct dal_process *first = group->processes[0];
    size_t ends = 1;
    int i;
    group->claim.shared = !first->ops->has_thread && first->desc->processor_count > 1;
    group->timed = first->timed;
    group->control = first->control;
    group->block = UINT64_MAX;
    for (i = 0; i < group->count; i++) {
        ends += (size_t)group->processes[i]->desc->port_count;
        group->block = dal_least(group->block, group->processes[i]->desc->block);
    }
    if (make_copies(group, ends) < 0)
        return DAL_ERR_NOMEM;
    group->pace =
        (struct dal_pace){1, group->count == 1 ? group->block : MOST_BLOCKS * group->block, 0};
    add_ends(all, group);
    return group->count > 1 ? dal__lanes_init(group, all) : DAL_OK;
}

/* Each process alone. */
static int make_alone(const struct dal_process_list *all, struct dal_groups *groups)
{
    int i, status = DAL_OK;
    for (i = 0; status == DAL_OK && i < all->count; i++) {
        struct dal_process *process = &all->processes[i];
        struct dal_group *group = &groups->alone[i];
        if (process->ops->on_device)
            continue;
        groups->alone_count = i + 1;
        process->alone = group;
        group->processes = &groups->members[i];
        group->processes[group->count++] = process;
        status = complete_group(all, group);
    }
    return status;
}

/* What has been gathered does not fire as one. */
static void list_alone(struct dal_groups *groups, struct dal_group *gathered)
{
    int i;
    for (i = 0; i < gathered->count; i++) {
        struct dal_process *process = gathered->processes[i];
        process->group = process->alone;
        groups->list[groups->count++] = process->alone;
    }
    *gathered = (struct dal_group){0};
}

static int find_groups(const struct dal_process_list *all, struct dal_groups *groups,
                       struct search *search)
{
    struct dal_process **members = groups->members + all->count;
    int i, status = make_alone(all, groups);
    for (i = 0; status == DAL_OK && i < all->count; i++) {
        struct dal_group *group = &groups->together[groups->together_count];
        if (!all->processes[i].alone || all->processes[i].group)
            continue;
        group->processes = members;
        gather(all, group, i);
        search->depth = 0;
        if (group->count == 1 || is_bypassed(all, group, search)) {
            list_alone(groups, group);
            continue;
        }
        members += group->count;
        groups->list[groups->count++] = group;
        groups->together_count++;
        status = complete_group(all, group);
    }
    return status;
}

int dal_groups_find(struct dal_groups *groups, const struct dal_process_list *all)
{
    size_t count = (size_t)all->count + 1;
    struct search search = {.stack = dal_calloc(count, sizeof(struct dal_process *)),
                            .met = dal_calloc(count, 1)};
    int status = DAL_ERR_NOMEM;
    groups->list = dal_calloc(count, sizeof(struct dal_group *));
    groups->members = dal_calloc(2 * count, sizeof(struct dal_process *));
    groups->alone = dal_calloc_apart(count, sizeof(*groups->alone));
    groups->together = dal_calloc_apart(count / 2 + 1, sizeof(*groups->together));
    if (groups->list && groups->members && groups->alone && groups->together && search.stack &&
        search.met)
        status = find_groups(all, groups, &search);
    dal_free(search.stack);
    dal_free(search.met);
    return status;
}

static void finish_group(struct dal_group *group)
{
    int i;
    for (i = 0; group->copies && i < group->copy_count; i++) {
        dal_free(group->copies[i].windows);
        dal_free(group->copies[i].steps);
    }
    dal__lanes_finish(group);
    dal_free(group->copies);
    dal_free(group->order);
    dal_free(group->ends);
}

void dal_groups_finish(struct dal_groups *groups)
{
    int i;
    for (i = 0; i < groups->alone_count; i++)
        finish_group(&groups->alone[i]);
    for (i = 0; i < groups->together_count; i++)
        finish_group(&groups->together[i]);
    dal_free(groups->list);
    dal_free(groups->members);
    dal_free(groups->alone);
    dal_free(groups->together);
    *groups = (struct dal_groups){0};
}
