/* A CUnit suite from a table: the main() of a test program. */
#pragma once

#include <CUnit/Basic.h>
#include <stddef.h>
#include <stdlib.h>

struct test {
    const char *name;
    void (*run)(void);
};

/* A number that the environment may give. */
static inline long suite_number(const char *name, long usual)
{
    const char *text = getenv(name);
    return text ? atol(text) : usual;
}

/* DAL_TEST_STRIDE=N DAL_TEST_FIRST=K: of places to fail at only every N-th from the K-th on.
 * Another build may try others. */
static inline unsigned long suite_stride(void)
{
    long stride = suite_number("DAL_TEST_STRIDE", 1);
    return stride > 0 ? (unsigned long)stride : 1;
}

static inline unsigned long suite_first(void)
{
    long first = suite_number("DAL_TEST_FIRST", 1);
    return first > 0 ? (unsigned long)first : 1;
}

/* DAL_TEST_SCHEDULE=SEED, in a build with --enable-schedules: each test under the scheduler. */
#ifdef DAL_SCHEDULES
#include "rt/base/schedule.h"

static inline void suite_begin_schedule(void)
{
    static uint64_t tests;
    uint64_t seed = (uint64_t)suite_number("DAL_TEST_SCHEDULE", 0);
    const struct dal_schedule_options options = {.seed = 1000 * seed + tests++,
                                                 .policy = seed % 2 ? DAL_SCHEDULE_PCT
                                                                    : DAL_SCHEDULE_WALK,
                                                 .depth = 1 + (int)(seed / 2 % 6)};
    if (seed)
        dal_schedule_begin(&options);
}

static inline void suite_end_schedule(void)
{
    if (suite_number("DAL_TEST_SCHEDULE", 0))
        dal_schedule_end(NULL);
}
#else
#define suite_begin_schedule NULL
#define suite_end_schedule   NULL
#endif

/* Runs all tests; returns the exit status: 0 when there was at least one and none failed. */
static inline int run_suite(const char *name, const struct test *tests, size_t count)
{
    CU_pSuite suite;
    unsigned int failed = 1;
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    suite = CU_add_suite_with_setup_and_teardown(name, NULL, NULL, suite_begin_schedule,
                                                 suite_end_schedule);
    for (size_t i = 0; suite && i < count; i++)
        if (!CU_add_test(suite, tests[i].name, tests[i].run))
            suite = NULL;
    CU_basic_set_mode(CU_BRM_VERBOSE);
    if (suite && CU_basic_run_tests() == CUE_SUCCESS && CU_get_number_of_tests_run() == count)
        failed = CU_get_number_of_tests_failed();
    CU_cleanup_registry();
    return failed || count == 0 ? 1 : 0;
}
