/* A CUnit suite from a table: the main() of a test program. */
#ifndef DAL_TEST_SUITE_H
#define DAL_TEST_SUITE_H

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

/* DAL_TEST_STRIDE=N: of places to fail at only every N-th, where another build tries them all. */
static inline unsigned long suite_stride(void)
{
    long stride = suite_number("DAL_TEST_STRIDE", 1);
    return stride > 0 ? (unsigned long)stride : 1;
}

/* Runs all tests; returns the exit status: 0 when there was at least one and none failed. */
static inline int run_suite(const char *name, const struct test *tests, size_t count)
{
    CU_pSuite suite;
    unsigned int failed = 1;
    if (CU_initialize_registry() != CUE_SUCCESS)
        return 1;
    suite = CU_add_suite(name, NULL, NULL);
    for (size_t i = 0; suite && i < count; i++)
        if (!CU_add_test(suite, tests[i].name, tests[i].run))
            suite = NULL;
    CU_basic_set_mode(CU_BRM_VERBOSE);
    if (suite && CU_basic_run_tests() == CUE_SUCCESS && CU_get_number_of_tests_run() == count)
        failed = CU_get_number_of_tests_failed();
    CU_cleanup_registry();
    return failed || count == 0 ? 1 : 0;
}

#endif
