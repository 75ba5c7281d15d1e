#include "rt/device/policy.h"

#include <stddef.h>

static void push(struct dal_task_list *list, struct dal_task *task)
{
    task->next = NULL;
    if (list->last)
        list->last->next = task;
    else
        list->first = task;
    list->last = task;
}

static struct dal_task *pop(struct dal_task_list *list)
{
    struct dal_task *task = list->first;
    if (task) {
        list->first = task->next;
        if (!list->first)
            list->last = NULL;
    }
    return task;
}

const struct dal_policy dal_policy_fcfs = {.name = "fcfs", .push = push, .pop = pop};
