/*
 * What the local search begins with, and its moves, one by one: from a beginning that the test
 * gives, in networks that are made so that one sort of move alone helps. Each is a chain of
 * processes on cores that are alike, where the period is what the core with most to do takes; or a
 * loop, where it is the way round.
 */
#include "rt/base/error.h"
#include "spec/load/load.h"
#include "synth/tune/search/tried.h"
#include "test/search/random_files.h"
#include "test/suite.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 8 };

struct chain {
    int cores, processes;
    double ms[MOST];          /* of a firing */
    uint16_t beginning[MOST]; /* cores */
    int loop; /* so many of the first are one, with a token in it; 0: there is none */
};

/* ---- files ----------------------------------------------------------------------------------- */

static void write_network(const struct chain *chain)
{
    FILE *file = random_file("network.xml");
    fputs("<processnetwork name='chain'>\n", file);
    for (int i = 0; i < chain->processes; i++)
        fprintf(file, "<process name='p%d'><source type='c' location='a.c'/></process>\n", i);
    for (int i = 0; i < chain->processes - 1; i++)
        fprintf(file, "<channel from='p%d.out' to='p%d.in' tokensize='8'/>\n", i, i + 1);
    if (chain->loop)
        fprintf(file, "<channel from='p%d.back' to='p0.back' tokensize='8' initialtokens='1'/>\n",
                chain->loop - 1);
    fputs("</processnetwork>\n", file);
    fclose(file);
}

static void write_machine(int cores)
{
    FILE *file = random_file("machine.xml");
    fputs("<architecture name='cores'>", file);
    for (int i = 0; i < cores; i++)
        fprintf(file,
                "<processor name='core_%d' type='RISC'><capability name='POSIX' "
                "identifier='%d'/></processor>",
                i, i);
    fputs("</architecture>", file);
    fclose(file);
}

static void write_times(const struct chain *chain)
{
    FILE *file = random_file("times.json");
    fputs("{\"dal-times\": 2, \"machine\": {\"cores\": \"x\"}, \"times\": [\n", file);
    for (int i = 0; i < chain->processes; i++) {
        double ns = 1e6 * chain->ms[i];
        fprintf(file,
                "%s{\"process\": \"p%d\", \"type\": \"c\", \"on\": \"core\", \"copies\": 1, "
                "\"items\": 1, \"firings\": 9, \"ns\": {\"mean\": %g, \"p10\": %g, "
                "\"median\": %g, \"p99\": %g}}",
                i ? ",\n" : "", i, ns, ns, ns, ns);
    }
    fputs("]}\n", file);
    fclose(file);
}

/* ---- a search -------------------------------------------------------------------------------- */

static struct dal_diags diags;
static struct dal_spec *spec;
static struct dal_search_space space;
static struct dal_search search;
static struct dal__tried tried;
static uint64_t enough; /* mappings that are tried; 0: as many as the search wants */

static int is_enough(void *context, uint64_t count, double least_ns)
{
    (void)context, (void)least_ns;
    return enough && count >= enough;
}

static void make_search(const struct chain *chain, uint64_t most)
{
    static const struct dal_search_wishes none;
    write_network(chain);
    write_machine(chain->cores);
    write_times(chain);
    dal_diags_init(&diags);
    spec = dal_spec_load_open(&diags, "network.xml", "machine.xml", NULL, NULL, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(spec);
    CU_ASSERT_EQUAL_FATAL(dal_search_space_make(&diags, &space, spec, "times.json", &none), DAL_OK);
    enough = most;
    search = (struct dal_search){.space = &space, .look = is_enough};
    CU_ASSERT_EQUAL_FATAL(dal__tried_init(&tried, &search), DAL_OK);
}

/* From the beginning on, which is the first mapping that is tried. */
static void search_from(const struct chain *chain, uint64_t most)
{
    uint16_t places[MOST];
    make_search(chain, most);
    memcpy(places, chain->beginning, sizeof(places));
    CU_ASSERT_EQUAL_FATAL(dal__try(&tried, places), 0);
    dal__search_local(&tried);
    CU_ASSERT_EQUAL(tried.status, DAL_OK);
}

static void finish(void)
{
    dal__tried_finish(&tried);
    dal_search_space_finish(&space);
    dal_spec_destroy(spec);
    dal_diags_finish(&diags);
}

static double goal_ms(size_t number)
{
    return 1e-6 * tried.values[number].goal_ns;
}

/* Is this mapping that one, and its period so long? The first process is on core 0. */
static int is_mapping(size_t number, const uint16_t *places, double ms)
{
    if (number < tried.count && goal_ms(number) > 0.999 * ms && goal_ms(number) < 1.001 * ms &&
        memcmp(dal__tried_places(&tried, number), places, space.process_count * sizeof(*places)) ==
            0)
        return 1;
    for (size_t i = 0; i < tried.count; i++) {
        printf("\n%zu:", i);
        for (size_t k = 0; k < space.process_count; k++)
            printf(" %d", dal__tried_places(&tried, i)[k]);
        printf(" takes %g ms, on %zu cores", goal_ms(i), tried.values[i].processors);
    }
    return 0;
}

/* ---- beginnings ------------------------------------------------------------------------------ */

static void begin_search(const struct chain *chain)
{
    make_search(chain, 0);
    dal__search_begin(&tried);
    CU_ASSERT_EQUAL(tried.status, DAL_OK);
}

/* The first balances load, and where that is as good on two cores keeps tokens on one. Then all are
 * on one core; then each has the next core. */
static void beginnings(void)
{
    static const struct chain chain = {2, 4, {10, 10, 1, 1}, {0}, 0};
    static const uint16_t balanced[] = {0, 1, 1, 0}, together[] = {0, 0, 0, 0},
                          in_turn[] = {0, 1, 0, 1};
    begin_search(&chain);
    CU_ASSERT_EQUAL(tried.count, 3);
    CU_ASSERT(is_mapping(0, balanced, 11));
    CU_ASSERT(is_mapping(1, together, 22));
    CU_ASSERT(is_mapping(2, in_turn, 11));
    finish();
}

/* The last has those that follow each other on one core, until that has its part. */
static void in_a_row(void)
{
    static const struct chain chain = {2, 4, {1, 1, 10, 10}, {0}, 0};
    static const uint16_t row[] = {0, 0, 0, 1};
    begin_search(&chain);
    CU_ASSERT_FATAL(tried.count > 0);
    CU_ASSERT(is_mapping(tried.count - 1, row, 12));
    finish();
}

/* ---- moves ----------------------------------------------------------------------------------- */

/* One that is moved makes the other core no better than this one; two that change places help. It
 * is the first mapping that is tried: the others have more load on one core. */
static void swap(void)
{
    static const struct chain chain = {2, 4, {6, 3, 5, 2}, {0, 0, 1, 1}, 0};
    static const uint16_t swapped[] = {0, 1, 1, 0};
    search_from(&chain, 2);
    CU_ASSERT(is_mapping(0, chain.beginning, 9));
    CU_ASSERT(is_mapping(1, swapped, 8));
    finish();
}

/* Before two change places: which of these comes first is part of what is found. */
static void one(void)
{
    static const struct chain chain = {2, 3, {5, 4, 3}, {0, 0, 1}, 0};
    static const uint16_t moved[] = {0, 1, 0};
    search_from(&chain, 2);
    CU_ASSERT(is_mapping(0, chain.beginning, 9));
    CU_ASSERT(is_mapping(1, moved, 8));
    finish();
}

/* No move and no change of places helps. Some that are elsewhere by chance do. */
static void chance(void)
{
    static const struct chain chain = {2, 6, {8, 7, 7, 12, 11, 7}, {0, 0, 0, 1, 1, 0}, 0};
    static const uint16_t found[] = {0, 0, 1, 1, 0, 1};
    search_from(&chain, 0);
    CU_ASSERT(is_mapping(0, chain.beginning, 29));
    CU_ASSERT(is_mapping(tried.best, found, 26));
    CU_ASSERT_EQUAL(tried.end, DAL_SEARCH_NO_HELP);
    finish();
}

/* Of mappings that are as fast, one on fewer cores; from where nothing can be faster, by moves that
 * help there. */
static void fewer_cores(void)
{
    static const struct chain chain = {3, 3, {10, 1, 1}, {0, 1, 2}, 0};
    static const uint16_t moved[] = {0, 1, 1};
    search_from(&chain, 0);
    CU_ASSERT(is_mapping(0, chain.beginning, 10));
    CU_ASSERT(is_mapping(1, moved, 10));
    finish();
}

/* Round a loop each token on its way from core to core counts. One process that is moved alone
 * makes these no fewer, and with all of them the core has too much to do. */
static void neighbours(void)
{
    static const struct chain chain = {2, 5, {0.01, 0.01, 0.01, 0.01, 0.02}, {0, 0, 1, 1, 1}, 4};
    static const uint16_t moved[] = {0, 0, 0, 0, 1};
    search_from(&chain, 5);
    CU_ASSERT(is_mapping(0, chain.beginning, 0.0412));
    CU_ASSERT(is_mapping(4, moved, 0.0401));
    finish();
}

/* Nothing can be faster: no other mapping is tried. */
static void stops(void)
{
    static const struct chain chain = {2, 4, {6, 3, 5, 2}, {0, 1, 1, 0}, 0};
    search_from(&chain, 0);
    CU_ASSERT_EQUAL(tried.count, 1);
    CU_ASSERT_EQUAL(tried.end, DAL_SEARCH_NO_HELP);
    finish();
}

int main(void)
{
    static const struct test tests[] = {
        {"beginnings", beginnings},
        {"a beginning in a row", in_a_row},
        {"two change places", swap},
        {"one elsewhere", one},
        {"some elsewhere by chance", chance},
        {"fewer cores", fewer_cores},
        {"one and its neighbours", neighbours},
        {"no more than needed", stops},
    };
    char folder[] = "/tmp/dal-test-moves-XXXXXX";
    static const char *const files[] = {"a.c", "network.xml", "machine.xml", "times.json"};
    int status;
    if (!mkdtemp(folder) || chdir(folder))
        return 1;
    fclose(random_file("a.c"));
    status = run_suite("moves of the search", tests, sizeof(tests) / sizeof(tests[0]));
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
        unlink(files[i]);
    if (chdir("/") || rmdir(folder))
        return 1;
    return status;
}
