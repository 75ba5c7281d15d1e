/* Makes groups on devices, until all of them can be. */
#include "synth/plan/group.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

int dal_plan_stay_apart(struct dal_plan_process *p, char *reason)
{
    dal_free(p->apart);
    p->apart = reason;
    p->stays_apart = 1;
    return reason ? DAL_OK : DAL_ERR_NOMEM;
}

int dal_plan_keep_apart(const struct dal_plan *other, struct dal_plan *plan)
{
    int status = DAL_OK;
    for (size_t i = 0; i < plan->process_count && !status; i++)
        if (other->processes[i].stays_apart)
            status = dal_plan_stay_apart(&plan->processes[i], dal_strdup(""));
    return status;
}

int dal__plan_dissolve(struct dal_plan_group *group, const char *why)
{
    int status = DAL_OK;
    for (size_t i = 1; i < group->member_count && !status; i++)
        status = dal_plan_stay_apart(group->members[i], dal_strdup(why));
    return status;
}

static int add_member(struct dal_plan_group *group, struct dal_plan_process *p)
{
    group->members[group->member_count++] = p;
    p->group = group;
    p->round = p->process->repetitions / group->members[0]->process->repetitions;
    return DAL_OK;
}

static int make_group(struct dal_plan *plan, const size_t *heads, size_t head)
{
    struct dal_plan_group *group = &plan->device_groups[plan->device_group_count];
    size_t count = 0;
    for (size_t i = 0; i < plan->process_count; i++)
        count += heads[i] == head;
    if (count < 2)
        return DAL_OK;
    plan->device_group_count++;
    group->members = dal_calloc(count, sizeof(*group->members));
    group->symbol = dal_format("%s", plan->processes[head].symbol);
    if (!group->members || !group->symbol)
        return DAL_ERR_NOMEM;
    for (size_t i = 0; i < plan->process_count; i++)
        if (heads[dal_plan_in_order(plan, i)->process->number] == head)
            add_member(group, dal_plan_in_order(plan, i));
    return DAL_OK;
}

void dal__plan_groups_finish(struct dal_plan *plan)
{
    for (size_t i = 0; i < plan->device_group_count; i++) {
        dal_free_all(plan->device_groups[i].members, plan->device_groups[i].rounds_reason,
                     plan->device_groups[i].words, plan->device_groups[i].symbol);
    }
    dal_free(plan->device_groups);
    plan->device_groups = NULL;
    plan->device_group_count = 0;
}

static int find_groups(struct dal_plan *plan, size_t *heads)
{
    int status = DAL_OK;
    for (size_t i = 0; i < plan->process_count; i++)
        heads[i] = i;
    for (size_t i = 0; i < plan->process_count; i++)
        dal__plan_join(plan, heads, dal_plan_in_order(plan, i));
    for (size_t i = 0; i < plan->process_count && !status; i++)
        status = make_group(plan, heads, plan->order[i]);
    return status;
}

static int make_groups(struct dal_plan *plan, size_t *heads)
{
    int status = find_groups(plan, heads);
    if (!status)
        status = dal__plan_check_members(plan);
    if (!status)
        status = dal__plan_set_inside(plan);
    for (size_t i = 0; i < plan->device_group_count && !status; i++) {
        struct dal_plan_group *group = &plan->device_groups[i];
        status = dal_plan_place_tokens(plan, group);
        if (!status)
            status = dal__plan_set_rounds(plan, group);
        if (status == DAL_ERR_LIMIT) {
            status =
                dal__plan_dissolve(group, "its tokens are too large to be kept by a work-group");
            return status ? status : DAL_ERR_LIMIT;
        }
    }
    return status;
}

static size_t count_apart(const struct dal_plan *plan)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->process_count; i++)
        count += plan->processes[i].stays_apart != 0;
    return count;
}

int dal__plan_fewer_groups(struct dal_plan *plan, size_t *apart)
{
    size_t count = count_apart(plan);
    int status = DAL_OK;
    for (size_t i = 0; i < plan->device_group_count && count <= *apart && !status; i++)
        status = dal__plan_dissolve(&plan->device_groups[i],
                                    "nothing was found that would let rounds be made");
    *apart = count_apart(plan);
    return status;
}

int dal_plan_groups(struct dal_plan *plan)
{
    size_t *heads = dal_calloc(plan->process_count + 1, sizeof(*heads));
    size_t apart = count_apart(plan);
    int status;
    do {
        dal__plan_groups_finish(plan);
        for (size_t i = 0; i < plan->process_count; i++) {
            plan->processes[i].group = NULL;
            plan->processes[i].round = 1;
            plan->processes[i].run = 0;
        }
        plan->device_groups = dal_calloc(plan->process_count + 1, sizeof(*plan->device_groups));
        status = heads && plan->device_groups ? make_groups(plan, heads) : DAL_ERR_NOMEM;
    } while (status == DAL_ERR_LIMIT && !(status = dal__plan_fewer_groups(plan, &apart)));
    dal_free(heads);
    return status;
}
