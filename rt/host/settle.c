#include "rt/base/count.h"
#include "rt/host/group.h"
#include "rt/host/phase.h"

void dal__process_pass(struct dal_process *process, uint64_t firings)
{
    int i;
    dal_count_add(process->firings, firings);
    process->launches += firings > 0;
    for (i = 0; i < process->desc->port_count; i++)
        dal_end_pass(process->ends[i], firings * process->ends[i]->rate);
}

/* All that has begun is as if it had not been. */
static void give_back(struct dal_group *group)
{
    uint64_t n;
    int i;
    for (i = 0; i < group->outer_count; i++)
        for (n = group->done; n < group->begun; n++)
            dal_end_give_back(group->ends[i], dal__group_copy_of(group, n)->asked);
}

/* Each activation as far as it came: nobody reads tokens any more, so their order is nothing. */
static void pass_activations(struct dal_group *group)
{
    int i;
    for (; group->done < group->begun; group->done++) {
        const struct dal_group_copy *copy = dal__group_copy_of(group, group->done);
        for (i = 0; i < group->count; i++)
            dal__process_pass(group->processes[i],
                              copy->done + (group->count > 1 ? copy->steps[i].done : 0));
    }
}

void dal_group_settle(struct dal_group *group)
{
    int i;
    if (group->count == 0)
        return; /* of a process that workers do not fire */
    for (i = 0; group->timed && i < group->copy_count; i++)
        dal__group_add_times(group, i);
    if (dal_group_is_over(group) || !dal_control_broken(group->control))
        return;
    dal__group_count_released(group);
    give_back(group);
    pass_activations(group);
    if (group->by_phase && dal_phase_is_within(group->processes[0]))
        dal_count_add(group->processes[0]->firings, 1); /* as any cycle that is not gone on with */
}
