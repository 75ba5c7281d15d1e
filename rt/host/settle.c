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

/* Gives back the windows of all activations that have begun. */
static void give_back(struct dal_group *group)
{
    uint64_t n;
    int i;
    for (i = 0; i < group->outer_count; i++)
        for (n = group->done; n < group->begun; n++)
            dal_end_give_back(group->ends[i], dal__group_copy_of(group, n)->asked);
}

/* Counts each activation as far as it came. Nobody reads tokens any more, so their order does not
 * matter. */
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
        return; /* workers do not fire its process */
    for (i = 0; group->timed && i < group->copy_count; i++)
        dal__group_add_times(group, i);
    if (dal_group_is_over(group) || !dal_control_broken(group->control))
        return;
    dal__group_count_released(group);
    give_back(group);
    pass_activations(group);
    if (group->by_phase && dal_phase_is_within(group->processes[0]))
        dal_count_add(group->processes[0]->firings, 1); /* counts as a cycle that ended early */
}
