/*
 * The search for a mapping against all mappings: random networks on small machines, where each
 * mapping can be tried one by one, without symmetry and without bounds.
 */
#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/base/error.h"
#include "rt/base/number.h"
#include "spec/read/names.h"
#include "synth/search/search.h"
#include "synth/mapping.h"
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
        free_cores[far] += place->kind == DAL_CAPABILITY_POSIX && !place->pool_count && !is_used;
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
                    struct truth *truth)
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
        s->space.by_latency = objective == DAL_SEARCH_LATENCY;
        try_all(&s->space, wishes, &truth);
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
        CU_ASSERT(s->space.by_latency ||
                  result.values[0].period_ns <=
                      result.beginning_ns *
                          (1 + (objective ? DAL_SEARCH_MARGIN : DAL_SEARCH_SAME)));
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
    write_keep("<channel name='c0' size='4096'/><queue depth='7'/>"
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
    }
    finish_subject(&s);
}

/* Memory runs out at any one point: an error, and nothing is lost. */
static int search_once(void)
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
        error = dal_search_run(&search, 1, &result);
    dal_search_result_finish(&result);
    finish_subject(&s);
    return error;
}

static void test_memory(void)
{
    unsigned long stride = suite_stride();
    random_machine(random_machines[1]);
    random_times(random_network(""));
    CU_ASSERT_EQUAL(search_once(), DAL_OK);
    for (unsigned long n = 1; n < 4000 * stride; n += n < 400 ? stride : 97 * stride) {
        dal_alloc_fail_at(n);
        if (search_once() == DAL_OK && n < 200)
            printf(" allocation %lu is not missed", n);
        dal_alloc_fail_at(0);
    }
}

int main(void)
{
    static const struct test tests[] = {{"against all", test_against_all},
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
