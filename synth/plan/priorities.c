/*
 * Priorities of processes on devices by the graph (Scherer 2013, section 4.4: deadlines, and who
 * waits for the result of whom). Larger ones are served first (rt/device/policy.h).
 */
#include "synth/plan/plan.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/number.h"

#include <limits.h>
#include <string.h>

enum { NONE = -INT_MAX };

/* Returns the largest priority of the processes that a process writes to, or reads from; `least` if
 * there is no larger one. */
static int largest_beside(const struct dal_spec_process *p, const int *priorities, int writes,
                          int least)
{
    for (size_t i = 0; i < p->port_count; i++) {
        const struct dal_spec_channel *c = p->ports[i].channel;
        if (p->ports[i].output != writes)
            continue;
        for (; c; c = writes ? c->next_of_port : NULL) {
            int found = priorities[(writes ? c->consumer : c->producer)->number];
            least = found > least ? found : least;
        }
    }
    return least;
}

/* The level is the longest way to the end of the graph, in channels (Hu 1961). In a cycle, channels
 * back to what stands before in the plan's order are left out. */
static void find_levels(const struct dal_plan *plan, int *priorities)
{
    for (size_t i = 0; i < plan->process_count; i++)
        priorities[i] = -1;
    for (size_t i = plan->process_count; i-- > 0;) {
        const struct dal_spec_process *p = dal_plan_in_order(plan, i)->process;
        priorities[p->number] = largest_beside(p, priorities, 1, -1) + 1;
    }
}

/* Takes the least deadline of what each process leads to. Returns whether one has changed. */
static int inherit_deadlines(const struct dal_plan *plan, int *priorities)
{
    int changed = 0;
    for (size_t i = plan->process_count; i-- > 0;) {
        const struct dal_spec_process *p = dal_plan_in_order(plan, i)->process;
        int found = largest_beside(p, priorities, 1, priorities[p->number]);
        changed |= found != priorities[p->number];
        priorities[p->number] = found;
    }
    return changed;
}

/* A periodic process has its own, in microseconds. Another one has the least of those that it leads
 * to; if there is none, the least of those that lead to it. */
static void find_deadlines(const struct dal_plan *plan, int *priorities)
{
    for (size_t i = 0; i < plan->process_count; i++) {
        const struct dal_spec_period *periodic = &plan->processes[i].process->periodic;
        priorities[i] =
            periodic->period_ns ? -(int)dal_least(periodic->deadline_ns / 1000, INT_MAX) : NONE;
    }
    while (inherit_deadlines(plan, priorities))
        ;
    for (size_t i = 0; i < plan->process_count; i++) {
        const struct dal_spec_process *p = dal_plan_in_order(plan, i)->process;
        if (priorities[p->number] == NONE)
            priorities[p->number] = largest_beside(p, priorities, 0, NONE);
    }
}

static const struct {
    const char *policy;
    void (*find)(const struct dal_plan *plan, int *priorities);
} orders[] = {{"deadline", find_deadlines}, {"level", find_levels}};

int dal_plan_priorities(struct dal_plan *plan)
{
    size_t count = sizeof(orders) / sizeof(orders[0]), order = 0;
    int *priorities;
    while (order < count && strcmp(orders[order].policy, plan->policy))
        order++;
    if (order == count)
        return DAL_OK;
    priorities = dal_calloc(plan->process_count + 1, sizeof(*priorities));
    if (!priorities)
        return DAL_ERR_NOMEM;
    orders[order].find(plan, priorities);
    for (size_t i = 0; i < plan->process_count; i++)
        if (plan->processes[i].device)
            plan->processes[i].priority = priorities[i];
    dal_free(priorities);
    return DAL_OK;
}
