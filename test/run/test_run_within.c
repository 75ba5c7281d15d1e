/*
 * A network (include/dal_run.h) within a firing of another one, and in a program that writes
 * numbers with a comma.
 */
#include "rt/base/error.h"

#include "test/run/adding.h"
#include "test/suite.h"

#include <locale.h>
#include <string.h>
#include <unistd.h>

enum { FIRINGS = 40, NAPS = 4, NAP_US = 20000 };

/* ---- within a firing ------------------------------------------------------------------------- */

static const struct dal_net *inner; /* set between runs */
static struct dal_run *kept;        /* an inner run for all firings, or NULL: each has its own */

static int pass(struct dal_run *run, uint64_t *numbers)
{
    return dal_run_write(run, IN, numbers, RATE, DAL_FOREVER) == RATE &&
           dal_run_read(run, OUT, numbers, RATE, DAL_FOREVER) == RATE;
}

/* Lets another network add one. */
static int ask_fire(DALProcess *p)
{
    uint64_t numbers[RATE];
    struct dal_run *run = kept;
    DAL_read("in", numbers, sizeof(numbers), p);
    if (kept)
        usleep(NAP_US);
    if ((!run && dal_run_open(&run, inner, NULL) != DAL_OK) || !pass(run, numbers) ||
        (!kept && dal_run_close(run) != DAL_OK))
        DAL_fail(p, "the inner network ends");
    DAL_write("out", numbers, sizeof(numbers), p);
    return 0;
}

static const struct dal_code asking = {.state = &state, .fire = ask_fire, .run = run_stage};
static const struct dal_code asking_slowly = {.state = &state, .fire = ask_fire};
static const struct dal_process_desc asks[][3] = {
    {OPEN("numbers", in_ports), ADDING(DAL_PROCESS_C, &asking, 1, NULL), OPEN("sums", out_ports)},
    {OPEN("numbers", in_ports), ADDING(DAL_PROCESS_C, &asking, 2, NULL), OPEN("sums", out_ports)},
    {OPEN("numbers", in_ports), ADDING(DAL_PROCESS_KPN, &asking_slowly, 1, NULL),
     OPEN("sums", out_ports)}};
static const struct dal_net outer[] = {NET(asks[0], channels), NET(asks[1], channels),
                                       NET(asks[2], kpn_channels)};
enum { OUTER = sizeof(outer) / sizeof(outer[0]) };

static void run_around(const struct dal_net *around, int firings)
{
    uint64_t numbers[RATE];
    struct dal_run *run;
    CU_ASSERT_EQUAL_FATAL(dal_run_open(&run, around, NULL), DAL_OK);
    for (uint64_t i = 0; i < (uint64_t)firings; i++) {
        for (uint64_t k = 0; k < RATE; k++)
            numbers[k] = i + k;
        CU_ASSERT_TRUE_FATAL(pass(run, numbers));
        for (uint64_t k = 0; k < RATE; k++)
            CU_ASSERT_EQUAL(numbers[k], i + k + 1);
    }
    CU_ASSERT_EQUAL(dal_run_close(run), DAL_OK);
}

static void opened_in_each_firing(void)
{
    for (int i = 0; i < OUTER; i++)
        for (int k = 0; k < NETS; k++) {
            inner = &nets[k];
            run_around(&outer[i], FIRINGS);
        }
}

/* Its threads sleep when a firing comes. */
static void open_all_the_time(void)
{
    for (int i = 0; i < OUTER; i++)
        for (int k = 0; k < NETS; k++) {
            CU_ASSERT_EQUAL_FATAL(dal_run_open(&kept, &nets[k], NULL), DAL_OK);
            run_around(&outer[i], NAPS);
            CU_ASSERT_EQUAL(dal_run_close(kept), DAL_OK);
            kept = NULL;
        }
}

/* ---- numbers --------------------------------------------------------------------------------- */

static _Atomic int gain_was_right;

static int see_gain(DALProcess *p)
{
    uint64_t numbers[RATE];
    double gain = 0;
    DAL_read("in", numbers, sizeof(numbers), p);
    DAL_write("out", numbers, sizeof(numbers), p);
    if (DAL_getParameterDouble("gain", &gain, p) == 0 && gain == 2.25)
        gain_was_right = 1;
    return 0;
}

static const struct dal_parameter_desc gains[] = {{.name = "gain",
                                                   .value = "1.5",
                                                   .typed = 1,
                                                   .type = DAL_VALUE_FLOAT,
                                                   .min = "0.25",
                                                   .max = "4.5"}};
static const struct dal_code seeing = {.state = &state, .fire = see_gain};

static void has_comma(void)
{
    static const struct dal_run_options options = {.parameters = "Stage.gain=2.25"};
    struct dal_process_desc processes[] = {OPEN("numbers", in_ports),
                                           ADDING(DAL_PROCESS_C, &seeing, 1, NULL),
                                           OPEN("sums", out_ports)};
    const struct dal_net net = NET(processes, channels);
    uint64_t numbers[RATE] = {0};
    struct dal_run *run;
    const char *name = getenv("DAL_TEST_LOCALE");
    processes[STAGE].parameters = gains;
    if (name)
        CU_ASSERT_PTR_NOT_NULL_FATAL(setlocale(LC_ALL, name));
    CU_ASSERT_EQUAL_FATAL(dal_run_open(&run, &net, &options), DAL_OK);
    CU_ASSERT_TRUE(pass(run, numbers));
    CU_ASSERT_TRUE(gain_was_right);
    if (name)
        CU_ASSERT_STRING_EQUAL(localeconv()->decimal_point, ",");
    CU_ASSERT_EQUAL(dal_run_close(run), DAL_OK);
    setlocale(LC_ALL, "C");
}

int main(void)
{
    static const struct test tests[] = {
        {"opened in each firing", opened_in_each_firing},
        {"open all the time", open_all_the_time},
        {"has comma", has_comma},
    };
    return run_suite("networks within firings", tests, sizeof(tests) / sizeof(tests[0]));
}
