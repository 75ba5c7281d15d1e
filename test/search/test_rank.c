/*
 * Which of several mappings that were run is taken, by the times of their runs: what needs more
 * must win by more than the runs differ among themselves.
 */
#include "synth/tune/map/job.h"
#include "test/suite.h"

/* A mapping that was run: devices, processors, copies, and the times, up to 0. */
struct run {
    size_t devices, processors, copies;
    double ns[DAL_MAP_RUNS];
};

static struct dal__finalist finalist_of(const struct run *run)
{
    struct dal__finalist f = {
        .devices = run->devices, .processors = run->processors, .copies = run->copies};
    while (f.runs.count < DAL_MAP_RUNS && run->ns[f.runs.count] > 0) {
        f.runs.ns[f.runs.count] = run->ns[f.runs.count];
        f.runs.count++;
    }
    f.measured_ns = dal_map_runs_median(&f.runs);
    return f;
}

/* The number that is taken, also with the list the other way round. `simple` has a bit for each
 * that is simple. */
static size_t pick_beside(const struct run *runs, size_t count, unsigned simple)
{
    struct dal__finalist list[8], back[8];
    size_t number;
    for (size_t i = 0; i < count; i++) {
        list[i] = finalist_of(&runs[i]);
        list[i].simple = simple >> i & 1;
        back[count - 1 - i] = list[i];
    }
    number = dal__map_pick(list, count);
    CU_ASSERT_EQUAL(dal__map_pick(back, count), number == count ? count : count - 1 - number);
    return number;
}

static size_t pick(const struct run *runs, size_t count)
{
    return pick_beside(runs, count, 0);
}

/* The times of a machine whose device is made of its two cores. */
static void test_device_of_cores(void)
{
    const struct run lost[] = {{1, 2, 3, {2585, 2540, 2610, 2590, 2570}},
                               {0, 1, 3, {2098, 2120, 2087, 2101, 2099}},
                               {0, 2, 6, {2110, 2090, 2105, 2099, 2095}}};
    const struct run near[] = {{1, 2, 3, {2080, 2130, 2060, 2110, 2075}},
                               {0, 1, 3, {2098, 2120, 2087, 2101, 2099}}};
    const struct run won[] = {{1, 2, 3, {1585, 1540, 1610, 1590, 1570}},
                              {0, 1, 3, {2098, 2120, 2087, 2101, 2099}},
                              {0, 2, 6, {1700, 1690, 1705, 1699, 1695}}};
    CU_ASSERT_EQUAL(pick(lost, 3), 1);
    CU_ASSERT_EQUAL(pick(near, 2), 1);
    CU_ASSERT_EQUAL(pick(won, 3), 0);
}

/* As much as it takes: of 25 pairs of five runs, 4 may be lost, not 5. */
static void test_noise(void)
{
    const struct run four[] = {{0, 1, 1, {10, 11, 12, 13, 14}}, {0, 2, 1, {1, 2, 3, 4, 13.5}}};
    const struct run five[] = {{0, 1, 1, {10, 11, 12, 13, 14}}, {0, 2, 1, {1, 2, 3, 4, 15}}};
    const struct run more[] = {{0, 1, 1, {10, 11, 12, 13, 14}}, {0, 2, 1, {1, 2, 3, 10.5, 15}}};
    CU_ASSERT_EQUAL(pick(four, 2), 1);
    CU_ASSERT_EQUAL(pick(five, 2), 0);
    CU_ASSERT_EQUAL(pick(more, 2), 0);
}

/* A signal came: all of the few runs must be faster. Equal ones are not. */
static void test_few(void)
{
    const struct run one[] = {{0, 1, 1, {10}}, {0, 2, 1, {9}}};
    const struct run same[] = {{0, 1, 1, {10}}, {0, 2, 1, {10}}};
    const struct run two[] = {{0, 1, 1, {10, 20}}, {0, 2, 1, {9, 11}}};
    const struct run none[] = {{0, 1, 1, {0}}, {0, 2, 1, {10}}};
    const struct run nothing[] = {{0, 1, 1, {0}}, {0, 2, 1, {0}}};
    CU_ASSERT_EQUAL(pick(one, 2), 1);
    CU_ASSERT_EQUAL(pick(same, 2), 0);
    CU_ASSERT_EQUAL(pick(two, 2), 0);
    CU_ASSERT_EQUAL(pick(none, 2), 1);
    CU_ASSERT_EQUAL(pick(nothing, 2), 2);
}

/* Copies count, and of what needs as much the faster one is taken. */
static void test_alike(void)
{
    const struct run copies[] = {{0, 2, 6, {9, 9.1, 9.2, 9.3, 10}},
                                 {0, 2, 3, {9.1, 9.2, 9.3, 9, 10}}};
    const struct run alike[] = {{0, 2, 3, {9, 9.1, 9.2, 9.3, 10}}, {0, 2, 3, {9, 9, 9, 9, 10}}};
    CU_ASSERT_EQUAL(pick(copies, 2), 1);
    CU_ASSERT_EQUAL(pick(alike, 2), 1);
}

/* What is not simple must win against what is, whatever it copies. */
static void test_simple(void)
{
    const struct run noise[] = {{0, 2, 6, {9, 9.1, 9.2, 9.3, 10}},
                                {0, 2, 3, {9.05, 9.1, 9.15, 9, 10}}};
    const struct run won[] = {{0, 2, 6, {9, 9.1, 9.2, 9.3, 10}}, {0, 2, 3, {8, 8, 8, 8, 8}}};
    /* The second wins against the first, the third does not, but is no slower than the second. */
    const struct run slower[] = {
        {0, 1, 3, {10, 10, 10, 10, 10}}, {0, 2, 3, {9, 9, 9, 9, 9}}, {0, 2, 6, {8, 8, 8, 11, 11}}};
    CU_ASSERT_EQUAL(pick_beside(noise, 2, 1), 0);
    CU_ASSERT_EQUAL(pick_beside(noise, 2, 0), 1);
    CU_ASSERT_EQUAL(pick_beside(won, 2, 1), 1);
    CU_ASSERT_EQUAL(pick_beside(slower, 3, 5), 2);
}

int main(void)
{
    const struct test tests[] = {{"a device that is made of cores", test_device_of_cores},
                                 {"noise", test_noise},
                                 {"few runs", test_few},
                                 {"alike", test_alike},
                                 {"simple", test_simple}};
    return run_suite("rank", tests, sizeof(tests) / sizeof(tests[0]));
}
