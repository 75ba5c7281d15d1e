/* In which order the policies of the task queue serve. */
#include "rt/device/policy.h"
#include "test/suite.h"

enum { TASKS = 6 };

static const int priorities[TASKS] = {0, 5, -1, 5, 0, 7};

/* Pushes all tasks, one more turn for the first that is served, and compares who is served when. */
static void check_order(const char *name, const int *wanted)
{
    const struct dal_policy *policy = dal_policy_find(name);
    struct dal_task_list list = {0};
    struct dal_task tasks[TASKS] = {{0}}, *task;
    CU_ASSERT_PTR_NOT_NULL_FATAL(policy);
    CU_ASSERT_PTR_NULL(dal_policy_pop(&list));
    for (int i = 0; i < TASKS; i++) {
        tasks[i].priority = priorities[i];
        policy->push(&list, &tasks[i]);
    }
    task = dal_policy_pop(&list);
    CU_ASSERT_PTR_EQUAL_FATAL(task, &tasks[wanted[0]]);
    policy->push(&list, task);
    for (int i = 1; i <= TASKS; i++) {
        task = dal_policy_pop(&list);
        CU_ASSERT_PTR_EQUAL(task, &tasks[wanted[i]]);
    }
    CU_ASSERT_PTR_NULL(dal_policy_pop(&list));
}

static void fcfs(void)
{
    static const int wanted[] = {0, 1, 2, 3, 4, 5, 0};
    check_order("fcfs", wanted);
}

static void priority(void)
{
    static const int wanted[] = {5, 5, 1, 3, 0, 4, 2};
    check_order("priority", wanted);
}

/* The plan makes priorities of deadlines and levels. */
static void by_the_graph(void)
{
    static const int wanted[] = {5, 5, 1, 3, 0, 4, 2};
    check_order("deadline", wanted);
    check_order("level", wanted);
}

static void unknown(void)
{
    CU_ASSERT_PTR_NULL(dal_policy_find("none"));
}

int main(void)
{
    static const struct test tests[] = {
        {"first come, first served", fcfs},
        {"the most important first", priority},
        {"by priorities that the graph gives", by_the_graph},
        {"no such policy", unknown},
    };
    return run_suite("policies", tests, sizeof(tests) / sizeof(tests[0]));
}
