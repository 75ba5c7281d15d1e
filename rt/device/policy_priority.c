#include "rt/device/policy.h"

#include <stddef.h>

/* Inserts a task behind all that are as important or more, so that equal ones keep their order. */
static void push(struct dal_task_list *list, struct dal_task *task)
{
    struct dal_task **at = &list->first;
    while (*at && (*at)->priority >= task->priority)
        at = &(*at)->next;
    task->next = *at;
    *at = task;
}

static struct dal_task *pop(struct dal_task_list *list)
{
    struct dal_task *task = list->first;
    if (task)
        list->first = task->next;
    return task;
}

const struct dal_policy dal_policy_priority = {.name = "priority", .push = push, .pop = pop};
