/* How many workers of a pool are found to pay, on made-up machines with made-up time. */
#include "rt/host/throttle.h"
#include "test/suite.h"

#include <math.h>

/* A machine: firings a second of n workers, by the law of scalability. Each worker alone makes
 * `alone`; `shared` is the part that cannot be divided, and `between` what any two cost each
 * other. */
struct machine {
    const char *name;
    double alone, shared, between;
    double limit; /* of what comes in, firings a second */
    double noise; /* of a window, as a part of it */
};

static double rate_of(const struct machine *m, int n)
{
    double rate = m->alone * n / (1 + m->shared * (n - 1) + m->between * n * (n - 1));
    return m->limit > 0 && rate > m->limit ? m->limit : rate;
}

static double best_of(const struct machine *m, int most)
{
    double best = 0;
    for (int n = 1; n <= most; n++)
        best = fmax(best, rate_of(m, n));
    return best;
}

/* Returns the fewest workers that lose nothing to speak of. */
static int needed(const struct machine *m, int most)
{
    int n = 1;
    while (rate_of(m, n) < 0.99 * best_of(m, most))
        n++;
    return n;
}

/* The same row of numbers each time, in [-1, 1). */
static double noise(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 33) / (double)(1u << 30) - 1;
}

static const struct machine machines[] = {
    {"no limit", 1e6, 0, 0, 0, 0.01},
    {"thirty-two", 1e6, 0.02, 0.001, 0, 0.01},
    {"ten", 1e6, 0.02, 0.01, 0, 0.01},
    {"three", 1e6, 0.1, 0.1, 0, 0.01},
    {"fourteen in a noise", 1e6, 0.01, 0.005, 0, 0.05},
    {"what five can do comes in", 1e6, 0, 0.001, 4.5e6, 0.005},
};

/* Runs for so many windows, and returns how many firings were done. `busy` gets the workers of all
 * windows, if it is not NULL. */
static double go_on(struct dal_throttle *throttle, const struct machine *m, int windows,
                    double *busy)
{
    double done = 0;
    for (int i = 0; i < windows; i++) {
        int n = throttle->step % 2 ? throttle->tried : throttle->in_use;
        double firings = 1e-9 * DAL_THROTTLE_WINDOW_NS * rate_of(m, n) * (1 + m->noise * noise());
        dal_throttle_go_on(throttle, (uint64_t)firings, DAL_THROTTLE_WINDOW_NS);
        done += firings;
        if (busy)
            *busy += n;
    }
    return done;
}

static const int sizes[] = {3, 4, 8, 16, 32, 128};

static void expect(int is_so, const char *what, const struct machine *m, int most)
{
    if (is_so)
        return;
    printf("%s, of %d workers: %s; ", m->name, most, what);
    CU_FAIL("another number of workers");
}

/* In the first 0.3 s it has lost little against all workers. After two seconds it is near the
 * best, and uses few more than are needed. */
static void find_best(const struct machine *m, int most)
{
    double best = best_of(m, most), all = rate_of(m, most), busy = 0;
    struct dal_throttle throttle;
    dal_throttle_begin(&throttle, most);
    expect(go_on(&throttle, m, 30, NULL) > 0.97 * 0.3 * all, "it begins slowly", m, most);
    go_on(&throttle, m, 170, NULL);
    expect(go_on(&throttle, m, 6000, &busy) > 0.97 * 60 * best, "it is slow", m, most);
    busy /= 6000;
    expect(busy < 1.35 * needed(m, most) + 0.5, "it uses too many", m, most);
}

static void finds_best(void)
{
    for (size_t k = 0; k < sizeof(machines) / sizeof(machines[0]); k++)
        for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
            find_best(&machines[k], sizes[s]);
}

/* A machine whose speed changes in steps, as where others have its processors now and then. That
 * must not be taken for an effect of the workers. */
static void speed_changes(void)
{
    struct machine m = {"speed that changes", 1e6, 0, 0.0001, 0, 0.02};
    struct dal_throttle throttle;
    double done = 0, all = 0;
    dal_throttle_begin(&throttle, 16);
    for (int i = 0; i < 3000; i++) {
        m.alone = 1e6 * (1 - 0.4 * fabs(noise()));
        done += go_on(&throttle, &m, 3, NULL);
        all += 0.03 * rate_of(&m, 16);
    }
    expect(done > 0.97 * all, "it is slow", &m, 16);
}

/* Few are enough for what comes in, until more comes. Where the rate shows it, all take part soon,
 * otherwise a second later. */
static void more_comes_in(void)
{
    struct machine m = {"more comes in", 1e6, 0, 0, 2.5e6, 0.005};
    struct dal_throttle throttle;
    dal_throttle_begin(&throttle, 16);
    go_on(&throttle, &m, 2000, NULL);
    CU_ASSERT(throttle.in_use < 6);
    m.limit = 0;
    go_on(&throttle, &m, 150, NULL);
    CU_ASSERT_EQUAL(throttle.in_use, 16);
    m.limit = 0.2e6;
    go_on(&throttle, &m, 5, NULL);
    CU_ASSERT_EQUAL(throttle.in_use, 16);
    go_on(&throttle, &m, 2000, NULL);
    CU_ASSERT(throttle.in_use < 3);
    m.limit = 0.9e6;
    go_on(&throttle, &m, 5, NULL);
    CU_ASSERT(throttle.in_use > 4);
}

/* Long firings, and those that wait for something: all take part at once. */
static void too_few_to_compare(void)
{
    struct machine m = {"long firings", 40, 0, 0, 0, 0};
    struct dal_throttle throttle;
    dal_throttle_begin(&throttle, 8);
    for (int i = 0; i < 500; i++) {
        go_on(&throttle, &m, 1, NULL);
        CU_ASSERT_EQUAL(throttle.in_use, 8);
        CU_ASSERT_EQUAL(throttle.step, 0);
    }
    m = (struct machine){"one", 1e6, 1, 1, 0, 0};
    go_on(&throttle, &m, 100, NULL);
    CU_ASSERT_EQUAL(throttle.in_use, 1);
    dal_throttle_go_on(&throttle, 0, 25000000);
    CU_ASSERT_EQUAL(throttle.in_use, 8);
}

int main(void)
{
    static const struct test tests[] = {
        {"as many as are fastest", finds_best},
        {"a machine whose speed changes", speed_changes},
        {"more comes in", more_comes_in},
        {"too few firings to compare", too_few_to_compare},
    };
    return run_suite("throttles", tests, sizeof(tests) / sizeof(tests[0]));
}
