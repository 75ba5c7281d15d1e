/*
 * What dalinfo --measure makes of values, on machines that are not there: the measurements are
 * replaced by some that are known at once.
 */
#include "rt/base/alloc.h"
#include "rt/base/clock.h"
#include "rt/devices/devices.h"
#include "tools/info/dalinfo_measure.h"

#include "test/suite.h"

#include <CUnit/CUnit.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CORES = 128, MANY_VALUES = 1000 };

static int asked[DAL_COST_KINDS];        /* measurements so far */
static double first_s, last_s;           /* that the first and the last were given */
static int failing = -1, signal_at = -1; /* the kind that cannot be measured; that a signal ends */

/* Of 0 to MANY_VALUES - 1 in another order, and `base` more: their median is known. */
static int add_values(struct measure_run *run, struct measure_series *series,
                      enum dal_cost_kind kind, double base)
{
    int wanted = 1;
    asked[kind]++;
    last_s = (double)(run->until_ns - dal_now_ns()) / 1e9;
    first_s = first_s > 0 ? first_s : last_s;
    if ((int)kind == signal_at && asked[kind] == 1)
        raise(SIGTERM);
    for (int i = 0; i < MANY_VALUES && wanted; i++)
        wanted = measure_add(run, series, base + i * 7 % MANY_VALUES);
    return (int)kind == failing ? DAL_ERR_DEVICE : DAL_OK;
}

int measure_firing(struct measure_run *run, int core)
{
    return add_values(run, &run->latency, DAL_COST_FIRING, 1000 * (core + 1));
}

int measure_copy(struct measure_run *run, const struct dal_cores *cores, int core)
{
    CU_ASSERT(cores->count > 0);
    return add_values(run, &run->bandwidth, DAL_COST_COPY, 1e9 * (core + 1));
}

/* Of the numbers 0 to 127: what tells the pair. */
int measure_wake(struct measure_run *run, int from, int to)
{
    return add_values(run, &run->latency, DAL_COST_WAKE, 1000. * (1000 * from + to));
}

int measure_token(struct measure_run *run, int from, int to)
{
    int status = add_values(run, &run->latency, DAL_COST_TOKEN, 1000. * (1000 * from + to));
    return status < 0 ? status : add_values(run, &run->bandwidth, DAL_COST_TOKEN, 1e9);
}

int measure_device_open(struct measure_device **device, const struct dal_device_info *info,
                        const char *name)
{
    *device = NULL;
    return info->identifier[0] && strncmp(name, "device_", 7) == 0 ? DAL_OK : DAL_ERR_DEVICE;
}

void measure_device_close(struct measure_device *device)
{
    (void)device;
}

int measure_launch(struct measure_run *run, struct measure_device *device)
{
    (void)device;
    return add_values(run, &run->latency, DAL_COST_LAUNCH, 1e3);
}

int measure_batch(struct measure_run *run, struct measure_device *device)
{
    (void)device;
    return add_values(run, &run->latency, DAL_COST_BATCH, 1e12);
}

int measure_upload(struct measure_run *run, struct measure_device *device)
{
    (void)device;
    (void)add_values(run, &run->latency, DAL_COST_UPLOAD, 0);
    return add_values(run, &run->bandwidth, DAL_COST_UPLOAD, 0);
}

/* Nothing is found. */
int measure_download(struct measure_run *run, struct measure_device *device)
{
    (void)device;
    (void)run;
    return DAL_OK;
}

/* ---- machines -------------------------------------------------------------------------------- */

/* Two threads have one L1, four one L2, eight one L3, sixteen one memory; numbers 0, 1.. */
static struct dal_cores machine(size_t count)
{
    static int numbers[MOST_CORES];
    static struct dal_core_place places[MOST_CORES];
    static char model[] = "M", all[] = "0";
    for (size_t i = 0; i < count; i++) {
        numbers[i] = (int)i;
        places[i] = (struct dal_core_place){
            .l1 = (int)i / 2, .l2 = (int)i / 4, .l3 = (int)i / 8, .memory = (int)i / 16};
    }
    return (struct dal_cores){
        .numbers = numbers, .places = places, .count = count, .model = model, .all = all};
}

/* What is written of a machine; the caller frees it. NULL when a signal ended it. */
static char *measure_text(size_t count, const struct dal_device_list *devices, double seconds)
{
    struct dal_cores cores = machine(count);
    struct measured *measured;
    int number = 0, status;
    char *text = NULL;
    size_t bytes;
    FILE *out;
    memset(asked, 0, sizeof(asked));
    first_s = last_s = 0;
    status = measure_machine(&measured, &cores, devices, seconds, &number);
    CU_ASSERT_EQUAL(status, signal_at < 0 ? DAL_OK : DAL_ERR_INTERRUPTED);
    CU_ASSERT_EQUAL(number, signal_at < 0 ? 0 : SIGTERM);
    if (status < 0) {
        CU_ASSERT_PTR_NULL(measured);
        return NULL;
    }
    out = open_memstream(&text, &bytes);
    measure_write(out, measured);
    fclose(out);
    measure_free(measured);
    return text;
}

static int occurrences(const char *text, const char *part)
{
    int count = 0;
    while ((text = strstr(text, part))) {
        count++;
        text += strlen(part);
    }
    return count;
}

static const struct dal_device_list no_devices = {.count = 0};

/* Is this in the text, once? */
static void check_once(const char *text, const char *part)
{
    if (occurrences(text, part) != 1)
        printf("\n%d times: %s\nin %.2000s", occurrences(text, part), part, text);
    CU_ASSERT_EQUAL(occurrences(text, part), 1);
}

/* Each pair, each way. Medians of 0 to 999 are 500; p10 is 100 and p90 899. */
static void test_few(void)
{
    char *text = measure_text(4, &no_devices, 10);
    CU_ASSERT_EQUAL(occurrences(text, "<cost "), 4 + 12 + 12 + 4);
    check_once(text, "<cost of=\"firing\" on=\"core_3\" latency=\"4.500us\" spread=\"399.5ns\"/>");
    check_once(text, "<cost of=\"wake\" from=\"core_2\" to=\"core_1\" latency=\"2.002ms\" "
                     "spread=\"399.5ns\"/>");
    check_once(text, "<cost of=\"token\" from=\"core_1\" to=\"core_3\" latency=\"1.004ms\" "
                     "spread=\"399.5ns\" bandwidth=\"1.000GB/s\"/>");
    check_once(text, "<cost of=\"copy\" on=\"core_3\" bandwidth=\"1.000GB/s\"/>");
    CU_ASSERT_EQUAL(asked[DAL_COST_COPY], 1);
    free(text);
}

/* One pair of each nearness is measured, and all pairs are written. */
static void test_more(void)
{
    char *text = measure_text(64, &no_devices, 10);
    CU_ASSERT_EQUAL(asked[DAL_COST_WAKE], 5);
    CU_ASSERT_EQUAL(asked[DAL_COST_TOKEN], 2 * 5);
    CU_ASSERT_EQUAL(asked[DAL_COST_COPY], 4);
    CU_ASSERT_EQUAL(occurrences(text, "<cost of=\"firing\""), 64);
    CU_ASSERT_EQUAL(occurrences(text, "<cost of=\"copy\""), 64);
    CU_ASSERT_EQUAL(occurrences(text, "<cost of=\"wake\""), 64 * 63 / 2);
    check_once(text, "<cost of=\"wake\" from=\"core_62\" to=\"core_63\" latency=\"1.500us\"");
    check_once(text, "<cost of=\"wake\" from=\"core_61\" to=\"core_63\" latency=\"2.500us\"");
    check_once(text, "<cost of=\"wake\" from=\"core_56\" to=\"core_63\" latency=\"4.500us\"");
    check_once(text, "<cost of=\"wake\" from=\"core_48\" to=\"core_63\" latency=\"8.500us\"");
    check_once(text, "<cost of=\"wake\" from=\"core_0\" to=\"core_63\" latency=\"16.50us\"");
    CU_ASSERT_EQUAL(occurrences(text, "from=\"core_5\" to=\"core_5\""), 0);
    check_once(text, "<cost of=\"copy\" on=\"core_63\" bandwidth=\"49.00GB/s\"/>");
    check_once(text, "<cost of=\"copy\" on=\"core_15\" bandwidth=\"1.000GB/s\"/>");
    free(text);
}

/* The pairs that were measured, and 64 firings. */
static void test_many(void)
{
    char *text = measure_text(128, &no_devices, 10);
    CU_ASSERT_EQUAL(occurrences(text, "<cost of=\"wake\""), 5);
    CU_ASSERT_EQUAL(occurrences(text, "<cost of=\"token\""), 5);
    CU_ASSERT_EQUAL(occurrences(text, "<cost of=\"firing\""), 64);
    CU_ASSERT_EQUAL(occurrences(text, "<cost of=\"copy\""), 8);
    check_once(text, "from=\"core_0\" to=\"core_16\" latency=\"16.50us\" spread=\"399.5ns\"/>");
    check_once(text, "<cost of=\"firing\" on=\"core_126\"");
    free(text);
}

/* Values that the format has not become the nearest that it has. What cannot be measured is left
 * out: a kind, or all of a device. */
static void test_devices(void)
{
    static char own[] = "GPU_1_A_DEV1", shared[] = "CPU_1_B_DEV1", broken[] = "", none[] = "";
    struct dal_device_info info[] = {{.identifier = own, .traits.unified = 0},
                                     {.identifier = shared, .traits.unified = 1},
                                     {.identifier = broken, .traits.unified = 1}};
    struct dal_device_list devices = {.info = info, .count = 3};
    char *text;
    for (int i = 0; i < 3; i++) {
        info[i].backend = dal_backend_of("OPENCL");
        info[i].platform = info[i].platform_version = info[i].driver = none;
    }
    text = measure_text(1, &devices, 10);
    check_once(text,
               "<cost of=\"launch\" on=\"device_0\" latency=\"1.500us\" spread=\"399.5ns\"/>");
    check_once(text, "<cost of=\"batch\" on=\"device_1\" latency=\"10.00s\"");
    check_once(text, "<cost of=\"upload\" on=\"device_0\" latency=\"500.0ns\" spread=\"399.5ns\" "
                     "bandwidth=\"1.000kB/s\"/>");
    CU_ASSERT_EQUAL(occurrences(text, "device_2"), 0);
    CU_ASSERT_EQUAL(occurrences(text, "download"), 0);
    CU_ASSERT_EQUAL(occurrences(text, "<cost "), 2 + 3 + 2);
    free(text);
    failing = DAL_COST_LAUNCH;
    text = measure_text(1, &devices, 10);
    CU_ASSERT_EQUAL(occurrences(text, "launch"), 0);
    CU_ASSERT_EQUAL(occurrences(text, "<cost "), 2 + 2 + 1);
    failing = -1;
    free(text);
}

/* A firing has weight 1 of 9, of which there are four; what is not used, those behind it have.
 * Without time, there are few values. */
static void test_time(void)
{
    char *text = measure_text(4, &no_devices, 3600);
    CU_ASSERT_DOUBLE_EQUAL(first_s, 100, 1);
    CU_ASSERT_DOUBLE_EQUAL(last_s, 3600, 60);
    free(text);
    text = measure_text(1, &no_devices, 1e-9);
    /* 1000 to 1056 in steps of 7, nine of them: the fifth; the second and the eighth */
    check_once(text, "<cost of=\"firing\" on=\"core_0\" latency=\"1.028us\" spread=\"21.00ns\"/>");
    CU_ASSERT(last_s <= 0);
    free(text);
}

static void test_no_memory(void)
{
    struct dal_cores cores = machine(8);
    struct measured *measured = NULL;
    unsigned long n;
    int number = 0, status = DAL_ERR_NOMEM;
    for (n = 1; n < 20 && status < 0; n++) {
        dal_alloc_fail_at(n);
        status = measure_machine(&measured, &cores, &no_devices, 1, &number);
        dal_alloc_fail_at(0);
        CU_ASSERT(status == DAL_OK || (status == DAL_ERR_NOMEM && !measured));
    }
    CU_ASSERT(n > 3);
    measure_free(measured);
}

/* Last of all: what has come stays known. */
static void test_signal(void)
{
    signal_at = DAL_COST_TOKEN;
    CU_ASSERT_PTR_NULL(measure_text(4, &no_devices, 10));
    CU_ASSERT_EQUAL(asked[DAL_COST_WAKE], 12);
    CU_ASSERT_EQUAL(asked[DAL_COST_TOKEN], 2);
    CU_ASSERT_EQUAL(asked[DAL_COST_COPY], 0);
}

int main(void)
{
    static const struct test tests[] = {
        {"few cores", test_few},           {"more cores", test_more},
        {"very many cores", test_many},    {"devices", test_devices},
        {"shares of the time", test_time}, {"memory that runs out", test_no_memory},
        {"a signal", test_signal},
    };
    dal_log_program("test");
    measure_guard();
    return run_suite("measure", tests, sizeof(tests) / sizeof(tests[0]));
}
