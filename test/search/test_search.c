/*
 * The search for a mapping against all mappings: random networks on small machines, where each
 * mapping can be tried one by one, without symmetry and without bounds.
 */
#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "rt/base/number.h"
#include "spec/base/names.h"
#include "spec/load/load.h"
#include "synth/plan/mapping.h"
#include "synth/tune/search/front.h"
#include "synth/tune/search/search.h"
#include "test/analyze/sdf_build.h"
#include "test/search/random_files.h"
#include "test/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { NETWORKS = 12 };

/* ---- files ----------------------------------------------------------------------------------- */

static void write_keep(const char *bindings)
{
    FILE *file = random_file("keep.xml");
    fprintf(file, "<mapping name='mine'>%s</mapping>\n", bindings);
    fclose(file);
}

/* ---- a space --------------------------------------------------------------------------------- */

struct subject {
    struct dal_diags diags;
    struct dal_spec *spec;
    struct dal_search_space space;
};

static int make_subject(struct subject *s, const char *keep, const struct dal_search_wishes *wishes)
{
    int error;
    dal_diags_init(&s->diags);
    s->space = (struct dal_search_space){0};
    s->spec = dal_spec_load_open(&s->diags, "network.xml", "machine.xml", keep, NULL, 0);
    if (!s->spec)
        dal_diags_print(&s->diags, stdout);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s->spec);
    error = dal_search_space_make(&s->diags, &s->space, s->spec, "times.json", wishes);
    if (error)
        dal_diags_print(&s->diags, stdout);
    return error;
}

static void finish_subject(struct subject *s)
{
    dal_search_space_finish(&s->space);
    dal_spec_destroy(s->spec);
    dal_diags_finish(&s->diags);
}

static struct dal_search search_of(const struct subject *s, enum dal_search_objective objective,
                                   uint64_t most_exact)
{
    return (struct dal_search){
        .space = &s->space, .objective = objective, .most_exact = most_exact};
}

/* ---- all mappings, one by one ---------------------------------------------------------------- */

struct truth {
    struct dal_search_value *values;
    size_t count, room;
    double least_ns;
    int pools; /* then cores that are alike are so but for the order in which a pool takes them */
};

static int next_mapping(const struct dal_search_space *space, uint16_t *places)
{
    for (size_t i = 0; i < space->process_count; i++) {
        if (++places[i] < space->place_count)
            return 1;
        places[i] = 0;
    }
    return 0;
}

static int is_at(const struct dal_search_place *place, const struct dal_spec_processor *processor)
{
    int is_there = place->processor == processor;
    for (size_t i = 0; i < place->pool_count; i++)
        is_there |= place->pool[i] == processor;
    return is_there;
}

/* Cores of each node that are left free; the machines have one node, or two, "near" and "far". */
static int leaves(const struct dal_search_space *space, const uint16_t *places, size_t leave)
{
    size_t free_cores[2] = {0};
    for (size_t k = 0; k < space->place_count; k++) {
        const struct dal_search_place *place = &space->places[k];
        int is_used = 0, far = strncmp(place->processor->name, "far", 3) == 0;
        for (size_t i = 0; i < space->process_count; i++)
            is_used |= is_at(&space->places[places[i]], place->processor);
        free_cores[far] += place->kind == DAL_PROCESSOR_CORE && !place->pool_count && !is_used;
    }
    return free_cores[0] >= leave && (free_cores[1] >= leave || !space->places[0].processor->node);
}

static int is_pinned(const struct dal_search_place *place, const char *pattern)
{
    int fits = dal_names_match(pattern, place->processor->name);
    for (size_t i = 0; i < place->pool_count; i++)
        fits &= dal_names_match(pattern, place->pool[i]->name);
    return fits;
}

/* What pins allow, and cores that are left free: said anew. */
static int is_wished(const struct dal_search_space *space, const uint16_t *places,
                     const struct dal_search_wishes *wishes)
{
    for (size_t i = 0; i < space->process_count; i++) {
        if (!dal_search_choice_of(space, i, places[i])->source)
            return 0;
        for (size_t k = 0; k < wishes->pin_count; k++)
            if (dal_names_match(wishes->pins[k].process, space->spec->network.processes[i].name) &&
                !is_pinned(&space->places[places[i]], wishes->pins[k].processor))
                return 0;
    }
    return leaves(space, places, wishes->leave);
}

static void try_all(const struct dal_search_space *space, const struct dal_search_wishes *wishes,
                    enum dal_search_objective objective, struct truth *truth)
{
    uint16_t places[RANDOM_PROCESSES] = {0};
    *truth = (struct truth){.least_ns = INFINITY, .pools = wishes->pools};
    do {
        struct dal_search_value value;
        if (!is_wished(space, places, wishes))
            continue;
        CU_ASSERT_EQUAL_FATAL(dal_search_evaluate(NULL, space, places, &value), DAL_OK);
        CU_ASSERT_EQUAL_FATAL(dal_grow(&truth->values, truth->count, &truth->room, sizeof(value)),
                              DAL_OK);
        value.goal_ns = dal_search_goal(objective, &value);
        truth->values[truth->count++] = value;
        truth->least_ns = value.goal_ns < truth->least_ns ? value.goal_ns : truth->least_ns;
    } while (next_mapping(space, places));
}

/* The least cost among those that are as good as the best. */
static uint64_t least_cost(const struct truth *truth, enum dal_search_objective objective)
{
    double margin = objective == DAL_SEARCH_MEMORY ? DAL_SEARCH_MARGIN : DAL_SEARCH_SAME;
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < truth->count; i++) {
        const struct dal_search_value *v = &truth->values[i];
        uint64_t cost = objective == DAL_SEARCH_MEMORY ? v->bytes : v->processors;
        if (v->goal_ns <= truth->least_ns * (1 + margin) && cost < least)
            least = cost;
    }
    return least;
}

static int is_exact(const struct truth *truth, const struct dal_search_result *result,
                    enum dal_search_objective objective)
{
    double margin = objective == DAL_SEARCH_MEMORY ? DAL_SEARCH_MARGIN : DAL_SEARCH_SAME;
    uint64_t cost =
        objective == DAL_SEARCH_MEMORY ? result->values[0].bytes : result->values[0].processors;
    if (result->end == DAL_SEARCH_ALL && result->possible > 0 && result->possible <= truth->count &&
        result->tried <= result->possible &&
        result->values[0].goal_ns <= truth->least_ns * (1 + margin + 0.01 * truth->pools) &&
        (truth->pools || cost == least_cost(truth, objective)))
        return 1;
    printf("\nof %zu mappings the least goal is %g, cost %llu; found %g, cost %llu\n", truth->count,
           truth->least_ns, (unsigned long long)least_cost(truth, objective),
           result->values[0].goal_ns, (unsigned long long)cost);
    return 0;
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void compare(struct subject *s, const struct dal_search_wishes *wishes, size_t *same,
                    size_t *tried)
{
    struct dal_search_result result;
    struct truth truth;
    for (int i = 0; i < 3; i++) {
        enum dal_search_objective objective = (enum dal_search_objective)i;
        struct dal_search search = search_of(s, objective, 100000);
        s->space.is_sized = objective == DAL_SEARCH_LATENCY;
        s->space.most_firings = objective == DAL_SEARCH_LATENCY;
        try_all(&s->space, wishes, objective, &truth);
        CU_ASSERT_EQUAL_FATAL(dal_search_run(&search, 1, &result), DAL_OK);
        CU_ASSERT_EQUAL_FATAL(result.count, 1);
        CU_ASSERT(is_exact(&truth, &result, objective));
        CU_ASSERT(is_wished(&s->space, result.places, wishes));
        *tried += result.tried;
        dal_search_result_finish(&result);
        search.most_exact = 0;
        CU_ASSERT_EQUAL_FATAL(dal_search_run(&search, 1, &result), DAL_OK);
        CU_ASSERT_EQUAL_FATAL(result.count, 1);
        CU_ASSERT_EQUAL(result.end, DAL_SEARCH_NO_HELP);
        CU_ASSERT(is_wished(&s->space, result.places, wishes));
        CU_ASSERT(objective == DAL_SEARCH_LATENCY ||
                  result.values[0].period_ns <=
                      result.initial_ns * (1 + (objective ? DAL_SEARCH_MARGIN : DAL_SEARCH_SAME)));
        CU_ASSERT(result.values[0].goal_ns <= 1.1 * truth.least_ns);
        *same += result.values[0].goal_ns <= 1.001 * truth.least_ns;
        dal_search_result_finish(&result);
        dal_free(truth.values);
    }
}

static void test_against_all(void)
{
    static const struct dal_search_pin pins[] = {{"p1", "*[0a]"}, {"p[02]", "*"}};
    long networks = suite_number("DAL_TEST_SEARCHES", NETWORKS);
    size_t same = 0, tried = 0, count = 0;
    for (long i = 0; i < networks; i++) {
        struct dal_search_wishes wishes = {.pins = pins,
                                           .pin_count = i % 3 ? 0 : 2,
                                           .leave = i % 5 == 1,
                                           .pools = i / RANDOM_MACHINES % 2};
        struct subject s;
        random_machine(random_machines[i % RANDOM_MACHINES]);
        random_times(random_network(""));
        CU_ASSERT_EQUAL_FATAL(make_subject(&s, NULL, &wishes), DAL_OK);
        compare(&s, &wishes, &same, &tried);
        count += 2;
        finish_subject(&s);
    }
    printf(" %zu searches, %zu mappings tried, from beginnings %zu as good ", count, tried, same);
    CU_ASSERT(10 * same >= 9 * count);
}

/* ---- the front ------------------------------------------------------------------------------- */

/* All mappings with all levels. */
static void try_levels(struct subject *s, const struct dal_search_wishes *wishes,
                       struct truth truths[])
{
    s->space.is_sized = 1;
    for (size_t i = 0; i < DAL_SEARCH_LEVELS; i++) {
        s->space.most_firings = dal_search_levels[i];
        try_all(&s->space, wishes, DAL_SEARCH_THROUGHPUT, &truths[i]);
    }
}

static int comes_to(const struct dal_search_value *one, const struct dal_search_value *other,
                    double part)
{
    return one->period_ns <= other->period_ns * part &&
           one->latency_ns <= other->latency_ns * part &&
           (double)one->bytes <= (double)other->bytes * part;
}

static int has_better(const struct truth *truth, const struct dal_search_value *point)
{
    for (size_t i = 0; i < truth->count; i++)
        if (comes_to(&truth->values[i], point, 1) && !comes_to(point, &truth->values[i], 1))
            return 1;
    return 0;
}

static int is_covered(const struct dal_search_result *front, const struct dal_search_value *value,
                      double part)
{
    for (size_t i = 0; i < front->count; i++)
        if (comes_to(&front->values[i], value, part))
            return 1;
    return isinf(value->period_ns) || value->late > 0;
}

/* What is beaten, and mappings that a point is missing for. With pools, cores that are alike are so
 * but for the order in which a pool takes them, which latencies show. */
static size_t count_wrong(const struct truth truths[], const struct dal_search_result *front,
                          int pools)
{
    size_t wrong = 0;
    for (size_t i = 0; i < DAL_SEARCH_LEVELS; i++) {
        for (size_t k = 0; k < front->count && !pools; k++)
            wrong += (size_t)has_better(&truths[i], &front->values[k]);
        for (size_t k = 0; k < truths[i].count; k++)
            wrong += !is_covered(front, &truths[i].values[k],
                                 (1 + DAL_SEARCH_NEAR) * (pools ? 1.1 : 1) + 1e-9);
    }
    return wrong;
}

/* What a mapping does whose sizes are given, those that a point has. */
static struct dal_search_value value_of_sizes(struct subject *s, const uint16_t *places)
{
    struct dal_search_space usual = s->space;
    struct dal_search_value value;
    struct dal_spec sized;
    CU_ASSERT_EQUAL_FATAL(dal_search_give_sizes(&s->diags, &s->space, places, &sized), DAL_OK);
    CU_ASSERT_EQUAL(sized.mapping.override_count, sized.network.channel_count);
    usual.spec = &sized;
    usual.is_sized = 0;
    usual.most_firings = 0;
    CU_ASSERT_EQUAL_FATAL(dal_search_evaluate(NULL, &usual, places, &value), DAL_OK);
    s->spec->mapping.nodes = sized.mapping.nodes; /* collected anew */
    s->spec->mapping.node_count = sized.mapping.node_count;
    dal_free(sized.mapping.overrides);
    return value;
}

/* Each point is what it says, and no other beats it; they are sorted. */
static void check_points(struct subject *s, const struct dal_search_wishes *wishes,
                         const struct dal_search_result *front)
{
    for (size_t i = 0; i < front->count; i++) {
        const struct dal_search_value *point = &front->values[i];
        const uint16_t *places = &front->places[i * s->space.process_count];
        struct dal_search_value again;
        s->space.is_sized = 1;
        s->space.most_firings = point->most_firings;
        CU_ASSERT_EQUAL_FATAL(dal_search_evaluate(NULL, &s->space, places, &again), DAL_OK);
        CU_ASSERT(comes_to(&again, point, 1) && comes_to(point, &again, 1));
        again = value_of_sizes(s, places);
        CU_ASSERT(comes_to(&again, point, 1) && comes_to(point, &again, 1));
        CU_ASSERT(is_wished(&s->space, places, wishes));
        CU_ASSERT(i == 0 || front->values[i - 1].period_ns <= point->period_ns);
        for (size_t k = 0; k < front->count; k++)
            CU_ASSERT(!comes_to(&front->values[k], point, 1) ||
                      comes_to(point, &front->values[k], 1));
    }
}

/* What the search for one objective finds, no point may be missing for. */
static void check_ends(struct subject *s, const struct dal_search_result *front,
                       uint64_t most_exact)
{
    for (int i = 0; i < 3; i++) {
        enum dal_search_objective objective = (enum dal_search_objective)i;
        struct dal_search search = search_of(s, objective, most_exact);
        struct dal_search_result result;
        struct dal_search_value end;
        s->space.is_sized = objective == DAL_SEARCH_LATENCY;
        s->space.most_firings = objective == DAL_SEARCH_LATENCY;
        CU_ASSERT_EQUAL_FATAL(dal_search_run(&search, 1, &result), DAL_OK);
        CU_ASSERT_EQUAL_FATAL(result.count, 1);
        end = result.values[0];
        end.latency_ns = objective == DAL_SEARCH_LATENCY ? end.latency_ns : INFINITY;
        end.period_ns = objective == DAL_SEARCH_LATENCY ? INFINITY : end.period_ns;
        end.bytes = objective == DAL_SEARCH_MEMORY ? end.bytes : UINT64_MAX;
        for (size_t k = 0; k <= front->count; k++) {
            CU_ASSERT(k < front->count);
            if (k < front->count && comes_to(&front->values[k], &end, 1 + DAL_SEARCH_NEAR + 1e-9))
                break;
        }
        dal_search_result_finish(&result);
    }
}

static size_t compare_front(struct subject *s, const struct dal_search_wishes *wishes,
                            const struct truth truths[], uint64_t most_exact, size_t most)
{
    struct dal_search search = search_of(s, DAL_SEARCH_THROUGHPUT, most_exact);
    struct dal_search_result front;
    size_t count;
    CU_ASSERT_EQUAL_FATAL(dal_search_front(&search, most, &front), DAL_OK);
    CU_ASSERT_FATAL(front.count > 0);
    CU_ASSERT(front.count <= most);
    CU_ASSERT_EQUAL(front.end, most_exact ? DAL_SEARCH_ALL : DAL_SEARCH_NO_HELP);
    check_points(s, wishes, &front);
    if (most > 3)
        check_ends(s, &front, most_exact);
    if (most_exact && most > 3) {
        count = count_wrong(truths, &front, wishes->pools);
        if (count)
            printf("\n%zu values are not as the front of %zu says", count, front.count);
        CU_ASSERT_EQUAL(count, 0);
    }
    count = front.count;
    dal_search_result_finish(&front);
    return count;
}

static void test_front(void)
{
    long networks = suite_number("DAL_TEST_SEARCHES", NETWORKS) / 2;
    size_t points = 0;
    for (long i = 0; i < networks; i++) {
        struct dal_search_wishes wishes = {.leave = i % 5 == 1, .pools = i / RANDOM_MACHINES % 2};
        struct truth truths[DAL_SEARCH_LEVELS];
        struct subject s;
        random_machine(random_machines[i % RANDOM_MACHINES]);
        random_times(random_network(""));
        CU_ASSERT_EQUAL_FATAL(make_subject(&s, NULL, &wishes), DAL_OK);
        try_levels(&s, &wishes, truths);
        points += compare_front(&s, &wishes, truths, 100000, 1000);
        compare_front(&s, &wishes, truths, 100000, 3);
        compare_front(&s, &wishes, truths, 0, 1000);
        for (size_t k = 0; k < DAL_SEARCH_LEVELS; k++)
            dal_free(truths[k].values);
        finish_subject(&s);
    }
    printf(" %ld fronts, %zu points ", networks, points);
    CU_ASSERT(points > (size_t)networks);
}

/* Values that are made up: what is chosen of them can be said. */
static void test_choose(void)
{
    static const struct dal_search_value values[] = {
        {.period_ns = 400, .latency_ns = 1e5, .bytes = 90000}, /* beaten by the next */
        {.period_ns = 400, .latency_ns = 1e5, .bytes = 80000},
        {.period_ns = 100, .latency_ns = 9e5, .bytes = 90000},
        {.period_ns = 900, .latency_ns = 9e5, .bytes = 10000},
        {.period_ns = 899, .latency_ns = 8.99e5, .bytes = 10001}, /* as good, and less in all */
        {.period_ns = 200, .latency_ns = 3e5, .bytes = 60000},
        {.period_ns = 201, .latency_ns = 2.99e5, .bytes = 60000}, /* as good as the last */
        {.period_ns = 150, .latency_ns = 6e5, .bytes = 85000},
        {.period_ns = 1, .latency_ns = 1, .bytes = 1, .late = 1.1},
        {.period_ns = INFINITY, .latency_ns = INFINITY},
        {.period_ns = 1, .latency_ns = INFINITY, .bytes = 1},
    };
    static const size_t ends[] = {2, 1, 4}, four[] = {2, 5, 1, 4}, all[] = {2, 7, 5, 1, 4};
    size_t chosen[16], count = sizeof(values) / sizeof(values[0]);
    CU_ASSERT_EQUAL_FATAL(dal_search_choose(values, count, 3, chosen), 3);
    CU_ASSERT_EQUAL(memcmp(chosen, ends, sizeof(ends)), 0);
    CU_ASSERT_EQUAL_FATAL(dal_search_choose(values, count, 4, chosen), 4);
    CU_ASSERT_EQUAL(memcmp(chosen, four, sizeof(four)), 0);
    CU_ASSERT_EQUAL_FATAL(dal_search_choose(values, count, 16, chosen), 5);
    CU_ASSERT_EQUAL(memcmp(chosen, all, sizeof(all)), 0);
    CU_ASSERT_EQUAL(dal_search_choose(values + 8, 3, 16, chosen), 0);
    CU_ASSERT_EQUAL(dal_search_choose(values, 0, 16, chosen), 0);
}

/* Bindings that are kept are still there when all is written and read back, with all that they say.
 */
static void test_kept(void)
{
    static const struct dal_search_wishes none;
    static const struct dal_search_pin elsewhere[] = {{"p1", "core_2"}};
    static const struct dal_search_wishes refused = {.pins = elsewhere, .pin_count = 1};
    struct dal_text text = {0};
    struct dal_search search;
    struct dal_search_result result;
    struct subject s;
    FILE *file;
    random_machine(random_machines[0]);
    random_times(random_network(""));
    write_keep("<channel name='c0' size='4096'/><queue depth='7' realtime='9'/>"
               "<binding name='x'><process name='p0'/><processor name='core_[01]'/>"
               "<target shadowcopies='auto'/></binding>"
               "<binding name='y'><process name='p1'/><processor name='core_1'/></binding>");
    CU_ASSERT_EQUAL_FATAL(make_subject(&s, "keep.xml", &none), DAL_OK);
    search = search_of(&s, DAL_SEARCH_THROUGHPUT, DAL_SEARCH_EXACT);
    CU_ASSERT_EQUAL_FATAL(dal_search_run(&search, 3, &result), DAL_OK);
    CU_ASSERT_FATAL(result.count > 1);
    CU_ASSERT(result.values[0].period_ns <= result.values[1].period_ns * (1 + DAL_SEARCH_SAME));
    dal_search_bind(&s.space, result.places);
    dal_mapping_write(&text, s.spec, "a -- comment ---");
    file = random_file("keep.xml");
    fputs(dal_text_get(&text), file);
    fclose(file);
    dal_text_finish(&text);
    dal_search_result_finish(&result);
    finish_subject(&s);

    CU_ASSERT_EQUAL_FATAL(make_subject(&s, "keep.xml", &none), DAL_OK);
    CU_ASSERT_EQUAL(s.spec->mapping.bindings[0].processor_count, 2);
    CU_ASSERT_EQUAL(s.spec->mapping.bindings[0].shadow_copies, DAL_SPEC_AUTO);
    CU_ASSERT_STRING_EQUAL(s.spec->mapping.bindings[1].processors[0]->name, "core_1");
    CU_ASSERT_EQUAL(s.spec->mapping.queue_depth, 7);
    CU_ASSERT_EQUAL(s.spec->mapping.realtime, 9);
    CU_ASSERT_EQUAL(s.spec->mapping.override_count, 1);
    CU_ASSERT_EQUAL(s.spec->mapping.overrides[0].capacity, 4096);
    for (size_t i = 0; i < s.space.process_count; i++)
        CU_ASSERT_EQUAL(s.space.kept[i], 1);
    finish_subject(&s);
    CU_ASSERT_EQUAL(make_subject(&s, "keep.xml", &refused), DAL_ERR_INVALID);
    finish_subject(&s);
}

/* All that a binding may say of a kernel. */
static void check_binding(const struct dal_spec *spec)
{
    const struct dal_spec_binding *b = &spec->mapping.bindings[0];
    const struct dal_spec_override *o = spec->mapping.overrides;
    CU_ASSERT_STRING_EQUAL(b->processors[0]->name, "gpu");
    CU_ASSERT_EQUAL(b->source->id, 7);
    CU_ASSERT_EQUAL(b->shadow_copies, 8);
    CU_ASSERT_EQUAL(b->work_items, 24);
    CU_ASSERT_EQUAL(b->work_shape[0], 4);
    CU_ASSERT_EQUAL(b->work_shape[1], 3);
    CU_ASSERT_EQUAL(b->work_shape[2], 2);
    CU_ASSERT_EQUAL(b->priority, -5);
    CU_ASSERT_EQUAL(b->has_priority, 1);
    CU_ASSERT_EQUAL(b->group, DAL_GROUP_NO);
    CU_ASSERT_EQUAL(b->fallback->id, 3);
    CU_ASSERT_STRING_EQUAL(b->fallback_processor->name, "core_1");
    CU_ASSERT_STRING_EQUAL(spec->mapping.policy, "priority");
    CU_ASSERT_EQUAL(spec->mapping.override_count, 1);
    CU_ASSERT_EQUAL(o->kind, DAL_WISH_NAIVE);
    CU_ASSERT_EQUAL(o->capacity, 64);
}

static void test_written(void)
{
    struct dal_text text = {0};
    struct dal_diags diags;
    struct dal_spec *spec;
    FILE *file = random_file("network.xml");
    fputs("<processnetwork name='two'><process name='p0'><port type='output' name='o0'/>"
          "<source type='c' location='a.c' id='3'/><source type='opencl' location='a.cl' id='7'/>"
          "</process><process name='p1'><port type='input' name='i0'/>"
          "<source type='c' location='a.c'/></process>\n",
          file);
    random_channel(file, 0, 0, 1, (const uint64_t[]){1, 1});
    fputs("</processnetwork>\n", file);
    fclose(file);
    random_machine(random_machines[1]);
    write_keep("<queue policy='priority'/><channel name='c0' kind='naive' size='64'/>"
               "<binding name='a'><process name='p0' sourceid='7'/><processor name='gpu'/>"
               "<target shadowcopies='8' workitems='4x3x2' priority='-5' group='no'/>"
               "<fallback sourceid='3' processor='core_1'/></binding>"
               "<binding name='b'><process name='p1'/><processor name='core_0'/></binding>");
    for (int round = 0; round < 2; round++) {
        dal_diags_init(&diags);
        spec = dal_spec_load(&diags, "network.xml", "machine.xml", "keep.xml", NULL, 0);
        if (!spec)
            dal_diags_print(&diags, stdout);
        CU_ASSERT_PTR_NOT_NULL_FATAL(spec);
        check_binding(spec);
        dal_mapping_write(&text, spec, "first\nsecond --- line-");
        file = random_file("keep.xml");
        fputs(dal_text_get(&text), file);
        fclose(file);
        dal_text_finish(&text);
        dal_spec_destroy(spec);
        dal_diags_finish(&diags);
    }
}

static int is_enough(void *context, uint64_t tried, double least_ns)
{
    (void)least_ns;
    return tried >= *(uint64_t *)context;
}

/* What was found is kept. */
static void test_ended(void)
{
    static const struct dal_search_wishes none;
    uint64_t enough = 2;
    struct dal_search search;
    struct dal_search_result result;
    struct subject s;
    random_machine(random_machines[0]);
    random_times(random_network(""));
    CU_ASSERT_EQUAL_FATAL(make_subject(&s, NULL, &none), DAL_OK);
    for (int exact = 0; exact < 2; exact++) {
        search = search_of(&s, DAL_SEARCH_THROUGHPUT, exact ? DAL_SEARCH_EXACT : 0);
        search.look = is_enough;
        search.context = &enough;
        CU_ASSERT_EQUAL_FATAL(dal_search_run(&search, 1, &result), DAL_OK);
        CU_ASSERT_EQUAL(result.end, DAL_SEARCH_INTERRUPTED);
        CU_ASSERT_EQUAL(result.count, 1);
        CU_ASSERT_EQUAL(result.tried, 2);
        dal_search_result_finish(&result);
        search.look = NULL;
        search.deadline_ns = dal_now_ns() - 1;
        CU_ASSERT_EQUAL_FATAL(dal_search_run(&search, 1, &result), DAL_OK);
        CU_ASSERT_EQUAL(result.end, DAL_SEARCH_TIME);
        CU_ASSERT_EQUAL(result.tried, 1);
        dal_search_result_finish(&result);
        CU_ASSERT_EQUAL_FATAL(dal_search_front(&search, 3, &result), DAL_OK);
        CU_ASSERT_EQUAL(result.end, DAL_SEARCH_TIME);
        CU_ASSERT_EQUAL(result.tried, DAL_SEARCH_LEVELS);
        CU_ASSERT(result.count > 0);
        dal_search_result_finish(&result);
        search.look = is_enough;
        search.deadline_ns = 0;
        CU_ASSERT_EQUAL_FATAL(dal_search_front(&search, 3, &result), DAL_OK);
        CU_ASSERT_EQUAL(result.end, DAL_SEARCH_INTERRUPTED);
        CU_ASSERT_EQUAL(result.tried, 2);
        CU_ASSERT(result.count > 0);
        dal_search_result_finish(&result);
    }
    finish_subject(&s);
}

/* Memory runs out at any one point: an error, and nothing is lost. */
static int search_once(int is_front)
{
    static const struct dal_search_wishes none = {.pools = 1};
    struct dal_search_result result = {0};
    struct dal_search search;
    struct subject s = {0};
    int error = DAL_ERR_NOMEM;
    dal_diags_init(&s.diags);
    s.spec = dal_spec_load_open(&s.diags, "network.xml", "machine.xml", NULL, NULL, 0);
    if (s.spec)
        error = dal_search_space_make(&s.diags, &s.space, s.spec, "times.json", &none);
    search = search_of(&s, DAL_SEARCH_THROUGHPUT, 0);
    if (!error)
        error =
            is_front ? dal_search_front(&search, 3, &result) : dal_search_run(&search, 1, &result);
    dal_search_result_finish(&result);
    finish_subject(&s);
    return error;
}

static void test_memory(void)
{
    unsigned long stride = suite_stride();
    random_machine(random_machines[1]);
    random_times(random_network(""));
    for (int is_front = 0; is_front < 2; is_front++) {
        CU_ASSERT_EQUAL(search_once(is_front), DAL_OK);
        for (unsigned long n = suite_first(); n < 4000 * stride;
             n += n < 400 ? stride : 97 * stride) {
            dal_alloc_fail_at(n);
            if (search_once(is_front) == DAL_OK && n < 200)
                printf(" allocation %lu is not missed", n);
            dal_alloc_fail_at(0);
        }
    }
}

int main(void)
{
    static const struct test tests[] = {{"against all", test_against_all},
                                        {"front", test_front},
                                        {"choose", test_choose},
                                        {"kept", test_kept},
                                        {"written", test_written},
                                        {"ended", test_ended},
                                        {"memory", test_memory}};
    char folder[] = "/tmp/dal-test-search-XXXXXX";
    static const char *const files[] = {"a.c",         "a.cl",       "network.xml",
                                        "machine.xml", "times.json", "keep.xml"};
    int status;
    if (!mkdtemp(folder) || chdir(folder))
        return 1;
    fclose(random_file("a.c"));
    fclose(random_file("a.cl"));
    status = run_suite("search", tests, sizeof(tests) / sizeof(tests[0]));
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        unlink(files[i]);
    if (chdir("/") || rmdir(folder))
        return 1;
    return status;
}
