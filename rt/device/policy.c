#include "rt/device/policy.h"

#include <stddef.h>
#include <string.h>

static void push_last(struct dal_task_list *list, struct dal_task *task)
{
    task->next = NULL;
    if (list->first)
        list->last->next = task;
    else
        list->first = task;
    list->last = task;
}

/* Inserts a task behind all that are as important or more, so that equal ones keep their order. */
static void push_by_priority(struct dal_task_list *list, struct dal_task *task)
{
    struct dal_task **at = &list->first;
    while (*at && (*at)->priority >= task->priority)
        at = &(*at)->next;
    task->next = *at;
    *at = task;
}

struct dal_task *dal_policy_pop(struct dal_task_list *list)
{
    struct dal_task *task = list->first;
    if (task)
        list->first = task->next;
    return task;
}

const struct dal_policy dal_policies[] = {
    {"fcfs", push_last},
    {"priority", push_by_priority},
    {"deadline", push_by_priority},
    {"level", push_by_priority},
    {NULL, NULL},
};

const struct dal_policy *dal_policy_find(const char *name)
{
    const struct dal_policy *policy = dal_policies;
    while (policy->name && strcmp(policy->name, name) != 0)
        policy++;
    return policy->name ? policy : NULL;
}
