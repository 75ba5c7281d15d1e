/*
 * Latencies that networks promise, against all choices: random networks, mapped at random. What is
 * chosen keeps what it is said to keep; where it is refused, no number of firings at once and no
 * capacities keep it either.
 *
 *   DAL_TEST_NETWORKS=N  networks (50)
 */
#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "spec/analyse/graph.h"
#include "spec/load/load.h"
#include "synth/tune/predict/predict.h"
#include "synth/tune/predict/promise.h"
#include "synth/tune/search/space.h"
#include "test/analyze/sdf_build.h"
#include "test/search/random_files.h"
#include "test/suite.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* Networks; and of one that is refused: most choices that are looked at, the most firings at once,
 * and tokens more than the least in each channel. */
enum { NETWORKS = 50, CHOICES = 1500, FIRINGS = 3, MORE = 3 };

struct subject {
    struct dal_diags diags;
    struct dal_spec *spec;
    struct dal_search_space space;
};

static void make_subject(struct subject *s)
{
    static const struct dal_search_wishes wishes = {0};
    uint16_t places[RANDOM_PROCESSES];
    dal_diags_init(&s->diags);
    s->spec = dal_spec_load_open(&s->diags, "network.xml", "machine.xml", NULL, NULL, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s->spec);
    CU_ASSERT_EQUAL_FATAL(
        dal_search_space_make(&s->diags, &s->space, s->spec, "times.json", &wishes), DAL_OK);
    for (size_t i = 0; i < s->space.process_count; i++)
        do
            places[i] = (uint16_t)below(s->space.place_count);
        while (!dal_search_choice_of(&s->space, i, places[i])->source);
    dal_search_bind(&s->space, places);
}

static void finish_subject(struct subject *s)
{
    dal_search_space_finish(&s->space);
    dal_spec_destroy(s->spec);
    dal_diags_finish(&s->diags);
}

/* ---- a plan ---------------------------------------------------------------------------------- */

/* NULL: it cannot be planned. `firings` at once at most; 0: as dalsynth chooses. */
static struct dal_plan *make_plan(struct subject *s, uint64_t firings)
{
    struct dal_plan *plan = dal_plan_create(s->spec);
    struct dal_diags diags;
    int error;
    CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
    dal_diags_init(&diags);
    plan->memory = s->space.memory;
    plan->most_firings = firings;
    error = dal_plan_place(&diags, plan);
    if (!error && !firings)
        error = dal_promise_choose(plan, DAL_PROMISE_MANY);
    if (!error)
        error = dal_plan_arrange(&diags, plan);
    if (!error)
        error = dal_plan_capacities(&diags, plan);
    dal_diags_finish(&diags);
    if (!error)
        return plan;
    dal_plan_destroy(plan);
    return NULL;
}

static double part_of(const struct dal_plan *plan)
{
    struct dal_prediction prediction;
    double part = 0;
    CU_ASSERT_EQUAL(dal_predict(plan, 1, &prediction), DAL_OK);
    if (!prediction.unknown)
        part = dal_promise_part(&prediction);
    dal_prediction_finish(&prediction);
    return part;
}

/* What it needs of the promise; INFINITY where it cannot be planned. */
static double weigh(struct subject *s, uint64_t firings)
{
    struct dal_plan *plan = make_plan(s, firings);
    double part = plan ? part_of(plan) : INFINITY;
    dal_plan_destroy(plan);
    return part;
}

/* ---- all choices ----------------------------------------------------------------------------- */

/* The next sizes in the network, as a number of which each channel is a digit; 0 behind the last.
 */
static int next_sizes(struct dal_spec_network *network)
{
    for (size_t i = 0; i < network->channel_count; i++) {
        struct dal_spec_channel *c = &network->channels[i];
        if (c->capacity < dal_spec_least_capacity(c) + MORE) {
            c->capacity++;
            return 1;
        }
        c->capacity = dal_spec_least_capacity(c);
    }
    return 0;
}

/* The least that any choice needs, of those that are looked at. */
static double weigh_all(struct subject *s)
{
    struct dal_spec_network *network = &s->spec->network;
    double least = INFINITY;
    size_t choices = 0;
    for (size_t i = 0; i < network->channel_count; i++)
        network->channels[i].capacity = dal_spec_least_capacity(&network->channels[i]);
    do
        for (size_t i = 1; i <= FIRINGS; i++, choices++)
            least = fmin(least, weigh(s, i));
    while (next_sizes(network) && choices < CHOICES);
    for (size_t i = 0; i < network->channel_count; i++)
        network->channels[i].capacity = 0;
    return least;
}

/* ---- networks -------------------------------------------------------------------------------- */

struct tally {
    int usual, fewer, sized, refused;
};

/* Between the least that there is and what usual plans need. */
static void draw_promise(struct subject *s)
{
    struct dal_spec_latency *promise = &s->spec->network.latencies[0];
    struct dal_prediction usual;
    struct dal_plan *plan;
    promise->max_ns = UINT64_C(1) << 60;
    plan = make_plan(s, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
    CU_ASSERT_EQUAL_FATAL(dal_predict(plan, 1, &usual), DAL_OK);
    promise->max_ns = 2 + (uint64_t)(2 * usual.paths[0].most_ns / (double)(1 << below(8)));
    dal_prediction_finish(&usual);
    dal_plan_destroy(plan);
}

static void count_verdict(struct tally *tally, const struct dal_plan *plan, double part)
{
    tally->refused += part > 1;
    tally->sized += part <= 1 && plan->sizes;
    tally->fewer += part <= 1 && !plan->sizes && plan->most_firings;
    tally->usual += part <= 1 && !plan->most_firings;
}

static void try_network(size_t number, struct tally *tally)
{
    struct subject s;
    struct dal_plan *plan;
    double part;
    random_machine(random_machines[number % RANDOM_MACHINES]);
    random_times(random_network("<latency from='p0' to='p2' max='1ms'/>"));
    make_subject(&s);
    draw_promise(&s);
    plan = make_plan(&s, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(plan);
    part = part_of(plan);
    CU_ASSERT_EQUAL(dal_promise_check(&s.diags, plan), part > 1 ? DAL_ERR_INVALID : DAL_OK);
    count_verdict(tally, plan, part);
    dal_plan_destroy(plan);
    if (part > 1) {
        double least = weigh_all(&s);
        if (least <= 1)
            printf("\nnetwork %zu: refused at %g, but one choice needs %g\n", number, part, least);
        CU_ASSERT(least > 1);
    }
    finish_subject(&s);
}

static void test_random(void)
{
    struct tally tally = {0};
    int networks = (int)suite_number("DAL_TEST_NETWORKS", NETWORKS);
    for (size_t i = 0; i < (size_t)networks; i++)
        try_network(i, &tally);
    printf("\nusual %d, fewer firings %d, sizes %d, refused %d\n", tally.usual, tally.fewer,
           tally.sized, tally.refused);
    CU_ASSERT(tally.usual > networks / 20);
    CU_ASSERT(tally.fewer > networks / 20);
    CU_ASSERT(tally.sized > networks / 100);
    CU_ASSERT(tally.refused > networks / 20);
}

int main(void)
{
    static const struct test tests[] = {
        {"random networks against all choices", test_random},
    };
    char folder[] = "/tmp/dal-promise.XXXXXX";
    int status;
    if (!mkdtemp(folder) || chdir(folder))
        return 1;
    fclose(random_file("a.c"));
    fclose(random_file("a.cl"));
    status = run_suite("promise", tests, sizeof(tests) / sizeof(tests[0]));
    unlink("a.c");
    unlink("a.cl");
    unlink("network.xml");
    unlink("times.json");
    unlink("machine.xml");
    return chdir("/") || rmdir(folder) ? 1 : status;
}
