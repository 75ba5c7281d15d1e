/*
 * Task queue policies: the order in which tasks that can run do run.
 *
 * A task is in the queue at most once. All calls come from the handler's thread.
 */
#pragma once

/* A task of the handler, which never blocks. */
struct dal_task {
    struct dal_task *next; /* the policy's */
    int queued;            /* the handler's */
    int priority;
    /* Does one step. Returns 1 when it did something and wants another turn. Returns 0 when it
     * waits for the next post, negative on an error, logged. */
    int (*run)(struct dal_task *task);
};

struct dal_task_list {
    struct dal_task *first, *last; /* `last` is fcfs's */
};

struct dal_policy {
    const char *name;
    void (*push)(struct dal_task_list *list, struct dal_task *task);
};

/*
 * All policies; the last has no name.
 *
 *     fcfs      first come, first served: the default (Scherer 2013, section 4.4)
 *     priority  the most important first, by the priority of process or binding; equal ones in the
 *               order they come
 *     deadline  the same by priorities that the plan makes of deadlines: the least first
 *     level     the same by the graph: what has the longest way to its end first
 */
extern const struct dal_policy dal_policies[];

/* Returns the policy of a name, NULL without one. */
const struct dal_policy *dal_policy_find(const char *name);

/* Removes and returns the next task, or NULL. */
struct dal_task *dal_policy_pop(struct dal_task_list *list);
